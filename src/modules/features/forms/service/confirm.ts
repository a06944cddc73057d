// The answer to the mail: only the person who reads it can give it, by a button, because mail scanners follow links.
import { AppError } from '../../../../lib/errors'
import { type Context, inTransaction } from '../../../../platform/context'
import {
  type ConsentOrigin,
  clientHash,
  emptyPatch,
  parsePatch,
  setSubscription,
  upsertProjectContacts,
} from '../../../audience/contacts'
import { decideTopics, selectTopicsOf } from '../../../audience/topics'
import type { PublicForm } from '../page'
import { type HeldRequest, holdRequest, markConfirmed, selectRequest } from '../queries'
import { readConfirmToken } from '../ticket'
import { anyForm } from './ask'

export interface ShownRequest {
  form: PublicForm
  requestId: string
  version: number
  email: string
  language: string
  isConfirmed: boolean
}

/**
 * The request of a link: undefined for one that is not ours, or that is over. Checks the signature and the time before it asks the
 * database, and reads no body.
 */
export async function findRequest(
  ctx: Context,
  formId: string,
  token: string,
): Promise<ShownRequest | undefined> {
  const link = readConfirmToken(ctx.vault, formId, token)
  if (!link || link.expiresAt <= ctx.clock.now()) return undefined
  const form = await anyForm(ctx, formId)
  const row = form && (await selectRequest(ctx, form.projectId, link.requestId))
  if (!row || row.version !== link.version || row.state === 'waiting') return undefined
  const { email, language, version } = row
  return { form, requestId: link.requestId, version, email, language, isConfirmed: row.state === 'confirmed' }
}

/** Once: what somebody decided after confirming is not undone by the old link. */
export async function confirmRequest(ctx: Context, shown: ShownRequest, request: Request): Promise<void> {
  try {
    await confirm(ctx, shown, request, true)
  } catch (error) {
    // The contact holds as much data as it can: the answer counts all the same.
    if (!(error instanceof AppError) || error.status !== 422) throw error
    await confirm(ctx, shown, request, false)
  }
}

async function confirm(
  ctx: Context,
  { form, requestId, version }: ShownRequest,
  asked: Request,
  withValues: boolean,
): Promise<void> {
  await inTransaction(ctx, async tx => {
    const request = await holdRequest(tx, form.projectId, requestId)
    if (request?.state !== 'mailed' || request.version !== version) return
    const origin: ConsentOrigin = {
      ...{ source: 'form', actor: request.formId, wording: request.wording },
      ...(form.keepsClients ? { client: clientHash(tx, form.projectId, asked) } : {}),
    }
    const contactId = await subscribe(tx, request, origin, withValues)
    await join(tx, request, contactId, origin)
    await markConfirmed(tx, request, contactId)
  })
}

/** In two steps, so that a contact that is new has the same entry and the same event as any other. */
async function subscribe(
  tx: Context,
  { projectId, email, values, contactId: newId, emailId, formId, formName }: HeldRequest,
  origin: ConsentOrigin,
  withValues: boolean,
): Promise<string> {
  const patch = withValues ? parsePatch(values) : emptyPatch
  const entry = {
    ...{ projectId, email, defaultSubscribed: false, patch: Array.isArray(patch) ? emptyPatch : patch },
    ...(newId ? { newId } : {}),
  }
  const [upserted] = await upsertProjectContacts(tx, [entry])
  const { id } = upserted!.contact
  const data = { reason: 'form', formId, form: formName }
  await setSubscription(tx, projectId, id, 'subscribed', { data, origin, ...(emailId ? { emailId } : {}) })
  return id
}

/** Topics that are gone since are left out. */
async function join(
  tx: Context,
  { projectId, topicIds, emailId }: HeldRequest,
  contactId: string,
  origin: ConsentOrigin,
): Promise<void> {
  const known = new Set((await selectTopicsOf(tx, projectId, contactId)).map(({ id }) => id))
  const decisions = topicIds.filter(id => known.has(id)).map(topicId => ({ topicId, subscribed: true }))
  if (decisions.length === 0) return
  await decideTopics(tx, { projectId, contactId, origin, emailId: emailId ?? undefined }, decisions)
}
