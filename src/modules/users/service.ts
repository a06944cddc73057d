// Use cases of accounts: signing up, signing in within limits, and who a session belongs to. Sessions themselves (cookies) are
// the business of http/; here they are a user id and a version.

import { isEmail, normaliseEmail } from '../../lib/address'
import { type AppError, conflict, forbidden, invalid, tooMany, unauthorized } from '../../lib/errors'
import { after } from '../../lib/time'
import { type Context, inTransaction, newId } from '../../platform/context'
import {
  addressLimit,
  attemptSubject,
  attemptWindowMs,
  clientLimit,
  clientNetwork,
  retryAfterSeconds,
} from './limits'
import type { SignUpBody, UserAnswer } from './model'
import { hashPassword, type PasswordCost, verifyPassword } from './password'
import {
  type AttemptKind,
  deleteAttempts,
  deleteClosedWindows,
  deleteSetupTokens,
  giveAttemptBack,
  hasSetupToken,
  hasUsers,
  insertSetupToken,
  insertUser,
  lockSignUps,
  type SessionUserRow,
  selectSessionUser,
  selectUser,
  selectUserByEmail,
  selectWindowEnd,
  takeAttempt,
  type UserRow,
} from './queries'
import { hashSetupToken, makeSetupToken, setupText, setupTokenLifeMs } from './setup'

/** What the caller needs to open a session. */
export interface SignedIn {
  id: string
  email: string
  sessionVersion: number
}

/** The user of a session; undefined where it was ended by a newer version. */
export async function findSessionUser(
  ctx: Context,
  session: { userId: string; version: number },
): Promise<SessionUserRow | undefined> {
  return await selectSessionUser(ctx, session.userId, session.version)
}

/** Makes an account with a password. 409 where the address is taken, 403 where sign-up is closed. */
export async function signUp(ctx: Context, input: SignUpBody, cost?: PasswordCost): Promise<SignedIn> {
  const email = requireAddress(input.email)
  await requireOpenSignUp(ctx, input.setupToken)
  const passwordHash = await hashPassword(input.password, cost)
  return await inTransaction(ctx, async tx => {
    await lockSignUps(tx)
    await requireOpenSignUp(tx, input.setupToken)
    const user = await insertUser(tx, {
      id: newId(tx),
      email,
      passwordHash,
      type: 'PASSWORD',
      // Whoever reads the set-up link runs the machine and needs no mail to prove it.
      emailVerified: input.setupToken !== undefined,
    })
    if (!user) throw conflict('An account with this address exists already')
    await deleteSetupTokens(tx)
    return signedIn(user)
  })
}

function requireAddress(text: string): string {
  const email = normaliseEmail(text)
  if (isEmail(email)) return email
  throw invalid([
    { field: 'email', message: 'Not an e-mail address', code: 'invalid_string', received: text },
  ])
}

/** Checked before the costly hash, and again under the lock, where it decides. */
async function requireOpenSignUp(ctx: Context, setupToken: string | undefined): Promise<void> {
  if (setupToken !== undefined) {
    if (await hasSetupToken(ctx, hashSetupToken(setupToken))) return
    throw forbidden('FORBIDDEN', 'The set-up token is not valid, or an account exists already')
  }
  if (ctx.config.disableSignups && (await hasUsers(ctx)))
    throw forbidden('FORBIDDEN', 'Sign-up is closed on this instance')
}

/**
 * While no account exists: makes a one-time token and returns the words to print with it, else undefined. Tokens of instances
 * that start beside this one stay good.
 */
export async function ensureSetupLink(ctx: Context): Promise<string | undefined> {
  return await inTransaction(ctx, async tx => {
    await lockSignUps(tx)
    if (await hasUsers(tx)) return undefined
    await deleteSetupTokens(tx, after(tx.clock.now(), -setupTokenLifeMs))
    const token = makeSetupToken(tx.random)
    await insertSetupToken(tx, hashSetupToken(token))
    const { baseUrl, dataDir, mailTransport } = tx.config
    return setupText(baseUrl, token, mailTransport === 'outbox' ? `${dataDir}/outbox` : undefined)
  })
}

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

/** The account as its owner sees it; undefined where it is gone. */
export async function findUser(ctx: Context, userId: string): Promise<UserAnswer | undefined> {
  const user = await selectUser(ctx, userId)
  if (!user) return undefined
  const { id, email, type, emailVerified, createdAt } = user
  return { id, email, type, emailVerified, createdAt: createdAt.toISOString() }
}

function signedIn(user: UserRow): SignedIn {
  return { id: user.id, email: user.email, sessionVersion: user.sessionVersion }
}
