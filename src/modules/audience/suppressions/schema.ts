// The addresses that get nothing more.
import { sql } from 'drizzle-orm'
import { check, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, listed } from '../../../platform/db/columns'

export const suppressionReasons = ['bounce', 'complaint', 'manual', 'repeated'] as const
export type SuppressionReason = (typeof suppressionReasons)[number]

/** Addresses of people who were erased: nothing is sent to them, and nobody can read who they are. */
export const erasedAddresses = pgTable(
  'erased_addresses',
  {
    projectId: uuid('project_id').notNull(),
    /** Keyed, see keyed-hash.ts. */
    hash: bytea('hash').notNull(),
    createdAt: createdAt(),
  },
  table => [primaryKey({ name: 'erased_addresses_pkey', columns: [table.projectId, table.hash] })],
)

/** Addresses of a project that get nothing more. */
export const suppressions = pgTable(
  'suppressions',
  {
    projectId: uuid('project_id').notNull(),
    email: text('email').notNull(),
    reason: text('reason').$type<SuppressionReason>().notNull(),
    /** Where it came from: the reply of the server, a report, or the person who added it. */
    source: text('source').notNull(),
    emailId: uuid('email_id'),
    createdAt: createdAt(),
  },
  table => [
    primaryKey({ columns: [table.projectId, table.email] }),
    // Lists are read newest first, all of it or by reason.
    index('suppressions_created').on(table.projectId, table.createdAt.desc().nullsFirst(), table.email),
    index('suppressions_reason').on(
      table.projectId,
      table.reason,
      table.createdAt.desc().nullsFirst(),
      table.email,
    ),
    // For searches by part of an address; the project is part of the index, as for contacts.
    index('suppressions_search').using('gin', table.projectId, table.email.op('gin_trgm_ops')),
    check('suppressions_reason_known', sql`reason in ${listed(suppressionReasons)}`),
  ],
)
