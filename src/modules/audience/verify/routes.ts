// POST /v1/verify.
import { Elysia, t } from 'elysia'
import { success } from '../../../http/envelope'
import { answeredAddress } from '../../../lib/answered'
import type { Context } from '../../../platform/context'
import { secretKey } from '../../accounts/projects'
import { makeVerifier } from './service'

export function verifyRoutes(ctx: Context) {
  const verifier = makeVerifier(ctx)
  return new Elysia({ prefix: '/v1', tags: ['Public API'] })
    .use(secretKey(ctx))
    .post('/verify', async ({ body }) => success(await verifier.verify(body.email.trim())), {
      scope: 'read',
      whileSuspended: true,
      body: verifyBody,
      response: verifyAnswer,
      detail: {
        summary: 'Verify an address',
        description:
          'Checks syntax, the records of the domain, and lists of disposable, forwarding and free providers. Sends nothing and creates no contact.',
      },
    })
}

const verifyBody = t.Object({
  email: t.String({ maxLength: 320, examples: ['ada@example.com'] }),
})

const verification = t.Object(
  {
    email: answeredAddress({ description: 'Normalized, as Waxwing stores it' }),
    valid: t.Boolean({ description: 'False only when the DNS says that the domain takes no mail' }),
    isDisposable: t.Boolean(),
    isAlias: t.Boolean({ description: 'Forwarding or alias service' }),
    isTypo: t.Boolean(),
    isPlusAddressed: t.Boolean(),
    isPersonalEmail: t.Boolean({ description: 'Personal or free provider' }),
    domainExists: t.Boolean({ description: 'Stays true when no name server answers; `reasons` says so' }),
    hasWebsite: t.Boolean({ description: 'Informational' }),
    hasMxRecords: t.Boolean(),
    suggestedEmail: t.Optional(answeredAddress({ description: 'Only if a typo was detected' })),
    reasons: t.Array(t.String(), { minItems: 1 }),
  },
  { title: 'Verification' },
)

const verifyAnswer = t.Object({ success: t.Literal(true), data: verification })
