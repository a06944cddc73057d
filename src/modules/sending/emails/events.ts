// What became of an email that was taken, and the events that this gives rise to, with the data they are documented to carry. Every end of a message is one.
import type { EmailEventName } from '../../../lib/event-names'
import type { HandOverTry } from '../../../platform/transports/hand-over'
import type { DeliveryOutcome } from '../../../platform/transports/outcome'
import { eventReason, type Reasoned, sentenceOf } from '../../../platform/transports/reason'
import type { SettledCopies, StoredCopy } from './copies'
import type { DueEmail } from './due-email'
import { isForAudience } from './footer'

export interface Try extends HandOverTry {
  attempt: number
}

/** Who receives a message, and whether the message tried if that one takes mail again. */
export interface SettledReceiver {
  name: string
  isProbe: boolean
}

/** A message that was taken, and what became of it. */
export interface EmailSettlement {
  /** Its number of attempts proves that this one may settle it. */
  email: DueEmail
  outcome: DeliveryOutcome
  /** One for each transport that was tried. Empty if the message was not tried; then no attempt is counted either. */
  tries: Try[]
  /** For rows of campaigns: the subject for this recipient, and the contact's data that the templates read. */
  rendered?: { subject: string; variables: Record<string, unknown> }
  /** For rows of campaigns: a rule held it until now. */
  wasHeld?: boolean
  /** For rows of campaigns: the receiver that it waited for until now. */
  wasHeldFor?: string | undefined
  /** For rows of campaigns some of whose receivers refuse mail. */
  receiver?: SettledReceiver
  /** What the attempt made of its copies. */
  copied?: SettledCopies
}

/** In the shape that the service of events takes. */
export interface DeliveryEvent {
  projectId: string
  name: EmailEventName
  /** Null for what became of a copy: its recipient is not the contact of the message. */
  contactId: string | null
  emailId: string
  hops?: number | null
  data: Record<string, unknown>
}

export function deliveryEvents(settled: readonly EmailSettlement[], now: Date): DeliveryEvent[] {
  return settled.flatMap(settlement => [...eventsOf(settlement, now), ...copyEvents(settlement, now)])
}

function eventsOf({ email, outcome }: EmailSettlement, now: Date): DeliveryEvent[] {
  const { status, sentAt, deliveredAt, bouncedAt, gaveUp } = outcome
  const made = (name: EmailEventName, data: Record<string, unknown>) => eventAbout(email, name, data)
  const events: DeliveryEvent[] = []
  if (sentAt) events.push(made('email.sent', { sentAt: sentAt.toISOString() }))
  if (deliveredAt) events.push(made('email.delivery', { deliveredAt: deliveredAt.toISOString() }))
  const why = whyNot(outcome)
  if (bouncedAt)
    events.push(made('email.bounce', { bounceType: 'Permanent', bouncedAt: bouncedAt.toISOString(), ...why }))
  if (gaveUp) events.push(made('email.bounce', { bounceType: 'Transient', transientBounce: true, ...why }))
  // What an audience does not get, nobody asked for.
  const hasFailed = status === 'FAILED' || (status === 'SKIPPED' && !isForAudience(email))
  // No event may hold what an email to a person who was erased was about.
  if (hasFailed && !bouncedAt && outcome.reasonDetail?.suppression !== 'erased')
    events.push(made('email.failed', { ...why, failedAt: now.toISOString() }))
  return events
}

/** The members of `email.bounce` and `email.failed` that say why. */
export function whyNot(why: Reasoned & { status?: string }): Record<string, unknown> {
  return { reason: eventReason(why.reason), code: why.reasonDetail?.code ?? null, response: sentenceOf(why) }
}

/** The event of a message that ended without a transport having been asked. */
export function failedEvent(email: EndedEmail, why: Reasoned, now: Date): DeliveryEvent {
  return eventAbout(email, 'email.failed', { ...whyNot(why), failedAt: now.toISOString() })
}

export type EndedEmail = EmailFacts & Pick<DueEmail, 'projectId' | 'contactId' | 'hops'>

function eventAbout(email: EndedEmail, name: EmailEventName, data: Record<string, unknown>): DeliveryEvent {
  const { projectId, contactId, id: emailId, hops } = email
  return { projectId, contactId, emailId, hops: hops ?? null, name, data: { ...emailFacts(email), ...data } }
}

/** What became of copies that do not arrive. */
export function copyEvents(
  { email, copied }: Pick<EmailSettlement, 'email' | 'copied'>,
  now: Date,
): DeliveryEvent[] {
  return (copied?.copies ?? []).flatMap((copy, index) => {
    const before = email.copies?.[index]?.status
    if (before === copy.status || (copy.status !== 'BOUNCED' && copy.status !== 'FAILED')) return []
    return [{ ...eventAbout(email, ...copyEvent(copy, now)), contactId: null }]
  })
}

/** Name and data of the event about a copy that did not arrive. */
export function copyEvent(copy: StoredCopy, at: Date): [EmailEventName, Record<string, unknown>] {
  const { kind, email, reason = 'unknown', code, error } = copy
  const why = { copy: { kind, email }, reason, code: code ?? null, response: error }
  return copy.status === 'BOUNCED'
    ? [
        'email.bounce',
        { bounceType: reason === 'dead' ? 'Permanent' : 'Transient', bouncedAt: at.toISOString(), ...why },
      ]
    : ['email.failed', { ...why, failedAt: at.toISOString() }]
}

export type EmailFacts = Pick<
  DueEmail,
  'id' | 'subject' | 'fromEmail' | 'fromName' | 'messageId' | 'templateId' | 'sourceType'
> &
  Partial<Pick<DueEmail, 'campaignId' | 'tags' | 'metadata'>>

/** The members that all events about a message share. */
export function emailFacts(email: EmailFacts): Record<string, unknown> {
  return {
    subject: email.subject,
    from: email.fromEmail,
    fromName: email.fromName,
    messageId: `<${email.messageId}>`,
    emailId: email.id,
    templateId: email.templateId,
    campaignId: email.campaignId ?? null,
    sourceType: email.sourceType,
    ...(email.tags ? { tags: email.tags } : {}),
    ...(email.metadata ? { metadata: email.metadata } : {}),
  }
}
