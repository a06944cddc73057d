// Backends of the built-in server that stand back behind others where processors are few.
import { writeFileSync } from 'node:fs'
import { lowerPriority } from '../processor-share'

/** Linux lets a process without privileges change the level of one session every tenth of a second. */
const retryMs = 150
const maxRetries = 20

/**
 * Lowers a backend to this level of nice(1). Where Linux shares processors out by session first ("autogroup" in sched(7)), that alone would
 * change nothing, since each backend of PostgreSQL is a session of its own; so the session's level is lowered too.
 */
export function standBack(pid: number, level: number): void {
  try {
    lowerPriority(pid, level)
    lowerSession(pid, level, maxRetries)
  } catch {
    // Not allowed here, or gone already; it works at the usual priority.
  }
}

/** Other systems have no such file, and it makes no difference where groups of processes (cgroups) come before sessions. */
function lowerSession(pid: number, level: number, retries: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(level))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || retries === 0) return
    setTimeout(lowerSession, retryMs, pid, level, retries - 1).unref()
  }
}
