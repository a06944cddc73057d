// A test of a campaign as it is asked for, and answered.
import { type Static, Type } from '@sinclair/typebox'
import { addressText } from '../../../../lib/described'
import { variantName } from './ab-test-model'

const mostTestAddresses = 10

export const testBody = Type.Object({
  email: Type.Optional(addressText({ minLength: 1 })),
  emails: Type.Optional(
    Type.Array(addressText({ minLength: 1 }), {
      minItems: 1,
      maxItems: mostTestAddresses,
      description: 'Instead of `email`: up to 10 addresses, each with a message of its own',
      'x-waxwing-addition': true,
    }),
  ),
  variant: Type.Optional(variantName),
})

export type TestBody = Static<typeof testBody>

export const testAnswer = Type.Object({
  success: Type.Literal(true),
  message: Type.String(),
  failed: Type.Optional(
    Type.Array(Type.Object({ email: Type.String(), message: Type.String() }), {
      description: 'With `emails`: addresses that the test was not sent to, and why',
      'x-waxwing-addition': true,
    }),
  ),
})
