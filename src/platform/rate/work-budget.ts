// How much costly work a project may ask for in requests: a bucket of time that fills again while the project is quiet. The request
// limit counts requests; a few of them that are as costly as they may be would still take all processors from everybody else.
// Each process counts for itself: its processors are what is shared.
import { tooMany } from '../../lib/errors'
import { second } from '../../lib/time'
import type { Context } from '../context'
import { perInstance } from '../per-context'

export interface WorkAllowance {
  /** Milliseconds of work after which the first request is refused. */
  burstMs: number
  /** Of the time that passes, what comes back. */
  share: number
  /** For people: what there was too much of. */
  of: string
}

export interface WorkBudget {
  /** Throws 429 where the project has used up its time. */
  admit(ctx: Pick<Context, 'clock'>, projectId: string): void
  /** Takes what work has taken; what has begun is never stopped. */
  spend(ctx: Pick<Context, 'clock'>, projectId: string, ms: number): void
}

interface Level {
  usedMs: number
  /** By the injected clock. */
  at: number
}

/** Those that have used nothing for a while are forgotten beyond this. */
const maxKept = 10_000

export function makeWorkBudget({ burstMs, share, of }: WorkAllowance): WorkBudget {
  const levels = new Map<string, Level>()
  const usedBy = (projectId: string, now: number): number => {
    const level = levels.get(projectId)
    return level ? Math.max(0, level.usedMs - Math.max(0, now - level.at) * share) : 0
  }
  return {
    admit({ clock }, projectId) {
      const over = usedBy(projectId, clock.now().getTime()) - burstMs
      if (over <= 0) return
      throw tooMany(
        `This project has asked for too much of ${of} lately`,
        Math.ceil(over / share / second) + 1,
      )
    },
    spend({ clock }, projectId, ms) {
      const now = clock.now().getTime()
      const usedMs = usedBy(projectId, now) + ms
      levels.delete(projectId)
      levels.set(projectId, { usedMs, at: now })
      if (levels.size > maxKept) levels.delete(levels.keys().next().value!)
    },
  }
}

/** One for each running instance. */
export function workBudget(allowance: WorkAllowance): (ctx: Context) => WorkBudget {
  return perInstance(() => makeWorkBudget(allowance))
}
