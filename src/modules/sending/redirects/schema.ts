// Links in mail that another program sent, whose host name now points here: whose the links are, and where tracked ones led.
import { sql } from 'drizzle-orm'
import { check, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

/** The token is what the other program put into each of the recipient's links; as with our own tokens, only its hash is kept. */
export const oldRecipients = pgTable(
  'old_recipients',
  {
    projectId: uuid('project_id').notNull(),
    contactId: uuid('contact_id').notNull(),
    tokenHash: text('token_hash').notNull(),
    /** Of the address that the other program had when it was last imported: whether it changed there or here since. */
    addressHash: text('address_hash'),
  },
  recipient => [
    primaryKey({
      name: 'old_recipients_pkey',
      columns: [recipient.projectId, recipient.contactId, recipient.tokenHash],
    }),
    // A link names no project.
    index('old_recipients_token').on(recipient.tokenHash),
  ],
)

/** Where a tracked link led: nothing else is ever redirected to. */
export const oldLinks = pgTable(
  'old_links',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    url: text('url').notNull(),
  },
  link => [
    primaryKey({ name: 'old_links_pkey', columns: [link.projectId, link.id] }),
    index('old_links_id').on(link.id),
    check('old_links_url', sql`url ~ '^https?://' and char_length(url) <= 8000`),
  ],
)
