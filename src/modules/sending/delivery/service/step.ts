// What the steps of the pipeline work on, and what they return.
import type { Context } from '../../../../platform/context'
import type { OutgoingMessage } from '../../../../platform/transports/hand-over'
import { type DeliveryOutcome, waiting } from '../../../../platform/transports/outcome'
import type { turnReasons } from '../../../../platform/transports/reason'
import type { DeliveryFacts, DueEmail, EmailSettlement, StoredCopy } from '../../emails'
import type { HoldRules } from '../hold'
import type { PaceClass } from './pace'

/**
 * Emails that are taken together from one source: a single email and its job, copies of an email, or recipients of a campaign. Sources
 * differ in how they take and write rows and how they render, and in nothing else.
 */
export interface Batch {
  projectId: string
  paceClass: PaceClass
  /** Of the run that sends them. Once it aborts, another run may take them, and none is handed over any more. */
  signal: AbortSignal
  /** The sender of all of them, if it's known before they are taken. */
  fromEmail?: string
  /** How many are wanted. */
  count: number
  /** Takes up to `count` of them: PENDING becomes SENDING. */
  take(count: number): Promise<Delivery[]>
  /**
   * Takes one of the places for emails of the source that are in flight, and returns what frees it. That is told the result, before the next
   * email has the place: `undefined` after an error.
   */
  enter?(): Promise<(result: Result | undefined) => void>
  /** Last check of the source, once the email has its place: whether it may still be sent. */
  approve?(delivery: Delivery): Promise<StepOutcome>
  /** Sets `message`, or returns the outcome if the email can't be rendered. */
  compose(delivery: Delivery): Promise<DeliveryOutcome | undefined>
  /** Writes the outcome; returns whether this attempt settled the email. */
  settle(settlement: EmailSettlement): Promise<boolean>
}

/** One email on its way out. */
export interface Delivery {
  email: DueEmail
  /** What was known about it when it was taken. */
  facts: DeliveryFacts
  /** When it was taken for its first attempt. */
  since: Date
  /** This is the last run of its job, and an earlier attempt never ended. */
  isLost?: boolean
  /** Null if nothing can hold it. */
  rules: HoldRules | null
  /** Further recipients of the same bytes. */
  copies?: StoredCopy[]
  /** Makes what is handed over; set by `compose`. */
  message?: () => Promise<OutgoingMessage>
  /** Added to its settlement by its source. */
  extra?: Partial<EmailSettlement>
}

/** Outcome of a delivery. Without tries no receiver has seen the email, and no attempt is counted. */
export interface Result extends Omit<EmailSettlement, 'email'> {
  /** False if another attempt has taken the email since. */
  isSettled?: boolean
}

/**
 * Releases what its step reserved, and may return the result with more in it. `result` is undefined if an error stopped the email before
 * it was handed over.
 */
export type Release = (result: Result | undefined) => Result | undefined | Promise<Result | undefined>

/** A release, or undefined where nothing was reserved: the next step follows. A result: the email ends here. */
export type StepOutcome = Result | Release | undefined

/** A step for each email. */
export type EmailStep = (delivery: Delivery, batch: Batch) => StepOutcome | Promise<StepOutcome>

/** How many emails of a batch may be taken now. */
export interface Places {
  granted: number
  /** When to ask again, if none may. */
  nextAt: Date
  /** Releases so many of them. */
  release?(count: number): Promise<void>
}

/** A step for a whole batch, before its rows are taken. Undefined: no limit applies. */
export type BatchStep = (batch: Batch, count: number) => Promise<Places | undefined>

export type Make<S> = (ctx: Context) => S

/** It ends without an attempt. */
export function untried(outcome: DeliveryOutcome): Result {
  return { outcome, tries: [] }
}

/** It waits for its turn as if it had not been taken. */
export function later(reason: (typeof turnReasons)[number], until: Date): Result {
  return untried(waiting(reason, until))
}

/** True if it was accepted or rejected: that uses up its place among those that may be sent. What was deferred is tried again. */
export function hasLeft(result: Pick<Result, 'tries'> | undefined): boolean {
  const last = result?.tries.at(-1)
  return last !== undefined && last.result.outcome !== 'deferred'
}
