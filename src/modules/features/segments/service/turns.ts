// Queries that read all contacts of a project, one at a time for each project: otherwise heavy ones would hold the processors and the
// connections that everybody's requests need.
import { availableParallelism } from 'node:os'
import { tooMany } from '../../../../lib/errors'
import { second } from '../../../../lib/time'
import { type Context, readingMuch } from '../../../../platform/context'
import { heavyJobConnections } from '../../../../platform/db/pools'
import { Snooze } from '../../../../platform/jobs/outcome'
import { perInstance } from '../../../../platform/per-context'
import { workBudget } from '../../../../platform/rate/work-budget'
import { longWorkQueue } from '../../../../platform/requests'

/** Of one project: more have to come back later. */
const maxPerProject = 20
const retrySeconds = 5

/** The database is on this machine, or on one of its own, which is seldom smaller: one processor is left to everything else. */
const places = Math.max(2, availableParallelism() - 1)

const full = () => tooMany('Too many filters of this project wait for their answer already', retrySeconds)
const turnsOf = perInstance(() => longWorkQueue<string>({ places, maxPerKey: maxPerProject, full }))
/** The projects whose jobs have theirs. */
const jobTurnsOf = perInstance(() => new Set<string>())

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
  const counted = async (): Promise<T> => {
    const [began, beganAt] = [performance.now(), ctx.clock.now().getTime()]
    // By the clock that gives it back, and no more than really passed: a clock may be set.
    const spend = (): void =>
      budget.spend(ctx, projectId, Math.min(ctx.clock.now().getTime() - beganAt, performance.now() - began))
    return await work(readingMuch(ctx)).finally(spend)
  }
  return await turnsOf(ctx)(ctx.requests, projectId, counted)
}

/** In a job, which does not wait but comes back later: it would hold a slot that others need. */
export async function inJobTurn<T>(ctx: Context, projectId: string, work: () => Promise<T>): Promise<T> {
  const turns = jobTurnsOf(ctx)
  if (turns.size === heavyJobConnections || turns.has(projectId))
    throw new Snooze(Math.round((1 + ctx.random.fraction()) * second))
  turns.add(projectId)
  return await work().finally(() => turns.delete(projectId))
}
