// What waits for whoever proves an address, as the modules above know it.
import type { Context } from '../../../platform/context'
import { callHook } from '../../../platform/hooks'
import {
  addressAwaited,
  addressProved,
  type InvitationOffer,
  invitationOffer,
  invitationTaken,
} from '../hooks'

/** Whether something that belongs to others waits for the proof of the address. */
export async function isAwaited(ctx: Context, email: string): Promise<boolean> {
  return (await callHook(ctx, addressAwaited, email)).includes(true)
}

/** Hands the owner of a proved address what waits for it. */
export async function tellProved(ctx: Context, { id, email }: { id: string; email: string }): Promise<void> {
  await callHook(ctx, addressProved, { id, email })
}

/** What the link of an invitation offers; undefined if it is not valid. */
export async function findOffer(ctx: Context, token: string): Promise<InvitationOffer | undefined> {
  return (await callHook(ctx, invitationOffer, token)).find(offer => offer !== undefined)
}

/** Hands a new account what its invitation offers, where that did not prove the address. */
export async function takeOffer(
  tx: Context,
  token: string,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await callHook(tx, invitationTaken, { token, user: { id, email } })
}
