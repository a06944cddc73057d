// What one kind of job is: the schema of its arguments, where it queues, how often and how long it may run.
import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { retrySteps } from '../../lib/backoff'
import { minute } from '../../lib/time'
import type { Band } from './schema'

export interface JobSettings {
  /** Runs that may fail before the job is given up. */
  maxAttempts: number
  /** Waits after the first, second, ... failed run; the last one repeats. */
  backoffMs: readonly number[]
  /** A run that takes longer is told to stop and counts as failed. */
  timeLimitMs: number
  /** Keep the row with its result after success until `jobs.clean` removes it; otherwise success deletes it at once. */
  keep: boolean
  /** What it starts becomes mail: while sending is paused a run does nothing, and the next tick of its schedule tries again. */
  startsSending: boolean
  /** How much of a slot a run takes: less than one where runs at the same moment share a transaction and mostly wait for it. */
  place: number
}

export interface JobDefinition<A extends TSchema = TSchema> extends JobSettings {
  args: A
  band: Band
}

/** A definition with its name, for kinds that stand outside the catalogue (tests have such). */
export interface NamedJob<A extends TSchema = TSchema> extends JobDefinition<A> {
  kind: string
}

export type ArgsOf<D extends { args: TSchema }> = Static<D['args']>

const usual: JobSettings = {
  maxAttempts: 10,
  backoffMs: retrySteps,
  timeLimitMs: 5 * minute,
  keep: false,
  startsSending: false,
  place: 1,
}

/** Declares a kind: its band, its arguments, and where it differs from the usual settings. */
export function job<P extends TProperties>(
  band: Band,
  args: P,
  settings: Partial<JobSettings> = {},
): JobDefinition<TObject<P>> {
  return { ...usual, ...settings, band, args: Type.Object(args, { additionalProperties: false }) }
}

/** A UUID as an argument. */
export const idArgument = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' })
