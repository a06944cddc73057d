// The hooks of the email log: what it tells and asks the modules above it.
import { defineHook } from '../../../platform/hooks'
import type { Demand, Excess } from './allowance'
import type { MonthUsage } from './days'
import type { EmailSettlement } from './events'
import type { EmailRow } from './queries'

/** Messages were settled, in the transaction that stores it; with only what is new about each. */
export const messagesSettled = defineHook<readonly EmailSettlement[]>('messages settled')

/** The body of a message whose row has none. */
export const messageBody = defineHook<EmailRow, { html: string; text: string } | undefined>('message body')

/** The same as it leaves: with its links replaced, where opens and clicks are measured, and the topic that it is about. */
export const leavingBody = defineHook<
  LeavingMail,
  { html: string; text: string; topicId: string | null } | undefined
>('leaving body')

export interface LeavingMail {
  email: EmailRow
  tracked: boolean
}

/**
 * By how much each demand is too much, in their order; undefined if it may be met. Asked in the transaction that makes the messages.
 */
export const mailAllowance = defineHook<readonly Demand[], Array<Excess | undefined>>('mail allowance')

/** Appended counts were rolled up, in the transaction that does so; one entry per project, month and source. */
export const usageRolledUp = defineHook<readonly MonthUsage[]>('usage rolled up')
