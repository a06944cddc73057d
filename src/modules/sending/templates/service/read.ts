// Reading templates, and what refers to them.
import { badRequest, notFound } from '../../../../lib/errors'
import { direction, namedSortKeys, type Page, pageOf, sortKey } from '../../../../lib/paging'
import type { Context } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { readBrandVariables } from '../../../accounts/projects'
import { contentTypes } from '../../emails'
import { namesBrand, writeBrand } from '../branded'
import type { StepUse } from '../hooks'
import { contentDue, formUses, templateUses } from '../hooks'
import { joinLayout } from '../joined'
import type { ListQuery } from '../model'
import {
  countSentWith,
  countTemplates,
  findTemplate,
  type ListedTemplate,
  type Sendable,
  selectSendable,
  selectTemplates,
  type TemplateListing,
  type TemplateRow,
} from '../queries'

/** 404 for an id of another project too. */
export async function requireTemplate(ctx: Context, projectId: string, id: string): Promise<TemplateRow> {
  const row = await findTemplate(ctx, projectId, id)
  if (!row) throw templateNotFound(id)
  return row
}

const templateNotFound = (id: string) => notFound('Template', id, 'TEMPLATE_NOT_FOUND')

/** What is sent with these templates: their bodies are put into their layouts. Ids of other projects are ignored. */
export async function sendableTemplates(
  ctx: Context,
  projectId: string,
  ids: readonly string[],
): Promise<Sendable[]> {
  const rows = await selectSendable(ctx, projectId, ids)
  const joined = rows.map(({ layout, ...row }) =>
    layout ? { ...row, body: joinLayout(layout, row.body) } : row,
  )
  const brand = joined.some(({ body }) => namesBrand(body))
    ? await readBrandVariables(ctx, projectId)
    : undefined
  return brand ? joined.map(row => ({ ...row, body: writeBrand(row.body, brand) })) : joined
}

/** The same of one; 404 if there is none. */
export async function requireSendable(ctx: Context, projectId: string, id: string): Promise<Sendable> {
  const [row] = await sendableTemplates(ctx, projectId, [id])
  if (!row) throw templateNotFound(id)
  return row
}

export interface TemplatePage {
  rows: ListedTemplate[]
  page: Page
  total: number
}

/** Unknown sort keys and directions count as the default; an unknown type is 400. */
export async function listTemplates(
  ctx: Context,
  projectId: string,
  query: ListQuery,
): Promise<TemplatePage> {
  const page = pageOf(query)
  const listing: TemplateListing = {
    type: readType(query.type),
    search: query.search?.trim() || undefined,
    sort: sortKey(query.sort, namedSortKeys, 'createdAt'),
    dir: direction(query.dir),
  }
  const [rows, total] = await Promise.all([
    selectTemplates(ctx, projectId, listing, page),
    countTemplates(ctx, projectId, listing),
  ])
  return { rows, page, total }
}

function readType(asked: string | undefined): TemplateListing['type'] {
  if (!asked) return undefined
  const type = contentTypes.find(each => each === asked)
  if (!type) throw badRequest('Invalid type value', { details: { type: asked, allowed: contentTypes } })
  return type
}

/** Returns the workflow steps that refer to a template. */
export async function findStepUses(ctx: Context, projectId: string, templateId: string): Promise<StepUse[]> {
  return (await callHook(ctx, templateUses, { projectId, templateId })).flat()
}

export interface TemplateUsage {
  campaigns: Array<{ id: string; name: string }>
  workflowSteps: StepUse[]
  /** By which a confirmation is mailed with it. Without it, that is a letter of our own. */
  forms: Array<{ id: string; name: string }>
  emailsSent: number
}

/** Campaigns are never among them: each keeps its own copy of what it sends. */
export async function templateUsage(ctx: Context, projectId: string, id: string): Promise<TemplateUsage> {
  await requireTemplate(ctx, projectId, id)
  const [workflowSteps, forms, emailsSent] = await Promise.all([
    findStepUses(ctx, projectId, id),
    callHook(ctx, formUses, { projectId, templateId: id }),
    countSentWith(ctx, projectId, id),
  ])
  return { campaigns: [], workflowSteps, forms: forms.flat(), emailsSent }
}

/** Whether what will be sent, without anybody doing something more, has this template. */
export async function isTemplateDue(ctx: Context, projectId: string, id: string): Promise<boolean> {
  const given = { projectId, templateIds: [id.toLowerCase()], layoutId: null }
  return (await callHook(ctx, contentDue, given)).includes(true)
}
