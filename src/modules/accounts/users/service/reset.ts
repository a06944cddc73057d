// Setting a new password by a link: anybody may request it; it is mailed to the address of the account, or printed for the operator.

import { normaliseEmail } from '../../../../lib/address'
import { clientNetwork } from '../../../../lib/client-network'
import { badRequest } from '../../../../lib/errors'
import { type Context, inTransaction } from '../../../../platform/context'
import { enqueue } from '../../../../platform/jobs/enqueue'
import { sendSystemMail } from '../../system-emails'
import { resetEmail } from '../emails'
import { userKinds } from '../kinds'
import { clientLimit, mailWindowMs } from '../limits'
import { requireAddress } from '../model'
import { hashPassword } from '../password'
import { hasAccountToken, selectUserByEmail, takeToken } from '../queries'
import { hashToken } from '../tokens'
import { issueLink, spendMail } from './links'
import { replacePassword } from './password'

/**
 * Notes the request. A job looks up whether there is such an account, so neither the answer nor its time reveals it; beyond three an hour
 * for one address, or a hundred by one client, the request is dropped silently.
 */
export async function requestReset(
  ctx: Context,
  input: { email: string; clientAddress: string },
): Promise<void> {
  const email = requireAddress(input.email)
  const client = `client ${clientNetwork(input.clientAddress)}`
  await inTransaction(ctx, async tx => {
    const many = { limit: clientLimit, windowMs: mailWindowMs }
    const isTooMuch = (await spendMail(tx, 'reset', client, many)) ?? (await spendMail(tx, 'reset', email))
    if (isTooMuch === undefined) await enqueue(tx, userKinds.reset, { email })
  })
}

/** Mails a link where the address has an account with a password. */
export async function mailReset(ctx: Context, email: string): Promise<void> {
  const user = await selectUserByEmail(ctx, email)
  if (user?.type !== 'PASSWORD') return
  await inTransaction(ctx, async tx => {
    const url = await issueLink(tx, { kind: 'reset', userId: user.id, mailed: true })
    await sendSystemMail(tx, { to: user.email, ...resetEmail(url) })
  })
}

/** A link for the operator to hand over; undefined if no account with a password has the address. */
export async function makeResetLink(ctx: Context, address: string): Promise<string | undefined> {
  const user = await selectUserByEmail(ctx, normaliseEmail(address))
  if (user?.type !== 'PASSWORD') return undefined
  return await issueLink(ctx, { kind: 'reset', userId: user.id, mailed: false })
}

/** Whether the link would work; changes nothing. */
export async function isResetLink(ctx: Context, token: string): Promise<boolean> {
  return await hasAccountToken(ctx, 'reset', hashToken(token))
}

/**
 * Uses the link: sets the password, ends all sessions and clears failed sign-ins. A link that came by mail proves the address as well.
 * 400 where the link is not valid.
 */
export async function resetPassword(
  ctx: Context,
  input: { token: string; newPassword: string },
): Promise<void> {
  // Before the costly hash; the transaction decides.
  if (!(await isResetLink(ctx, input.token))) throw invalidLink()
  const passwordHash = await hashPassword(input.newPassword)
  await inTransaction(ctx, async tx => {
    const taken = await takeToken(tx, 'reset', hashToken(input.token))
    const user =
      taken && (await replacePassword(tx, { userId: taken.userId, passwordHash, proves: taken.mailed }))
    if (!user) throw invalidLink()
  })
}

function invalidLink(): Error {
  return badRequest('The link is not valid, was used already, or has expired')
}
