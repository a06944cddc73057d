// Projects whose requests undid a transaction lately, or would have held it up. Whatever undoes one makes all that share it start again,
// so for a while their requests share one with each other and no longer with everybody's.
import { AppError } from '../../../lib/errors'
import { after as later, minute } from '../../../lib/time'
import { TooCostly } from '../../../liquid/costly'
import type { Context } from '../../../platform/context'
import { isLockTimeout } from '../../../platform/db/errors'

const apartMs = minute
/** Projects that a process remembers. */
const maxKept = 10_000

export interface Isolation {
  has(projectId: string): boolean
  /** Checks what undid a transaction that this project had to itself. */
  learn(projectId: string, error: unknown): void
  /** Others would still have waited for a project that is apart: its time begins anew. */
  prolong(projectId: string): void
}

export function makeIsolation({ clock }: Pick<Context, 'clock'>): Isolation {
  const until = new Map<string, number>()
  const has = (projectId: string): boolean => (until.get(projectId) ?? 0) > clock.now().getTime()
  const begin = (projectId: string): void => {
    until.delete(projectId)
    until.set(projectId, later(clock.now(), apartMs).getTime())
    if (until.size > maxKept) until.delete(until.keys().next().value!)
  }
  return {
    has,
    learn(projectId, error) {
      if (isItsOwnDoing(error)) begin(projectId)
    },
    prolong(projectId) {
      if (has(projectId)) begin(projectId)
    },
  }
}

/** And no fault of the database's or of ours. */
function isItsOwnDoing(error: unknown): boolean {
  return (
    error instanceof TooCostly || isLockTimeout(error) || (error instanceof AppError && error.status < 500)
  )
}
