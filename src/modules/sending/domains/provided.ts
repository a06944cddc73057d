// Domains whose mail a provider signs: the records it wants, and how its answer and the DNS make a verdict. Pure.
import type { SenderIdentity } from '../../../platform/transports/transport'
import { checkRecords, type RecordCheck, type TxtAnswers } from './check'
import { type DnsRecord, dkimRecord, dmarcName, type Published, type Statuses } from './records'

export interface Provided extends Published {
  tokens: readonly string[]
  zone: string
  contested: boolean
  /** Other transports send mail that our own key signs. */
  signsBeside?: boolean
}

/**
 * One CNAME per token. A contested name needs our own key besides, because the tokens are the same for everybody who claims it; where our key
 * signs for other transports, its record is shown as well.
 */
export function providedRecords(
  { tokens, zone, contested, signsBeside = false, ...published }: Provided,
  statuses: Statuses,
): DnsRecord[] {
  const { domain } = published
  const cnames = tokens.map(token => ({
    type: 'CNAME' as const,
    name: `${token}._domainkey.${domain}`,
    value: `${token}.${zone}`,
    purpose: 'dkim' as const,
    required: true,
    status: statuses.dkim,
  }))
  const advice = { type: 'TXT' as const, required: false }
  return [
    ...cnames,
    ...(contested || signsBeside ? [{ ...dkimRecord(published, statuses.dkim), required: contested }] : []),
    {
      ...advice,
      name: domain,
      value: 'v=spf1 include:amazonses.com ~all',
      purpose: 'spf',
      status: statuses.spf,
    },
    {
      ...advice,
      name: dmarcName(domain),
      value: 'v=DMARC1; p=none',
      purpose: 'dmarc',
      status: statuses.dmarc,
    },
  ]
}

/** `identity` is undefined while the provider does not answer: then everything is as it was. */
export function checkProvided(
  answers: TxtAnswers,
  claim: { publicKey: string; contested: boolean },
  identity: SenderIdentity | undefined,
  before: { verified: boolean; statuses: Statuses },
): RecordCheck {
  const own = checkRecords(answers, claim.publicKey, before)
  const unknown = {
    ...own,
    statuses: { ...own.statuses, dkim: before.statuses.dkim },
    verified: before.verified,
    known: false,
  }
  if (!identity?.isKnown) return unknown
  const needsOwn = claim.contested || !identity.isOurs
  if (needsOwn && !own.known) return unknown
  const parts = needsOwn ? [identity.status, own.statuses.dkim] : [identity.status]
  const dkim = parts.includes('failed') ? 'failed' : parts.includes('pending') ? 'pending' : 'verified'
  return { statuses: { ...own.statuses, dkim }, verified: dkim === 'verified', known: true }
}
