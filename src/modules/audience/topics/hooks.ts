// The hooks of topics: what they ask the modules above.
import { defineHook } from '../../../platform/hooks'

/** Asks whether something names the topic, which keeps it from being deleted. */
export const topicUses = defineHook<{ projectId: string; topicId: string }, boolean>('topic uses')
