// Mails of the platform itself: those that wait and those that have left.
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, id, listed, time, updatedAt } from '../../platform/db/columns'

export const letterStatuses = ['PENDING', 'SENT', 'FAILED'] as const
export type LetterStatus = (typeof letterStatuses)[number]

/** Mails of the instance itself. They belong to no project and count for none. */
export const systemMails = pgTable(
  'system_mails',
  {
    id: id(),
    toEmail: text('to_email').notNull(),
    subject: text('subject').notNull(),
    /** Text and HTML, sealed; emptied when the message is done. */
    contentSealed: text('content_sealed'),
    status: text('status').$type<LetterStatus>().notNull(),
    attempts: integer('attempts').notNull(),
    /** The other side's latest reply. */
    response: text('response'),
    sentAt: time('sent_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  mail => [
    index('system_mails_created').on(mail.createdAt),
    check('system_mails_status', sql`status in ${listed(letterStatuses)}`),
    check('system_mails_content', sql`(status = 'PENDING') = (content_sealed is not null)`),
  ],
)
