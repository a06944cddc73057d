// Topics: kinds of mail that contacts decide about one by one, besides the one switch over all of it; and what they decided.
import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, time, updatedAt } from '../../../platform/db/columns'

export const mailTopics = pgTable(
  'topics',
  {
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    /** Recipients read it on the pages about their subscription. */
    name: text('name').notNull(),
    description: text('description'),
    /** What holds for contacts that decided nothing. Never changed: it would change what people are taken to have agreed to. */
    byDefault: boolean('by_default').notNull(),
    /** No longer offered: new campaigns can't name it, and the pages leave it out. */
    archivedAt: time('archived_at'),
    /** The pages offer it; otherwise only those see it to whom mail of it was sent, in the link of that mail. */
    offered: boolean('offered').notNull().default(true),
    /** Everybody may read those of its campaigns that are marked for it. */
    publicArchive: boolean('public_archive').notNull().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  topic => [
    primaryKey({ name: 'topics_pkey', columns: [topic.projectId, topic.id] }),
    uniqueIndex('topics_name').on(topic.projectId, topic.name),
    check('topics_name', sql`char_length(name) between 1 and 100`),
    check('topics_description', sql`char_length(description) <= 500`),
  ],
)

/** What contacts decided. Whoever decided nothing has no row, so a new topic writes none, however many contacts there are. */
export const contactTopics = pgTable(
  'contact_topics',
  {
    projectId: uuid('project_id').notNull(),
    contactId: uuid('contact_id').notNull(),
    topicId: uuid('topic_id').notNull(),
    subscribed: boolean('subscribed').notNull(),
    decidedAt: time('decided_at').notNull(),
  },
  decision => [
    primaryKey({
      name: 'contact_topics_pkey',
      columns: [decision.projectId, decision.contactId, decision.topicId],
    }),
    index('contact_topics_topic').on(decision.projectId, decision.topicId),
  ],
)
