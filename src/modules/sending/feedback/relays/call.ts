// What the adapters of the providers have in common: the call, what becomes of it, and how untrusted values are read. Pure.

import { normaliseEmail } from '../../../../lib/address'
import { isUuid } from '../../../../lib/ids'
import { isSameText } from '../../../../lib/same-text'
import { parseDate } from '../../../../lib/time'
import { codeOfWords } from '../../../../mail/bounces'
import { failureOf } from '../mailed'
import type { DeliveryReport } from '../report'

export interface RelayCall {
  header(name: string): string | undefined
  /** As it came: signatures are over these very bytes. */
  body: Uint8Array
}

/** A call whose body was not read yet. */
export interface UnreadRelayCall extends Pick<RelayCall, 'header'> {
  read(): Promise<Uint8Array>
}

/** A report, with what the provider knows the message by. */
export type RelayReport = Pick<
  DeliveryReport,
  'kind' | 'detail' | 'blame' | 'bounceType' | 'recipients' | 'failure' | 'code' | 'isOptOut'
> & {
  at: Date | undefined
  /** From the header that we added. */
  emailId: string | undefined
  messageId: string | undefined
}

export interface RelayAdapter {
  /** Whether the provider made the call; `secret` is the one in the settings. */
  isGenuine(secret: string, call: RelayCall, now: Date): boolean
  /** Whether that is possible, by the headers alone: of any other call the body stays unread. */
  mayBeGenuine?(secret: string, call: Pick<RelayCall, 'header'>, now: Date): boolean
  /** Where the events are in the body; it is one, or a list of them, unless said. */
  events?(body: unknown): unknown
  /** Undefined for an event that says nothing about delivery: opens and clicks are measured on our own links. */
  report(event: unknown): RelayReport | undefined
}

const maxEvents = 2_000

/** What a call says about messages. */
export function reportsIn(adapter: RelayAdapter, body: unknown): RelayReport[] {
  const events = adapter.events ? adapter.events(body) : body
  return (Array.isArray(events) ? events : [events])
    .slice(0, maxEvents)
    .map(event => adapter.report(event))
    .filter(report => report !== undefined)
}

/** A retried call may be old; what is applied once changes nothing the second time. */
const toleranceSeconds = 24 * 60 * 60

export function isRecent(seconds: string, now: Date): boolean {
  if (!/^\d{1,12}$/.test(seconds)) return false
  return Math.abs(now.getTime() / 1_000 - Number(seconds)) <= toleranceSeconds
}

/** For providers that sign nothing: the secret as the password of the address, or as a token. */
export function bringsSecret(secret: string, { header }: Pick<RelayCall, 'header'>): boolean {
  const [scheme = '', credentials = ''] = (header('authorization') ?? '').slice(0, 2_000).split(' ', 2)
  if (scheme.toLowerCase() === 'bearer') return isSameText(credentials, secret)
  if (scheme.toLowerCase() !== 'basic') return false
  const pair = Buffer.from(credentials, 'base64').toString()
  return isSameText(pair.slice(pair.indexOf(':') + 1), secret)
}

/** A member of a member; undefined where there is none. */
export function innerOf(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Record<string, unknown>)[name]
        : undefined,
    value,
  )
}

/** The same as text; '' where there is none. */
export function textOf(value: unknown, ...path: string[]): string {
  const found = innerOf(value, ...path)
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : ''
}

type Facts = Pick<DeliveryReport, 'kind' | 'blame' | 'bounceType' | 'failure' | 'code' | 'isOptOut'>

/** Somebody unsubscribed with the provider: a wish, and no complaint. */
export const optOut: Pick<DeliveryReport, 'kind' | 'isOptOut'> = { kind: 'complained', isOptOut: true }

/**
 * The provider's facts about a bounce, unless the other server's own words say otherwise. Those have a code; what the provider says itself
 * has none. One that it gave up after a time is more than that only if nobody is there.
 */
export function judgedByWords(facts: Facts, words: string): Facts {
  const code = codeOfWords(words)
  if (code === undefined || (facts.kind !== 'bounced' && facts.kind !== 'softBounced')) return facts
  const { kind, blame, failure } = failureOf('', words)
  const isOpen = failure === 'unknown' || (facts.kind === 'softBounced' && failure === 'refused')
  if (failure === undefined || isOpen) return { ...facts, code }
  return { kind, failure, code, ...(blame ? { blame } : {}) }
}

export function idIn(text: string): string | undefined {
  return isUuid(text) ? text.toLowerCase() : undefined
}

export function recipientsOf(address: string): Pick<DeliveryReport, 'recipients'> {
  return address.includes('@') ? { recipients: [normaliseEmail(address)] } : {}
}

export function dateOf(text: string): Date | undefined {
  return parseDate(text)
}

/** Of seconds since 1970. */
export function dateOfSeconds(value: unknown): Date | undefined {
  const seconds = Number(value)
  return Number.isFinite(seconds) && seconds > 0 && seconds < 1e11 ? new Date(seconds * 1_000) : undefined
}
