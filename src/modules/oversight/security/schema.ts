// When projects were suspended, why, and when they were resumed. The project's own row holds the current state; this is the history.
import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { id, json, listed, time } from '../../../platform/db/columns'
import { type DisabledReason, disabledReasons, projects } from '../../accounts/projects/schema'

export const suspensions = pgTable(
  'project_suspensions',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    reason: text('reason').$type<DisabledReason>().notNull(),
    /** Sentences that explain it: thresholds and figures at that moment, or what the operator wrote. */
    findings: json<string[]>('findings').notNull(),
    at: time('at').notNull(),
    liftedAt: time('lifted_at'),
  },
  suspension => [
    index('project_suspensions_project').on(suspension.projectId, suspension.at.desc().nullsFirst()),
    uniqueIndex('project_suspensions_one_open').on(suspension.projectId).where(sql`lifted_at is null`),
    check('project_suspensions_reason', sql`reason in ${listed(disabledReasons)}`),
    check('project_suspensions_lifted_later', sql`lifted_at >= at`),
  ],
)

export type SuspensionRow = typeof suspensions.$inferSelect
