// Sender domains. Any number of projects may claim a name; a partial unique index, not a look-up, decides who holds it.

import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id, json, listed, time, updatedAt } from '../../../platform/db/columns'
import { type IdentityStatus, identityStatuses } from '../../../platform/transports/transport'
import { projects } from '../../accounts/projects/schema'

export const domains = pgTable(
  'domains',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** Canonical: lower case, punycode, no trailing dot. */
    domain: text('domain').notNull(),
    verified: boolean('verified').notNull(),
    /** Verified because the name can never be real and mail never leaves the machine; worth nothing with another transport. */
    sandbox: boolean('sandbox').notNull(),
    selector: text('selector').notNull(),
    /** Base64 as in DNS. Changes for an id only with its selector, by a rotation: a claim that is made again has another key and another id. */
    publicKey: text('public_key').notNull(),
    /** PEM, sealed by the vault. */
    privateKey: text('private_key').notNull(),
    /** The relay signs mail from this domain; it leaves here unsigned. The domain's key here remains the proof that it is the project's. */
    relaySigns: boolean('relay_signs').notNull().default(false),
    /** What the provider wants published where it signs for us, and the domain that its targets end with. */
    dkimTokens: json<string[]>('dkim_tokens'),
    dkimZone: text('dkim_zone'),
    /**
     * More than one project has claimed the name, or the provider's account knew it before. The provider's tokens are one set for
     * all of them, so here they don't say whose DNS it is, and the claim's own key must be published beside them.
     */
    contested: boolean('contested').notNull().default(false),
    /** What was last seen at the three names. */
    dkimStatus: text('dkim_status').$type<IdentityStatus>().notNull(),
    spfStatus: text('spf_status').$type<IdentityStatus>().notNull(),
    dmarcStatus: text('dmarc_status').$type<IdentityStatus>().notNull(),
    /** When the claim was made or lost its verification. */
    pendingSince: time('pending_since'),
    checkedAt: time('checked_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  table => [
    uniqueIndex('domains_project_domain').on(table.projectId, table.domain),
    uniqueIndex('domains_holder').on(table.domain).where(sql`verified and not sandbox`),
    index('domains_pending').on(table.pendingSince).where(sql`not verified`),
    check('domains_name', sql`char_length(domain) between 3 and 253 and domain = lower(domain)`),
    check('domains_tokens_have_zone', sql`(dkim_tokens is null) = (dkim_zone is null)`),
    check('domains_pending_since', sql`verified = (pending_since is null)`),
    check('domains_sandbox_is_verified', sql`verified or not sandbox`),
    check(
      'domains_statuses',
      sql`dkim_status in ${listed(identityStatuses)} and spf_status in ${listed(identityStatuses)} and dmarc_status in ${listed(identityStatuses)}`,
    ),
  ],
)

export type DomainRow = typeof domains.$inferSelect

/**
 * The other key of a domain, at most one: the next one, which waits until the DNS has it, and after that the previous one, whose record
 * must stand until what it signed has arrived everywhere.
 */
export const dkimRotations = pgTable(
  'dkim_rotations',
  {
    domainId: uuid('domain_id')
      .primaryKey()
      .references(() => domains.id, { onDelete: 'cascade' }),
    selector: text('selector').notNull(),
    publicKey: text('public_key').notNull(),
    /** PEM, sealed by the vault; null for the previous key, which signs nothing any more. */
    privateKey: text('private_key'),
    startedAt: time('started_at').notNull(),
    /** When the next key took over. */
    switchedAt: time('switched_at'),
  },
  () => [check('dkim_rotations_next_can_sign', sql`(private_key is null) = (switched_at is not null)`)],
)

export type RotationRow = typeof dkimRotations.$inferSelect

/** The plan by which a new domain, or a new transport, becomes known to receivers. */
export const warmUps = pgTable(
  'warm_ups',
  {
    id: id(),
    /** Null for a transport. */
    domainId: uuid('domain_id').references(() => domains.id, { onDelete: 'cascade' }),
    /** Its name in TRANSPORTS_FILE, which holds its plan; its id is derived from it. Null for a domain. */
    transport: text('transport'),
    firstDay: integer('first_day').notNull(),
    factor: doublePrecision('factor').notNull(),
    target: integer('target').notNull(),
    startedAt: time('started_at').notNull(),
    /** When its target had been reached. */
    endedAt: time('ended_at'),
  },
  table => [
    uniqueIndex('warm_ups_domain').on(table.domainId),
    check('warm_ups_grows', sql`first_day between 1 and target and factor > 1`),
  ],
)

/** What left on the days of a plan. Workers share a day by its row. */
export const warmUpDays = pgTable(
  'warm_up_days',
  {
    warmUpId: uuid('warm_up_id')
      .notNull()
      .references(() => warmUps.id, { onDelete: 'cascade' }),
    day: date('day').notNull(),
    /** Days before it on which enough was sent. */
    step: integer('step').notNull(),
    allowance: integer('allowance').notNull(),
    reserved: integer('reserved').notNull(),
    sent: integer('sent').notNull().default(0),
    transactional: integer('transactional').notNull().default(0),
  },
  table => [
    primaryKey({ name: 'warm_up_days_pkey', columns: [table.warmUpId, table.day] }),
    check('warm_up_days_counts', sql`sent >= transactional and transactional >= 0`),
  ],
)
