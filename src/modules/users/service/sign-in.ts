// Signing in with a password, within limits on guessing.
import { type AppError, tooMany, unauthorized } from '../../../lib/errors'
import { after } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import {
  addressLimit,
  attemptSubject,
  attemptWindowMs,
  clientLimit,
  clientNetwork,
  retryAfterSeconds,
} from '../limits'
import { verifyPassword } from '../password'
import {
  type AttemptKind,
  deleteAttempts,
  deleteClosedWindows,
  giveAttemptBack,
  selectUserByEmail,
  selectWindowEnd,
  takeAttempt,
} from '../queries'
import { type SignedIn, signedIn } from './session'
import { requireAddress } from './sign-up'

/** Checks a password. Unknown address, wrong password and account without a password answer alike, in the same time. */
export async function signIn(
  ctx: Context,
  input: { email: string; password: string; clientAddress: string },
): Promise<SignedIn> {
  const email = requireAddress(input.email)
  const address = attemptSubject('address', email)
  const client = attemptSubject('client', clientNetwork(input.clientAddress))
  await countAttempt(ctx, address, client)
  const user = await selectUserByEmail(ctx, email)
  if (!(await verifyPassword(input.password, user?.passwordHash)) || !user)
    throw unauthorized('INVALID_CREDENTIALS', 'Wrong e-mail address or password')
  await deleteAttempts(ctx, 'address', address)
  await giveAttemptBack(ctx, 'client', client)
  return signedIn(user)
}

/**
 * Every attempt counts as a failure before the password is looked at and is taken back by success; guesses that arrive together
 * therefore can't outrun the limit.
 */
async function countAttempt(ctx: Context, address: string, client: string): Promise<void> {
  await deleteClosedWindows(ctx)
  const closesAt = after(ctx.clock.now(), attemptWindowMs)
  if (!(await takeAttempt(ctx, { kind: 'client', subject: client, limit: clientLimit, closesAt })))
    throw await closed(ctx, 'client', client)
  if (await takeAttempt(ctx, { kind: 'address', subject: address, limit: addressLimit, closesAt })) return
  await giveAttemptBack(ctx, 'client', client)
  throw await closed(ctx, 'address', address)
}

async function closed(ctx: Context, kind: AttemptKind, subject: string): Promise<AppError> {
  const now = ctx.clock.now()
  const end = (await selectWindowEnd(ctx, kind, subject)) ?? now
  return tooMany('Too many failed sign-ins', retryAfterSeconds(end, now))
}
