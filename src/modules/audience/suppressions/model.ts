// Requests and answers of the list of suppressed addresses: bounds, and the form of its cursor. Pure.

import { type Static, Type } from '@sinclair/typebox'
import { addressFault } from '../../../lib/address'
import { answeredAddress, answeredInstant, nullableId } from '../../../lib/answered'
import { cursorText, decodeCursor } from '../../../lib/cursor'
import { oneOfWords, queryText } from '../../../lib/described'
import { badRequest, invalid } from '../../../lib/errors'
import { cursorListOf, cursorQuery } from '../../../lib/paging'
import { parseDate } from '../../../lib/time'
import { suppressionReasons } from './schema'

const reason = oneOfWords(suppressionReasons)

export const suppressionQuery = Type.Object({
  ...cursorQuery,
  reason: Type.Optional(reason),
  email: Type.Optional(queryText(320, 'This address only')),
  search: Type.Optional(queryText(254, 'Part of the address; case is ignored')),
})

const suppression = Type.Object(
  {
    email: answeredAddress(),
    reason,
    source: Type.String({
      description: 'Answer of the receiving server, or the note of the person who added it',
    }),
    emailId: nullableId({ description: 'Email that caused it' }),
    createdAt: answeredInstant(),
  },
  { title: 'Suppression' },
)

export const suppressionList = cursorListOf(suppression)

const maxAddresses = 1_000

export const suppressionBody = Type.Object({
  emails: Type.Array(Type.String({ maxLength: 320 }), { maxItems: maxAddresses }),
  note: Type.Optional(Type.String({ maxLength: 500, description: 'Shown as source' })),
})

export const suppressionsAdded = Type.Object({
  added: Type.Integer(),
  existing: Type.Integer({ description: 'Were suppressed before, and keep their reason' }),
})

export const addressParams = Type.Object({ email: Type.String({ minLength: 1, maxLength: 500 }) })

/** The addresses of a body; 400 if there are none, 422 for one that is not valid. */
export function readAddresses({ emails }: Static<typeof suppressionBody>): string[] {
  if (emails.length === 0) throw badRequest('emails must hold at least one address')
  const faults = emails.flatMap((email, at) => {
    const message = addressFault(email)
    return message === undefined ? [] : [{ field: `emails.${at}`, message, code: 'invalid_string' }]
  })
  if (faults.length > 0) throw invalid(faults.slice(0, 20))
  return emails
}

export const exportColumns = ['email', 'reason', 'source', 'createdAt'] as const

interface Row {
  email: string
  reason: Static<typeof reason>
  source: string
  emailId: string | null
  createdAt: Date
}

export function toSuppression(row: Row): Static<typeof suppression> {
  return { ...row, createdAt: row.createdAt.toISOString() }
}

/** The position after a row: its time and address; the project takes the place that the id has in other lists. */
export function suppressionCursor(projectId: string, row: Row): { value: string; id: string } {
  return { value: `${row.createdAt.toISOString()} ${row.email}`, id: projectId }
}

/** 400 for a cursor that is not from this list. */
export function readSuppressionPosition(
  text: string | undefined,
): { createdAt: Date; email: string } | undefined {
  const cursor = decodeCursor(text)
  if (!cursor) return undefined
  const [time = '', ...address] = cursorText(cursor).split(' ')
  const createdAt = parseDate(time)
  if (!createdAt || address.length !== 1) throw badRequest('The cursor is not valid')
  return { createdAt, email: address[0]! }
}
