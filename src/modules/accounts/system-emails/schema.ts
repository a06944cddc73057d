// Mails of the platform itself: those that wait and those that have left.
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, listed, time, updatedAt } from '../../../platform/db/columns'

export const systemEmailStatuses = ['PENDING', 'SENT', 'FAILED'] as const
export type SystemEmailStatus = (typeof systemEmailStatuses)[number]

/** Mails of the instance itself. They belong to no project and count for none. */
export const systemMails = pgTable(
  'system_mails',
  {
    id: id(),
    toEmail: text('to_email').notNull(),
    subject: text('subject').notNull(),
    /** Text and HTML, sealed; emptied when the message is done. */
    contentSealed: text('content_sealed'),
    status: text('status').$type<SystemEmailStatus>().notNull(),
    attempts: integer('attempts').notNull(),
    /** The other side's latest reply. */
    response: text('response'),
    sentAt: time('sent_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  mail => [
    index('system_mails_created').on(mail.createdAt),
    check('system_mails_status', sql`status in ${listed(systemEmailStatuses)}`),
    check('system_mails_content', sql`(status = 'PENDING') = (content_sealed is not null)`),
  ],
)

/** `TEST`: of a campaign. `NOTICE`: to the members of a project. `ACCOUNT`: what only its recipient should hold, such as a reset link. */
export const outboxKinds = ['TEST', 'INVITATION', 'NOTICE', 'ACCOUNT'] as const
export type OutboxKind = (typeof outboxKinds)[number]

/** Members of the project, its administrators, or nobody but whoever runs the instance. */
export const outboxAudiences = ['members', 'admins', 'operator'] as const
export type OutboxAudience = (typeof outboxAudiences)[number]

/** Mail that is in no ledger, kept to be looked at while all mail stays in the outbox. */
export const outboxMails = pgTable(
  'outbox_mails',
  {
    id: id(),
    /** Null for the operator's eyes alone. */
    projectId: uuid('project_id'),
    kind: text('kind').$type<OutboxKind>().notNull(),
    audience: text('audience').$type<OutboxAudience>().notNull(),
    toEmail: text('to_email').notNull(),
    subject: text('subject').notNull(),
    /** Sender, text and HTML: a link in it may open an account. */
    contentSealed: text('content_sealed').notNull(),
    createdAt: createdAt(),
  },
  mail => [
    index('outbox_mails_project').on(mail.projectId, mail.createdAt, mail.id),
    index('outbox_mails_created').on(mail.createdAt),
    check('outbox_mails_kind', sql`kind in ${listed(outboxKinds)}`),
    check('outbox_mails_audience', sql`audience in ${listed(outboxAudiences)}`),
    check('outbox_mails_owner', sql`(audience = 'operator') = (project_id is null)`),
  ],
)
