// What mail that came back says about our messages, in the words of reports. What it means is judged by the library of bounces. Pure.
import { type MailReport, meaningOfWords, type Said } from '../../../mail/bounces'
import type { DeliveryReport } from './report'

/** The part of a report about one recipient. */
export type StatusReport = Pick<
  DeliveryReport,
  'kind' | 'detail' | 'blame' | 'recipients' | 'failure' | 'code' | 'isOptOut'
> & { at: Date | undefined }

type Facts = Pick<DeliveryReport, 'kind' | 'blame' | 'failure' | 'isOptOut'>

/** What says nothing that we keep has no entry. */
const facts: Partial<Record<Said, Facts>> = {
  delivered: { kind: 'delivered' },
  dead: { kind: 'bounced', blame: 'address', failure: 'dead' },
  refused: { kind: 'bounced', blame: 'other', failure: 'refused' },
  unknown: { kind: 'bounced', blame: 'other', failure: 'unknown' },
  full: { kind: 'softBounced', failure: 'full' },
  expired: { kind: 'softBounced', failure: 'expired' },
  complaint: { kind: 'complained' },
  optOut: { kind: 'complained', isOptOut: true },
}

/** The report as it changes a message; undefined for delays and whatever else changes none. */
export function toStatusReport({ said, words, recipient, code, at }: MailReport): StatusReport | undefined {
  const fact = facts[said]
  if (!fact) return undefined
  return {
    ...fact,
    at,
    ...(words ? { detail: words.replace(/^[\w-]{1,40}\s?;\s?/, '') } : {}),
    ...(code && fact.failure ? { code } : {}),
    ...(recipient ? { recipients: [recipient] } : {}),
  }
}

/** What a failure means that a relay tells of, by its status code and the words of the other server; either may be empty. */
export function failureOf(status: string, words: string): Omit<StatusReport, 'at' | 'recipients'> {
  const code = status || undefined
  const said = meaningOfWords(code, words)
  return {
    ...facts[said]!,
    detail: words || `returned with status ${status || 'unknown'}`,
    ...(code ? { code } : {}),
  }
}
