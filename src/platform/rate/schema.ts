// The request budget of each project: how many requests were granted in each short slot of the last minute. One small row a
// project, changed by one statement; losing it in a crash costs nothing but a little strictness.
import { bigint, jsonb, pgTable, uuid } from 'drizzle-orm/pg-core'

export const rateBudgets = pgTable('rate_budgets', {
  projectId: uuid('project_id').primaryKey(),
  /** Slot number -> requests granted in it. */
  slots: jsonb('slots').$type<Record<string, number>>().notNull(),
  /** What the last statement granted; read back by that very statement. */
  granted: bigint('granted', { mode: 'number' }).notNull(),
  /** The newest slot that was written, for clearing rows of idle projects. */
  newestSlot: bigint('newest_slot', { mode: 'number' }).notNull(),
})
