// When nobody uses an instance, what polls the database every few seconds does so together, twice a minute: a program that waits should
// cost nothing. Only where the instance is alone with its database, because others' work would not wake it.
import { second } from '../lib/time'
import type { Context } from './context'
import type { LiveRequests } from './requests'

/** What a Context carries. */
export interface Idle {
  isOn(): boolean
  /** There is work that did not come by HTTP. */
  end(): void
  /** Calls `listener` when it ends; returns how to stop. */
  onEnd(listener: () => void): () => void
}

/** Between two polls of an idle instance, less than unused connections are kept; each has to see what comes due until the next one. */
export const idlePollMs = 30 * second

/** Longer than the polls of an instance at work are apart: what was waiting has been seen. */
const workMs = 15 * second

/** It begins when there has been no request, and no other work, for a while. `now` in milliseconds, for distances only. */
export function watchIdle(requests: LiveRequests, now = () => performance.now()): Idle {
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

interface PollTimer {
  /** The next poll in `waitMs`; while idle with all others, in `mostMs` at the latest, or `waitMs` after that ends. */
  plan(waitMs: number, mostMs?: number): void
  stop(): void
}

/** A timer may be early by this, and would then poll twice. */
const earlyMs = 5

export function pollTimer({ idle, clock }: Pick<Context, 'idle' | 'clock'>, poll: () => void): PollTimer {
  let timer: Timer | undefined
  let waitMs = 0
  const set = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      poll()
    }, ms)
  }
  let latest = 0
  const stopListening = idle?.onEnd(() => {
    if (timer !== undefined) set(Math.min(waitMs, Math.max(0, latest - clock.now().getTime())))
  })
  return {
    plan(ms, mostMs = idlePollMs) {
      waitMs = ms
      latest = clock.now().getTime() + mostMs
      const together = idlePollMs - (clock.now().getTime() % idlePollMs) + earlyMs
      set(idle?.isOn() ? Math.min(together, mostMs) : ms)
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      stopListening?.()
    },
  }
}

/** Polls at once, and then again after what each poll returns: `waitMs` and `mostMs`, as for the timer. */
export function pollLoop(
  ctx: Pick<Context, 'idle' | 'clock'>,
  poll: () => Promise<[waitMs: number, mostMs: number]>,
): { first: Promise<void>; stop(): Promise<void> } {
  let isStopped = false
  const round = async (): Promise<void> => {
    const waits = await poll()
    if (!isStopped) timer.plan(...waits)
  }
  let current: Promise<void>
  const timer = pollTimer(ctx, () => {
    current = round()
  })
  current = round()
  return {
    first: current,
    async stop() {
      isStopped = true
      timer.stop()
      await current
    },
  }
}
