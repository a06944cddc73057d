// Notifications that were received: a provider delivers each at least once, and it must take effect exactly once.

import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, listed, time } from '../../../platform/db/columns'
import { type HitKind, hitKinds } from '../../../tracking/classify'

export const receivers = ['sns', 'webhook', 'dsn'] as const
export type Receiver = (typeof receivers)[number]

export const receiptStatuses = ['PROCESSING', 'COMPLETED', 'FAILED'] as const
export type ReceiptStatus = (typeof receiptStatuses)[number]

/**
 * One row per notification, claimed before it is worked on and completed in the transaction that applies it. A claim has a lease: one
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
    check('feedback_receipts_status', sql`status in ${listed(receiptStatuses)}`),
    check('feedback_receipts_receiver', sql`receiver in ${listed(receivers)}`),
    check('feedback_receipts_key', sql`char_length(key) between 1 and 300`),
  ],
)

/**
 * What became of mail that came back: a report that was applied; one about a message that is not ours; one that anybody could have written;
 * one that says nothing new; the answer of a person's program; and what was not understood.
 */
export const returnedOutcomes = [
  'applied',
  'unknownMessage',
  'notBelieved',
  'noNews',
  'answer',
  'notUnderstood',
] as const
export type ReturnedOutcome = (typeof returnedOutcomes)[number]

/** How many mails came back, for the page of the instance. Of the instance, since what is not understood belongs to no project. */
export const returnedMailDays = pgTable(
  'returned_mail_days',
  {
    day: date('day').notNull(),
    outcome: text('outcome').$type<ReturnedOutcome>().notNull(),
    mails: integer('mails').notNull(),
  },
  row => [
    primaryKey({ name: 'returned_mail_days_pkey', columns: [row.day, row.outcome] }),
    check('returned_mail_days_outcome', sql`outcome in ${listed(returnedOutcomes)}`),
  ],
)

/**
 * Hits on tracked links that wait to be classified: for a minute at most, then they are deleted. Equal ones that came together are one
 * row. No foreign key: a hit must cost next to nothing, and one whose message is gone is dropped when it is classified.
 */
export const trackingHits = pgTable(
  'tracking_hits',
  {
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    emailId: uuid('email_id').notNull(),
    kind: text('kind').$type<HitKind>().notNull(),
    link: text('link').notNull(),
    /** Address and user agent, hashed. */
    client: text('client').notNull(),
    userAgent: text('user_agent').notNull(),
    hits: integer('hits').notNull(),
    at: time('at').notNull(),
  },
  hit => [
    primaryKey({ name: 'tracking_hits_pkey', columns: [hit.projectId, hit.emailId, hit.id] }),
    check('tracking_hits_kind', sql`kind in ${listed(hitKinds)}`),
    check('tracking_hits_hits', sql`hits > 0`),
  ],
)

/** Clients that were found to be programs, for the hits on the same message that come later. */
export const trackingSuspects = pgTable(
  'tracking_suspects',
  {
    projectId: uuid('project_id').notNull(),
    emailId: uuid('email_id').notNull(),
    /** Empty stands for everybody. */
    client: text('client').notNull(),
    until: time('until').notNull(),
  },
  suspect => [
    primaryKey({
      name: 'tracking_suspects_pkey',
      columns: [suspect.projectId, suspect.emailId, suspect.client],
    }),
    index('tracking_suspects_until').on(suspect.until),
  ],
)
