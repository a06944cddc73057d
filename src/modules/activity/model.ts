// Requests and answers of the feed.

import { Type } from '@sinclair/typebox'
import { answeredAddress, answeredId } from '../../lib/answered'

import { countText, cursorParameter, filterDate, filterId, filterWords } from '../../lib/described'
import { freeForm } from '../../lib/free-form'
import { cursorListOf } from '../../lib/page'
import { activityTypes } from './types'

/** Any text: what is not a number counts as the default, and what is less than 1 as 1. */
const amount = (description: string) => Type.Optional(countText(description))

const date = (description: string) => Type.Optional(filterDate(description))

export const feedQuery = Type.Object({
  limit: amount('Default 50; more than 100 counts as 100'),
  cursor: Type.Optional(cursorParameter),
  types: Type.Optional(
    filterWords(activityTypes, `Separated by commas; an unknown one is 400. ${activityTypes.join(', ')}`),
  ),
  contactId: Type.Optional(filterId('Only what concerns this contact')),
  startDate: date('From this moment on; default 30 days before the end'),
  endDate: date('Up to this moment'),
})

export const statsQuery = Type.Object({
  startDate: date('From the beginning of this day (UTC); default 30 days ago'),
  endDate: date('To the end of this day (UTC); default today'),
})

export const recentQuery = Type.Object({
  minutes: amount('Default 5; more than 60 counts as 60'),
})

export const upcomingQuery = Type.Object({
  limit: amount('Default 50; more than 100 counts as 100'),
  daysAhead: amount('Default 30; more than 90 counts as 90'),
})

export const activityAnswer = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    timestamp: Type.String({ format: 'date-time' }),
    contactId: Type.Optional(answeredId()),
    contactEmail: Type.Optional(answeredAddress()),
    metadata: freeForm,
  },
  { title: 'Activity' },
)

export const feedAnswer = cursorListOf(activityAnswer)

export const statsAnswer = Type.Object(
  {
    totalEvents: Type.Integer(),
    totalEmailsSent: Type.Integer(),
    totalEmailsOpened: Type.Integer({ description: 'Messages that were opened, each once' }),
    totalEmailsClicked: Type.Integer(),
    totalWorkflowsStarted: Type.Integer({ description: 'Counted up to 100,000' }),
    openRate: Type.Number({ description: 'Percent of the messages made in these days' }),
    clickRate: Type.Number(),
  },
  { title: 'ActivityStats' },
)

export const recentAnswer = Type.Object({ count: Type.Integer(), minutes: Type.Integer() })
export const typesAnswer = Type.Object({ types: Type.Array(Type.String()) })
export const upcomingAnswer = Type.Object({ activities: Type.Array(activityAnswer) })

/** The whole number that a text begins with; undefined if it begins with none. */
export function readAmount(text: string | undefined): number | undefined {
  const value = Number.parseInt(text ?? '', 10)
  return Number.isNaN(value) ? undefined : value
}
