// Request and answer of POST /v1/verify, as documented.
import { type Static, t } from 'elysia'
import { answeredAddress } from '../../lib/answered'

export const verifyBody = t.Object({
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

export type Verification = Static<typeof verification>

export const verifyAnswer = t.Object({ success: t.Literal(true), data: verification })
