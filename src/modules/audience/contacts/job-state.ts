// What a client is told about an import or a bulk job: its own record has the last word once it has ended, the queue before. Pure.

export const jobStateNames = ['waiting', 'active', 'delayed', 'completed', 'failed'] as const
export type JobStateName = (typeof jobStateNames)[number]

export interface Ending {
  /** Some of the work is done: while it waits for its next turn, it counts as active. */
  hasBegun: boolean
  finishedAt: Date | null
  failedReason: string | null
}

/** The queue's job, as far as it is known. */
export interface Queued {
  state: 'queued' | 'running' | 'done' | 'failed' | 'discarded'
  error: string | null
}

export interface JobStanding {
  state: JobStateName
  failedReason: string | null
}

/** Why a job that ended without a word has failed: its process died, and so did those that took it over. */
export const givenUp = 'The job was given up after several attempts'

/** `queued` is undefined if the queue no longer has the job. Internal errors are logged and not reported. */
export function standingOf(ending: Ending, queued: Queued | undefined): JobStanding {
  if (ending.failedReason !== null) return { state: 'failed', failedReason: ending.failedReason }
  if (ending.finishedAt !== null) return { state: 'completed', failedReason: null }
  if (queued?.state === 'running') return { state: 'active', failedReason: null }
  if (queued?.state === 'queued') return { state: waitingState(ending, queued), failedReason: null }
  return { state: 'failed', failedReason: givenUp }
}

function waitingState({ hasBegun }: Ending, { error }: Queued): JobStateName {
  if (error !== null) return 'delayed'
  return hasBegun ? 'active' : 'waiting'
}

/** A whole number from 0 to 100. */
export function wholePercent(done: number, total: number): number {
  return total === 0 ? 0 : Math.min(100, Math.floor((done / total) * 100))
}
