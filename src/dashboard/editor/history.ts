/** Changes of the same field within this time are one step of the history. */
const joinMs = 1_000
const maxSteps = 200

/** The steps of a draft that can be undone and redone, each a whole value. `clock` in milliseconds. */
export function makeHistory<T>(clock: () => number) {
  let past: T[] = []
  let future: T[] = []
  let last: { path: string; at: number } | undefined

  const move = (from: T[], to: T[], now: T): T | undefined => {
    const value = from.pop()
    if (value === undefined) return undefined
    to.push(now)
    last = undefined
    return value
  }

  return {
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
    /** Begins anew, with what Undo leads back to. */
    reset(before: T[] = []): void {
      past = before
      future = []
      last = undefined
    },
    /** A change of what was `old`; those of the same path in quick succession are one step, and so are all with the same key. */
    add(old: T, path: string, { isKey = false } = {}): void {
      const now = clock()
      const joins = past.length > 0 && last?.path === path && (isKey || now - last.at < joinMs)
      if (!joins) past = [...past, old].slice(-maxSteps)
      future = []
      last = { path, at: now }
    },
    /** A step of its own. */
    addWhole(old: T): void {
      past = [...past, old].slice(-maxSteps)
      future = []
      last = undefined
    },
    /** What is shown then. */
    undo: (now: T): T | undefined => move(past, future, now),
    redo: (now: T): T | undefined => move(future, past, now),
  }
}
