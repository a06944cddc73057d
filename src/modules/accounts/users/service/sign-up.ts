// Making accounts: by sign-up, by the operator, and the first one of a new instance.
import { clientNetwork } from '../../../../lib/client-network'
import { conflict, forbidden, tooMany } from '../../../../lib/errors'
import { after } from '../../../../lib/time'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { attemptSubject, mailWindowMs, retryAfterSeconds, signUpLimit } from '../limits'
import type { SignUpBody } from '../model'
import { requireAddress } from '../model'
import { hashPassword } from '../password'
import {
  deleteClosedWindows,
  deleteSetupTokens,
  hasSetupToken,
  hasUsers,
  insertSetupToken,
  insertUser,
  lockSignUps,
  type NewUserRow,
  selectUserByEmail,
  selectWindowEnd,
  takeAttempt,
  type UserRow,
} from '../queries'
import { hashToken, makeToken, setupText, setupTokenLifeMs } from '../tokens'
import { findOffer, isAwaited, takeOffer, tellProved } from './links'
import { replacePassword } from './password'
import { type SignedIn, signedIn } from './sessions'
import { sendVerification } from './verification'

/** Who makes the request; `isLocal`: it comes from the machine that the instance runs on. */
export interface SignUpClient {
  clientAddress: string
  isLocal: boolean
}

type Admission = Pick<SignUpBody, 'setupToken' | 'invitationToken'> & Pick<SignUpClient, 'isLocal'>

/** Makes an account with a password. 409 where the address is taken, 403 where sign-up is closed, 429 beyond the limit. */
export async function signUp(ctx: Context, input: SignUpBody & SignUpClient): Promise<SignedIn> {
  const email = requireAddress(input.email)
  await requireAdmission(ctx, email, input)
  await countSignUp(ctx, input.clientAddress)
  const passwordHash = await hashPassword(input.password)
  return await inTransaction(ctx, async tx => {
    await lockSignUps(tx)
    const standing = await requireAdmission(tx, email, input)
    const { invitationToken: token } = input
    const claimed = token && standing.emailVerified && (await claimAccount(tx, email, passwordHash))
    if (claimed) return signedIn(claimed)
    const user = await makeAccount(tx, { email, passwordHash, type: 'PASSWORD', ...standing })
    if (token && !standing.emailVerified) await takeOffer(tx, token, user)
    return signedIn(user)
  })
}

/** Whoever holds the mail of an invitation gets the account that somebody made with the address and never proved. */
async function claimAccount(tx: Context, email: string, passwordHash: string): Promise<UserRow | undefined> {
  const user = await selectUserByEmail(tx, email)
  if (!user || user.emailVerified) return undefined
  return await replacePassword(tx, { userId: user.id, passwordHash, proves: true })
}

/** Before the costly hash: anybody may ask for it, as often as they like. */
async function countSignUp(ctx: Context, clientAddress: string): Promise<void> {
  await deleteClosedWindows(ctx)
  const now = ctx.clock.now()
  const subject = attemptSubject('client', `sign-up ${clientNetwork(clientAddress)}`)
  const closesAt = after(now, mailWindowMs)
  if (await takeAttempt(ctx, { kind: 'client', subject, limit: signUpLimit, closesAt })) return
  const end = (await selectWindowEnd(ctx, 'client', subject)) ?? now
  throw tooMany('Too many sign-ups came from this address', retryAfterSeconds(end, now))
}

/** Makes an account for somebody whose address the operator vouches for; sign-up may be closed. */
export async function createUser(
  ctx: Context,
  input: { email: string; password: string },
): Promise<SignedIn> {
  const email = requireAddress(input.email)
  const passwordHash = await hashPassword(input.password)
  return await inTransaction(ctx, async tx => {
    await lockSignUps(tx)
    const standing = { emailVerified: true, mustVerify: false }
    return signedIn(await makeAccount(tx, { email, passwordHash, type: 'PASSWORD', ...standing }))
  })
}

/** The account with what follows from it. The caller holds the lock of sign-ups. 409 where the address is taken. */
export async function makeAccount(tx: Context, account: Omit<NewUserRow, 'id'>): Promise<UserRow> {
  const user = await insertUser(tx, { id: newId(tx), ...account })
  if (!user) throw conflict('An account with this address exists already')
  await deleteSetupTokens(tx)
  if (user.emailVerified) await tellProved(tx, user)
  else if (await needsProof(tx, user)) await sendVerification(tx, user)
  return user
}

/** Nobody gets a mail without a reason: something must wait for the proof. */
async function needsProof(tx: Context, user: UserRow): Promise<boolean> {
  return tx.config.requireEmailVerification || user.mustVerify || (await isAwaited(tx, user.email))
}

/**
 * By what right the address may sign up, and whether that proves it: whoever comes with the link printed at the start or one from a mail
 * need prove nothing more. Checked before the costly hash, and again under the lock, where it decides.
 */
async function requireAdmission(
  ctx: Context,
  email: string,
  { setupToken, invitationToken, isLocal }: Admission,
): Promise<Pick<UserRow, 'emailVerified' | 'mustVerify'>> {
  if (setupToken !== undefined) {
    if (await hasSetupToken(ctx, hashToken(setupToken))) return { emailVerified: true, mustVerify: false }
    throw forbidden('FORBIDDEN', 'The setup token is not valid, or an account exists already')
  }
  if (invitationToken !== undefined) {
    const offer = await findOffer(ctx, invitationToken)
    if (offer?.email === email) return { emailVerified: offer.provesAddress, mustVerify: false }
    throw forbidden('FORBIDDEN', 'The invitation is not valid, or is meant for another address')
  }
  return { emailVerified: false, mustVerify: await requireOpen(ctx, email, isLocal) }
}

/**
 * Throws 403 where sign-up is closed to the address. Returns whether it is open to this address only: knowing an invited address
 * must not be enough to use a closed instance, so its owner has to prove it first. `isWelcome` opens it to one who did, but for the first account.
 */
export async function requireOpen(
  ctx: Context,
  email: string,
  isLocal: boolean,
  isWelcome = false,
): Promise<boolean> {
  if (!(await hasUsers(ctx))) {
    if (isLocal) return false
    throw firstIsForOperator()
  }
  if (!ctx.config.disableSignups || isWelcome) return false
  if (await isAwaited(ctx, email)) return true
  throw forbidden('FORBIDDEN', 'Sign-up is closed on this instance', {
    suggestion:
      'Ask somebody whose project you belong to for an invitation. The operator opens sign-up to everybody with DISABLE_SIGNUPS=false.',
  })
}

/** Otherwise a new instance would belong to whoever finds it first. */
function firstIsForOperator(): Error {
  return forbidden('FORBIDDEN', 'The first account of this instance needs the setup token', {
    suggestion:
      'Use the command that the start of the program printed (its log has it), or run "waxwing user create EMAIL" on the machine.',
  })
}

/** What somebody without an invitation can expect at the moment. */
export async function describeSignUp(ctx: Context, isLocal: boolean) {
  const isFirst = !(await hasUsers(ctx))
  return {
    signupsDisabled: ctx.config.disableSignups && !isFirst,
    isFirstAccount: isFirst,
    needsSetupToken: isFirst && !isLocal,
  }
}

/**
 * While no account exists: makes a one-time token and returns the text to print with it, otherwise undefined. Tokens of instances that
 * start at the same time stay valid.
 */
export async function ensureSetupLink(ctx: Context): Promise<string | undefined> {
  return await inTransaction(ctx, async tx => {
    await lockSignUps(tx)
    if (await hasUsers(tx)) return undefined
    await deleteSetupTokens(tx, after(tx.clock.now(), -setupTokenLifeMs))
    const token = makeToken(tx.random)
    await insertSetupToken(tx, hashToken(token))
    const { baseUrl, dataDir, mailTransport } = tx.config
    return setupText(baseUrl, token, mailTransport === 'outbox' ? `${dataDir}/outbox` : undefined)
  })
}
