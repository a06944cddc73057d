// A finding about the mail of a domain: whether it will be trusted, and the record to publish where it won't be. Pure.

import type { findingLevels } from '../../../../lib/described'

export const findingTopics = ['spf', 'dkim', 'dmarc', 'reverse-dns'] as const

/** What programs and pages work with; `message` says the same in English. */
export const findingCodes = [
  ...['spf.covers', 'spf.provider', 'spf.unchecked', 'spf.missing', 'spf.several', 'spf.notCovered'],
  ...['spf.open', 'spf.lookups', 'spf.invalid', 'spf.unknown'],
  ...['dkim.strong', 'dkim.short', 'dkim.weak', 'dkim.missing', 'dkim.unreadable', 'dkim.unknown'],
  'dkim.byRelay',
  ...['dmarc.aligned', 'dmarc.byDkim', 'dmarc.missing'],
  ...['dmarc.several', 'dmarc.invalid', 'dmarc.unknown'],
  ...['reverse.confirmed', 'reverse.missing', 'reverse.other', 'reverse.unknown'],
] as const

export interface DomainFinding {
  about: (typeof findingTopics)[number]
  level: (typeof findingLevels)[number]
  code: string
  message: string
  /** What the message names. */
  values: Record<string, string>
  /** The record to publish. */
  record?: { type: 'TXT'; name: string; value: string }
}

/** How mail of the domain leaves. */
export interface SendingRoute {
  /** The host of SMTP_URL; undefined where no relay is known. */
  relayHost?: string
  /** What a relay that many use asks to include. */
  include?: string
  /** Where mail leaves from, as far as this is known. */
  addresses: readonly string[]
  /** The provider's, where the envelope is in its name. */
  envelopeDomain?: string
}

type Said = Omit<DomainFinding, 'about' | 'values'> & { values?: DomainFinding['values'] }

/** Makes the findings of a topic. */
export const findingsAbout =
  (topic: DomainFinding['about']) =>
  ({ values = {}, ...said }: Said): DomainFinding => ({ about: topic, values, ...said })
