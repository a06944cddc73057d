// How far each backfill has got. One that has ended keeps its row: later migrations may ask for it.

import { sql } from 'drizzle-orm'
import { bigint, check, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, time } from '../columns'

export const backfills = pgTable(
  'backfills',
  {
    /** The migration that asks for it. */
    tag: text('tag').primaryKey(),
    /** Rows of the table at its beginning, as the planner estimated. */
    estimate: bigint('estimate', { mode: 'number' }).notNull(),
    /** Rows that were looked at. */
    done: bigint('done', { mode: 'number' }).notNull(),
    /** The last key of the last page; null before the first. */
    cursor: text('cursor'),
    createdAt: createdAt(),
    finishedAt: time('finished_at'),
  },
  () => [check('backfills_counts', sql`estimate >= 0 and done >= 0`)],
)
