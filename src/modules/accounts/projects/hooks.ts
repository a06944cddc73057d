// The hooks of projects: what they tell the modules above.
import { defineHook } from '../../../platform/hooks'

/** A project was created; what else belongs to a new one is added in the transaction that creates it. */
export const projectCreated = defineHook<{ id: string; name: string }>('project created')

/** A project was closed for good, in the transaction that closes it; its id is given. */
export const projectDeleted = defineHook<string>('project deleted')
