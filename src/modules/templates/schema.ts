// Reusable messages: subject and HTML with placeholders, and who they are from.
import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, updatedAt } from '../../platform/db/columns'
import { projects } from '../projects/schema'

/** Decides the subscription gate, the footer, the headers and the tracking of what is sent with it. */
export type TemplateType = 'TRANSACTIONAL' | 'MARKETING' | 'HEADLESS'

export const templates = pgTable(
  'templates',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description'),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    fromEmail: text('from_email').notNull(),
    fromName: text('from_name'),
    replyTo: text('reply_to'),
    type: text('type').$type<TemplateType>().notNull(),
    /** False: what is sent with it is not measured, whatever the project says. Null: the project decides. */
    tracking: boolean('tracking'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  table => [
    index('templates_project_created').on(
      table.projectId,
      table.createdAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
    check('templates_type', sql`type in ('TRANSACTIONAL', 'MARKETING', 'HEADLESS')`),
  ],
)
