// The tables of background work. A job is a row that is written in the transaction that needs it; the check constraints state
// what each state implies, so that no statement can leave a job that nobody would ever pick up again.
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, json, listed, time } from '../db/columns'

/** Bands in the order in which they are served: a bulk send never delays a password mail. */
export const bands = ['transactional', 'system', 'workflow', 'bulk'] as const
export type Band = (typeof bands)[number]

export const jobStates = ['queued', 'running', 'failed', 'discarded'] as const
export type JobState = (typeof jobStates)[number]

export const jobs = pgTable(
  'jobs',
  {
    id: id(),
    kind: text('kind').notNull(),
    args: json<unknown>('args').notNull(),
    band: text('band').$type<Band>().notNull(),
    state: text('state').$type<JobState>().notNull(),
    /** Not before this moment; retries and snoozes move it. */
    runAt: time('run_at').notNull(),
    /** Counts the runs that were begun; snoozed and released runs give theirs back. */
    attempt: integer('attempt').notNull(),
    maxAttempts: integer('max_attempts').notNull(),
    /** The runner that holds the job. The end of its lease is in that runner's row. */
    lockedBy: uuid('locked_by'),
    /** At most one unfinished job has a given key. */
    uniqueKey: text('unique_key'),
    /** Somebody asked for this key again while the job ran: it is queued once more instead of finished. */
    rerun: boolean('rerun').notNull().default(false),
    lastError: text('last_error'),
    projectId: uuid('project_id'),
    createdAt: createdAt(),
    finishedAt: time('finished_at'),
  },
  job => [
    // Each index covers one question and only the rows it is about: a job that has ended leaves the claim index at once.
    index('jobs_claim').on(job.band, job.runAt, job.id).where(sql`state = 'queued'`),
    // The same by project, for turns; the instance's own jobs stand together behind theirs.
    index('jobs_line')
      .on(sql`(band || ' ' || coalesce(project_id::text, '~')) collate "C"`, job.runAt, job.id)
      .where(sql`state = 'queued'`),
    index('jobs_running').on(job.lockedBy).where(sql`state = 'running'`),
    index('jobs_finished').on(job.finishedAt).where(sql`finished_at is not null`),
    uniqueIndex('jobs_unique_key')
      .on(job.uniqueKey)
      .where(sql`unique_key is not null and state in ('queued', 'running')`),
    check('jobs_band', sql`band in ${listed(bands)}`),
    check('jobs_state', sql`state in ${listed(jobStates)}`),
    check('jobs_running_is_locked', sql`(state = 'running') = (locked_by is not null)`),
    check('jobs_finished_has_time', sql`(state in ('failed', 'discarded')) = (finished_at is not null)`),
    check('jobs_rerun_is_running', sql`not rerun or state = 'running'`),
    check('jobs_attempts', sql`attempt >= 0 and max_attempts >= 1 and (state <> 'running' or attempt >= 1)`),
    check('jobs_unique_key_length', sql`char_length(unique_key) between 1 and 300`),
  ],
)

/**
 * One row for each living runner. Its lease covers all jobs that carry its id, so a heartbeat writes one row however many
 * jobs are held, and the claim of a job need not write a time into an index.
 */
export const runners = pgTable('runners', {
  id: id(),
  leaseUntil: time('lease_until').notNull(),
  startedAt: time('started_at').notNull(),
})

/** The last tick of each schedule that was turned into a job; moving it forward is what decides who may do so. */
export const schedules = pgTable('schedules', {
  name: text('name').primaryKey(),
  lastTick: time('last_tick').notNull(),
})
