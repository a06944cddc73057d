// Layouts: what is saved has been checked completely, so that whatever is put into one can be sent.
import { differing, isEmpty } from '../../../../lib/differing'
import { AppError, conflict, invalid, notFound } from '../../../../lib/errors'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { anyChange, type LiveRule, readBrandVariables } from '../../../accounts/projects'
import { namesBrand, writeBrand } from '../branded'
import { editorAfter, editorFaults, refuseOldVersion } from '../editor'
import { contentDue, layoutUses } from '../hooks'
import { joinLayout } from '../joined'
import { layoutFaults, layoutSuggestion, roomFaults } from '../layout'
import type { LayoutBody, LayoutChangesBody, LayoutUsage } from '../layout-model'
import {
  countLayouts,
  countTemplatesInLayout,
  deleteLayout,
  findLayout,
  holdLayout,
  insertLayout,
  type LayoutRow,
  type ListedLayout,
  lockLayout,
  pageOfLayouts,
  templatesInLayout,
  updateLayout,
} from '../queries'
import { refuseBrokenSyntax } from './syntax'

const layoutNotFound = (id: string): AppError => notFound('Layout', id)

/** 404 for an id of another project too. */
export async function requireLayout(ctx: Context, projectId: string, id: string): Promise<LayoutRow> {
  const row = await findLayout(ctx, projectId, id)
  if (!row) throw layoutNotFound(id)
  return row
}

/** A page, and one row more where there are more; all are counted for the first page. */
export async function listLayouts(
  ctx: Context,
  projectId: string,
  behind: string | undefined,
  limit: number,
): Promise<{ rows: ListedLayout[]; total: number }> {
  const [rows, total] = await Promise.all([
    pageOfLayouts(ctx, projectId, behind, limit + 1),
    behind === undefined ? countLayouts(ctx, projectId) : 0,
  ])
  return { rows, total }
}

/** 400 with the place for broken syntax, 422 where the content has no place. */
export async function refuseFaultyLayout(projectId: string, body: string | undefined): Promise<void> {
  if (body === undefined) return
  await refuseBrokenSyntax(projectId, { body })
  const errors = layoutFaults(body)
  if (errors.length > 0)
    throw new AppError(422, 'VALIDATION_ERROR', 'Request validation failed', {
      errors,
      suggestion: layoutSuggestion,
    })
}

export async function createLayout(ctx: Context, projectId: string, given: LayoutBody): Promise<LayoutRow> {
  refuseFaultyEditor(given.editor)
  await refuseFaultyLayout(projectId, given.body)
  const now = ctx.clock.now()
  const { name, description = null, body, editor = null } = given
  const row = {
    id: newId(ctx),
    projectId,
    name,
    description,
    body,
    editor,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  await insertLayout(ctx, row)
  return row
}

/** Templates and campaigns that use it need no change: they are put into it when they are read. */
export async function changeLayout(
  ctx: Context,
  projectId: string,
  id: string,
  { expectedVersion, ...given }: LayoutChangesBody,
  rule: LiveRule = anyChange,
): Promise<LayoutRow> {
  const stored = await requireLayout(ctx, projectId, id)
  refuseOldVersion(stored.version, expectedVersion)
  const changed = differing(given, stored, [['body', 'editor']])
  if (isEmpty(changed)) return stored
  refuseFaultyEditor(changed.editor)
  const changes = { ...changed, ...editorAfter(changed) }
  await refuseFaultyLayout(projectId, changes.body)
  const row = await inTransaction(ctx, async tx => {
    await rule(tx, { isLive: () => isLayoutDue(tx, projectId, id) })
    return await updateLayout(tx, projectId, id, changes, expectedVersion)
  })
  if (row) return row
  // It was changed or deleted between the two statements.
  refuseOldVersion((await requireLayout(ctx, projectId, id)).version, expectedVersion)
  throw layoutNotFound(id)
}

function refuseFaultyEditor(editor: LayoutBody['editor']): void {
  const faults = editorFaults(editor)
  if (faults.length > 0) throw invalid(faults)
}

const maxNamed = 100

export async function layoutUsage(ctx: Context, projectId: string, id: string): Promise<LayoutUsage> {
  await requireLayout(ctx, projectId, id)
  return usesOf(ctx, projectId, id)
}

async function usesOf(ctx: Context, projectId: string, layoutId: string): Promise<LayoutUsage> {
  const [templates, templateCount, uses] = await Promise.all([
    templatesInLayout(ctx, projectId, layoutId, maxNamed),
    countTemplatesInLayout(ctx, projectId, layoutId),
    callHook(ctx, layoutUses, { projectId, layoutId, limit: maxNamed }),
  ])
  return {
    templates,
    templateCount,
    campaigns: uses.flatMap(({ newest }) => newest),
    campaignCount: uses.reduce((sum, { count }) => sum + count, 0),
  }
}

/** Far more templates than a project has with one layout. */
const maxJudged = 10_000

/** Whether what will be sent, without anybody doing something more, is in this layout. */
export async function isLayoutDue(ctx: Context, projectId: string, layoutId: string): Promise<boolean> {
  const templates = await templatesInLayout(ctx, projectId, layoutId, maxJudged)
  const given = { projectId, templateIds: templates.map(({ id }) => id), layoutId: layoutId.toLowerCase() }
  return (await callHook(ctx, contentDue, given)).includes(true)
}

/** 409 while something uses it: the row is locked, so that nothing can begin to while we look. */
export async function removeLayout(ctx: Context, projectId: string, id: string): Promise<void> {
  await inTransaction(ctx, async tx => {
    if (!(await lockLayout(tx, projectId, id))) throw layoutNotFound(id)
    const { templateCount, campaignCount } = await usesOf(tx, projectId, id)
    if (templateCount + campaignCount > 0)
      throw conflict(
        `Cannot delete layout: ${templateCount} template(s) and ${campaignCount} campaign(s) not yet sent use it`,
        {
          details: { templates: templateCount, campaigns: campaignCount },
          suggestion: 'Give them another layout or none; GET /layouts/:id/usage names them.',
        },
      )
    await deleteLayout(tx, projectId, id)
  })
}

/** The layout that is named: of the same project (404), and kept until the transaction ends. */
export async function holdNamedLayout(
  tx: Context,
  projectId: string,
  id: string | null | undefined,
): Promise<void> {
  if (id && !(await holdLayout(tx, projectId, id))) throw layoutNotFound(id)
}

/** 422 for a body that has no room in a layout. */
export function refuseNoRoom(body: string | undefined, layoutId: string | null | undefined): void {
  const errors = layoutId && body !== undefined ? roomFaults(body) : []
  if (errors.length > 0) throw invalid(errors)
}

/** The body as it is sent. A layout that is gone since a campaign was sent leaves it alone. */
export async function inLayout(
  ctx: Context,
  projectId: string,
  layoutId: string | null | undefined,
  body: string,
): Promise<string> {
  const layout = await findLayoutBody(ctx, projectId, layoutId)
  return await inBrand(ctx, projectId, layout ? joinLayout(layout, body) : body)
}

/** A body with the project's brand in it, as it is now. */
export async function inBrand(ctx: Context, projectId: string, body: string): Promise<string> {
  const brand = namesBrand(body) ? await readBrandVariables(ctx, projectId) : undefined
  return brand ? writeBrand(body, brand) : body
}

/** Undefined without one, and for one that is gone. */
export async function findLayoutBody(
  ctx: Context,
  projectId: string,
  layoutId: string | null | undefined,
): Promise<string | undefined> {
  return layoutId ? (await findLayout(ctx, projectId, layoutId))?.body : undefined
}
