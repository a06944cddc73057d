// Whether mail of a domain is aligned as DMARC asks (RFC 7489, section 3.1): the domain in From against that of the envelope and that of
// the signature. Pure.
import type { DnsAnswer } from '../../../../mail/dns/resolver'
import { readTags } from '../check'
import { organisationOf } from '../records'

export interface DmarcPolicy {
  /** What receivers are asked to do: `none`, `quarantine` or `reject`. */
  policy: string
  /** Strict: the very same domain; otherwise the same organisation. */
  strictSpf: boolean
  strictDkim: boolean
}

export type DmarcRecord = DmarcPolicy | 'missing' | 'several' | 'invalid' | 'unknown'

/** `answers`: at the domain itself, then at the one it inherits from; the nearest decides (section 6.6.3). */
export function readDmarc(answers: ReadonlyArray<DnsAnswer<string>>): DmarcRecord {
  for (const [index, answer] of answers.entries()) {
    if (answer.status === 'failed') return 'unknown'
    const found = answer.status === 'found' ? answer.records : []
    const policies = found.filter(text => /^\s*v\s*=\s*DMARC1\s*(;|$)/i.test(text))
    if (policies.length > 1) return 'several'
    if (policies.length === 1) return readPolicy(policies[0]!, index > 0)
  }
  return 'missing'
}

function readPolicy(text: string, isInherited: boolean): DmarcRecord {
  const tags = readTags(text)
  const policy = ((isInherited ? tags.get('sp') : undefined) ?? tags.get('p') ?? '').toLowerCase()
  if (!['none', 'quarantine', 'reject'].includes(policy)) return 'invalid'
  const isStrict = (tag: string): boolean => tags.get(tag)?.toLowerCase() === 's'
  return { policy, strictSpf: isStrict('aspf'), strictDkim: isStrict('adkim') }
}

export function isAligned(from: string, other: string, isStrict: boolean): boolean {
  return isStrict ? from === other : organisationOf(from) === organisationOf(other)
}
