// Accounts of people who sign in, the failed sign-ins that are counted against guessing, and the one-time tokens that open a new
// instance. Tokens and passwords are stored as hashes only.
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, id, time, updatedAt } from '../../platform/db/columns'

export type UserType = 'PASSWORD' | 'GITHUB_OAUTH' | 'GOOGLE_OAUTH'

export const users = pgTable(
  'users',
  {
    id: id(),
    /** Always in the one spelling of normaliseEmail. */
    email: text('email').notNull(),
    passwordHash: text('password_hash'),
    type: text('type').$type<UserType>().notNull(),
    emailVerified: boolean('email_verified').notNull(),
    /** Sessions carry it; raising it ends all of them. */
    sessionVersion: integer('session_version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  user => [
    uniqueIndex('users_email').on(user.email),
    check('users_type', sql`type in ('PASSWORD', 'GITHUB_OAUTH', 'GOOGLE_OAUTH')`),
    check('users_password', sql`(type = 'PASSWORD') = (password_hash is not null)`),
  ],
)

/** One row a guessed address and one a guessing client; `subject` is a hash, so that the table is no list of people. */
export const loginAttempts = pgTable(
  'login_attempts',
  {
    kind: text('kind').$type<'address' | 'client'>().notNull(),
    subject: text('subject').notNull(),
    failures: integer('failures').notNull(),
    /** End of the fixed window; further attempts don't move it. */
    closesAt: time('closes_at').notNull(),
  },
  attempt => [
    primaryKey({ columns: [attempt.kind, attempt.subject] }),
    index('login_attempts_closes').on(attempt.closesAt),
    check('login_attempts_kind', sql`kind in ('address', 'client')`),
    check('login_attempts_failures', sql`failures >= 0`),
  ],
)

/** Good for making the first account; all rows go when it exists. */
export const setupTokens = pgTable('setup_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  createdAt: createdAt(),
})
