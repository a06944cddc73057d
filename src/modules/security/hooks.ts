// The hooks of security: what it tells the modules above.
import { defineHook } from '../../platform/hooks'

/** The work of a suspended project is stopped: whoever has some under way ends it, with this reason. Safe to repeat. */
export const projectSuspended = defineHook<{ projectId: string; reason: string; signal: AbortSignal }>(
  'project halted',
)
