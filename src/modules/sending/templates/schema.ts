// Reusable messages: subject and HTML with placeholders, who they are from, and the layouts that go around them.

import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, json, listed, time, updatedAt } from '../../../platform/db/columns'
import { projects } from '../../accounts/projects/schema'
import { type ContentType, contentTypes } from '../emails/schema'

export interface EditorDocument {
  /** Which editor understands the document. */
  kind: 'blocks' | 'markdown'
  document: unknown
}

/** Decides the subscription gate, the footer, the headers and the tracking of what is sent with it. */
export type TemplateType = ContentType

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
    /** As its author wrote it, without its layout. */
    body: text('body').notNull(),
    /** What goes around the body when it is sent. */
    layoutId: uuid('layout_id'),
    fromEmail: text('from_email').notNull(),
    fromName: text('from_name'),
    replyTo: text('reply_to'),
    type: text('type').$type<TemplateType>().notNull(),
    /** False: what is sent with it is not measured, whatever the project says. Null: the project decides. */
    tracking: boolean('tracking'),
    /** What an editor made the body from; null if somebody else wrote it. */
    editor: json<EditorDocument>('editor'),
    /** Counts its changes, so that nobody overwrites what they have not seen. */
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  table => [
    index('templates_project_created').on(
      table.projectId,
      table.createdAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
    check('templates_type', sql`type in ${listed(contentTypes)}`),
  ],
)

/** HTML around the bodies of templates and campaigns, which it takes in at one place. */
export const layouts = pgTable(
  'layouts',
  {
    id: id(),
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    description: text('description'),
    body: text('body').notNull(),
    /** What an editor made the body from; null if somebody wrote it as HTML. */
    editor: json<EditorDocument>('editor'),
    /** Counts its changes, so that nobody overwrites what they have not seen. */
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  table => [index('layouts_project').on(table.projectId, table.id)],
)

/** Sources that took too long to render, so that no process comes back to them for ever. Rows of more than an hour ago mean nothing. */
export const templateOverruns = pgTable(
  'template_strikes',
  {
    projectId: uuid('project_id').notNull(),
    /** SHA-256 of what was rendered. */
    hash: text('hash').notNull(),
    count: integer('count').notNull(),
    lastAt: time('last_at').notNull(),
  },
  table => [primaryKey({ columns: [table.projectId, table.hash] })],
)
