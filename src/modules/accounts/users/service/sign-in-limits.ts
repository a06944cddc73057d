// Limits on guessing: an attempt is counted before a password or a code is checked, and taken back when it was right.
import { clientNetwork } from '../../../../lib/client-network'
import { type AppError, tooMany } from '../../../../lib/errors'
import { after } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { addressLimit, attemptSubject, attemptWindowMs, clientLimit, retryAfterSeconds } from '../limits'
import {
  type AttemptKind,
  deleteAttempts,
  deleteClosedWindows,
  giveAttemptBack,
  selectWindowEnd,
  takeAttempt,
} from '../queries'

/** The subjects under which a password check was counted. */
export interface SignInAttempt {
  address: string
  client: string
}

/**
 * Every attempt counts as a failure before the password is checked, and is taken back on success; guesses that arrive together
 * therefore can't outrun the limit. Throws 429 beyond it.
 */
export async function takeSignInAttempt(
  ctx: Context,
  email: string,
  clientAddress: string,
): Promise<SignInAttempt> {
  const address = attemptSubject('address', email)
  const client = attemptSubject('client', clientNetwork(clientAddress))
  await deleteClosedWindows(ctx)
  const closesAt = after(ctx.clock.now(), attemptWindowMs)
  if (!(await takeAttempt(ctx, { kind: 'client', subject: client, limit: clientLimit, closesAt })))
    throw await closed(ctx, 'client', client)
  if (await takeAttempt(ctx, { kind: 'address', subject: address, limit: addressLimit, closesAt }))
    return { address, client }
  await giveAttemptBack(ctx, 'client', client)
  throw await closed(ctx, 'address', address)
}

/** The password was right: the count of the address starts anew, and the client's is as it was. */
export async function refundAttempt(ctx: Context, { address, client }: SignInAttempt): Promise<void> {
  await deleteAttempts(ctx, 'address', address)
  await giveAttemptBack(ctx, 'client', client)
}

/** The 429 of a window that is full. */
export async function closed(ctx: Context, kind: AttemptKind, subject: string): Promise<AppError> {
  const now = ctx.clock.now()
  const end = (await selectWindowEnd(ctx, kind, subject)) ?? now
  return tooMany('Too many failed sign-ins', retryAfterSeconds(end, now))
}
