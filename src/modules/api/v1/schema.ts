// Idempotency keys of the public endpoints: a claim is a row, written in the transaction of the work that it belongs to.
import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, json, time } from '../../../platform/db/columns'

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    projectId: uuid('project_id').notNull(),
    /** Anybody may hold that key, so what it claims has a namespace of its own and is in nobody else's way. */
    byPublicKey: boolean('by_public_key').notNull(),
    key: text('key').notNull(),
    method: text('method').notNull(),
    path: text('path').notNull(),
    statusCode: integer('status_code').notNull(),
    /** Ids of what the first request created, so that a caller who lost the answer can find it. */
    result: json<Record<string, unknown>>('result').notNull(),
    /** Of what the request said, so that its repetition hears whether it said the same. */
    requestHash: text('request_hash'),
    createdAt: createdAt(),
    expiresAt: time('expires_at').notNull(),
  },
  table => [
    primaryKey({ columns: [table.projectId, table.byPublicKey, table.key] }),
    index('idempotency_keys_expires').on(table.expiresAt),
  ],
)
