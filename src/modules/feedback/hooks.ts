// What feedback tells the modules above.
import { defineHook } from '../../platform/hooks'
import type { ReducedMail } from './reduce-reports'

/** Reports about messages were applied, in the transaction that stores it. */
export const messagesReported = defineHook<readonly ReducedMail[]>('messages reported')
