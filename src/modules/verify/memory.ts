// Remembers answers for a while, so that the same question asked again costs nothing, and everybody who asks while an answer is on its
// way waits for that one. Bounded: the oldest answer is dropped first. Whoever needs such a memory makes one.
import type { Clock } from '../../lib/time'

export interface MemoryCacheOptions<T> {
  clock: Clock
  keepMs: number
  maxEntries: number
  /** Which answers are worth keeping. */
  keeps(value: T): boolean
}

export interface Memory<T> {
  /** The kept answer to `key`, or the result of `ask`. A rejection reaches everybody who waits for it and is not kept. */
  get(key: string, ask: () => Promise<T>): Promise<T>
}

export function makeMemory<T>(options: MemoryCacheOptions<T>): Memory<T> {
  const kept = new Map<string, { value: T; until: number }>()
  const underWay = new Map<string, Promise<T>>()
  const now = (): number => options.clock.now().getTime()

  const keep = (key: string, value: T): void => {
    if (!options.keeps(value)) return
    // A Map iterates in the order of insertion, and all answers live equally long: the first is the oldest.
    kept.delete(key)
    kept.set(key, { value, until: now() + options.keepMs })
    if (kept.size > options.maxEntries) kept.delete(kept.keys().next().value!)
  }

  const ask = async (key: string, question: () => Promise<T>): Promise<T> => {
    try {
      const value = await question()
      keep(key, value)
      return value
    } finally {
      underWay.delete(key)
    }
  }

  return {
    async get(key, question) {
      const known = kept.get(key)
      if (known && now() < known.until) return known.value
      const running = underWay.get(key) ?? ask(key, question)
      underWay.set(key, running)
      return await running
    },
  }
}
