// Requests and answers of the segment routes, and the row as clients see it.

import { Type } from '@sinclair/typebox'
import { type Static, t } from 'elysia'
import { answeredTree, givenTree } from '../../../filters/schema'
import { answeredId, nullableAddress, nullableId } from '../../../lib/answered'
import { type Cursor, cursorDate, decodeCursor } from '../../../lib/cursor'
import { describedWith, oneOfWords } from '../../../lib/described'
import { cursorListOf, cursorQuery, limitOf, offsetListOf } from '../../../lib/paging'
import { contactAnswer } from '../../audience/contacts'
import type { MembershipChange } from './queries/history'
import type { SegmentRow } from './queries/segments'
import { segmentTypes } from './schema'

const segmentType = oneOfWords(segmentTypes)

const description = t.Optional(t.Union([t.String({ maxLength: 500 }), t.Null()]))

const trackMembership = t.Optional(
  t.Boolean({ description: 'Record entries and exits as events; default false' }),
)

/** The name is optional here: a missing one gets the short form of error that the interface documents. */
export const createBody = describedWith(
  t.Object({
    name: t.Optional(t.String({ maxLength: 100 })),
    description,
    type: t.Optional(segmentType),
    condition: givenTree,
    trackMembership,
  }),
  'name',
)

export const updateBody = t.Object({
  name: t.Optional(t.String({ maxLength: 100 })),
  description,
  condition: givenTree,
  trackMembership,
})

export const idParams = Type.Object({ id: Type.String({ format: 'uuid' }) })

const emails = t.Optional(t.Array(t.String({ maxLength: 1_000 }), { maxItems: 500 }))

export const addMembersBody = describedWith(
  t.Object({
    emails,
    createMissing: t.Optional(t.Boolean({ description: 'Create contacts for addresses that have none' })),
    subscribed: t.Optional(
      t.Boolean({ description: 'State of the contacts that are created; default true' }),
    ),
  }),
  'emails',
)

export const removeMembersBody = describedWith(t.Object({ emails }), 'emails')

export const segmentAnswer = t.Object(
  {
    id: t.String({ format: 'uuid' }),
    name: t.String(),
    description: t.Union([t.String(), t.Null()]),
    type: segmentType,
    condition: answeredTree,
    trackMembership: t.Boolean(),
    memberCount: t.Integer(),
    projectId: t.String({ format: 'uuid' }),
    createdAt: t.String({ format: 'date-time' }),
    updatedAt: t.String({ format: 'date-time' }),
  },
  { title: 'Segment' },
)

export const segmentList = t.Array(segmentAnswer)
export const segmentContacts = offsetListOf(contactAnswer)
export const membersAdded = t.Object({
  added: t.Integer(),
  created: t.Integer(),
  notFound: t.Array(t.String()),
})
export const membersRemoved = t.Object({ removed: t.Integer() })
export const computeAnswer = t.Object({ added: t.Integer(), removed: t.Integer(), total: t.Integer() })
export const refreshAnswer = t.Object({ memberCount: t.Integer() })

export const contactParams = Type.Object({ id: Type.String({ maxLength: 100 }) })

export const contactSegments = t.Object({
  segments: t.Array(t.Object({ id: answeredId(), name: t.String(), type: segmentType })),
})

export const historyQuery = Type.Object(cursorQuery)

const membershipChange = t.Object(
  {
    id: t.String({ format: 'uuid' }),
    change: t.Union([t.Literal('entry'), t.Literal('exit')]),
    contactId: nullableId(),
    email: nullableAddress({ description: 'Null if the contact was deleted' }),
    at: t.String({ format: 'date-time' }),
  },
  { title: 'MembershipChange' },
)

export const historyList = cursorListOf(membershipChange)

export function readHistory(query: Static<typeof historyQuery>) {
  const cursor = decodeCursor(query.cursor)
  return { after: cursor ? { at: cursorDate(cursor), id: cursor.id } : null, limit: limitOf(query.limit) }
}

export function toChange(row: MembershipChange): Static<typeof membershipChange> {
  return { ...row, at: row.at.toISOString() }
}

export function membershipCursor({ at, id }: MembershipChange): Cursor {
  return { value: at.toISOString(), id }
}

export function toSegment(row: SegmentRow): Static<typeof segmentAnswer> {
  const { countedAt: _, condition, createdAt, updatedAt, ...rest } = row
  return {
    ...rest,
    condition: condition as Record<string, unknown> | null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
