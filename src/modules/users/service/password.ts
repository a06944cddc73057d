// Changing the own password while signed in.
import { badRequest, unauthorized } from '../../../lib/errors'
import { type Context, inTransaction } from '../../../platform/context'
import { hashPassword, verifyPassword } from '../password'
import { deleteTokensOf, selectUser, updatePassword } from '../queries'
import { type SignedIn, signedIn } from './session'
import { forgiveAttempt, takeSignInAttempt } from './sign-in'

/**
 * Changes the password and ends all sessions; the answer opens a new one. Guesses at the present password count like failed
 * sign-ins. 400 for an account without a password.
 */
export async function changePassword(
  ctx: Context,
  userId: string,
  input: { currentPassword: string; newPassword: string; clientAddress: string },
): Promise<SignedIn> {
  const user = await selectUser(ctx, userId)
  if (!user) throw unauthorized('UNAUTHORIZED', 'You are not signed in')
  if (user.type !== 'PASSWORD') throw badRequest('This account signs in without a password')
  const attempt = await takeSignInAttempt(ctx, user.email, input.clientAddress)
  if (!(await verifyPassword(input.currentPassword, user.passwordHash)))
    throw unauthorized('INVALID_CREDENTIALS', 'The present password is another one')
  await forgiveAttempt(ctx, attempt)
  const passwordHash = await hashPassword(input.newPassword)
  return await inTransaction(ctx, async tx => {
    const changed = await updatePassword(tx, userId, passwordHash)
    if (!changed) throw unauthorized('UNAUTHORIZED', 'You are not signed in')
    await deleteTokensOf(tx, 'reset', userId)
    return signedIn(changed)
  })
}
