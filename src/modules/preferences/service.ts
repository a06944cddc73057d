// What recipients do with the links in their mails. A link works by its token alone: the id of a contact is no secret. Whatever
// else is wrong with a link, an opt-out is never lost over it.
import { notFound } from '../../lib/errors'
import { isUuid } from '../../lib/ids'
import type { Context } from '../../platform/context'
import { setSubscription, snoozeContact } from '../contacts/service'
import type { SnoozeDuration } from '../contacts/snoozing'
import { projectOfToken } from '../emails/links'
import type { ListLink } from './link'
import { isMessageOf, type RecipientRow, selectRecipient } from './queries'

export interface Recipient extends Omit<RecipientRow, 'locale' | 'projectLanguage'> {
  language: string
}

/** The contact of a link; 404 alike for a false token and for a contact that is gone. */
export async function findRecipient(ctx: Context, link: ListLink): Promise<Recipient> {
  const projectId = projectOf(ctx, link)
  const row = projectId === undefined ? undefined : await selectRecipient(ctx, projectId, link.contactId)
  if (!row) throw notFound('Contact', link.contactId.slice(0, 100), 'CONTACT_NOT_FOUND')
  const { locale, projectLanguage, ...recipient } = row
  return { ...recipient, language: locale || projectLanguage }
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

/** Carries out what the recipient decided, and answers how things stand then. */
export async function decide(ctx: Context, link: ListLink, decision: Decision): Promise<Recipient> {
  const recipient = await findRecipient(ctx, link)
  const { id, projectId } = recipient
  const cause = { emailId: await attributedMessage(ctx, recipient, link.emailId) }
  const contact =
    decision.type === 'snooze'
      ? await snoozeContact(ctx, projectId, id, decision.duration, cause)
      : await setSubscription(ctx, projectId, id, decision.type === 'subscribe', cause)
  return { ...recipient, subscribed: contact.subscribed, snoozedUntil: contact.snoozedUntil }
}

/** The message that a decision is put down to: the named one, if it was sent to this contact. */
async function attributedMessage(
  ctx: Context,
  { id, projectId }: Recipient,
  emailId: string | undefined,
): Promise<string | undefined> {
  if (emailId === undefined || !isUuid(emailId)) return undefined
  return (await isMessageOf(ctx, projectId, id, emailId)) ? emailId : undefined
}
