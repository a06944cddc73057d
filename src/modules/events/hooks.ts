// What events tell and ask the modules above.
import { defineHook } from '../../platform/hooks'
import type { EventRow } from './queries'
import type { EventUsers } from './service/list'

/** Events were recorded whose name somebody listens for, in the transaction that records them. */
export const eventsHeard = defineHook<readonly EventRow[]>('events heard')

/** Who refers to an event name. */
export const eventUses = defineHook<{ projectId: string; name: string }, Partial<EventUsers>>('event uses')
