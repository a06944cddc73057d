// Threads that do long work for others let requests and the database go first where processors are few.
import { readdirSync, readFileSync } from 'node:fs'
import { second } from '../../lib/time'
import { lowerPriority } from '../processor-share'

/** A level of nice(1): a tenth of what others get when all compete. */
const lowPriority = 10

/** On Linux this applies to the thread that calls it alone; elsewhere nothing is changed. */
export function lowerOwnPriority(): void {
  lower(0)
}

/** What the engine calls its threads that compile: they serve all programs of the process, and the first ones more than others. */
const compilerName = 'JITWorker\n'
const everyMs = second
let lookedAt = Number.NEGATIVE_INFINITY

/**
 * A thread that begins anew compiles everything anew, for seconds, on the engine's threads: they stand back like the thread itself. They come
 * and go as there is work, so this is said again with each piece of it; a second passes between two looks.
 */
export function lowerCompilerPriority(): void {
  if (process.platform !== 'linux' || performance.now() - lookedAt < everyMs) return
  lookedAt = performance.now()
  for (const id of readdirSync('/proc/self/task')) if (isCompiler(id)) lower(Number(id))
}

function isCompiler(id: string): boolean {
  try {
    return readFileSync(`/proc/self/task/${id}/comm`, 'latin1') === compilerName
  } catch {
    // It has just ended.
    return false
  }
}

function lower(id: number): void {
  if (process.platform !== 'linux') return
  try {
    lowerPriority(id, lowPriority)
  } catch {
    // Not allowed here, or it has just ended.
  }
}
