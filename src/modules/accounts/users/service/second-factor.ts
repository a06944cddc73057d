// The second factor of an account: begun with the password, in force once a code was confirmed, removed with password and code.
import { conflict, forbidden, notFound } from '../../../../lib/errors'
import { after, day } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { secondFactorChanged, secondFactorNeeded } from '../hooks'
import type { SecondFactorState } from '../model'
import {
  beginSecondFactor,
  confirmSecondFactor,
  countRecoveryCodes,
  deleteSecondFactor,
  deleteUnconfirmedFactors,
  replaceRecoveryCodes,
  type SecondFactorRow,
  selectSecondFactor,
  selectUserByEmail,
} from '../queries'
import {
  hashRecoveryCode,
  makeRecoveryCodes,
  makeSecret,
  plainCode,
  secretUri,
  timeStepOf,
} from '../second-factor'
import {
  findConfirmed,
  refundCodeAttempt,
  requireCode,
  sealSecret,
  takeCodeAttempt,
  unsealSecret,
  wrongCode,
} from './code-check'
import { requirePassword } from './password'

export async function describeSecondFactor(ctx: Context, userId: string): Promise<SecondFactorState> {
  const factor = await findConfirmed(ctx, userId)
  if (!factor) return { confirmedAt: null, recoveryCodesLeft: 0 }
  return { confirmedAt: factor.confirmedAt, recoveryCodesLeft: await countRecoveryCodes(ctx, userId) }
}

interface Proof {
  password: string
  clientAddress: string
}

/**
 * Returns a secret for the authenticator. Only for an address that was proved: otherwise somebody could lock its owner out of an account
 * in that name. 409 where a second factor is in force.
 */
export async function enrol(
  ctx: Context,
  userId: string,
  proof: Proof,
): Promise<{ secret: string; uri: string }> {
  const user = await requirePassword(ctx, userId, proof)
  if (!user.emailVerified)
    throw forbidden('EMAIL_VERIFICATION_REQUIRED', 'Your e-mail address is not verified yet', {
      suggestion: 'Follow the link in the mail, or ask for another one: POST /auth/request-verification.',
    })
  const secret = await makeSecret(ctx.random)
  if (!(await beginSecondFactor(ctx, userId, sealSecret(ctx, secret)))) throw isThere()
  return { secret, uri: await secretUri(user.email, secret) }
}

function isThere(): Error {
  return conflict('Your account has a second factor already', {
    suggestion: 'Take it off first: POST /users/@me/second-factor/remove.',
  })
}

/** Puts it in force with its first code; returns the recovery codes, only this once. */
export async function confirmEnrolment(
  ctx: Context,
  userId: string,
  { code, clientAddress }: { code: string; clientAddress: string },
): Promise<string[]> {
  const factor = await selectSecondFactor(ctx, userId)
  if (!factor) throw notFound('Enrolment', userId)
  if (factor.confirmedAt) throw isThere()
  const attempt = await takeCodeAttempt(ctx, userId, clientAddress)
  const step = await timeStepOf(unsealSecret(ctx, factor), plainCode(code), ctx.clock.now())
  if (step === undefined) throw wrongCode()
  await refundCodeAttempt(ctx, userId, attempt)
  return await inTransaction(ctx, async tx => {
    const { secretSealed } = factor
    if (!(await confirmSecondFactor(tx, userId, { secretSealed, step }))) throw isThere()
    await callHook(tx, secondFactorChanged, { userId, by: userId, isOn: true })
    return await newRecoveryCodes(tx, userId)
  })
}

async function newRecoveryCodes(tx: Context, userId: string): Promise<string[]> {
  const codes = makeRecoveryCodes(tx.random)
  await replaceRecoveryCodes(tx, userId, codes.map(hashRecoveryCode))
  return codes
}

/** Replaces the remaining recovery codes by ten new ones; returned only this once. */
export async function renewRecoveryCodes(
  ctx: Context,
  userId: string,
  proof: Proof & { code: string },
): Promise<string[]> {
  await requireBoth(ctx, userId, proof)
  return await inTransaction(ctx, tx => newRecoveryCodes(tx, userId))
}

export async function removeSecondFactor(
  ctx: Context,
  userId: string,
  proof: Proof & { code: string },
): Promise<void> {
  // Checked before the proof too: a recovery code is gone once it has been checked.
  await requireUnneeded(ctx, userId)
  await requireBoth(ctx, userId, proof)
  await inTransaction(ctx, async tx => {
    await takeOff(tx, userId, userId)
    await requireUnneeded(tx, userId)
  })
}

/** Throws 409 while something that the user belongs to asks for a second factor. */
async function requireUnneeded(ctx: Context, userId: string): Promise<void> {
  const projects = (await callHook(ctx, secondFactorNeeded, userId)).flat()
  if (projects.length === 0) return
  const names = projects.map(name => `"${name}"`).join(', ')
  throw conflict(`A second factor is required by ${names}`, {
    details: { projects },
    suggestion: 'Leave what requires it, or ask its owner to require it no longer.',
  })
}

async function requireBoth(ctx: Context, userId: string, proof: Proof & { code: string }): Promise<void> {
  await requirePassword(ctx, userId, proof)
  const factor: SecondFactorRow | undefined = await findConfirmed(ctx, userId)
  if (!factor) throw notFound('Second factor', userId)
  await requireCode(ctx, factor, { userId, ...proof })
}

async function takeOff(ctx: Context, userId: string, by: string): Promise<boolean> {
  return await inTransaction(ctx, async tx => {
    if (!(await deleteSecondFactor(tx, userId))) return false
    await callHook(tx, secondFactorChanged, { userId, by, isOn: false })
    return true
  })
}

/**
 * Removes the second factor of somebody who has lost everything, for whoever runs the machine; false if the address has none in force.
 */
export async function takeOffSecondFactor(ctx: Context, email: string): Promise<boolean> {
  const user = await selectUserByEmail(ctx, email)
  return user !== undefined && (await takeOff(ctx, user.id, 'system'))
}

/** Deletes second factors that were begun and never confirmed. */
export async function pruneEnrolments(ctx: Context): Promise<void> {
  await deleteUnconfirmedFactors(ctx, after(ctx.clock.now(), -day))
}
