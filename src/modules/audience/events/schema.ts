// Tables of named events. The events table is meant for a hundred million rows: three indexes, all led by the project, and no
// foreign keys. Ids are UUID v7, so the primary key is also the order of time.
import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, json, time } from '../../../platform/db/columns'

export const events = pgTable(
  'events',
  {
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    contactId: uuid('contact_id'),
    /** The message that the event is about, or whose link caused it. */
    emailId: uuid('email_id'),
    data: json<Record<string, unknown>>('data'),
    /** How many workflows there are between it and what came from outside; null for none, which takes no space. */
    hops: smallint('hops'),
    createdAt: createdAt(),
  },
  event => [
    primaryKey({ name: 'events_pkey', columns: [event.projectId, event.id] }),
    index('events_name').on(event.projectId, event.name, event.createdAt, event.id),
    index('events_contact')
      .on(event.projectId, event.contactId, event.createdAt, event.id)
      .where(sql`contact_id is not null`),
    check('events_name_length', sql`char_length(name) between 1 and 255`),
  ],
)

/** Names whose events were deleted. That a contact lacks such an event matches nobody until the name is recorded again. */
export const eventDeletedNames = pgTable(
  'event_deleted_names',
  {
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    deletedAt: time('deleted_at').notNull(),
  },
  deleted => [primaryKey({ name: 'event_deleted_names_pkey', columns: [deleted.projectId, deleted.name] })],
)

/** How many events of a name happened on a day (UTC), as far as the deltas have been rolled up. */
export const eventTotals = pgTable(
  'event_totals',
  {
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    day: date('day').notNull(),
    count: bigint('count', { mode: 'number' }).notNull(),
  },
  total => [
    primaryKey({ name: 'event_totals_pkey', columns: [total.projectId, total.name, total.day] }),
    // The last days of a project, however many years there are; with every column that is read, so that no row is fetched.
    index('event_totals_day').on(total.projectId, total.day, total.name, total.count),
  ],
)

/** The same over all days: names by frequency and a project's sums should not have to add up years of days. */
export const eventNameTotals = pgTable(
  'event_name_totals',
  {
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    count: bigint('count', { mode: 'number' }).notNull(),
  },
  total => [primaryKey({ name: 'event_name_totals_pkey', columns: [total.projectId, total.name] })],
)

/**
 * Changes of those totals, appended in the transaction that records or deletes events. A counter row that every request updates would
 * make them queue behind each other's commits; `event.rollUp` rolls these up instead, and a read adds the rest.
 */
export const eventDeltas = pgTable(
  'event_deltas',
  {
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    day: date('day').notNull(),
    count: integer('count').notNull(),
  },
  delta => [index('event_deltas_project').on(delta.projectId)],
)

/**
 * The names that somebody waits for: enabled workflows list the events here that they start with or wait for. An event whose name is not
 * listed costs no job.
 */
export const eventListeners = pgTable(
  'event_listeners',
  {
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    listenerId: uuid('listener_id').notNull(),
  },
  listener => [
    primaryKey({
      name: 'event_listeners_pkey',
      columns: [listener.projectId, listener.name, listener.listenerId],
    }),
    index('event_listeners_listener').on(listener.projectId, listener.listenerId),
  ],
)

/**
 * Values that a client sent for a single event (a code, a link). They appear in no list; they wait here, for a few days at most, for the
 * workflow that the event starts or resumes, and are not stored at all where none listens.
 */
export const eventTransients = pgTable(
  'event_transients',
  {
    projectId: uuid('project_id').notNull(),
    eventId: uuid('event_id').notNull(),
    data: json<Record<string, unknown>>('data').notNull(),
    createdAt: createdAt(),
  },
  kept => [
    primaryKey({ name: 'event_transients_pkey', columns: [kept.projectId, kept.eventId] }),
    index('event_transients_age').on(kept.createdAt),
  ],
)
