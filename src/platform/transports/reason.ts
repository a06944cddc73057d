// Why an email waits, was not sent, or failed: a code in its row. Statements and services compare codes; the sentence of an API answer is made
// here, when it is shown. The check of the schema, the enum of the API, the table of the docs and the texts of the dashboard follow this list.
import type { Failure } from '../../mail/bounces'

/** What `email.bounce` and `email.failed` say where no receiver did. */
export type FailedReason =
  | 'refused'
  | 'unknown'
  | 'expired'
  | 'suppressed'
  | 'unsubscribed'
  | 'topic'
  | 'contactDeleted'
  | 'projectDisabled'
  | 'limit'
  | 'held'
  | 'cancelled'
  | 'error'

interface Reason {
  meaning: string
  /** The `reason` of its event, where that has another name. */
  event?: FailedReason
}

const all = {
  quietHours: { meaning: 'it is quiet hours for the contact', event: 'held' },
  campaignHours: { meaning: 'it is outside the sending hours of the campaign', event: 'held' },
  cap: { meaning: 'the contact has reached the frequency cap', event: 'held' },
  receiver: { meaning: 'the mailbox provider rejects the campaign', event: 'held' },
  warmUp: { meaning: 'the warm-up of the domain has no room today' },
  pace: { meaning: 'it waits for its turn at the transport or the mailbox provider' },
  deferred: { meaning: 'the last attempt failed for a temporary reason' },
  projectDisabled: { meaning: 'the project is disabled' },
  limit: { meaning: 'the billing limit is reached' },
  contactDeleted: { meaning: 'the contact was deleted' },
  suppressed: { meaning: 'the address is on the suppression list' },
  unsubscribed: { meaning: 'the contact is unsubscribed' },
  topic: { meaning: 'the contact left the topic' },
  cancelled: { meaning: 'you canceled the scheduled email' },
  campaignCancelled: { meaning: 'you canceled the campaign', event: 'cancelled' },
  contentDeleted: { meaning: 'the content was deleted for its age', event: 'expired' },
  template: { meaning: 'the template could not be rendered', event: 'error' },
  interrupted: { meaning: 'Waxwing stopped during every attempt', event: 'error' },
  internal: { meaning: 'every attempt failed with an internal error', event: 'error' },
  transport: { meaning: 'every attempt failed at the transport', event: 'expired' },
  dead: { meaning: 'there is no such address or domain' },
  full: { meaning: 'the mailbox is full' },
  expired: { meaning: 'every attempt failed for a temporary reason' },
  refused: { meaning: 'rejected for policy, reputation, authentication, content, or size' },
  unknown: { meaning: 'rejected without a reason' },
} as const satisfies Record<string, Reason> & Record<Failure, Reason>

export type EmailReason = keyof typeof all
export const emailReasons = Object.keys(all) as EmailReason[]
export const reasonMeanings: Readonly<Record<EmailReason, Reason>> = all

/** Rules that put an email off or skip it. */
export const ruleReasons = ['quietHours', 'campaignHours', 'cap'] as const satisfies EmailReason[]
/** What an email that waits is held by; it has not been tried in vain. */
export const heldReasons = [...ruleReasons, 'receiver'] as const satisfies EmailReason[]
/** It only waits for its turn: nothing holds it, and nothing has failed. */
export const turnReasons = ['warmUp', 'pace'] as const satisfies EmailReason[]
/** What a receiver said that ended it. */
export const failureReasons = [
  'dead',
  'full',
  'expired',
  'refused',
  'unknown',
] as const satisfies EmailReason[] satisfies Failure[]

const isAmong =
  <T extends EmailReason>(some: readonly T[]) =>
  (reason: EmailReason | null | undefined): reason is T =>
    some.some(one => one === reason)

export const isRule = isAmong(ruleReasons)
export const isHeldBy = isAmong(heldReasons)
export const isFailure = isAmong(failureReasons)

/** A request for more than a billing limit leaves. */
export interface LimitExcess {
  category: string
  limit: number
  usage: number
  requested: number
}

/** What belongs to the code. */
export interface ReasonDetail {
  /** What the other side answered, or what is wrong. */
  words?: string | undefined
  /** Its enhanced status code, or its reply code. */
  code?: string | undefined
  /** It was given up after so many attempts. */
  attempts?: number | undefined
  /** The mailbox provider. */
  provider?: string | undefined
  /** Why the address is suppressed. */
  suppression?: string | undefined
  /** When a rule that skipped it would have let it be sent. */
  until?: string | undefined
  /** A step of a workflow withheld it when it was made. */
  byStep?: true | undefined
  /** What the billing limit left. */
  excess?: LimitExcess | undefined
  /** Its recipient was erased, and the other members with it. */
  erased?: true | undefined
}

/** A reason as a row has it. */
export interface Reasoned {
  reason: EmailReason | null
  reasonDetail: ReasonDetail | null
}

export const noReason: Reasoned = { reason: null, reasonDetail: null }

export function because(reason: EmailReason, reasonDetail: ReasonDetail | null = null): Reasoned {
  return { reason, reasonDetail }
}

export function becauseSuppressed(suppression: string): Reasoned {
  return because('suppressed', { suppression })
}

/** What its event calls it. */
export function eventReason(reason: EmailReason | null): Failure | FailedReason {
  if (reason === null) return 'error'
  return (reasonMeanings[reason].event ?? reason) as Failure | FailedReason
}

/** What `error` says of an email; null if nothing is wrong. */
export function sentenceOf({
  reason,
  reasonDetail,
  status,
  nextAttemptAt,
}: Reasoned & { status?: string; nextAttemptAt?: Date | null }): string | null {
  if (reason === null) return null
  const detail = reasonDetail ?? {}
  if (detail.erased) return 'erased'
  if (status === 'SKIPPED' && reason === 'receiver') return `${detail.provider} rejected the campaign`
  const until = nextAttemptAt?.toISOString() ?? detail.until
  const verb = status === 'SKIPPED' ? 'skipped' : 'held'
  const by = (what: string) => `${verb} by ${what}${until ? ` until ${until}` : ''}`
  const words = detail.words ?? 'no reason was given'
  switch (reason) {
    case 'quietHours':
      return by('quiet hours')
    case 'campaignHours':
      return by('the hours of the campaign')
    case 'cap':
      return by('cap')
    case 'receiver':
      return by(`receiver ${detail.provider}`)
    case 'warmUp':
    case 'pace':
      return null
    case 'projectDisabled':
      return 'project is disabled'
    case 'limit':
      return limitSentence(detail.excess!)
    case 'contactDeleted':
      return 'contact was deleted'
    case 'suppressed':
      return `address is suppressed (${detail.suppression})`
    case 'unsubscribed':
      return detail.byStep ? 'Contact is unsubscribed from marketing emails' : 'contact is unsubscribed'
    case 'topic':
      return detail.byStep ? 'Contact does not want the topic' : 'contact does not want the topic'
    case 'cancelled':
      return 'cancelled before it left'
    case 'campaignCancelled':
      return 'campaign cancelled'
    case 'contentDeleted':
      return 'its content is no longer kept (EMAIL_BODY_RETENTION_DAYS)'
    case 'interrupted':
      return 'gave up: the process that sent it ended each time'
    default:
      return detail.attempts === undefined ? words : `gave up after ${detail.attempts} tries: ${words}`
  }
}

export function limitSentence({ category, limit, usage, requested }: LimitExcess): string {
  const left = Math.max(0, limit - usage)
  const wanted = requested > 1 ? `; ${left} of the ${requested} messages asked for are left` : ''
  return `Billing limit reached: ${usage} of ${limit} messages of this month are used (${category})${wanted}`
}
