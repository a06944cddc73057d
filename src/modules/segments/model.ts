// Requests and answers of the segment routes, and the row as clients see it.

import { Type } from '@sinclair/typebox'
import { type Static, t } from 'elysia'
import { answeredTree, givenTree } from '../../filters/schema'
import { describedWith } from '../../lib/described'
import { offsetListOf } from '../../lib/page'
import { contactAnswer } from '../contacts'
import type { SegmentRow } from './queries/segments'

const segmentType = t.Union([t.Literal('DYNAMIC'), t.Literal('STATIC')])

const description = t.Optional(t.Union([t.String({ maxLength: 500 }), t.Null()]))

const trackMembership = t.Optional(
  t.Boolean({ description: 'Tell of entries and exits by events; default false' }),
)

/** The name is optional here: a missing one is answered in the short form that the interface documents. */
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
    createMissing: t.Optional(t.Boolean({ description: 'Make contacts of addresses that are none' })),
    subscribed: t.Optional(t.Boolean({ description: 'State of the contacts that are made; default true' })),
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

export function toSegment(row: SegmentRow): Static<typeof segmentAnswer> {
  const { countedAt: _, condition, createdAt, updatedAt, ...rest } = row
  return {
    ...rest,
    condition: condition as Record<string, unknown> | null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
