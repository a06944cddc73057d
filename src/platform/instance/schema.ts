// The one row about the instance itself. Two texts say which secrets this database was written with: something signed with JWT_SECRET
// and something sealed with ENCRYPTION_KEY; neither tells the secret, and each says by itself whether it is the right one. The others
// say where the database is at home, so that a copy of it is noticed (`home.ts`), and whether sending is paused.
import { sql } from 'drizzle-orm'
import { bigint, check, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, time } from '../db/columns'

export const instance = pgTable(
  'instance',
  {
    id: integer('id').primaryKey(),
    signed: text('signed').notNull(),
    sealed: text('sealed').notNull(),
    createdAt: createdAt(),
    /** Names these data; a copy keeps it. */
    databaseId: uuid('database_id').notNull(),
    /** The server and database that held them at the last start; null before the first one. */
    home: text('home'),
    /** Counts up while instances run; a file in DATA_DIR remembers it, and notices when it went back. */
    generation: bigint('generation', { mode: 'number' }).notNull(),
    pausedAt: time('paused_at'),
    pausedBecause: text('paused_because'),
  },
  () => [
    check('instance_single', sql`id = 1`),
    check('instance_paused', sql`(paused_at is null) = (paused_because is null)`),
  ],
)
