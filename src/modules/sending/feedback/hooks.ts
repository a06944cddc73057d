// The hooks of feedback: what it tells the modules above.
import { defineHook } from '../../../platform/hooks'
import type { ReducedMail } from './reduced-mail'

/** Reports about messages were applied; called in the transaction that stores that. */
export const messagesReported = defineHook<readonly ReducedMail[]>('messages reported')
