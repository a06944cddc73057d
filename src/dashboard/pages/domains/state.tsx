// The state of a domain, and of one record, as a badge.
import { t } from '../../texts'
import { Badge, type Tone } from '../../ui/badge'
import { type DnsRecord, type SendingDomain, type State, stateOf } from './data'

const tones: Record<State, Tone> = { verified: 'good', advised: 'good', waiting: 'warn', wrong: 'bad' }

export function DomainState({ domain }: { domain: Pick<SendingDomain, 'verified' | 'records'> }) {
  const state = stateOf(domain)
  return <Badge tone={tones[state]}>{t.domains.states[state]}</Badge>
}

const recordTones: Record<DnsRecord['status'], Tone> = { verified: 'good', pending: 'neutral', failed: 'bad' }

export function RecordState({ record: { status, required } }: { record: DnsRecord }) {
  // A record that is only recommended does no harm if something else is published.
  const tone = status === 'failed' && !required ? 'warn' : recordTones[status]
  return <Badge tone={tone}>{t.domains.recordStates[status]}</Badge>
}
