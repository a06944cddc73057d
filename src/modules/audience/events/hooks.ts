// The hooks of events: what they tell and ask the modules above.
import { defineHook } from '../../../platform/hooks'
import type { EventRow } from './queries'

/** Something that refers to an event name: the id and name of a segment or a workflow. */
export interface EventUser {
  id: string
  name: string
}

export interface EventUsers {
  segments: EventUser[]
  workflows: EventUser[]
}

/** Events whose name somebody listens for were recorded; called in the transaction that records them. */
export const eventsHeard = defineHook<readonly EventRow[]>('events heard')

/** Asks who refers to an event name. */
export const eventUses = defineHook<{ projectId: string; name: string }, Partial<EventUsers>>('event uses')
