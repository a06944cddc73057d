// The one row that says which secrets this database was written with: something signed with JWT_SECRET and something sealed with
// ENCRYPTION_KEY. Neither tells the secret, and each says by itself whether it is the right one.
import { sql } from 'drizzle-orm'
import { check, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt } from '../db/columns'

export const instance = pgTable(
  'instance',
  {
    id: integer('id').primaryKey(),
    signed: text('signed').notNull(),
    sealed: text('sealed').notNull(),
    createdAt: createdAt(),
  },
  () => [check('instance_single', sql`id = 1`)],
)
