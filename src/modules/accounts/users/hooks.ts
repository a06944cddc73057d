// The hooks of accounts: what they tell and ask the modules above.
import { defineHook } from '../../../platform/hooks'
import type { InvitationOffer } from './page'

/**
 * An address belongs to somebody for certain. Called when it is proved, and again whenever its owner signs in, because what waits for an
 * address may come later than the proof.
 */
export const addressProved = defineHook<{ id: string; email: string }>('address proved')

/** Asks whether something that belongs to others waits for whoever proves the address. */
export const addressAwaited = defineHook<string, boolean>('address awaited')

/** An account got a second factor, or no longer has one. `by`: the user, or `system` for whoever runs the machine. */
export const secondFactorChanged = defineHook<{ userId: string; by: string; isOn: boolean }>(
  'second factor changed',
)

/** What a user may not be without a second factor for: names of projects, a few of them. */
export const secondFactorNeeded = defineHook<string, string[]>('second factor needed')

/** A new account came with the token of an invitation's link that does not prove its address. */
export const invitationTaken = defineHook<{ token: string; user: { id: string; email: string } }>(
  'invitation taken',
)

/** What the token of an invitation's link offers; undefined if it is not valid. */
export const invitationOffer = defineHook<string, InvitationOffer | undefined>('invitation offer')
