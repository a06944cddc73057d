// What billing keeps: the project's customer and limits, how much it has used, how much of that was reported to the payment provider, and
// which of the provider's events were taken. Counts are rolled up from the deltas that the ledger appends.
import { sql } from 'drizzle-orm'
import { bigint, check, date, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, time, updatedAt } from '../../../platform/db/columns'
import { projects } from '../../accounts/projects/schema'
import type { SourceType } from '../../sending/emails/schema'
import type { NoticeKind, NoticeTopic } from './allowance'

const limit = (name: string) => integer(name)

/** A project without a row has never been a customer. */
export const projectBilling = pgTable(
  'project_billing',
  {
    projectId: uuid('project_id')
      .primaryKey()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** Ids at the payment provider. */
    customer: text('customer').unique('project_billing_customer'),
    subscription: text('subscription').unique('project_billing_subscription'),
    currency: text('currency'),
    /** Messages per calendar month (UTC); null: no limit. */
    limitTransactional: limit('limit_transactional'),
    limitCampaigns: limit('limit_campaigns'),
    limitWorkflows: limit('limit_workflows'),
    limitInbound: limit('limit_inbound'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  () => [
    check(
      'project_billing_limits',
      sql`least(limit_transactional, limit_campaigns, limit_workflows, limit_inbound) > 0`,
    ),
    check('project_billing_ids', sql`char_length(customer) <= 255 and char_length(subscription) <= 255`),
    check('project_billing_subscribed', sql`subscription is null or customer is not null`),
  ],
)

/** What a project used in a month, as far as the ledger's deltas have been rolled up. Outlives a reset: what was used stays used. */
export const usageMonths = pgTable(
  'usage_months',
  {
    projectId: uuid('project_id').notNull(),
    /** Its first day, in UTC. */
    month: date('month').notNull(),
    sourceType: text('source_type').$type<SourceType>().notNull(),
    /** Messages made in the month that did not fail; limits are compared with this. */
    used: bigint('used', { mode: 'number' }).notNull().default(0),
    /** What is charged for those that left: 2 for one with attachments, otherwise 1. */
    units: bigint('units', { mode: 'number' }).notNull().default(0),
    /** How much of that was handed to reports, or is free because it was before the subscription. */
    reported: bigint('reported', { mode: 'number' }).notNull().default(0),
  },
  usage => [
    primaryKey({ name: 'usage_months_pkey', columns: [usage.projectId, usage.month, usage.sourceType] }),
    index('usage_months_unreported').on(usage.projectId).where(sql`units > reported`),
    index('usage_months_month').on(usage.month),
  ],
)

/**
 * Usage on its way to the payment provider. The provider knows a report by its id, so one that is sent twice counts once. It belongs to a
 * customer and not to a project: what was used is owed even when the project is gone.
 */
export const usageReports = pgTable(
  'usage_reports',
  {
    id: uuid('id').primaryKey(),
    customer: text('customer').notNull(),
    units: bigint('units', { mode: 'number' }).notNull(),
    createdAt: createdAt(),
    /** The moment for which it was sent, where the provider may have counted it; null: it certainly has not. */
    askedAt: time('asked_at'),
    reportedAt: time('reported_at'),
  },
  report => [index('usage_reports_done').on(report.reportedAt), check('usage_reports_units', sql`units > 0`)],
)

/** Members are notified of each once a month. */
export const usageNotices = pgTable(
  'usage_notices',
  {
    projectId: uuid('project_id').notNull(),
    month: date('month').notNull(),
    topic: text('topic').$type<NoticeTopic>().notNull(),
    kind: text('kind').$type<NoticeKind>().notNull(),
    createdAt: createdAt(),
  },
  notice => [
    primaryKey({
      name: 'usage_notices_pkey',
      columns: [notice.projectId, notice.month, notice.topic, notice.kind],
    }),
    check('usage_notices_kind', sql`kind in ('warning', 'limit')`),
  ],
)

/** The payment provider's events that were taken: each id once. */
export const paymentReceipts = pgTable(
  'payment_receipts',
  {
    eventId: text('event_id').primaryKey(),
    type: text('type').notNull(),
    /** The invoice that it is about: events may overtake each other. */
    invoice: text('invoice'),
    createdAt: createdAt(),
  },
  receipt => [
    index('payment_receipts_invoice').on(receipt.invoice, receipt.type).where(sql`invoice is not null`),
    index('payment_receipts_age').on(receipt.createdAt),
    check('payment_receipts_sizes', sql`char_length(event_id) <= 255 and char_length(type) <= 100`),
  ],
)
