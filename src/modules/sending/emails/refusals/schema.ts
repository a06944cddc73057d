// Who refused us as a sender.
import { sql } from 'drizzle-orm'
import { check, date, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { time } from '../../../../platform/db/columns'

/**
 * What receivers refused by policy or for the sender's sake, by day, with the words of the newest. A receiver is a large provider by its name,
 * else the domain of the address.
 */
export const receiverRefusals = pgTable(
  'receiver_refusals',
  {
    projectId: uuid('project_id').notNull(),
    receiver: text('receiver').notNull(),
    day: date('day').notNull(),
    messages: integer('messages').notNull(),
    words: text('words').notNull(),
    lastAt: time('last_at').notNull(),
  },
  row => [
    primaryKey({ name: 'receiver_refusals_pkey', columns: [row.projectId, row.day, row.receiver] }),
    check('receiver_refusals_receiver', sql`char_length(receiver) between 1 and 253`),
  ],
)
