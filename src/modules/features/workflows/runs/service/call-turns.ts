// Keeps the calls of one project from taking every slot: only so many are under way at once in an instance, and the others come back when
// those should have ended. Otherwise an endpoint that hangs would hold up everybody's workflows.
import { minute } from '../../../../../lib/time'
import { Snooze } from '../../../../../platform/jobs/outcome'
import { perContext } from '../../../../../platform/per-context'

/** Calls of a project that an instance makes at once. */
export const maxAtOnce = 64
/** No call comes back sooner than this. */
const minWaitMs = 100
/** No call waits longer than this, so that all soon notice when the endpoint works again. */
const maxWaitMs = minute
/** Turns are this much further apart than they should need to be, so that a call that comes in turn hardly ever finds no free slot. */
const slack = 1.1

interface Line {
  /** When the calls under way began, the oldest first. */
  running: Set<{ at: number }>
  /** Running mean of how long a call takes. */
  meanMs: number
  /** The latest turn that was given. */
  lastTurn: number
}

export interface CallTurns {
  /** Runs `call` now, or throws Snooze with its turn. */
  take<T>(projectId: string, call: () => Promise<T>): Promise<T>
}

export const callTurnsOf = perContext(ctx => makeCallTurns(() => ctx.clock.now().getTime()))

export function makeCallTurns(now: () => number): CallTurns {
  const lines = new Map<string, Line>()
  return {
    async take(projectId, call) {
      const line = lines.get(projectId) ?? { running: new Set(), meanMs: 0, lastTurn: 0 }
      lines.set(projectId, line)
      if (line.running.size >= maxAtOnce) throw new Snooze(new Date(nextTurn(line, now())))
      const begun = { at: now() }
      line.running.add(begun)
      try {
        return await call()
      } finally {
        line.running.delete(begun)
        learn(line, begun.at, now())
        if (line.running.size === 0 && line.lastTurn <= now()) lines.delete(projectId)
      }
    },
  }
}

/** When calls get faster, new turns come sooner than those given while calls took longer. */
function learn(line: Line, begunAt: number, now: number): void {
  const before = line.meanMs
  const tookMs = now - begunAt
  line.meanMs = before === 0 ? tookMs : before * 0.9 + tookMs * 0.1
  if (line.meanMs < before && line.lastTurn > now)
    line.lastTurn = now + ((line.lastTurn - now) * line.meanMs) / before
}

/**
 * The turn after all that wait already. Turns are a call's duration divided by the slots apart; a call under way for longer than the mean
 * counts with its age.
 */
function nextTurn(line: Line, now: number): number {
  const [oldest] = line.running
  const expectedMs = Math.max(line.meanMs, oldest ? now - oldest.at : 0)
  line.lastTurn = Math.max(line.lastTurn, now) + (expectedMs / maxAtOnce) * slack
  return Math.min(Math.max(line.lastTurn, now + minWaitMs), now + maxWaitMs)
}
