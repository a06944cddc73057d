// Requests and answers of the event routes, and the one place where a stored event becomes what a client sees.
import { type Static, Type } from '@sinclair/typebox'
import { answeredAddress, answeredId } from '../../../lib/answered'
import { cursorDate, decodeCursor } from '../../../lib/cursor'
import { queryText } from '../../../lib/described'
import { badRequest } from '../../../lib/errors'
import { freeForm } from '../../../lib/free-form'
import { cursorListOf, cursorQuery, limitOf, queryInteger } from '../../../lib/paging'
import { parseDate } from '../../../lib/time'
import { maxNameLength } from './names'
import type { EventListing, ListedEvent } from './queries/list'

/** Pages of events may be larger than those of other lists: the rows are small. */
const maxPageSize = 1_000

const eventName = Type.String({ maxLength: maxNameLength })

const eventAnswer = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    data: Type.Union([freeForm, Type.Null()]),
    projectId: Type.String({ format: 'uuid' }),
    contactId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()]),
    emailId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
      description: 'The message that the event is about, or whose link caused it',
    }),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Event' },
)

const listedEvent = Type.Composite(
  [
    eventAnswer,
    Type.Object({ contact: Type.Union([Type.Object({ email: answeredAddress() }), Type.Null()]) }),
  ],
  { title: 'EventWithContact' },
)

export const contactParams = Type.Object({ contactId: Type.String({ format: 'uuid' }) })
export const nameParams = Type.Object({ eventName })

export const listQuery = Type.Object({
  ...cursorQuery,
  limit: Type.Optional(
    queryInteger({ minimum: 1, description: `Default 100; more than ${maxPageSize} counts as that` }),
  ),
  eventName: Type.Optional(queryText(maxNameLength, 'Only events of this name')),
})

export const contactListQuery = Type.Object({
  ...cursorQuery,
  limit: Type.Optional(
    queryInteger({ minimum: 1, description: `Default 50; more than ${maxPageSize} counts as that` }),
  ),
})

export const statsQuery = Type.Object({
  startDate: Type.Optional(queryText(100, 'Counted from the beginning of this day (UTC)')),
  endDate: Type.Optional(queryText(100, 'Counted to the end of this day (UTC)')),
})

export const eventList = cursorListOf(listedEvent)
export const contactEventList = cursorListOf(eventAnswer)
export const statsAnswer = Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() }))
export const namesAnswer = Type.Object({ eventNames: Type.Array(Type.String()) })
export const seriesQuery = Type.Object({
  days: Type.Optional(queryInteger({ minimum: 1, description: 'Default 30; more than 180 counts as 180' })),
})

export const seriesAnswer = Type.Array(
  Type.Object({ date: Type.String({ examples: ['2026-01-31'] }), count: Type.Integer() }),
)

export const deleteAnswer = Type.Object({ deletedCount: Type.Integer() })

const users = Type.Array(Type.Object({ id: answeredId(), name: Type.String() }))

export const usageAnswer = Type.Object(
  {
    usedInSegments: users,
    usedInWorkflows: users,
    totalCount: Type.Integer(),
    uniqueContacts: Type.Integer({ description: 'Contacts behind the newest 100,000 events of the name' }),
    canDelete: Type.Boolean({ description: 'False where it is in use, or reserved' }),
  },
  { title: 'EventUsage' },
)

type PageQuery = Static<typeof contactListQuery>

/** What a request for a page means; 400 for a broken cursor. */
export function readEventListing(of: EventListing['of'], query: PageQuery, standard: number): EventListing {
  const cursor = decodeCursor(query.cursor)
  return {
    of,
    after: cursor ? { createdAt: cursorDate(cursor), id: cursor.id } : null,
    limit: limitOf(query.limit, { standard, largest: maxPageSize }),
  }
}

export function toEvent(event: ListedEvent): Static<typeof eventAnswer> {
  const { id, name, data, projectId, contactId, emailId } = event
  return { id, name, data, projectId, contactId, emailId, createdAt: event.createdAt.toISOString() }
}

export function toListedEvent(event: ListedEvent): Static<typeof listedEvent> {
  return { ...toEvent(event), contact: event.email === null ? null : { email: event.email } }
}

/** The position after an event. */
export function eventCursor(event: ListedEvent): { value: string; id: string } {
  return { value: event.createdAt.toISOString(), id: event.id }
}

/** What a request may say about a span of time. */
export interface SpanRequest {
  startDate?: string
  endDate?: string
}

/** Whole days in UTC, both included; null if there is no bound. 400 for a date that can't be understood. */
export function readDays({ startDate, endDate }: SpanRequest): { first: string | null; last: string | null } {
  return { first: readDay(startDate, 'startDate'), last: readDay(endDate, 'endDate') }
}

function readDay(text: string | undefined, name: string): string | null {
  if (text === undefined || text === '') return null
  const date = parseDate(text)
  if (!date) throw badRequest(`${name} is not a date`, { suggestion: 'Use ISO 8601, such as 2026-03-01.' })
  // Beyond these years a date is written differently, and there are no events.
  if (date.getUTCFullYear() < 1) return '0001-01-01'
  if (date.getUTCFullYear() > 9999) return '9999-12-31'
  return date.toISOString().slice(0, 10)
}
