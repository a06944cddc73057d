// How much a project has uploaded: the files themselves are in the store, which would have to be listed to be counted.
import { bigint, pgTable, uuid } from 'drizzle-orm/pg-core'

/** A project without a row has uploaded nothing. */
export const uploadTotals = pgTable('upload_totals', {
  projectId: uuid('project_id').primaryKey(),
  bytes: bigint('bytes', { mode: 'number' }).notNull(),
})
