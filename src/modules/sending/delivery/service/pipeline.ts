// How every email is sent, from due to settled. The order of the steps is the policy, and it is written here and nowhere else.
import type { Context } from '../../../../platform/context'
import type { Batch, BatchStep, Delivery, EmailStep, Make, Places, Release, Result } from './step'
import { hasLeft } from './step'
import { makeApprove } from './steps/approve'
import { makeCompose } from './steps/compose'
import { makeExpire } from './steps/expire'
import { makeHandOver } from './steps/hand-over'
import { makeHold } from './steps/hold'
import { makeLoad } from './steps/load'
import { makePace } from './steps/pace'
import { makeReceiver } from './steps/receiver'
import { makeSlot } from './steps/slot'
import { makeTransports } from './steps/transports'
import { makeBatchWarmUp, makeWarmUp } from './steps/warm-up'
import { makeWithhold } from './steps/withhold'

type Step = { name: string } & ({ ofBatch: Make<BatchStep> } | { ofEmail: Make<EmailStep> })

/**
 * Steps before `load` reserve places for a whole batch, so that the rows of emails that have to wait stay untouched. From `load` on, each
 * email passes the steps by itself. Whatever stops it, reservations are released in reverse order; the last release is that of `load`,
 * which writes the outcome.
 */
export const steps: readonly Step[] = [
  { name: 'transports', ofBatch: makeTransports },
  { name: 'warm-up of the batch', ofBatch: makeBatchWarmUp },
  { name: 'pace', ofBatch: makePace },
  { name: 'load', ofEmail: makeLoad },
  { name: 'withhold', ofEmail: makeWithhold },
  { name: 'expire', ofEmail: makeExpire },
  { name: 'warm-up', ofEmail: makeWarmUp },
  { name: 'hold', ofEmail: makeHold },
  { name: 'slot', ofEmail: makeSlot },
  { name: 'approve', ofEmail: makeApprove },
  { name: 'receiver', ofEmail: makeReceiver },
  { name: 'compose', ofEmail: makeCompose },
  { name: 'hand over', ofEmail: makeHandOver },
]

export interface Pipeline {
  /** The results of the emails that were taken, or when to come back if none may be sent now. */
  deliver(batch: Batch): Promise<Result[] | Date>
}

/** One for each process: emails that are sent at the same moment share statements. */
export function makePipeline(ctx: Context): Pipeline {
  const ofBatch = steps.flatMap(step => ('ofBatch' in step ? step.ofBatch(ctx) : []))
  const ofEmail = steps.flatMap(step => ('ofEmail' in step ? step.ofEmail(ctx) : []))
  return {
    async deliver(batch) {
      const places = await reserve(ofBatch, batch)
      if (places instanceof Date) return places
      let left = 0
      const send = async (delivery: Delivery): Promise<Result> => {
        const result = await pass(ofEmail, delivery, batch)
        if (hasLeft(result)) left++
        return result
      }
      try {
        return await all((await batch.take(places.count)).map(send))
      } finally {
        await places.keep(left)
      }
    },
  }
}

interface Reserved {
  count: number
  /** Releases all places but so many. */
  keep(count: number): Promise<void>
}

/** As many as all steps grant, or when to come back if that is none. */
async function reserve(asked: readonly BatchStep[], batch: Batch): Promise<Reserved | Date> {
  const reserved: Places[] = []
  const keep = async (count: number): Promise<void> => {
    for (const places of reserved.toReversed()) {
      if (places.granted <= count) continue
      await places.release?.(places.granted - count)
      places.granted = count
    }
  }
  let { count } = batch
  try {
    for (const ask of asked) {
      const places = await ask(batch, count)
      if (!places) continue
      reserved.push(places)
      count = Math.min(count, places.granted)
      if (count > 0) continue
      await keep(0)
      return places.nextAt
    }
    // What a later step does not grant is free for the next batch while this one is on its way.
    await keep(count)
  } catch (error) {
    await keep(0)
    throw error
  }
  return { count, keep }
}

/** Through all steps or up to the one that stops it, and back. */
async function pass(asked: readonly EmailStep[], delivery: Delivery, batch: Batch): Promise<Result> {
  const releases: Release[] = []
  let result: Result | undefined
  try {
    for (const ask of asked) {
      const decision = await ask(delivery, batch)
      if (typeof decision === 'function') releases.push(decision)
      else if (decision) {
        result = decision
        break
      }
    }
  } finally {
    for (const release of releases.toReversed()) result = (await release(result)) ?? result
  }
  return result!
}

/** All come to an end before an error is thrown, so that nothing is on its way when the job is over. */
async function all<T>(sends: ReadonlyArray<Promise<T>>): Promise<T[]> {
  const ended = await Promise.allSettled(sends)
  return ended.map(each => {
    if (each.status === 'rejected') throw each.reason
    return each.value
  })
}
