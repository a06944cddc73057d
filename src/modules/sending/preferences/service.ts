// What recipients do with the links in their mails. A link works by its token alone: the id of a contact is no secret. Whatever else is
// wrong with a link, an opt-out is never lost because of it.

import { type AppError, notFound } from '../../../lib/errors'
import type { PageBrand } from '../../../lib/hosted-page'
import { isUuid } from '../../../lib/ids'
import { type Context, inTransaction } from '../../../platform/context'
import { callHook } from '../../../platform/hooks'
import { pageBrand } from '../../accounts/projects'
import {
  type ConsentOrigin,
  clientHash,
  setSubscription,
  snoozeContact,
  type UpdatedSubscription,
} from '../../audience/contacts'
import { type DecidedTopic, decideTopics, isOfferedTo, selectTopicsOf } from '../../audience/topics'
import { projectOfToken, testRecipient } from '../emails'
import { optedOut } from './hooks'
import type { ListLink, PageName } from './link'
import { type PreferencesRecipientRow, selectMessage, selectRecipient } from './queries'
import type { Decision } from './wording'
import { wordingOf } from './wording'

export interface PreferencesRecipient extends Omit<PreferencesRecipientRow, 'brand'> {
  brand: PageBrand
  /** The recipient's own, otherwise the project's. */
  language: string
  /** Those that are offered, as they stand. */
  topics: DecidedTopic[]
  /** The topic of the link's message. */
  topicId: string | null
  /** The link's message, if it was sent to this contact. */
  emailId: string | undefined
}

/** The contact of a link; 404 alike for a false token and for a contact that is gone. */
export async function findRecipient(ctx: Context, link: ListLink): Promise<PreferencesRecipient> {
  const row = await selectRecipient(ctx, requireToken(ctx, link), link.contactId)
  if (!row) throw unknown(link)
  const { id, projectId } = row
  const emailId = link.emailId !== undefined && isUuid(link.emailId) ? link.emailId : undefined
  const message = emailId === undefined ? undefined : await selectMessage(ctx, projectId, id, emailId)
  const all = await selectTopicsOf(ctx, projectId, id)
  return {
    ...row,
    brand: pageBrand(ctx, row.projectName, row.brand),
    language: row.locale || row.projectLanguage,
    topics: all.filter(isOfferedTo(message?.topicId)),
    topicId: message?.topicId ?? null,
    emailId: message && emailId,
  }
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

/** Whether it is a link of a test mail, behind which there is nobody. */
export function isTestLink(ctx: Context, link: ListLink): boolean {
  return link.contactId === testRecipient && isGenuineLink(ctx, link)
}

function unknown({ contactId }: ListLink): AppError {
  return notFound('Contact', contactId.slice(0, 100), 'CONTACT_NOT_FOUND')
}

/** The project that the token names, if the token is one of ours for this contact. */
function projectOf(ctx: Context, { contactId, token }: ListLink): string | undefined {
  if (token === undefined || !isUuid(contactId)) return undefined
  return projectOfToken(ctx.vault, contactId.toLowerCase(), token)
}

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
  path: DecisionPath = {},
): Promise<PreferencesRecipient> {
  const recipient = await findRecipient(ctx, link)
  return 'topicId' in decision
    ? await decideTopic(ctx, recipient, decision, path)
    : await decideAll(ctx, recipient, decision, path)
}

/** What a mail program unsubscribes from: the topic of its message, else everything. */
export async function decideByOneClick(ctx: Context, link: ListLink, request: Request): Promise<void> {
  const { topicId } = await findRecipient(ctx, link)
  const decision: Decision = topicId ? { type: 'leave', topicId } : { type: 'unsubscribe' }
  await decide(ctx, link, decision, { request, isOneClick: true })
}

async function decideTopic(
  ctx: Context,
  recipient: PreferencesRecipient,
  decision: Decision & { topicId: string },
  path: DecisionPath,
): Promise<PreferencesRecipient> {
  const { id: contactId, projectId, emailId } = recipient
  const origin = originOf(ctx, recipient, decision, path)
  const { topicId, type } = decision
  const offered = new Set(recipient.topics.map(topic => topic.id))
  // Anybody may leave anything; only what the page offers may be joined.
  if (type === 'join' && !offered.has(topicId.toLowerCase())) throw notFound('Topic', topicId.slice(0, 100))
  const wanted = [{ topicId, subscribed: type === 'join' }]
  const { topics } = await inTransaction(ctx, async tx => {
    const decided = await decideTopics(tx, { projectId, contactId, origin, emailId }, wanted)
    if (type === 'leave' && decided.changed.length > 0 && emailId !== undefined)
      await callHook(tx, optedOut, { projectId, contactId, emailId, topicId })
    return decided
  })
  return { ...recipient, topics: topics.filter(topic => offered.has(topic.id)) }
}

type SwitchDecision = Exclude<Decision, { topicId: string }>

async function decideAll(
  ctx: Context,
  recipient: PreferencesRecipient,
  decision: SwitchDecision,
  path: DecisionPath,
): Promise<PreferencesRecipient> {
  const { id, projectId, emailId } = recipient
  const origin = originOf(ctx, recipient, decision, path)
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
  decision: SwitchDecision,
  cause: { emailId?: string | undefined; origin: ConsentOrigin },
): Promise<UpdatedSubscription> {
  if (decision.type === 'snooze') return await snoozeContact(tx, projectId, id, decision.duration, cause)
  const state = decision.type === 'subscribe' ? 'subscribed' : 'ownOptOut'
  return await setSubscription(tx, projectId, id, state, cause)
}

function originOf(
  ctx: Context,
  recipient: PreferencesRecipient,
  decision: Decision,
  { request, page, isOneClick }: DecisionPath,
): ConsentOrigin {
  return {
    source: isOneClick ? 'oneClick' : 'page',
    ...(page && !isOneClick ? { wording: wordingOf(page, decision, recipient) } : {}),
    ...(request && recipient.keepsClients ? { client: clientHash(ctx, recipient.projectId, request) } : {}),
  }
}
