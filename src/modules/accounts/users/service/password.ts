// New passwords: changed while signed in, or set by whoever holds a link.
import { badRequest, unauthorized } from '../../../../lib/errors'
import { type Context, inTransaction } from '../../../../platform/context'
import { attemptSubject } from '../limits'
import { hashPassword, verifyPassword } from '../password'
import {
  deleteAttempts,
  deleteTokensOf,
  markVerified,
  selectUser,
  type UserRow,
  updatePassword,
} from '../queries'
import { tellProved } from './links'
import { type SignedIn, signedIn } from './sessions'
import { refundAttempt, takeSignInAttempt } from './sign-in-limits'

/** Returns the account if that is its password. Guesses count like failed sign-ins. 400 for an account without a password. */
export async function requirePassword(
  ctx: Context,
  userId: string,
  { password, clientAddress }: { password: string; clientAddress: string },
): Promise<UserRow> {
  const user = await selectUser(ctx, userId)
  if (!user) throw unauthorized('UNAUTHORIZED', 'You are not signed in')
  if (user.type !== 'PASSWORD') throw badRequest('This account signs in without a password')
  const attempt = await takeSignInAttempt(ctx, user.email, clientAddress)
  if (!(await verifyPassword(password, user.passwordHash)))
    throw unauthorized('INVALID_CREDENTIALS', 'The current password is wrong')
  await refundAttempt(ctx, attempt)
  return user
}

/**
 * Changes the password and ends all sessions; the answer opens a new one. Wrong guesses at the current password count like failed
 * sign-ins. 400 for an account without a password.
 */
export async function changePassword(
  ctx: Context,
  userId: string,
  input: { currentPassword: string; newPassword: string; clientAddress: string },
): Promise<SignedIn> {
  await requirePassword(ctx, userId, { password: input.currentPassword, clientAddress: input.clientAddress })
  const passwordHash = await hashPassword(input.newPassword)
  return await inTransaction(ctx, async tx => {
    const changed = await updatePassword(tx, userId, passwordHash)
    if (!changed) throw unauthorized('UNAUTHORIZED', 'You are not signed in')
    await deleteTokensOf(tx, 'reset', userId)
    return signedIn(changed)
  })
}

/**
 * Sets the password for whoever came with a link: ends all sessions, voids other links and clears failed sign-ins. A link that was mailed
 * proves the address as well. Undefined for an account without a password.
 */
export async function replacePassword(
  tx: Context,
  { userId, passwordHash, proves }: { userId: string; passwordHash: string; proves: boolean },
): Promise<UserRow | undefined> {
  const user = await updatePassword(tx, userId, passwordHash)
  if (!user) return undefined
  await deleteTokensOf(tx, 'reset', userId)
  await deleteAttempts(tx, 'address', attemptSubject('address', user.email))
  if (!proves) return user
  const proved = await markVerified(tx, userId)
  await tellProved(tx, user)
  return proved
}
