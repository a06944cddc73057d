// The one row that says which secrets this database was written with, as fingerprints that don't tell the secrets.
import { sql } from 'drizzle-orm'
import { check, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt } from '../db/columns'

export const instance = pgTable(
  'instance',
  {
    id: integer('id').primaryKey(),
    encryptionFingerprint: text('encryption_fingerprint').notNull(),
    sessionFingerprint: text('session_fingerprint').notNull(),
    createdAt: createdAt(),
  },
  () => [check('instance_single', sql`id = 1`)],
)
