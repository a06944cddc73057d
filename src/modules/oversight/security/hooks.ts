// The hooks of security: what it tells the modules above.
import { defineHook } from '../../../platform/hooks'

/** The work of a suspended project is stopped: modules that have some under way end it. Safe to repeat. */
export const projectSuspended = defineHook<{ projectId: string; signal: AbortSignal }>('project halted')
