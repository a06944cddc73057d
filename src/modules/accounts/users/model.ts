// Requests and answers of sign-up, sign-in and of one's own account.

import { Type } from '@sinclair/typebox'
import { type Static, t } from 'elysia'
import { addressFault, normaliseEmail } from '../../../lib/address'
import { answeredAddress, answeredInstant, nullableInstant } from '../../../lib/answered'
import { addressText, oneOfWords } from '../../../lib/described'
import { invalid } from '../../../lib/errors'
import { cursorListOf, cursorQuery } from '../../../lib/paging'
import { maxPasswordLength, minPasswordLength } from './password'
import type { SessionRow } from './queries'
import { accountTypes } from './schema'
import { tokenLength } from './tokens'

export interface SecondFactorState {
  confirmedAt: Date | null
  recoveryCodesLeft: number
}

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

export const sessionsQuery = Type.Object(cursorQuery)

export const sessionParams = Type.Object({ sessionId: Type.String({ format: 'uuid' }) })

const sessionAnswer = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    current: Type.Boolean({ description: 'The one that this request came with' }),
    agent: Type.Union([Type.String(), Type.Null()], {
      description: 'Browser and system, as far as they are known',
      examples: ['Firefox, Linux'],
    }),
    address: Type.Union([Type.String(), Type.Null()], {
      description: 'IP address at sign-in; only if the instance has SESSION_ADDRESSES set',
    }),
    createdAt: answeredInstant(),
    lastSeenAt: answeredInstant({ description: 'To the minute' }),
    expiresAt: answeredInstant(),
  },
  { title: 'Session' },
)

export const sessionList = cursorListOf(sessionAnswer)

export function toSession(
  { id, agent, address, createdAt, lastSeenAt, expiresAt }: SessionRow,
  currentId: string,
): Static<typeof sessionAnswer> {
  return {
    ...{ id, current: id === currentId, agent, address },
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
}

const knownPassword = Type.String({ minLength: 1, maxLength: maxPasswordLength })
const code = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Of the authenticator, or a recovery code',
  examples: ['123456'],
})

export const codeStepBody = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 1_000, description: '`details.token` of the 401' }),
  code,
})

export const enrolBody = Type.Object({ password: knownPassword })
export const confirmBody = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 64, examples: ['123456'] }),
})
export const proofBody = Type.Object({ password: knownPassword, code })

export const secondFactorAnswer = Type.Object(
  {
    enabled: Type.Boolean(),
    confirmedAt: nullableInstant(),
    recoveryCodesLeft: Type.Integer(),
  },
  { title: 'SecondFactor' },
)

export const enrolmentAnswer = Type.Object(
  {
    secret: Type.String({ description: 'In base32, for typing' }),
    uri: Type.String({ description: 'The same for a QR code: otpauth://totp/…' }),
  },
  { title: 'Enrolment' },
)

export const recoveryCodesAnswer = Type.Object(
  { recoveryCodes: Type.Array(Type.String(), { description: 'Told this once; each is good once' }) },
  { title: 'RecoveryCodes' },
)

export function toSecondFactor(state: SecondFactorState): Static<typeof secondFactorAnswer> {
  const { confirmedAt, recoveryCodesLeft } = state
  return {
    enabled: confirmedAt !== null,
    confirmedAt: confirmedAt?.toISOString() ?? null,
    recoveryCodesLeft,
  }
}
