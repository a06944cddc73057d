// How modules register a handler for each kind, and what a handler learns about its run.
import type { Static, TSchema } from '@sinclair/typebox'
import type { Context } from '../context'
import type { JobKind } from './kind'

/** `P` is true for a run of a kind whose jobs belong to a project. */
export interface JobRun<P extends boolean = boolean> {
  readonly id: string
  readonly kind: string
  readonly projectId: P extends true ? string : string | null
  readonly createdAt: Date
  /** 1 for the first run. */
  readonly attempt: number
  readonly maxAttempts: number
  /** A failure of this run is final; the time to settle what the job was about. Also true of a run after a crash in the last one. */
  readonly isLastAttempt: boolean
  /** Aborts when the time limit is over, the lease is lost, or the process has to stop. */
  readonly signal: AbortSignal
}

/** `ctx` is not in a transaction. What is returned is ignored. */
export type JobHandler<A, P extends boolean = boolean> = (
  ctx: Context,
  args: A,
  run: JobRun<P>,
) => Promise<unknown>

/** A kind together with its handler, its arguments' type erased. */
export interface BoundJob {
  definition: JobKind
  handle: JobHandler<never, never>
}

export type HandlerTable = ReadonlyMap<string, BoundJob>

/** Binds a handler to its kind; what a module's jobs.ts exports is a list of these. */
export function handle<A extends TSchema, P extends boolean>(
  definition: JobKind<A, P>,
  handler: JobHandler<Static<A>, P>,
): BoundJob {
  return { definition, handle: handler as JobHandler<never, never> }
}

/** The table a runner works with; of two handlers of one kind the later one counts. */
export function handlerTable(jobs: readonly BoundJob[]): HandlerTable {
  return new Map(jobs.map(bound => [bound.definition.kind, bound]))
}
