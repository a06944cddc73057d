// Request budgets: how many requests were granted to each holder in each short slot of the last minute. One small row per holder,
// changed by one statement; losing it in a crash costs nothing but a little strictness.

import { sql } from 'drizzle-orm'
import { bigint, check, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { listed } from '../db/columns'

/** Who has a budget: a project with its secret key, with its public key, and with assistants; a key with scopes; a signed-in user. */
export const holderKinds = ['project', 'public', 'assistant', 'key', 'user'] as const
export type HolderKind = (typeof holderKinds)[number]

/** Not owned by a project: rows of idle holders are deleted within minutes. */
export const rateBudgets = pgTable(
  'rate_budgets',
  {
    /** Id of the project, the key or the user. */
    holderId: uuid('holder_id').notNull(),
    kind: text('kind').$type<HolderKind>().notNull(),
    /** Slot number -> requests granted in it. */
    slots: jsonb('slots').$type<Record<string, number>>().notNull(),
    /** What the last statement granted; read back by that very statement. */
    granted: bigint('granted', { mode: 'number' }).notNull(),
    /** The newest slot that was written, for clearing rows of idle holders. */
    newestSlot: bigint('newest_slot', { mode: 'number' }).notNull(),
  },
  budget => [
    primaryKey({ columns: [budget.holderId, budget.kind] }),
    check('rate_budgets_kind', sql`kind in ${listed(holderKinds)}`),
  ],
)
