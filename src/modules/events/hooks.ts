// What events ask the modules above.
import { defineHook } from '../../platform/hooks'
import type { EventUsers } from './service/list'

/** Who refers to an event name. */
export const eventUses = defineHook<{ projectId: string; name: string }, Partial<EventUsers>>('event uses')
