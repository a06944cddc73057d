// Accounts of people who sign in, what is counted against guessing and flooding, and one-time tokens. Tokens and passwords are stored
// as hashes only.
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
import { createdAt, id, listed, time, updatedAt } from '../../platform/db/columns'

export const accountTypes = ['PASSWORD', 'GITHUB_OAUTH', 'GOOGLE_OAUTH'] as const
export type UserType = (typeof accountTypes)[number]

export const users = pgTable(
  'users',
  {
    id: id(),
    /** Always in the one spelling of normaliseEmail. */
    email: text('email').notNull(),
    passwordHash: text('password_hash'),
    type: text('type').$type<UserType>().notNull(),
    emailVerified: boolean('email_verified').notNull(),
    /** Made by an invitation on an instance that is closed to others: good for nothing before the address is proved. */
    mustVerify: boolean('must_verify').notNull().default(false),
    /** Sessions carry it; raising it ends all of them. */
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

/** What is counted: guesses at an address and by a client, and mails asked for by an address, a user or a project. */
export const attemptKinds = ['address', 'client', 'reset', 'verification', 'invitation'] as const
export type AttemptKind = (typeof attemptKinds)[number]

/** One row per window that is open; `subject` is a hash, so that the table is no list of people. */
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

/** Good for making the first account; all rows go when it exists. */
export const setupTokens = pgTable('setup_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  createdAt: createdAt(),
})

/**
 * The sessions of people, for them to see. Whether one is good is not decided here: the cookie says of which version it is, and
 * `ended_sessions` which ones are over. One that was opened by an older program has its row from when it is first seen.
 */
export const sessions = pgTable(
  'sessions',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** That of the user when it was opened. */
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

/** Sessions that were signed out before their time, until it comes. */
export const endedSessions = pgTable(
  'ended_sessions',
  { id: id(), expiresAt: time('expires_at').notNull() },
  session => [index('ended_sessions_expires').on(session.expiresAt)],
)

/** What somebody proves beside the password. Begun and not confirmed, it asks nobody for anything. */
export const secondFactors = pgTable(
  'second_factors',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    secretSealed: text('secret_sealed').notNull(),
    confirmedAt: time('confirmed_at'),
    /** The time step of the last code that was taken: it and those before are good for nothing more. */
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

/** One-time links; several of one user are good at a time, because mails overtake each other. */
export const accountTokens = pgTable(
  'account_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    kind: text('kind').$type<AccountTokenKind>().notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Went to the address of the account, so that coming back with it proves the address. */
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
