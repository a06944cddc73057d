// What one kind of job is: its name, the schema of its arguments, where it queues, how often and how long it may run. Each module
// declares its own in its `kinds.ts`.
import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { retrySteps } from '../../lib/backoff'
import { minute, second } from '../../lib/time'
import type { Band } from './schema'

export interface JobSettings {
  /** Runs that may fail before the job is given up. */
  maxAttempts: number
  /** Waits after the first, second, ... failed run; the last one repeats. */
  backoffMs: readonly number[]
  /** A run that takes longer is told to stop and counts as failed. */
  timeLimitMs: number
  /** What it starts becomes mail: while sending is paused a run does nothing, and the next tick of its schedule tries again. */
  startsSending: boolean
  /** How much of a slot a run takes: less than one where runs at the same moment share a transaction and mostly wait for it. */
  slotShare: number
}

/** `P` is true if each job belongs to a project, which whoever enqueues it names and the handler is told. */
export interface JobKind<A extends TSchema = TSchema, P extends boolean = boolean> extends JobSettings {
  kind: string
  args: A
  band: Band
  ofProject: P
}

export type ArgsOf<K extends { args: TSchema }> = Static<K['args']>

const defaultSettings: JobSettings = {
  maxAttempts: 10,
  backoffMs: retrySteps,
  timeLimitMs: 5 * minute,
  startsSending: false,
  slotShare: 1,
}

/** Declares a kind: its name, band and arguments, and where it differs from the usual settings. */
export function job<T extends TProperties>(
  kind: string,
  band: Band,
  args: T,
  settings: Partial<JobSettings> = {},
): JobKind<TObject<T>, false> {
  return {
    ...defaultSettings,
    ...settings,
    kind,
    band,
    ofProject: false,
    args: Type.Object(args, { additionalProperties: false }),
  }
}

/** The same for a kind whose jobs belong to a project each. */
export function projectJob<T extends TProperties>(
  kind: string,
  band: Band,
  args: T,
  settings: Partial<JobSettings> = {},
): JobKind<TObject<T>, true> {
  return { ...job(kind, band, args, settings), ofProject: true }
}

/** System chores, which the next tick of their schedule repeats anyway. */
export const chore = { maxAttempts: 3, backoffMs: [5 * second, 30 * second] } as const

/** A UUID as an argument. */
export const idArgument = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' })
