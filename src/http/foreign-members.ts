// Refuses members of a body that other mail APIs have and this one does not: if they were ignored with 200, a text would not be sent, a date would
// not be kept, and nobody would know. Anything that no table names is still ignored, as the interface says.
import type { TObject } from '@sinclair/typebox'
import { AppError, type FieldError } from '../lib/errors'

/** What to do instead, by the name reduced to lower-case letters and digits, so that `replyTo`, `reply_to` and `ReplyTo` are the same. */
export type ForeignMembers = Readonly<Record<string, string>>

/** The `transform` of a route whose body has the members of `schema`. */
export function refuseForeign(
  foreign: ForeignMembers,
  schema: Pick<TObject, 'properties'>,
): (context: { body: unknown }) => void {
  const own = new Set(Object.keys(schema.properties))
  // What only differs in spelling (`reply_to`, `Subject`) needs no entry, and an entry gives way when a member of that name is added.
  const spellings = [...own].map((name): [string, string] => [reduced(name), `Use "${name}".`])
  const table = new Map([...Object.entries(foreign), ...spellings])
  return ({ body }) => {
    const found = findForeign(body, table, own)
    if (found.length > 0) throw refusal(found)
  }
}

function reduced(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

interface Found {
  name: string
  advice: string
}

function findForeign(body: unknown, table: ReadonlyMap<string, string>, own: ReadonlySet<string>): Found[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  return Object.entries(body).flatMap(([name, value]) => {
    if (own.has(name) || saysNothing(value)) return []
    const advice = table.get(reduced(name))
    return advice === undefined ? [] : [{ name, advice }]
  })
}

/** Clients send members that they have no value for; nothing is lost by ignoring those. */
function saysNothing(value: unknown): boolean {
  return value === null || value === '' || value === undefined || (Array.isArray(value) && value.length === 0)
}

function refusal(found: readonly Found[]): AppError {
  const errors = found.map(
    ({ name, advice }): FieldError => ({
      field: name,
      message: `Is not a member of this request. ${advice}`,
      code: 'unrecognized_keys',
    }),
  )
  return new AppError(422, 'VALIDATION_ERROR', 'Request validation failed', {
    errors,
    suggestion: found.map(({ name, advice }) => `"${name}": ${advice}`).join(' '),
  })
}
