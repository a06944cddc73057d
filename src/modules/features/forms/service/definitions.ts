// The forms of a project: made, changed, removed, each with its record in the audit log.
import { differing, isEmpty } from '../../../../lib/differing'
import { conflict, forbidden, invalid, notFound } from '../../../../lib/errors'
import { isUuid } from '../../../../lib/ids'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { enqueue } from '../../../../platform/jobs/enqueue'
import {
  anyChange,
  type LiveRule,
  recordAudit,
  recordEdit,
  selectDefaultSender,
} from '../../../accounts/projects'
import { holdTopic } from '../../../audience/topics'
import { requireVerifiedSender } from '../../../sending/domains'
import { refuseOldVersion, requireSendable } from '../../../sending/templates'
import { formKinds } from '../kinds'
import {
  type FormChangesBody,
  formFaults,
  type GivenForm,
  lookAfter,
  type NewForm,
  plainLook,
  toFields,
} from '../model'
import {
  changeForm,
  countForms,
  deleteForm,
  type FormChanges,
  formsNameTopic,
  insertForm,
  isMailedByEnabled,
  lockForms,
  selectForm,
  selectForms,
  selectFormsAsking,
  selectFormsWith,
} from '../queries'
import type { FormRow } from '../schema'

/** Each costs a page that anybody may ask for. */
const mostForms = 200

/** Whose forms, and who changes them, as the audit log names it. */
interface FormActor {
  projectId: string
  by: string
}

/** 422 for what can't be kept or where no sender is known, 403 for a sender that is not verified, 404 for unknown topics and templates. */
export async function createForm(
  ctx: Context,
  { projectId, by }: FormActor,
  { name, enabled = true, language = null, templateId = null, redirectUrl = null, ...given }: NewForm,
  rule: LiveRule = anyChange,
): Promise<FormRow> {
  refuseFaults({ ...given, redirectUrl })
  return await inTransaction(ctx, async tx => {
    await rule(tx, { isLive: async () => enabled, turnsOn: true })
    await lockForms(tx, projectId)
    if ((await countForms(tx, projectId)) >= mostForms)
      throw conflict(`A project has at most ${mostForms} forms`)
    const topicIds = await heldTopics(tx, projectId, given.topics ?? [])
    const template = await formTemplate(tx, projectId, templateId)
    if (enabled) await requireFormSender(tx, projectId, template)
    const now = tx.clock.now()
    const row: FormRow = {
      ...{ id: newId(tx), projectId, name, enabled, language, topicIds, templateId, redirectUrl },
      fields: toFields(given.fields ?? []),
      look: lookAfter(plainLook, given.look),
      ...{ version: 1, asked: 0, confirmed: 0, createdAt: now, updatedAt: now },
    }
    await insertForm(tx, row)
    await recordAudit(tx, { projectId, actor: by, action: 'form.added', subject: name, details: { enabled } })
    return row
  })
}

/**
 * The same for what is given; the rest stays. Texts of the look that are not named stay as well. 409 where `expectedVersion` is not that
 * of the form any more.
 */
export async function changeOneForm(
  ctx: Context,
  { projectId, by }: FormActor,
  id: string,
  { expectedVersion, ...given }: FormChangesBody,
  rule: LiveRule = anyChange,
): Promise<FormRow> {
  refuseFaults(given)
  return await inTransaction(ctx, async tx => {
    const isLive = async () => given.enabled ?? (await getForm(tx, projectId, id)).enabled
    await rule(tx, { isLive, turnsOn: true })
    const before = await getForm(tx, projectId, id)
    refuseOldVersion(before.version, expectedVersion)
    const { name, enabled, language, templateId, redirectUrl, topics, fields, look } = given
    const changes: FormChanges = differing(
      {
        ...defined({ name, enabled, language, templateId, redirectUrl }),
        ...(topics ? { topicIds: await heldTopics(tx, projectId, topics) } : {}),
        ...(fields ? { fields: toFields(fields) } : {}),
        ...(look ? { look: lookAfter(before.look, look) } : {}),
      },
      before,
    )
    if (isEmpty(changes)) return before
    const after = { ...before, ...changes }
    const isOtherMail = changes.templateId !== undefined
    if (isOtherMail || (after.enabled && !before.enabled)) {
      const template = await formTemplate(tx, projectId, after.templateId)
      if (after.enabled) await requireFormSender(tx, projectId, template)
    }
    const isChanged = await changeForm(tx, projectId, before.id, changes, expectedVersion)
    const changed = await getForm(tx, projectId, id)
    // Somebody was quicker between the two statements.
    if (!isChanged) refuseOldVersion(changed.version, expectedVersion)
    const details = { id: before.id, enabled: after.enabled }
    await recordEdit(tx, { projectId, actor: by, action: 'form.changed', subject: after.name, details })
    return changed
  })
}

function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

function refuseFaults(given: GivenForm): void {
  const faults = formFaults(given)
  if (faults.length > 0) throw invalid(faults)
}

/** Each once, and none of them deleted until the transaction ends. */
async function heldTopics(tx: Context, projectId: string, ids: readonly string[]): Promise<string[]> {
  const all = [...new Set(ids.map(id => id.toLowerCase()))].sort()
  for (const id of all) await holdTopic(tx, projectId, id)
  return all
}

async function formTemplate(ctx: Context, projectId: string, id: string | null) {
  return id === null ? undefined : await requireSendable(ctx, projectId, id)
}

/** A form that no mail can follow is of no use to anybody. */
async function requireFormSender(
  ctx: Context,
  projectId: string,
  template: { fromEmail: string } | undefined,
): Promise<void> {
  const email = template?.fromEmail ?? (await selectDefaultSender(ctx, projectId))?.email
  if (email === undefined)
    throw forbidden('FORBIDDEN', 'The project has no sender for the mail that asks for the confirmation', {
      suggestion: 'Set the default sender of the project, or choose a template, which has one.',
    })
  await requireVerifiedSender(ctx, projectId, email)
}

/** The form, or 404. */
export async function getForm(ctx: Context, projectId: string, id: string): Promise<FormRow> {
  const row = isUuid(id) ? await selectForm(ctx, projectId, id) : undefined
  if (!row) throw notFound('Form', id)
  return row
}

export async function listForms(
  ctx: Context,
  projectId: string,
  page: { behind: string | undefined; limit: number },
): Promise<{ rows: FormRow[]; total: number }> {
  const rows = await selectForms(ctx, projectId, page)
  return { rows, total: page.behind === undefined ? await countForms(ctx, projectId) : 0 }
}

/** What was sent by it and is not confirmed goes with it: a job deletes that. */
export async function removeForm(ctx: Context, { projectId, by }: FormActor, id: string): Promise<void> {
  await inTransaction(ctx, async tx => {
    const name = isUuid(id) ? await deleteForm(tx, projectId, id) : undefined
    if (name === undefined) throw notFound('Form', id)
    await enqueue(tx, formKinds.purge, { formId: id }, { projectId })
    await recordAudit(tx, { projectId, actor: by, action: 'form.removed', subject: name })
  })
}

export async function topicInForms(
  ctx: Context,
  { projectId, topicId }: { projectId: string; topicId: string },
): Promise<boolean> {
  return await formsNameTopic(ctx, projectId, topicId)
}

/** Whether a person who asks by a form is mailed with one of the templates. */
export async function contentDueInForms(
  ctx: Context,
  { projectId, templateIds }: { projectId: string; templateIds: readonly string[] },
): Promise<boolean> {
  return templateIds.length > 0 && (await isMailedByEnabled(ctx, projectId, templateIds))
}

/** Forms that ask for a custom field, which comes with the prefix `data.`. */
export async function fieldsInForms(
  ctx: Context,
  { projectId, field }: { projectId: string; field: string },
): Promise<{ forms: Array<{ id: string; name: string }> }> {
  return { forms: await selectFormsAsking(ctx, projectId, field.replace(/^data\./, '')) }
}

export async function formsUsingTemplate(
  ctx: Context,
  { projectId, templateId }: { projectId: string; templateId: string },
): Promise<Array<{ id: string; name: string }>> {
  return await selectFormsWith(ctx, projectId, templateId)
}
