// Requests and answers about keys besides the pair.
import { type Static, Type } from '@sinclair/typebox'
import { type KeyScope, keyScopes } from '../../../http/route'
import { answeredInstant, nullableInstant } from '../../../lib/answered'
import { instantText, oneOfWords } from '../../../lib/described'
import { canonicalDomain } from '../../../lib/domain-name'
import { type FieldError, invalid } from '../../../lib/errors'
import { storable } from '../../../lib/storable'
import { after, day, instantAdvice, readInstant } from '../../../lib/time'
import type { ApiKeyRow } from './queries'
import { storedKeyKinds } from './schema'

const scope = oneOfWords(keyScopes)
const domain = Type.String({ minLength: 1, maxLength: 253, examples: ['news.example.com'] })
const moment = instantText({ maxLength: 40, examples: ['2027-01-31T00:00:00Z'] })

export const apiKeyBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, examples: ['Shop'] }),
  scopes: Type.Array(scope, {
    minItems: 1,
    maxItems: keyScopes.length,
    description:
      'What it may do: send mail, track events, read, write (which is to change, without sending). What is not named it may not.',
    examples: [['send']],
  }),
  domains: Type.Optional(
    Type.Union([Type.Array(domain, { minItems: 1, maxItems: 50 }), Type.Null()], {
      description:
        'Sends from these domains alone, and not from their sub-domains; for keys that send and do not write',
    }),
  ),
  expiresAt: Type.Optional(
    Type.Union([moment, Type.Null()], { description: 'Works until then; null for ever' }),
  ),
})

export const regenerateBody = Type.Optional(
  Type.Object({
    overlapHours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 2_160,
        description: 'How long the keys that are replaced go on working; default 0: they stop at once',
      }),
    ),
  }),
)

const uuid = Type.String({ format: 'uuid' })

export const apiKeyParams = Type.Object({ id: uuid, keyId: uuid })

const members = {
  id: uuid,
  name: Type.String(),
  kind: oneOfWords(storedKeyKinds, {
    description:
      'SECRET and PUBLIC are the keys of a pair that was replaced and goes on working until `expiresAt`',
  }),
  start: Type.String({ description: 'How it begins, as the audit log names it' }),
  scopes: Type.Array(scope),
  domains: Type.Union([Type.Array(Type.String()), Type.Null()]),
  expiresAt: nullableInstant(),
  lastUsedAt: nullableInstant({ description: 'To the minute' }),
  createdAt: answeredInstant(),
}

const apiKeyAnswer = Type.Object(members, { title: 'ApiKey' })
export const apiKeyList = Type.Array(apiKeyAnswer)
export const madeKeyAnswer = Type.Object(
  { ...members, key: Type.String({ description: 'Shown only this once' }) },
  { title: 'MadeApiKey' },
)

export type ApiKeyBody = Static<typeof apiKeyBody>

export function toApiKey(row: ApiKeyRow): Static<typeof apiKeyAnswer> {
  const { id, name, kind, start, scopes: given, domains, expiresAt, lastUsedAt, createdAt } = row
  return {
    ...{ id, name, kind, start, scopes: given, domains },
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}

/** 422 with every fault of the request. */
export function readApiKey(
  body: ApiKeyBody,
  now: Date,
): Pick<ApiKeyRow, 'name' | 'scopes' | 'domains' | 'expiresAt'> {
  const faults: FieldError[] = []
  const name = storable(body.name).trim()
  if (name === '') faults.push({ field: 'name', message: 'must not be empty', code: 'too_small' })
  const given = keyScopes.filter(one => body.scopes.includes(one))
  const domains = readDomains(body.domains ?? null, given, faults)
  const expiresAt = readExpiry(body.expiresAt ?? null, now, faults)
  if (faults.length > 0) throw invalid(faults)
  return { name, scopes: given, domains, expiresAt }
}

/** Whoever may write can change who a campaign is from, so binding would promise what it can't keep. */
function readDomains(given: string[] | null, asked: KeyScope[], faults: FieldError[]): string[] | null {
  if (given === null) return null
  if (!asked.includes('send') || asked.includes('write'))
    faults.push({
      field: 'domains',
      message: 'only a key that may send, and not write, can be bound to domains',
      code: 'custom',
    })
  const names = given.map((text, index) => {
    const found = canonicalDomain(text)
    if (found === undefined)
      faults.push({ field: `domains.${index}`, message: 'must be a domain', code: 'invalid_string' })
    return found ?? text
  })
  return [...new Set(names)]
}

const farthest = 3_660 * day

function readExpiry(given: string | null, now: Date, faults: FieldError[]): Date | null {
  if (given === null) return null
  const at = readInstant(given)
  const fault = (message: string): null => {
    faults.push({ field: 'expiresAt', message, code: 'invalid_string' })
    return null
  }
  if (!at) return fault(instantAdvice)
  if (at <= now) return fault('must be in the future')
  return at > after(now, farthest) ? fault('must be within ten years') : at
}
