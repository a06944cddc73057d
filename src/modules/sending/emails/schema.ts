// The email log. No foreign keys to projects and contacts: every insert would lock the project's row, and deletes go in batches.
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytea, createdAt, id, json, listed, time, updatedAt } from '../../../platform/db/columns'
import { type EmailReason, emailReasons, type ReasonDetail } from '../../../platform/transports/reason'
import type { StoredCopy } from './copies'

export const emailStatuses = [
  'PENDING',
  'SENDING',
  'SENT',
  'DELIVERED',
  'OPENED',
  'CLICKED',
  'BOUNCED',
  'COMPLAINED',
  'FAILED',
  'SKIPPED',
  'RECEIVED',
] as const
export type EmailStatus = (typeof emailStatuses)[number]

/** What a message is for, as its template or campaign says: decides the footer, the headers and the tracking. */
export const contentTypes = ['TRANSACTIONAL', 'MARKETING', 'HEADLESS'] as const
export type ContentType = (typeof contentTypes)[number]

/** INBOUND: mail that came in; its row has the contact who wrote it (`to_email`) and our address that it came to (`from_email`). */
export type SourceType = 'TRANSACTIONAL' | 'CAMPAIGN' | 'WORKFLOW' | 'INBOUND'

/** What a caller notes about a message, under names of its own. */
export type Metadata = Record<string, string | number | boolean>

/** Which subscription rules, footer and headers a message gets. */
export type MailClass = 'transactional' | 'marketing' | 'headless'

export const emails = pgTable(
  'emails',
  {
    id: id(),
    projectId: uuid('project_id').notNull(),
    contactId: uuid('contact_id').notNull(),
    sourceType: text('source_type').$type<SourceType>().notNull(),
    mailClass: text('mail_class').$type<MailClass>().notNull(),
    templateId: uuid('template_id'),
    campaignId: uuid('campaign_id'),
    workflowExecutionId: uuid('workflow_execution_id'),
    /** Goes to the contact only while the topic allows it; one-click leaves it. Rows of a campaign have the one of their campaign. */
    topicId: uuid('topic_id'),
    /** Hops of the events that it causes by itself; null if no workflow sends it. */
    hops: smallint('hops'),
    /** Where it goes; as long as it waits, where it would go now. */
    toEmail: text('to_email').notNull(),
    toName: text('to_name'),
    /** Goes to the address that the contact has when it is sent. Rows of a campaign always do; null means the address stays. */
    followsContact: boolean('follows_contact'),
    fromEmail: text('from_email').notNull(),
    fromName: text('from_name'),
    replyTo: text('reply_to'),
    subject: text('subject').notNull(),
    html: text('html').notNull(),
    /** The plain-text alternative; empty when the HTML has no text. */
    text: text('text').notNull(),
    headers: json<Record<string, string>>('headers').notNull(),
    /** The request's own choice about measuring opens and clicks; null leaves it to the project. */
    tracking: boolean('tracking'),
    /** Links of the HTML that came with values, and not from the author: they are not tracked. */
    givenLinks: json<string[]>('given_links'),
    /** The contact's data that the templates read. Rows of a campaign carry no body; it is rendered again from this on demand. */
    variables: json<Record<string, unknown>>('variables'),
    /** Attachments are stored once per request, however many recipients it has. */
    attachmentSet: uuid('attachment_set'),
    /** A program submitted it finished: its bytes, stored where attachments are, once for all recipients. */
    submittedSet: uuid('submitted_set'),
    /** Further recipients of these very bytes, and what became of each. */
    copies: json<StoredCopy[]>('copies'),
    /** The caller's own labels, repeated with its metadata in every event about the message. */
    tags: json<string[]>('tags'),
    metadata: json<Metadata>('metadata'),
    /** Not before this moment; set where the request named one that was still to come. */
    scheduledFor: time('scheduled_for'),
    /** `<id>@<sender's domain>`, the same at every attempt: what comes back is matched by the id in it. */
    messageId: text('message_id').notNull(),
    /** The id that a provider gave the message. */
    providerId: text('provider_id'),
    status: text('status').$type<EmailStatus>().notNull(),
    /** Why it waits, was not sent, or failed. */
    reason: text('reason').$type<EmailReason>(),
    reasonDetail: json<ReasonDetail>('reason_detail'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: time('next_attempt_at'),
    /** From when the time for attempts counts, where that is not when the row was made: a campaign's turn may come much later. */
    triedSince: time('tried_since'),
    sentAt: time('sent_at'),
    deliveredAt: time('delivered_at'),
    openedAt: time('opened_at'),
    clickedAt: time('clicked_at'),
    bouncedAt: time('bounced_at'),
    complainedAt: time('complained_at'),
    /** When it soft-bounced: a full mailbox, or attempts that ran out. */
    softBouncedAt: time('soft_bounced_at'),
    /** What people did: the greater of our own count and the provider's, because both see the same hits. */
    opens: integer('opens').notNull().default(0),
    clicks: integer('clicks').notNull().default(0),
    ownOpens: integer('own_opens').notNull().default(0),
    ownClicks: integer('own_clicks').notNull().default(0),
    providerOpens: integer('provider_opens').notNull().default(0),
    providerClicks: integer('provider_clicks').notNull().default(0),
    /** Hits of scanners and proxies; they never change the status. */
    machineOpens: integer('machine_opens').notNull().default(0),
    machineClicks: integer('machine_clicks').notNull().default(0),
    /** Sent to a provider's mailbox simulator: reported as usual, but part of no rate. */
    simulated: boolean('simulated')
      .notNull()
      .generatedAlwaysAs(
        sql`to_email like '%@simulator.amazonses.com' or to_email like '%@simulator.example'`,
      ),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  table => [
    index('emails_project_created').on(
      table.projectId,
      table.createdAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
    index('emails_contact').on(table.projectId, table.contactId, table.id.desc().nullsFirst()),
    // One message for each recipient of a campaign, however often its expansion is run; also the order in which it is sent.
    uniqueIndex('emails_campaign')
      .on(table.projectId, table.campaignId, table.contactId)
      .where(sql`campaign_id is not null`),
    index('emails_template').on(table.projectId, table.templateId).where(sql`template_id is not null`),
    // What is going to be sent, soonest first; the emails of campaigns are listed by their campaign.
    index('emails_scheduled')
      .on(table.projectId, table.scheduledFor, table.id)
      .where(sql`scheduled_for is not null and campaign_id is null`),
    // The Message-IDs of programs: whether one is taken, and what a report is about.
    index('emails_submitted').on(table.messageId).where(sql`submitted_set is not null`),
    uniqueIndex('emails_provider_id').on(table.providerId).where(sql`provider_id is not null`),
    check('emails_status', sql`status in ${listed(emailStatuses)}`),
    check(
      'emails_sent_at',
      sql`status not in ('SENT', 'DELIVERED', 'OPENED', 'CLICKED') or sent_at is not null`,
    ),
    check('emails_reason', sql`status not in ('FAILED', 'BOUNCED', 'SKIPPED') or reason is not null`),
    check('emails_reason_known', sql`reason in ${listed(emailReasons)}`),
  ],
)

/** What the other side said to each attempt. */
export const emailAttempts = pgTable(
  'email_attempts',
  {
    emailId: uuid('email_id').notNull(),
    attempt: integer('attempt').notNull(),
    projectId: uuid('project_id').notNull(),
    /** Null where a process died during the attempt that had several: which of them it was, nobody knows. */
    transport: text('transport'),
    /** Which of them, where there are several. */
    transportName: text('transport_name'),
    outcome: text('outcome').$type<'accepted' | 'deferred' | 'refused'>().notNull(),
    stage: text('stage'),
    code: integer('code'),
    enhanced: text('enhanced'),
    response: text('response').notNull(),
    transportFailed: boolean('transport_failed').notNull().default(false),
    startedAt: time('started_at').notNull(),
    finishedAt: time('finished_at').notNull(),
  },
  row => [primaryKey({ name: 'email_attempts_pkey', columns: [row.projectId, row.emailId, row.attempt] })],
)

/** Messages with which something went wrong: a small share of all. An index on the state would cost every message. */
export const emailTroubles = pgTable(
  'email_troubles',
  {
    projectId: uuid('project_id').notNull(),
    emailId: uuid('email_id').notNull(),
    kind: text('kind').notNull(),
  },
  ({ projectId, emailId, kind }) => [
    primaryKey({ name: 'email_troubles_pkey', columns: [projectId, emailId] }),
    index('email_troubles_kind').on(projectId, kind, emailId),
  ],
)

export const attachments = pgTable(
  'attachments',
  {
    setId: uuid('set_id').notNull(),
    position: integer('position').notNull(),
    projectId: uuid('project_id').notNull(),
    filename: text('filename').notNull(),
    contentType: text('content_type').notNull(),
    contentId: text('content_id'),
    disposition: text('disposition').$type<'attachment' | 'inline'>().notNull(),
    size: integer('size').notNull(),
    content: bytea('content').notNull(),
    createdAt: createdAt(),
  },
  table => [
    primaryKey({ columns: [table.setId, table.position] }),
    index('attachments_project').on(table.projectId, table.createdAt),
  ],
)

const total = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0)
const step = (name: string) => integer(name).notNull().default(0)

/** What became of the messages of a day (UTC), as far as the deltas are rolled up. `opened` counts messages that were opened, not opens. */
export const emailDays = pgTable(
  'email_days',
  {
    projectId: uuid('project_id').notNull(),
    day: date('day').notNull(),
    sourceType: text('source_type').$type<SourceType>().notNull(),
    /** Sent to a provider's mailbox simulator: not part of the project's reputation. */
    isSimulated: boolean('is_simulated').notNull(),
    created: total('created'),
    sent: total('sent'),
    delivered: total('delivered'),
    opened: total('opened'),
    clicked: total('clicked'),
    bounced: total('bounced'),
    complained: total('complained'),
    failed: total('failed'),
  },
  ({ projectId, day, sourceType, isSimulated }) => [
    primaryKey({ name: 'email_days_pkey', columns: [projectId, day, sourceType, isSimulated] }),
  ],
)

/** The same by the hour, for the reputation of the last days; without simulated messages, and deleted after some days. */
export const emailHours = pgTable(
  'email_hours',
  {
    projectId: uuid('project_id').notNull(),
    hour: time('hour').notNull(),
    created: total('created'),
    bounced: total('bounced'),
    complained: total('complained'),
  },
  hour => [
    primaryKey({ name: 'email_hours_pkey', columns: [hour.projectId, hour.hour] }),
    index('email_hours_age').on(hour.hour),
  ],
)

/** Changes of those counts, appended by every statement that makes or changes e-mail rows. `email.rollUp` rolls them up; a read adds the rest. */
export const emailDayDeltas = pgTable(
  'email_day_deltas',
  {
    projectId: uuid('project_id').notNull(),
    /** The hour in which the message was made. */
    hour: time('hour').notNull(),
    sourceType: text('source_type').$type<SourceType>().notNull(),
    isSimulated: boolean('is_simulated').notNull(),
    created: step('created'),
    sent: step('sent'),
    delivered: step('delivered'),
    opened: step('opened'),
    clicked: step('clicked'),
    bounced: step('bounced'),
    complained: step('complained'),
    failed: step('failed'),
    /** Counts against the limits of billing: every message made, unless it fails, and every inbound one. */
    used: step('used'),
    /** What is charged for it once it has left. */
    units: step('units'),
  },
  delta => [index('email_day_deltas_project').on(delta.projectId, delta.hour)],
)

/** How far each clearing has come: the id up to which everything is done, so that no run looks at the same rows again. */
export const retentionMarks = pgTable('retention_marks', {
  name: text('name').primaryKey(),
  doneTo: uuid('done_to').notNull(),
})
