// Checking a code against what its account has, within limits on guessing.
import { unauthorized } from '../../../../lib/errors'
import { after, day } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { attemptSubject, codesOfADay } from '../limits'
import {
  deleteAttempts,
  type SecondFactorRow,
  selectSecondFactor,
  takeAttempt,
  takeRecoveryCode,
  takeStep,
} from '../queries'
import { hashRecoveryCode, isTimeCode, plainCode, timeStepOf } from '../second-factor'
import { closed, refundAttempt, type SignInAttempt, takeSignInAttempt } from './sign-in-limits'

const purpose = 'second-factor'

export function sealSecret(ctx: Context, secret: string): string {
  return ctx.vault.seal(purpose, secret)
}

export function unsealSecret(ctx: Context, { secretSealed }: Pick<SecondFactorRow, 'secretSealed'>): string {
  return ctx.vault.open(purpose, secretSealed)
}

/** The account's second factor, if it is in force. */
export async function findConfirmed(ctx: Context, userId: string): Promise<SecondFactorRow | undefined> {
  const factor = await selectSecondFactor(ctx, userId)
  return factor?.confirmedAt ? factor : undefined
}

/**
 * Counted like a failed sign-in until the code proves right, for the account and for the client, and by the day as well: whoever knows
 * the password must not get through by patience. Throws 429 beyond the limit.
 */
export async function takeCodeAttempt(
  ctx: Context,
  userId: string,
  clientAddress: string,
): Promise<SignInAttempt> {
  const attempt = await takeSignInAttempt(ctx, `code ${userId}`, clientAddress)
  const closesAt = after(ctx.clock.now(), day)
  const subject = dayOf(userId)
  if (await takeAttempt(ctx, { kind: 'address', subject, limit: codesOfADay, closesAt })) return attempt
  throw await closed(ctx, 'address', subject)
}

function dayOf(userId: string): string {
  return attemptSubject('address', `codes of a day ${userId}`)
}

export async function refundCodeAttempt(ctx: Context, userId: string, attempt: SignInAttempt): Promise<void> {
  await refundAttempt(ctx, attempt)
  await deleteAttempts(ctx, 'address', dayOf(userId))
}

/** Uses the code, which is not accepted again. Throws 401 for one that is wrong, used or expired. */
export async function requireCode(
  ctx: Context,
  factor: SecondFactorRow,
  given: { userId: string; code: string; clientAddress: string },
): Promise<void> {
  const attempt = await takeCodeAttempt(ctx, given.userId, given.clientAddress)
  if (!(await isTaken(ctx, factor, given))) throw wrongCode()
  await refundCodeAttempt(ctx, given.userId, attempt)
}

async function isTaken(
  ctx: Context,
  factor: SecondFactorRow,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
  const plain = plainCode(code)
  if (!isTimeCode(plain)) return await takeRecoveryCode(ctx, userId, hashRecoveryCode(plain))
  const step = await timeStepOf(unsealSecret(ctx, factor), plain, ctx.clock.now())
  return step !== undefined && (await takeStep(ctx, userId, step))
}

export function wrongCode(): Error {
  return unauthorized('INVALID_CREDENTIALS', 'The code is wrong, was used already, or is over', {
    suggestion: 'Take the code that the authenticator shows now, or a recovery code that is left.',
  })
}
