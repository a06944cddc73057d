// Making accounts: by sign-up, and the way to the first account of a new instance.
import { isEmail, normaliseEmail } from '../../../lib/address'
import { conflict, forbidden, invalid } from '../../../lib/errors'
import { after } from '../../../lib/time'
import { type Context, inTransaction, newId } from '../../../platform/context'
import type { SignUpBody } from '../model'
import { hashPassword, type PasswordCost } from '../password'
import {
  deleteSetupTokens,
  hasSetupToken,
  hasUsers,
  insertSetupToken,
  insertUser,
  lockSignUps,
} from '../queries'
import { hashSetupToken, makeSetupToken, setupText, setupTokenLifeMs } from '../setup'
import { type SignedIn, signedIn } from './session'

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

/** The address in its one spelling; 422 for text that is none. */
export function requireAddress(text: string): string {
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
