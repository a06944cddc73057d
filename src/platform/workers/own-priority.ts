// Threads that do long work for others let requests and the database go first where processors are few.
import { setPriority } from 'node:os'

/** A level of nice(1): a tenth of what others get when all compete. */
const lowPriority = 10

/** On Linux this applies to the thread that calls it alone; elsewhere nothing is changed. */
export function lowerOwnPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(lowPriority)
  } catch {
    // Not allowed here; it then works at the usual priority.
  }
}
