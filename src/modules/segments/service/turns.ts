// Queries that read all contacts of a project, one at a time for each project: otherwise heavy ones would hold the processors and the
// connections that everybody's requests need.
import { availableParallelism } from 'node:os'
import { tooMany } from '../../../lib/errors'
import { boundedTurns } from '../../../lib/semaphore'
import { second } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { Snooze } from '../../../platform/jobs/outcome'
import { perInstance } from '../../../platform/per-context'
import { workBudget } from '../../../platform/rate/work-budget'
import { restingTurns } from '../../../platform/requests'

/** Of one project: more have to come back later. */
const maxPerProject = 20
const retrySeconds = 5

class NoTurn extends Error {}

/** The database is on this machine, or on one of its own, which is seldom smaller: one processor is left to everything else. */
const places = Math.max(2, availableParallelism() - 1)

const turnsOf = perInstance(() =>
  restingTurns<string>({ places, maxPerKey: maxPerProject, full: () => new NoTurn() }),
)
const jobTurnsOf = perInstance(() => boundedTurns<string>({ maxPerKey: 1, full: () => new NoTurn() }))

/** What a project may take of the database for its requests: a tenth of a processor, and for a while more. */
const budgetOf = workBudget({ burstMs: 10 * second, share: 0.1, of: 'filters that read all contacts' })

/** In a request: waits for its turn; 429 while too many of the project wait, or have taken too long lately. */
export async function inFilterTurn<T>(
  ctx: Context,
  projectId: string,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const budget = budgetOf(ctx)
  budget.admit(ctx, projectId)
  // A transaction sees what it has written on its own connection only.
  const own = 'begin' in ctx.sql ? { ...ctx, ...ctx.heavy } : ctx
  const counted = async (): Promise<T> => {
    const began = performance.now()
    return await work(own).finally(() => budget.spend(ctx, projectId, performance.now() - began))
  }
  try {
    return await turnsOf(ctx)(ctx.requests, projectId, counted)
  } catch (error) {
    if (!(error instanceof NoTurn)) throw error
    throw tooMany('Too many filters of this project wait for their answer already', retrySeconds)
  }
}

/** In a job, which does not wait: it would hold a slot that others need. */
export async function inJobTurn<T>(ctx: Context, projectId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await jobTurnsOf(ctx)(projectId, work)
  } catch (error) {
    throw error instanceof NoTurn ? new Snooze(Math.round((1 + ctx.random.fraction()) * second)) : error
  }
}
