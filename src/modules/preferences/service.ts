// What recipients do with the links in their mails. A link works by its token alone: the id of a contact is no secret. Whatever else is
// wrong with a link, an opt-out is never lost because of it.

import { type AppError, notFound } from '../../lib/errors'
import { isUuid } from '../../lib/ids'
import { type Context, inTransaction } from '../../platform/context'
import { callHook } from '../../platform/hooks'
import {
  type ConsentOrigin,
  clientHash,
  type SnoozeDuration,
  setSubscription,
  snoozeContact,
  type UpdatedSubscription,
} from '../contacts'
import { projectOfToken } from '../emails'
import { optedOut } from './hooks'
import type { ListLink, PageName } from './link'
import { isMessageOf, type PreferencesRecipientRow, selectRecipient } from './queries'
import { wordingOf } from './wording'

export interface PreferencesRecipient extends PreferencesRecipientRow {
  /** The recipient's own, otherwise the project's. */
  language: string
}

/** The contact of a link; 404 alike for a false token and for a contact that is gone. */
export async function findRecipient(ctx: Context, link: ListLink): Promise<PreferencesRecipient> {
  const row = await selectRecipient(ctx, requireToken(ctx, link), link.contactId)
  if (!row) throw unknown(link)
  return { ...row, language: row.locale || row.projectLanguage }
}

/** The project of a link whose token is ours; 404 for any other. Checks nothing but the link, so it comes before the body is read. */
export function requireToken(ctx: Context, link: ListLink): string {
  const projectId = projectOf(ctx, link)
  if (projectId === undefined) throw unknown(link)
  return projectId
}

/** Whether the token of a link is ours. */
export function isGenuineLink(ctx: Context, link: ListLink): boolean {
  return projectOf(ctx, link) !== undefined
}

function unknown({ contactId }: ListLink): AppError {
  return notFound('Contact', contactId.slice(0, 100), 'CONTACT_NOT_FOUND')
}

/** The project that the token names, if the token is one of ours for this contact. */
function projectOf(ctx: Context, { contactId, token }: ListLink): string | undefined {
  if (token === undefined || !isUuid(contactId)) return undefined
  return projectOfToken(ctx.vault, contactId.toLowerCase(), token)
}

export type Decision =
  | { type: 'subscribe' }
  | { type: 'unsubscribe' }
  | { type: 'snooze'; duration: SnoozeDuration }

/** How a decision came: by a page of ours, by one that somebody else built, or from the recipient's mail program. */
export interface DecisionPath {
  request?: Request
  page?: PageName
  isOneClick?: true
}

/** Carries out what the recipient decided, and returns how things stand then. */
export async function decide(
  ctx: Context,
  link: ListLink,
  decision: Decision,
  way: DecisionPath = {},
): Promise<PreferencesRecipient> {
  const recipient = await findRecipient(ctx, link)
  const origin = originOf(ctx, recipient, decision, way)
  const { id, projectId } = recipient
  const emailId = await attributedMessage(ctx, recipient, link.emailId)
  const { subscribed, snoozedUntil } = await inTransaction(ctx, async tx => {
    const contact = await change(tx, recipient, decision, { emailId, origin })
    if (contact.hasChanged && !contact.subscribed && emailId !== undefined)
      await callHook(tx, optedOut, { projectId, contactId: id, emailId })
    return contact
  })
  return { ...recipient, subscribed, snoozedUntil }
}

async function change(
  tx: Context,
  { id, projectId }: PreferencesRecipient,
  decision: Decision,
  cause: { emailId?: string | undefined; origin: ConsentOrigin },
): Promise<UpdatedSubscription> {
  if (decision.type === 'snooze') return await snoozeContact(tx, projectId, id, decision.duration, cause)
  const state = decision.type === 'subscribe' ? 'subscribed' : 'ownOptOut'
  return await setSubscription(tx, projectId, id, state, cause)
}

function originOf(
  ctx: Context,
  recipient: PreferencesRecipient,
  { type }: Decision,
  { request, page, isOneClick }: DecisionPath,
): ConsentOrigin {
  return {
    source: isOneClick ? 'oneClick' : 'page',
    ...(page && !isOneClick ? { wording: wordingOf(page, type, recipient) } : {}),
    ...(request && recipient.keepsClients ? { client: clientHash(ctx, recipient.projectId, request) } : {}),
  }
}

/** The message that a decision is attributed to: the named one, if it was sent to this contact. */
async function attributedMessage(
  ctx: Context,
  { id, projectId }: PreferencesRecipient,
  emailId: string | undefined,
): Promise<string | undefined> {
  if (emailId === undefined || !isUuid(emailId)) return undefined
  return (await isMessageOf(ctx, projectId, id, emailId)) ? emailId : undefined
}
