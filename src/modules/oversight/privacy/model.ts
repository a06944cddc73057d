// Requests and answers of retention.
import { Type } from '@sinclair/typebox'
import { type Static, t } from 'elysia'
import type { FieldError } from '../../../lib/errors'
import { day } from '../../../lib/time'
import type { DeletionCount, Rules, Standing } from './queries'

/** The longest; beyond that nothing is meant to be deleted. */
const mostDays = 36_500

const days = (least: number, description: string) =>
  t.Union([Type.Integer({ minimum: least, maximum: mostDays }), t.Null()], { description })

const rules = {
  eventsDays: days(7, 'Days after which events are deleted; null keeps them'),
  messagesDays: days(
    7,
    'Days after which messages lose address, subject, content, tags and metadata; null keeps them',
  ),
  inactiveDays: days(
    30,
    'Days after which contacts are deleted to whom nothing was sent and from whom nothing came; null keeps them',
  ),
}

/** What is left out is null. */
export const retentionBody = t.Object({
  eventsDays: t.Optional(rules.eventsDays),
  messagesDays: t.Optional(rules.messagesDays),
  inactiveDays: t.Optional(rules.inactiveDays),
})

const known = t.Object(
  { eventsDays: rules.eventsDays, messagesDays: rules.messagesDays, inactiveDays: rules.inactiveDays },
  { title: 'KnownRetention', description: 'The rules that you read; 409 if they have changed since' },
)

/** A change names the rules that it replaces, where it is made by somebody who has looked at them. */
export const retentionChange = t.Object({ ...retentionBody.properties, expected: t.Optional(known) })

const time = (description: string) => t.Union([t.String({ format: 'date-time' }), t.Null()], { description })

export const retentionAnswer = t.Object(
  {
    ...rules,
    effectiveAt: time('Nothing is deleted before; null where nothing is to be deleted'),
    lastRunAt: time('When the last run began; there is one a day'),
  },
  { title: 'Retention' },
)

const deletionCount = t.Object({
  count: t.Integer(),
  isMore: t.Boolean({ description: 'There are more than were counted' }),
})

export const previewAnswer = t.Object(
  { events: deletionCount, messages: deletionCount, contacts: deletionCount },
  { title: 'RetentionPreview' },
)

export function toRules({
  eventsDays = null,
  messagesDays = null,
  inactiveDays = null,
}: Static<typeof retentionBody>): Rules {
  return { eventsDays, messagesDays, inactiveDays }
}

/** Whether somebody is inactive is told by events: where they are kept for less, everybody would soon seem to be. */
export function faultOf({ eventsDays, inactiveDays }: Rules): FieldError | undefined {
  if (eventsDays === null || inactiveDays === null || inactiveDays <= eventsDays) return undefined
  const message = 'Must not be more than eventsDays: events tell who is inactive'
  return { field: 'inactiveDays', message, code: 'too_big', received: inactiveDays }
}

/** Whether more is deleted by `after` than by `before`. */
export function isStricter(before: Rules, after: Rules): boolean {
  const names = ['eventsDays', 'messagesDays', 'inactiveDays'] as const
  return names.some(name => (after[name] ?? mostDays + 1) < (before[name] ?? mostDays + 1))
}

/** What is older than so many days, or undefined where it is kept. */
export function cutOf(days: number | null, now: Date): Date | undefined {
  return days === null ? undefined : new Date(now.getTime() - days * day)
}

export function toRetention(standing: Standing): Static<typeof retentionAnswer> {
  const { eventsDays, messagesDays, inactiveDays, effectiveAt, runAt } = standing
  return {
    ...{ eventsDays, messagesDays, inactiveDays },
    effectiveAt: effectiveAt?.toISOString() ?? null,
    lastRunAt: runAt?.toISOString() ?? null,
  }
}

export function toPreview(preview: Record<'events' | 'messages' | 'contacts', DeletionCount>) {
  return preview
}
