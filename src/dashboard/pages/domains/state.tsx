// The state of a domain, and of one record, as a badge.
import { t } from '../../texts'
import { Badge, type Tone } from '../../ui/badge'
import { type DnsRecord, type SendingDomain, type State, stateOf } from './data'

const tones: Record<State, Tone> = { verified: 'good', advised: 'good', waiting: 'warn', wrong: 'bad' }

export function DomainState({ domain }: { domain: Pick<SendingDomain, 'verified' | 'records'> }) {
  const state = stateOf(domain)
  return <Badge tone={tones[state]}>{t.domains.states[state]}</Badge>
}

export function RecordState({ record: { status, required } }: { record: DnsRecord }) {
  return <Badge tone={toneOf(status, required)}>{t.domains.recordStates[status]}</Badge>
}

/** A record that is only recommended does less harm if it is missing, or if something else is published. */
function toneOf(status: DnsRecord['status'], required: boolean): Tone {
  if (status === 'verified') return 'good'
  if (status === 'pending') return required ? 'warn' : 'neutral'
  return required ? 'bad' : 'warn'
}
