// The state of an endpoint, and the outcome of a delivery, in a word.
import { t } from '../../../texts'
import { Badge, type Tone } from '../../../ui/badge'
import type { Delivery, Endpoint } from './data'

export type State = keyof typeof t.webhooks.states

export function stateOf({ enabled, disabledReason, failingSince }: Endpoint): State {
  if (!enabled) return disabledReason === null ? 'off' : 'given'
  return failingSince === null ? 'on' : 'failing'
}

const tones: Record<State, Tone> = { on: 'good', off: 'neutral', failing: 'warn', given: 'bad' }

export function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  const state = stateOf(endpoint)
  return <Badge tone={tones[state]}>{t.webhooks.states[state]}</Badge>
}

const deliveryTones: Record<string, Tone> = { PENDING: 'neutral', DELIVERED: 'good', FAILED: 'bad' }

export function DeliveryState({ status }: Pick<Delivery, 'status'>) {
  return <Badge tone={deliveryTones[status]}>{t.webhooks.deliveryStates[status] ?? status}</Badge>
}
