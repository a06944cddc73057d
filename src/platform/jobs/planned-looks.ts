// Moments for which a runner has planned to look at the table, because a job is due then.

export interface PlannedLooks {
  /** Those that are close to each other share a look. */
  plan(dueAt: Date): void
  stop(): void
}

/** Jobs that are due within so many milliseconds share a look. */
const slotMs = 20

export function planLooks(now: () => Date, look: () => void): PlannedLooks {
  const timers = new Map<number, Timer>()
  return {
    plan(dueAt) {
      const slot = Math.ceil(dueAt.getTime() / slotMs)
      if (timers.has(slot)) return
      const due = (): void => {
        timers.delete(slot)
        look()
      }
      timers.set(slot, setTimeout(due, Math.max(0, dueAt.getTime() - now().getTime())))
    },
    stop() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
    },
  }
}
