// Threads of this process and backends of the built-in server that leave the processors to what people wait for.
import { setPriority } from 'node:os'

/** A third of what others get where all want it: less would have others wait for locks that it holds. */
export const low = 5

/** A tenth, for what only reads or computes: nothing that others wait for is held. */
export const lowest = 10

/** Lowers a process of this machine to this level of nice(1); `id` 0 is, on Linux, the calling thread. */
export function lowerPriority(id: number, level: number): void {
  if (id === 0 && process.platform !== 'linux') return
  try {
    setPriority(id, level)
  } catch {
    // Not allowed here, or gone already: it works at the usual priority.
  }
}
