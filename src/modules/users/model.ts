// Requests and answers of sign-up, sign-in and of one's own account.

import { type Static, t } from 'elysia'
import { addressFault, normaliseEmail } from '../../lib/address'
import { answeredAddress, answeredInstant } from '../../lib/answered'
import { addressText, oneOfWords } from '../../lib/described'
import { invalid } from '../../lib/errors'
import { maxPasswordLength, minPasswordLength } from './password'
import { accountTypes } from './schema'
import { tokenLength } from './tokens'

const email = addressText({ minLength: 1 })

const password = t.String({ minLength: minPasswordLength, maxLength: maxPasswordLength })
const tokenBounds = { minLength: tokenLength, maxLength: tokenLength }
const token = t.String({ ...tokenBounds, description: 'From the link of a mail' })

export const signUpBody = t.Object({
  email,
  password,
  setupToken: t.Optional(
    t.String({
      ...tokenBounds,
      description: 'Printed at the first start: creates the first account of the instance, or fails',
    }),
  ),
  invitationToken: t.Optional(
    t.String({ ...tokenBounds, description: 'From the mail of an invitation: proves the address' }),
  ),
})

/** No lower bound on the password: a short one is simply wrong. */
export const signInBody = t.Object({
  email,
  password: t.String({ minLength: 1, maxLength: maxPasswordLength }),
})

export const signedInAnswer = t.Object(
  {
    success: t.Literal(true),
    data: t.Object({ id: t.String({ format: 'uuid' }), email: answeredAddress() }),
  },
  { title: 'SignedIn' },
)

export const signedOutAnswer = t.Object({ success: t.Literal(true) }, { title: 'SignedOut' })

export const verifyBody = t.Object({ token })

export const requestResetBody = t.Object({ email })

export const resetBody = t.Object({ token, newPassword: password })

export const changePasswordBody = t.Object({
  currentPassword: t.String({ minLength: 1, maxLength: maxPasswordLength }),
  newPassword: password,
})

export const messageAnswer = t.Object(
  {
    success: t.Literal(true),
    data: t.Object({ message: t.String() }),
  },
  { title: 'Message' },
)

export const oauthAnswer = t.Object({
  success: t.Literal(true),
  data: t.Object({
    github: t.Boolean(),
    google: t.Boolean(),
    oidc: t.Optional(t.Object({ label: t.String() })),
  }),
})

export const userAnswer = t.Object(
  {
    id: t.String({ format: 'uuid' }),
    email: answeredAddress(),
    type: oneOfWords(accountTypes),
    emailVerified: t.Boolean(),
    operator: t.Boolean({ description: 'Operator of the instance: the account that was created first' }),
    createdAt: answeredInstant(),
  },
  { title: 'User' },
)

export type SignUpBody = Static<typeof signUpBody>
export type UserAnswer = Static<typeof userAnswer>

/** Throws 422 for text that is not an address. */
export function requireAddress(text: string): string {
  const message = addressFault(text)
  if (message === undefined) return normaliseEmail(text)
  throw invalid([{ field: 'email', message, code: 'invalid_string', received: text }])
}
