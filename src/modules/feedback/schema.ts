// Notifications that were received: a provider delivers each at least once, and it must take effect exactly once.
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, time } from '../../platform/db/columns'

export const receivers = ['sns', 'webhook', 'dsn'] as const
export type Receiver = (typeof receivers)[number]

export const receiptStatuses = ['PROCESSING', 'COMPLETED', 'FAILED'] as const
export type ReceiptStatus = (typeof receiptStatuses)[number]

/**
 * One row a notification, claimed before it is worked on and completed in the transaction that applies it. A claim has a lease: one
 * whose process died is taken over.
 */
export const feedbackReceipts = pgTable(
  'feedback_receipts',
  {
    receiver: text('receiver').$type<Receiver>().notNull(),
    /** The sender's own id of the notification. */
    key: text('key').notNull(),
    status: text('status').$type<ReceiptStatus>().notNull(),
    /** Of the newest claim; an older one may no longer complete it. */
    claim: uuid('claim').notNull(),
    claimedAt: time('claimed_at').notNull(),
    tries: integer('tries').notNull(),
    createdAt: createdAt(),
    expiresAt: time('expires_at').notNull(),
  },
  receipt => [
    primaryKey({ name: 'feedback_receipts_pkey', columns: [receipt.receiver, receipt.key] }),
    index('feedback_receipts_age').on(receipt.expiresAt),
    check('feedback_receipts_status', sql`status in ('PROCESSING', 'COMPLETED', 'FAILED')`),
    check('feedback_receipts_receiver', sql`receiver in ('sns', 'webhook', 'dsn')`),
    check('feedback_receipts_key', sql`char_length(key) between 1 and 300`),
  ],
)
