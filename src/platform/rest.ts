// When nobody uses an instance, what looks at the database every few seconds does so only now and then: a program that waits should cost
// nothing. Only where the instance is alone with its database, because others' work would not wake it.
import { second } from '../lib/time'
import type { Context } from './context'
import type { LiveRequests } from './requests'

/** What a Context carries. */
export interface Rest {
  isOn(): boolean
  /** There is work that did not come by HTTP. */
  end(): void
  /** Calls `listener` whenever a rest ends, at once; returns how to stop. */
  onEnd(listener: () => void): () => void
}

/** At rest, looks are this far apart, less than unused connections are kept; each has to see what comes due until the next one. */
export const restMs = 30 * second

/** Longer than the looks of an instance at work are apart: what was waiting has been seen. */
const workMs = 15 * second

/** It begins when there has been no request, and no other work, for a while. `now` in milliseconds, for distances only. */
export function makeRest(requests: LiveRequests, now = () => performance.now()): Rest {
  let workedAt = now()
  let seen = requests.count
  let wasOn = false
  const listeners = new Set<() => void>()
  const end = (): void => {
    workedAt = now()
    if (!wasOn) return
    wasOn = false
    for (const listener of listeners) listener()
  }
  requests.onBegin(() => {
    if (wasOn) end()
  })
  return {
    isOn() {
      if (requests.count !== seen || requests.underway().length > 0) end()
      seen = requests.count
      wasOn = now() - workedAt >= workMs
      return wasOn
    },
    end,
    onEnd(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Asked whenever a look would be made at work: whether it is to be made. At rest that is the first one, and one in each stretch of `restMs`. */
export function lookGate(ctx: Pick<Context, 'rest' | 'clock'>): () => boolean {
  let last: number | undefined
  return () => {
    const stretch = ctx.rest?.isOn() ? Math.floor(ctx.clock.now().getTime() / restMs) : undefined
    if (stretch !== undefined && stretch === last) return false
    last = stretch
    return true
  }
}

/** What is looked at every few seconds at work, and at rest when a stretch begins: between them it does not even wake the process. */
interface LookTimer {
  /** The next look in `waitMs`; at rest when the next stretch begins, in `mostMs` at the latest, or in `waitMs` from the end of the rest. */
  plan(waitMs: number, mostMs?: number): void
  stop(): void
}

export function lookTimer({ rest, clock }: Pick<Context, 'rest' | 'clock'>, look: () => void): LookTimer {
  let timer: Timer | undefined
  let waitMs = 0
  const begin = (): void => {
    timer = undefined
    look()
  }
  const set = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(begin, ms)
  }
  const forget = rest?.onEnd(() => {
    if (timer !== undefined) set(waitMs)
  })
  return {
    plan(ms, mostMs = restMs) {
      waitMs = ms
      set(rest?.isOn() ? Math.min(restMs - (clock.now().getTime() % restMs), mostMs) : ms)
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      forget?.()
    },
  }
}

/** A look every `everyMs` at work, and at rest once in a stretch. Returns how to stop. */
export function keepLooking(
  ctx: Pick<Context, 'rest' | 'clock'>,
  everyMs: number,
  look: () => void,
): () => void {
  const isDue = lookGate(ctx)
  const timer = lookTimer(ctx, () => {
    timer.plan(everyMs)
    if (isDue()) look()
  })
  timer.plan(everyMs)
  return () => timer.stop()
}

/** How far a look that is made every `everyMs` at work has to see. */
export function untilNextLook({ rest }: Pick<Context, 'rest'>, everyMs: number): number {
  return everyMs + (rest?.isOn() ? restMs : 0)
}
