// What delivery books before a message may leave: the pace of a project, and the cap of a contact.
import { doublePrecision, index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { json, time } from '../../../platform/db/columns'

/** How much a project may send now, where SEND_RATE_PER_SECOND or the transport sets a pace: one budget for all instances. */
export const sendPaces = pgTable('send_paces', {
  projectId: uuid('project_id').primaryKey(),
  /** The moment up to which the budget is spent, in seconds since 1970; a message moves it by 1/rate. */
  spentUntil: doublePrecision('spent_until').notNull(),
  /** Until then transactional mail waits for its turn, and nothing else may leave. */
  urgentUntil: doublePrecision('urgent_until').notNull().default(0),
})

/**
 * The marketing mails of the last days that count against a contact's cap: a row for each contact, which is what two senders of the same
 * contact compete for. Written where the project has a cap, and nowhere else.
 */
export const mailBookings = pgTable(
  'mail_bookings',
  {
    projectId: uuid('project_id').notNull(),
    contactId: uuid('contact_id').notNull(),
    /** The ids of the messages, with the moment of their booking in milliseconds since 1970. */
    booked: json<Record<string, number>>('booked').notNull(),
    latestAt: time('latest_at').notNull(),
  },
  booking => [
    primaryKey({ name: 'mail_bookings_pkey', columns: [booking.projectId, booking.contactId] }),
    index('mail_bookings_latest').on(booking.latestAt),
  ],
)
