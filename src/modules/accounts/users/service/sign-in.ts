// Signing in with a password, and with a code where the account asks for one.
import { createHash } from 'node:crypto'
import { badRequest, unauthorized } from '../../../../lib/errors'
import { after, minute } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { requireAddress } from '../model'
import { verifyPassword } from '../password'
import { selectUser, selectUserByEmail, type UserRow } from '../queries'
import { findConfirmed, requireCode } from './code-check'
import { tellProved } from './links'
import { type SignedIn, signedIn } from './sessions'
import { refundAttempt, takeSignInAttempt } from './sign-in-limits'

/**
 * Checks a password. Unknown address, wrong password and account without a password answer alike, in the same time. Where the account has
 * a second factor, the right password gets 401 SECOND_FACTOR_REQUIRED, with a token for the second step.
 */
export async function signIn(
  ctx: Context,
  input: { email: string; password: string; clientAddress: string },
): Promise<SignedIn> {
  const email = requireAddress(input.email)
  const attempt = await takeSignInAttempt(ctx, email, input.clientAddress)
  const user = await selectUserByEmail(ctx, email)
  if (!(await verifyPassword(input.password, user?.passwordHash)) || !user)
    throw unauthorized('INVALID_CREDENTIALS', 'Wrong e-mail address or password')
  await refundAttempt(ctx, attempt)
  if (await findConfirmed(ctx, user.id)) throw codeRequired(ctx, user)
  return await entered(ctx, user)
}

async function entered(ctx: Context, user: UserRow): Promise<SignedIn> {
  if (user.emailVerified) await tellProved(ctx, user)
  return signedIn(user)
}

const purpose = 'second-factor-step'

/** How long somebody may take to enter the code. */
const stepLifeMs = 5 * minute

interface Step {
  userId: string
  /** Of the password and the sessions' version: after a change of either the token is void. */
  of: string
  /** Milliseconds since the epoch. */
  until: number
}

function codeRequired(ctx: Context, user: UserRow): Error {
  const until = after(ctx.clock.now(), stepLifeMs)
  const step: Step = { userId: user.id, of: stateOf(user), until: until.getTime() }
  return unauthorized('SECOND_FACTOR_REQUIRED', 'This account asks for a code as well', {
    details: { token: ctx.vault.seal(purpose, JSON.stringify(step)), expiresAt: until.toISOString() },
    suggestion: 'Send the token with a code: POST /auth/login/second-factor.',
  })
}

function stateOf({ passwordHash, sessionVersion }: UserRow): string {
  return createHash('sha256').update(`${sessionVersion} ${passwordHash}`).digest('base64url')
}

/** The second step. 400 where the token is no longer valid: then the password is asked for again. */
export async function signInByCode(
  ctx: Context,
  input: { token: string; code: string; clientAddress: string },
): Promise<SignedIn> {
  const user = await userOfStep(ctx, input.token)
  const factor = user && (await findConfirmed(ctx, user.id))
  if (!factor) throw badRequest('This sign-in is over', { suggestion: 'Begin again with the password.' })
  await requireCode(ctx, factor, { ...input, userId: user.id })
  return await entered(ctx, user)
}

async function userOfStep(ctx: Context, token: string): Promise<UserRow | undefined> {
  const step = opened(ctx, token)
  if (!step || step.until <= ctx.clock.now().getTime()) return undefined
  const user = await selectUser(ctx, step.userId)
  return user && stateOf(user) === step.of ? user : undefined
}

function opened(ctx: Context, token: string): Step | undefined {
  try {
    return JSON.parse(ctx.vault.open(purpose, token)) as Step
  } catch {
    // Sealed with another key or for something else, or not by us at all.
    return undefined
  }
}
