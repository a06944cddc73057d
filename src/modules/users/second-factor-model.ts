// Requests and answers about the second factor of one's own account, and of the second step of a sign-in.
import { type Static, Type } from '@sinclair/typebox'
import { nullableInstant } from '../../lib/answered'
import { maxPasswordLength } from './password'
import type { SecondFactorState } from './service'

const password = Type.String({ minLength: 1, maxLength: maxPasswordLength })
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

export const enrolBody = Type.Object({ password })
export const confirmBody = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 64, examples: ['123456'] }),
})
export const proofBody = Type.Object({ password, code })

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
