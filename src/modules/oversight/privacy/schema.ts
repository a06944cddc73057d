// The tables of privacy: how long a project keeps what it collects about people.
import { sql } from 'drizzle-orm'
import { check, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { time } from '../../../platform/db/columns'

/** Without a row, everything is kept. */
export const projectRetention = pgTable(
  'project_retention',
  {
    projectId: uuid('project_id').notNull(),
    /** Days after which events are deleted; null keeps them, here and below. */
    eventsDays: integer('events_days'),
    /** Days after which messages are emptied. */
    messagesDays: integer('messages_days'),
    /** Days without anything after which contacts are deleted. */
    inactiveDays: integer('inactive_days'),
    /** Nothing is deleted before: a change can be taken back until then. */
    effectiveAt: time('effective_at').notNull(),
    /** When the last run began. */
    runAt: time('run_at'),
    /** Messages before that are emptied already. */
    messagesTo: time('messages_to'),
  },
  rule => [
    primaryKey({ name: 'project_retention_pkey', columns: [rule.projectId] }),
    check('project_retention_days', sql`least(events_days, messages_days, inactive_days) >= 7`),
  ],
)
