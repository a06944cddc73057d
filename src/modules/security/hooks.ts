// What security tells the modules above.
import { defineHook } from '../../platform/hooks'

/** A suspended project is brought to rest: who has work of it under way ends it, with this reason. Safe to repeat. */
export const projectSuspended = defineHook<{ projectId: string; reason: string; signal: AbortSignal }>(
  'project halted',
)
