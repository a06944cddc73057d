// What feedback tells the modules above.
import { defineHook } from '../../platform/hooks'
import type { FoldedMail } from './fold'

/** Reports about messages were applied, in the transaction that stores it. */
export const messagesReported = defineHook<readonly FoldedMail[]>('messages reported')
