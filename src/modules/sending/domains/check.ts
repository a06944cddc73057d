// What the DNS said -> the status of each record, and whether the domain counts as verified. Pure. A query without an answer ("failed")
// says nothing about the domain and changes nothing.
import type { DnsAnswer } from '../../../mail/dns/resolver'
import type { RecordStatus, Statuses } from './records'

/** The TXT answers at the three names. */
export interface TxtAnswers {
  dkim: DnsAnswer<string>
  spf: DnsAnswer<string>
  /** Asked in this order: the domain's own policy, then the one it inherits. */
  dmarc: Array<DnsAnswer<string>>
}

export interface RecordCheck {
  statuses: Statuses
  /** Only DKIM decides; the others are advice. */
  verified: boolean
  /** False when no server answered about DKIM: `verified` is then what it was before. */
  known: boolean
}

export function checkRecords(
  answers: TxtAnswers,
  publicKey: string,
  before: { verified: boolean; statuses: Statuses },
): RecordCheck {
  const dkim = dkimStatus(answers.dkim, publicKey)
  const statuses = {
    dkim: dkim ?? before.statuses.dkim,
    spf: spfStatus(answers.spf) ?? before.statuses.spf,
    dmarc: dmarcStatus(answers.dmarc) ?? before.statuses.dmarc,
  }
  return {
    statuses,
    verified: dkim === undefined ? before.verified : dkim === 'verified',
    known: dkim !== undefined,
  }
}

/** Undefined when nothing is known. Other texts at the name (a wildcard's, for one) are ignored. */
export function dkimStatus(answer: DnsAnswer<string>, publicKey: string): RecordStatus | undefined {
  if (answer.status === 'failed') return undefined
  const keys = recordsOf(answer)
    .map(readTags)
    .filter(tags => tags.has('p'))
  if (keys.length === 0) return 'pending'
  return keys.some(tags => isOurKey(tags, publicKey)) ? 'verified' : 'failed'
}

/** One SPF record, whatever it allows: we cannot know all servers of the domain. Two are an error (RFC 7208, section 4.5). */
export function spfStatus(answer: DnsAnswer<string>): RecordStatus | undefined {
  if (answer.status === 'failed') return undefined
  const policies = recordsOf(answer).filter(text => /^v=spf1(\s|$)/i.test(text.trim()))
  return policies.length === 0 ? 'pending' : policies.length === 1 ? 'verified' : 'failed'
}

/** The nearest name with a policy decides. */
export function dmarcStatus(answers: Array<DnsAnswer<string>>): RecordStatus | undefined {
  for (const answer of answers) {
    if (answer.status === 'failed') return undefined
    const policies = recordsOf(answer).filter(text => /^\s*v\s*=\s*DMARC1\s*(;|$)/i.test(text))
    if (policies.length > 1) return 'failed'
    if (policies.length === 1) return hasPolicy(policies[0]!) ? 'verified' : 'failed'
  }
  return 'pending'
}

function hasPolicy(text: string): boolean {
  return ['none', 'quarantine', 'reject'].includes(readTags(text).get('p')?.toLowerCase() ?? '')
}

function recordsOf(answer: DnsAnswer<string>): string[] {
  return answer.status === 'found' ? answer.records : []
}

/** A tag list (RFC 6376, section 3.2): names in lower case, values without white space. */
export function readTags(text: string): Map<string, string> {
  const tags = new Map<string, string>()
  for (const part of text.split(';')) {
    const at = part.indexOf('=')
    const name = part.slice(0, Math.max(at, 0)).trim().toLowerCase()
    if (name !== '' && !tags.has(name)) tags.set(name, part.slice(at + 1).replace(/\s+/g, ''))
  }
  return tags
}

/** The key itself is compared exactly: case matters. The other tags must allow it to be used for our signatures. */
function isOurKey(tags: Map<string, string>, publicKey: string): boolean {
  const allows = (tag: string, ...values: string[]): boolean =>
    (tags.get(tag) ?? values[0]!)
      .toLowerCase()
      .split(':')
      .some(value => values.includes(value))
  const usable =
    allows('v', 'dkim1') && allows('k', 'rsa') && allows('h', 'sha256') && allows('s', '*', 'email')
  return usable && tags.get('p') === publicKey
}
