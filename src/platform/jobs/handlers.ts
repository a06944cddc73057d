// How modules say what is done for each kind, and what a handler is told about its run.
import type { TSchema } from '@sinclair/typebox'
import type { Context } from '../context'
import { catalogue, type JobArgs, type JobKind } from './catalogue'
import type { ArgsOf, JobDefinition, NamedJob } from './definition'

export interface JobRun {
  readonly id: string
  readonly kind: string
  readonly projectId: string | null
  readonly createdAt: Date
  /** 1 for the first run. */
  readonly attempt: number
  readonly maxAttempts: number
  /** A failure of this run is final; the time to settle what the job was about. Also true of a run after a crash in the last one. */
  readonly isLastAttempt: boolean
  /** Aborts when the time limit is over, the lease is lost, or the process has to stop. */
  readonly signal: AbortSignal
  /** Notes how far the job has come; written at most every half second. */
  progress(done: number, total?: number): void
}

/** `ctx` is not in a transaction. What is returned is kept as the result where the kind keeps finished jobs. */
export type JobHandler<A> = (ctx: Context, args: A, run: JobRun) => Promise<unknown>

/** What a module's jobs.ts exports: handlers of some kinds. */
export type JobHandlers = { [K in JobKind]?: JobHandler<JobArgs<K>> }

/** All kinds of the catalogue; the composition root has this type, so that a kind without a handler does not compile. */
export type AllJobHandlers = Required<JobHandlers>

/** A kind together with its handler, its arguments' type erased. */
export interface BoundJob {
  kind: string
  definition: JobDefinition
  handle: JobHandler<never>
}

export type HandlerTable = ReadonlyMap<string, BoundJob>

/** Binds a handler to a kind outside the catalogue. */
export function bindJob<A extends TSchema>(
  named: NamedJob<A>,
  handle: JobHandler<ArgsOf<NamedJob<A>>>,
): BoundJob {
  return { kind: named.kind, definition: named, handle }
}

/** The table a runner works with. */
export function handlerTable(handlers: JobHandlers, ...others: BoundJob[]): HandlerTable {
  const bound = Object.entries(handlers).map(([kind, handle]) => ({
    kind,
    definition: catalogue[kind as JobKind],
    handle: handle as JobHandler<never>,
  }))
  return new Map([...bound, ...others].map(entry => [entry.kind, entry]))
}
