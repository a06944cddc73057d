// Saving templates: what is saved has been checked completely (required members, addresses, syntax, sender), so that sending can trust it.

import { normaliseEmail } from '../../../../lib/address'
import { differing, isEmpty } from '../../../../lib/differing'
import { conflict, invalid, notFound, shortBadRequest } from '../../../../lib/errors'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { enqueue } from '../../../../platform/jobs/enqueue'
import { anyChange, type LiveRule } from '../../../accounts/projects'
import { requireVerifiedSender } from '../../domains'
import { editorAfter, editorFaults, refuseOldVersion } from '../editor'
import { messageFaults } from '../faults'
import { templateForgotten } from '../hooks'
import { templateKinds } from '../kinds'
import { type CreateBody, copyName, maxTemplateNameLength, toTemplate, type UpdateBody } from '../model'
import { deleteTemplate, insertTemplate, lockTemplate, type TemplateRow, updateTemplate } from '../queries'
import { holdNamedLayout, refuseNoRoom } from './layouts'
import { findStepUses, isTemplateDue, requireTemplate } from './read'
import { refuseBrokenSyntax } from './syntax'

const required: Array<[keyof CreateBody, string]> = [
  ['name', 'Name is required'],
  ['subject', 'Subject is required'],
  ['body', 'Body is required'],
  ['from', 'From address is required'],
]

/** 400 short form for a missing member, 422 for a faulty one, 400 with the place for a syntax error, 403 for the sender. */
export async function createTemplate(
  ctx: Context,
  projectId: string,
  body: CreateBody,
): Promise<TemplateRow> {
  for (const [member, message] of required) if (!body[member]) throw shortBadRequest(message)
  const given = await checked(ctx, projectId, body)
  const now = ctx.clock.now()
  const row: TemplateRow = {
    id: newId(ctx),
    projectId,
    name: body.name!,
    description: body.description ?? null,
    subject: body.subject!,
    body: body.body!,
    layoutId: body.layoutId ?? null,
    fromEmail: given.fromEmail!,
    fromName: body.fromName ?? null,
    replyTo: given.replyTo ?? null,
    type: body.type ?? 'MARKETING',
    tracking: body.tracking ?? null,
    editor: body.editor ?? null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  refuseNoRoom(row.body, row.layoutId)
  await inTransaction(ctx, async tx => {
    await holdNamedLayout(tx, projectId, row.layoutId)
    await insertTemplate(tx, row)
  })
  return row
}

/** Absent members keep their value; null clears those that may be empty. */
export async function changeTemplate(
  ctx: Context,
  projectId: string,
  id: string,
  given: UpdateBody,
  rule: LiveRule = anyChange,
): Promise<TemplateRow> {
  const stored = await requireTemplate(ctx, projectId, id)
  const { expectedVersion, ...members } = given
  refuseOldVersion(stored.version, expectedVersion)
  const body = differing(members, toTemplate(stored), [['body', 'editor']])
  if (isEmpty(body)) return stored
  const { from, replyTo: _, ...rest } = body
  const changes = { ...rest, ...editorAfter(body), ...(await checked(ctx, projectId, body)) }
  refuseNoRoom(body.body ?? stored.body, body.layoutId === undefined ? stored.layoutId : body.layoutId)
  const row = await inTransaction(ctx, async tx => {
    const turnsOn = body.layoutId !== undefined
    await rule(tx, { isLive: () => isTemplateDue(tx, projectId, id), turnsOn })
    await holdNamedLayout(tx, projectId, body.layoutId)
    return updateTemplate(tx, projectId, id, changes, expectedVersion)
  })
  if (row) return row
  // It was changed or deleted between the two statements.
  refuseOldVersion((await requireTemplate(ctx, projectId, id)).version, expectedVersion)
  throw notFound('Template', id, 'TEMPLATE_NOT_FOUND')
}

/** Judges what was given and returns the addresses in their stored spelling. */
async function checked(
  ctx: Context,
  projectId: string,
  body: UpdateBody,
): Promise<Partial<Pick<TemplateRow, 'fromEmail' | 'replyTo'>>> {
  const from = body.from === undefined ? undefined : normaliseEmail(body.from)
  const replyTo = body.replyTo ? normaliseEmail(body.replyTo) : body.replyTo === '' ? null : body.replyTo
  const faults = [...messageFaults({ ...body, from, replyTo }), ...editorFaults(body.editor)]
  if (faults.length > 0) throw invalid(faults)
  await refuseBrokenSyntax(projectId, body)
  if (from !== undefined) await requireVerifiedSender(ctx, projectId, from)
  return {
    ...(from === undefined ? {} : { fromEmail: from }),
    ...(replyTo === undefined ? {} : { replyTo }),
  }
}

export async function duplicateTemplate(ctx: Context, projectId: string, id: string): Promise<TemplateRow> {
  const original = await requireTemplate(ctx, projectId, id)
  const now = ctx.clock.now()
  const row = {
    ...original,
    id: newId(ctx),
    name: copyName(original.name, maxTemplateNameLength),
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  await inTransaction(ctx, async tx => {
    await holdNamedLayout(tx, projectId, row.layoutId)
    await insertTemplate(tx, row)
  })
  return row
}

/** 409 while a workflow step sends with it: the row is locked, so that none can begin to while we look. */
export async function removeTemplate(
  ctx: Context,
  projectId: string,
  id: string,
  rule: LiveRule = anyChange,
): Promise<void> {
  await inTransaction(ctx, async tx => {
    await rule(tx, { isLive: () => isTemplateDue(tx, projectId, id) })
    if (!(await lockTemplate(tx, projectId, id))) throw notFound('Template', id, 'TEMPLATE_NOT_FOUND')
    const uses = await findStepUses(tx, projectId, id)
    if (uses.length > 0)
      throw conflict(
        'Cannot delete template: it is currently used in workflow steps. Choose another template there first.',
        { details: { workflowSteps: uses.slice(0, 20) } },
      )
    await deleteTemplate(tx, projectId, id)
    await enqueue(tx, templateKinds.detach, { projectId, templateId: id }, { projectId })
  })
}

const detachBatch = 5_000

/** Messages that were sent with a deleted template stay, without it. */
export async function detachTemplate(
  ctx: Context,
  projectId: string,
  templateId: string,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const given = { projectId, templateId, limit: detachBatch }
    const cleared = await callHook(ctx, templateForgotten, given)
    if (cleared.every(count => count < detachBatch)) return
  }
  signal.throwIfAborted()
}
