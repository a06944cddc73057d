// Accounts of people who sign in, counters against guessing and flooding, and one-time tokens. Tokens and passwords are stored as hashes
// only.
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id, listed, time, updatedAt } from '../../../platform/db/columns'

export const accountTypes = ['PASSWORD', 'GITHUB_OAUTH', 'GOOGLE_OAUTH', 'OIDC'] as const
export type UserType = (typeof accountTypes)[number]

export const users = pgTable(
  'users',
  {
    id: id(),
    /** Always in the spelling that normaliseEmail gives. */
    email: text('email').notNull(),
    passwordHash: text('password_hash'),
    type: text('type').$type<UserType>().notNull(),
    emailVerified: boolean('email_verified').notNull(),
    /** Made by an invitation on an instance that is closed to others: of no use before the address is proved. */
    mustVerify: boolean('must_verify').notNull().default(false),
    /** Sessions carry this version; raising it ends all of them. */
    sessionVersion: integer('session_version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  user => [
    uniqueIndex('users_email').on(user.email),
    check('users_type', sql`type in ${listed(accountTypes)}`),
    check('users_must_verify', sql`not (must_verify and email_verified)`),
    check('users_password', sql`(type = 'PASSWORD') = (password_hash is not null)`),
  ],
)

/** What is counted: guesses for an address and by a client, and mails requested for an address, or by a user or a project. */
export const attemptKinds = ['address', 'client', 'reset', 'verification', 'invitation'] as const
export type AttemptKind = (typeof attemptKinds)[number]

/** One row per window that is open; `subject` is a hash, so that the table is not a list of people. */
export const accountAttempts = pgTable(
  'account_attempts',
  {
    kind: text('kind').$type<AttemptKind>().notNull(),
    subject: text('subject').notNull(),
    failures: integer('failures').notNull(),
    /** End of the fixed window; further attempts don't move it. */
    closesAt: time('closes_at').notNull(),
  },
  attempt => [
    primaryKey({ columns: [attempt.kind, attempt.subject] }),
    index('account_attempts_closes').on(attempt.closesAt),
    check('account_attempts_kind', sql`kind in ${listed(attemptKinds)}`),
    check('account_attempts_failures', sql`failures >= 0`),
  ],
)

/** Tokens for making the first account; all rows are deleted when it exists. */
export const setupTokens = pgTable('setup_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  createdAt: createdAt(),
})

/**
 * People's sessions, for them to see. Whether one is valid is not decided here: the cookie carries its version, and `ended_sessions`
 * lists those that were ended. A session that an older version of the program opened gets its row when it is first seen.
 */
export const sessions = pgTable(
  'sessions',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The user's version when it was opened. */
    version: integer('version').notNull(),
    /** Browser and system, not the whole header. */
    agent: text('agent'),
    /** Only where SESSION_ADDRESSES asks for it. */
    address: text('address'),
    createdAt: createdAt(),
    lastSeenAt: time('last_seen_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  session => [
    index('sessions_user').on(session.userId, session.id),
    index('sessions_expires').on(session.expiresAt),
  ],
)

/** Sessions that were signed out before their time, kept until that time. */
export const endedSessions = pgTable(
  'ended_sessions',
  { id: id(), expiresAt: time('expires_at').notNull() },
  session => [index('ended_sessions_expires').on(session.expiresAt)],
)

/** What somebody proves besides the password. Until it is confirmed, no code is asked for. */
export const secondFactors = pgTable(
  'second_factors',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    secretSealed: text('secret_sealed').notNull(),
    confirmedAt: time('confirmed_at'),
    /** The time step of the last code that was used: that code and earlier ones are no longer accepted. */
    lastStep: integer('last_step'),
    createdAt: createdAt(),
  },
  factor => [index('second_factors_created').on(factor.createdAt).where(sql`confirmed_at is null`)],
)

/** Codes for whoever has lost the device; using one is deleting it. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    codeHash: text('code_hash').notNull(),
  },
  code => [primaryKey({ name: 'recovery_codes_pkey', columns: [code.userId, code.codeHash] })],
)

export const accountTokenKinds = ['verify', 'reset'] as const
export type AccountTokenKind = (typeof accountTokenKinds)[number]

/** One-time links; several of one user are valid at a time, because mails overtake each other. */
export const accountTokens = pgTable(
  'account_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    kind: text('kind').$type<AccountTokenKind>().notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** It went to the address of the account, so using it proves the address. */
    mailed: boolean('mailed').notNull(),
    expiresAt: time('expires_at').notNull(),
    createdAt: createdAt(),
  },
  token => [
    index('account_tokens_user').on(token.userId, token.kind),
    index('account_tokens_expires').on(token.expiresAt),
    check('account_tokens_kind', sql`kind in ${listed(accountTokenKinds)}`),
  ],
)
