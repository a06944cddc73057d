// What one kind of job is: its name, the schema of its arguments, where it queues, how often and how long it may run. Each module
// declares its own in its `kinds.ts`, and binds a handler to each in its `jobs.ts`.
import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { retrySteps } from '../../lib/backoff'
import { minute, second } from '../../lib/time'
import type { Context } from '../context'
import type { Band } from './schema'

export interface JobSettings {
  /** Runs that may fail before the job has failed. */
  maxAttempts: number
  /** Waits after the first, second, ... failed run; the last one repeats. */
  backoffMs: readonly number[]
  /** A run that takes longer is told to stop and counts as failed. */
  timeLimitMs: number
  /** How long such a run may take to end by itself; then it is abandoned, and another one may begin. */
  graceMs: number
  /** What it starts becomes mail: while sending is paused a run does nothing, and the next tick of its schedule tries again. */
  startsSending: boolean
  /** How much of a slot a run takes: less than one where runs at the same moment share a transaction and mostly wait for it. */
  slotShare: number
  /** The name that older releases gave the kind: their jobs are worked too. */
  formerly?: string
}

/** `P` is true if each job belongs to a project, which whoever enqueues it names and the handler is told. */
export interface JobKind<A extends TSchema = TSchema, P extends boolean = boolean> extends JobSettings {
  kind: string
  args: A
  band: Band
  ofProject: P
}

/** Declares a kind: its name, band and arguments, and where it differs from the usual settings. */
export function job<T extends TProperties>(
  kind: string,
  band: Band,
  args: T,
  settings: Partial<JobSettings> = {},
): JobKind<TObject<T>, false> {
  return {
    maxAttempts: 10,
    backoffMs: retrySteps,
    timeLimitMs: 5 * minute,
    graceMs: 5 * second,
    startsSending: false,
    slotShare: 1,
    ...settings,
    kind,
    band,
    ofProject: false,
    args: Type.Object(args, { additionalProperties: false }),
  }
}

/** The same for a kind whose jobs belong to a project each. */
export function projectJob<T extends TProperties>(
  ...declared: [kind: string, band: Band, args: T, settings?: Partial<JobSettings>]
): JobKind<TObject<T>, true> {
  return { ...job(...declared), ofProject: true }
}

/** System chores, which the next tick of their schedule repeats anyway. */
export const chore = { maxAttempts: 3, backoffMs: [5 * second, 30 * second] } as const

/**
 * Of kinds that hand messages over. Once told to stop, a run hands over nothing more; what the other side may have already is waited for, so
 * that no other run sends it meanwhile. That takes no longer than the time limits of a transport allow after the last look at the signal.
 */
export const sendingTimes = { timeLimitMs: 10 * minute, graceMs: 8 * minute } as const

/** A UUID as an argument. */
export const idArgument = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' })

/** What a handler learns about its run. */
export interface JobRun<P extends boolean = boolean> {
  readonly projectId: P extends true ? string : string | null
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

export function handle<A extends TSchema, P extends boolean>(
  definition: JobKind<A, P>,
  handler: JobHandler<Static<A>, P>,
): BoundJob {
  return { definition, handle: handler as JobHandler<never, never> }
}

/** The table a runner works with; of two handlers of one kind the later one counts. */
export function handlerTable(jobs: readonly BoundJob[]): HandlerTable {
  const names = ({ kind, formerly }: JobKind): string[] => (formerly ? [kind, formerly] : [kind])
  return new Map(jobs.flatMap(bound => names(bound.definition).map(name => [name, bound])))
}
