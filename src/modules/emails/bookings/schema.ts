// The cap of marketing mail for a contact, as far as it is used up.
import { index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { json, time } from '../../../platform/db/columns'

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
