// Proving that an address belongs to the account: by the link of a mail, once.

import { badRequest, tooMany, unauthorized } from '../../../../lib/errors'
import { type Context, inTransaction } from '../../../../platform/context'
import { sendSystemMail } from '../../system-emails'
import { claimEmail, verificationEmail } from '../emails'
import {
  deleteTokensOf,
  hasAccountToken,
  markVerified,
  selectUser,
  takeToken,
  type UserRow,
} from '../queries'
import { hashToken } from '../tokens'
import { isAwaited, issueLink, spendMail } from './links'

/**
 * Mails the link. Where something of others waits for the proof, the account may have been made by anybody who knows the address, and a
 * click by the owner of the address must not let them in: there the link asks for a new password, which ends the sessions that the old
 * one opened.
 */
export async function sendVerification(
  tx: Context,
  user: Pick<UserRow, 'id' | 'email' | 'mustVerify'>,
): Promise<void> {
  if (user.mustVerify || (await isAwaited(tx, user.email))) {
    const url = await issueLink(tx, { kind: 'reset', userId: user.id, mailed: true })
    return void (await sendSystemMail(tx, { to: user.email, ...claimEmail(url) }))
  }
  const url = await issueLink(tx, { kind: 'verify', userId: user.id, mailed: true })
  await sendSystemMail(tx, { to: user.email, ...verificationEmail(url) })
}

/** Mails another link, at most three times an hour (429). Returns the message for the user. */
export async function requestVerification(ctx: Context, userId: string): Promise<string> {
  const user = await selectUser(ctx, userId)
  if (!user) throw unauthorized('UNAUTHORIZED', 'You are not signed in')
  if (user.emailVerified) return 'The address is verified already'
  const wait = await inTransaction(ctx, async tx => {
    const seconds = await spendMail(tx, 'verification', userId)
    if (seconds === undefined) await sendVerification(tx, user)
    return seconds
  })
  if (wait !== undefined) throw tooMany('Too many verification mails were asked for', wait)
  return 'A verification mail is on its way'
}

/** Whether the link would work; changes nothing. */
export async function isVerificationLink(ctx: Context, token: string): Promise<boolean> {
  return await hasAccountToken(ctx, 'verify', hashToken(token))
}

/** Uses the link: the address is proved. 400 where the link is not valid. */
export async function verifyEmail(ctx: Context, token: string): Promise<void> {
  await inTransaction(ctx, async tx => {
    const taken = await takeToken(tx, 'verify', hashToken(token))
    const user = taken && (await markVerified(tx, taken.userId))
    if (!user) throw badRequest('The link is not valid, was used already, or has expired')
    await deleteTokensOf(tx, 'verify', user.id)
  })
}
