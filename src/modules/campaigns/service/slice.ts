// Sends one slice of a campaign: takes its recipients in batches, checks each once more at this moment, and settles them together.
// Runs until no recipient of the slice is open, or comes back when the next one is due.

import { batcher } from '../../../lib/batcher'
import { makeBreather } from '../../../lib/breather'
import { semaphore } from '../../../lib/semaphore'
import { after as later, minute, second } from '../../../lib/time'
import { createTemplateCache } from '../../../liquid/cache'
import { makePieceEncoder } from '../../../mime/chunks'
import { type Context, inTransaction } from '../../../platform/context'
import type { JobRun } from '../../../platform/jobs/handlers'
import { Snooze } from '../../../platform/jobs/outcome'
import {
  type EmailSettlement,
  failOpenRecipients,
  makeKeyRing,
  makeMailHold,
  settleBatch,
  type TakenRecipient,
  type Taking,
  takeRecipients,
} from '../../emails'
import {
  appendCounts,
  claimProbe,
  finishCampaign,
  isCampaignSending,
  lockSlice,
  markSliceDone,
  markSliceTested,
  mayLeave,
  type Slice,
  type SliceFacts,
  type SliceRest,
  selectRest,
  selectSlice,
  selectSliceOwner,
  startTestClock,
} from '../queries'
import { planOthers } from './ab-decision'
import { type Allot, makeAllotments } from './allotment'
import { type CampaignSender, type Machinery, makeCampaignSender } from './recipient'
import { pauseForFault, recover } from './recovery'
import { variantsOfSlice } from './variants'

const batchSize = 100
/** Batches of all campaigns that are taken at once: whoever is taken and waits is SENDING, and after a crash its attempt would count as lost. */
const maxBatches = 3
/**
 * While requests come often, one smaller batch at a time: the statements of three took the processors that those of requests waited for, and
 * `/v1/send` took three times as long.
 */
const besideRequests = { batches: 1, size: 50, inFlight: 24 }
/**
 * Messages of all campaigns that are on their way at once: enough to keep a relay and the threads that sign busy (24 leave those idle in
 * between), few enough for a password mail to get in.
 */
const maxInFlight = 48
/** Outcomes are written when there are this many, or a moment after the last ones: a transaction has a price of its own. */
const settleCrowd = 80

export interface SliceSending {
  sendSlice(sliceId: string, run: Pick<JobRun, 'signal'>): Promise<void>
}

/** One for each process: slices share its connections, its templates and its transactions. */
export function makeSliceSending(ctx: Context): SliceSending {
  const machinery: Machinery = {
    cache: createTemplateCache(),
    encoder: makePieceEncoder(),
    keys: makeKeyRing(ctx),
    breathe: makeBreather(20, ctx.requests.comeOften),
    turns: semaphore(() => (ctx.requests.comeOften() ? besideRequests.batches : maxBatches)),
    lane: semaphore(() => (ctx.requests.comeOften() ? besideRequests.inFlight : maxInFlight)),
    hold: makeMailHold(ctx),
    settle: batcher<EmailSettlement, boolean>(batch => settleBatch(ctx, batch), {
      maxItems: 250,
      slots: 2,
      crowd: settleCrowd,
      staysFresh: true,
    }),
  }
  const allot = makeAllotments(ctx)
  return { sendSlice: (sliceId, run) => sendSlice(ctx, machinery, allot, sliceId, run) }
}

async function sendSlice(
  ctx: Context,
  machinery: Machinery,
  allot: Allot,
  sliceId: string,
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  const slice = await selectSlice(ctx, sliceId)
  if (!slice) return await finishAfterDeath(ctx, sliceId)
  if (slice.isPaused) return await probe(ctx, { allot, machinery, slice, signal })
  if (slice.status === 'SENDING') {
    await planOthers(ctx, slice)
    const sender = makeCampaignSender(ctx, machinery, slice, await variantsOfSlice(ctx, slice))
    const waitUntil = await sendBatches(ctx, { allot, machinery, slice, sender, signal })
    if (sender.fault() !== undefined) await pauseForFault(ctx, slice, sender.fault()!)
    if (signal.aborted) throw new Snooze(0)
    // Whoever comes back soon will see then whether anything is left.
    if (waitUntil && waitUntil < later(ctx.clock.now(), minute)) throw new Snooze(waitUntil)
    return await conclude(ctx, sliceId, waitUntil)
  }
  await conclude(ctx, sliceId)
}

/**
 * So long a run takes recipients; then the slice goes back, so that it may go on in a process that has less to do, and other campaigns have
 * their turns, however slow the relay is. And it ends long before the time of its job is over: a run that is cut off leaves messages on
 * their way, and the next one would take those for lost and send them again.
 */
const maxRunMs = 2 * second

/** So many recipients in a row whose way or receiver is at its pace: the next probe is soon enough. */
const maxHeldProbes = 20

interface SliceRun {
  allot: Allot
  machinery: Machinery
  slice: SliceFacts
  sender: CampaignSender
  signal: AbortSignal
}

/**
 * Where the transport paused the campaign and an attempt is due: sends to one recipient, and has the campaign go on where that got an
 * answer. Those who may not be written to any more are skipped.
 */
async function probe(
  ctx: Context,
  { allot, machinery, slice, signal }: Omit<SliceRun, 'sender'>,
): Promise<void> {
  if (!(await claimProbe(ctx, slice.projectId, slice.campaignId))) return
  await planOthers(ctx, slice)
  const sender = makeCampaignSender(ctx, machinery, slice, await variantsOfSlice(ctx, slice), 1)
  for (let after = slice.after; sender.tried() === 0; ) {
    if (signal.aborted) throw new Snooze(0)
    const { granted, settle } = await allot(slice, 1)
    if (granted === 0) return
    const [recipient] = await takeNextOf(ctx, slice, after, {
      limit: 1,
      isProbe: true,
      keepsMoments: slice.timing !== null,
    })
    await settle(recipient && (await sender.send(recipient, async () => false)) ? 1 : 0)
    if (!recipient) return await conclude(ctx, slice.id)
    if (sender.held() >= maxHeldProbes) return
    after = recipient.contactId
  }
  if (sender.fault() === undefined) await recover(ctx, slice)
}

/**
 * Batch after batch, each in its turn: the next ones are taken while the first is on its way. Returns when to come back where the
 * pace or the time is used up.
 */
async function sendBatches(
  ctx: Context,
  { allot, machinery, slice, sender, signal }: SliceRun,
): Promise<Date | undefined> {
  const end = later(ctx.clock.now(), maxRunMs)
  const underway: Promise<void>[] = []
  const watch = makeWatch(ctx, slice)
  const isStopped = async (): Promise<boolean> =>
    signal.aborted || sender.fault() !== undefined || !(await watch())
  let after = slice.after
  try {
    while (!signal.aborted && sender.fault() === undefined) {
      if (ctx.clock.now() > end) return end
      const taken = await new Promise<TakenRecipient[] | Date>((resolve, reject) => {
        const turn = machinery.turns(async () => {
          const { granted, nextAt, settle } = await allot(
            slice,
            ctx.requests.comeOften() ? besideRequests.size : batchSize,
          )
          // Slices further back return later, or a thousand of them would wake up for each message that may leave.
          if (granted === 0) return resolve(later(nextAt, Math.min(slice.before, 600) * second))
          let left = 0
          const send = async (recipient: TakenRecipient): Promise<void> => {
            if (await sender.send(recipient, isStopped)) left++
          }
          try {
            const next = await takeNextOf(ctx, slice, after, { limit: granted })
            resolve(next)
            await sendAll(next.map(send))
          } finally {
            await settle(left)
          }
        })
        turn.catch(reject)
        underway.push(turn)
      })
      if (!Array.isArray(taken)) return taken
      if (taken.length === 0) return undefined
      after = taken.at(-1)!.contactId
    }
    return undefined
  } finally {
    await sendAll(underway)
  }
}

/** The next recipients after `after`; none once the campaign is no longer sending. */
async function takeNextOf(
  ctx: Context,
  slice: SliceFacts,
  after: string,
  taking: Taking,
): Promise<TakenRecipient[]> {
  return await takeRecipients(ctx, { ...slice, after }, mayLeave(ctx, slice, taking.isProbe ?? false), {
    ...taking,
    topicId: slice.topicId,
  })
}

/** Messages between two checks of the campaign: a batch that was taken may wait long for a slow relay. */
const watchEvery = 20

/** Returns whether the campaign is still sending, as of a few messages ago. */
function makeWatch(ctx: Context, { projectId, campaignId }: SliceFacts): () => Promise<boolean> {
  let asked = 0
  let latest = Promise.resolve(true)
  return () => {
    if (++asked % watchEvery === 0) latest = isCampaignSending(ctx, projectId, campaignId)
    return latest
  }
}

/** All of them come to an end before an error is thrown, so that nothing is on its way when the job is over. */
async function sendAll(sends: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(sends)
  const failed = results.find(result => result.status === 'rejected')
  if (failed) throw failed.reason
}

/** Looks at what is left of the slice, and of the campaign; what is left has to wait until `notBefore`. */
async function conclude(ctx: Context, sliceId: string, notBefore?: Date): Promise<void> {
  const slice = await selectSlice(ctx, sliceId)
  if (!slice) return await finishAfterDeath(ctx, sliceId)
  if (slice.status === 'CANCELLED') return failRestOfSlice(ctx, slice, ['PENDING', 'SENDING'])
  const seen = await selectRest(ctx, slice)
  if (seen.untried === 0) await noteTested(ctx, slice)
  const { open, waiting, nextAttemptAt } = seen.open > 0 ? seen : await markDoneIfEnded(ctx, slice)
  if (open > 0) {
    // A paused one is queued again when it is resumed, and those who wait for the winner of an A/B test when there is one.
    if (slice.isPaused || open === waiting) return
    throw new Snooze(notBefore ?? nextAttemptAt ?? second)
  }
  await finishCampaign(ctx, slice.projectId, slice.campaignId)
}

/** What is left of the slice; where that is nothing, it is done. */
async function markDoneIfEnded(
  ctx: Context,
  slice: Slice & Partial<Pick<SliceFacts, 'abTest'>>,
): Promise<SliceRest> {
  return await inTransaction(ctx, async tx => {
    await lockSlice(tx, slice.id)
    const rest = await selectRest(tx, slice)
    if (rest.open === 0) await markSliceDone(tx, slice.id)
    return rest
  })
}

/**
 * A process may have died, or lost its lease, after marking the slice as done and before looking at the campaign. The two are not one transaction: of two slices
 * that end at the same moment, neither would see that the other one has.
 */
async function finishAfterDeath(ctx: Context, sliceId: string): Promise<void> {
  const owner = await selectSliceOwner(ctx, sliceId)
  if (owner) await finishCampaign(ctx, owner.projectId, owner.campaignId)
}

/** The hours of an A/B test begin when the last slice has nobody left to try a variant on. */
async function noteTested(ctx: Context, slice: SliceFacts): Promise<void> {
  if (slice.abTest?.winner !== null) return
  if (!slice.isTested) await markSliceTested(ctx, slice.id)
  await startTestClock(ctx, slice)
}

export const cancelledReason = 'campaign cancelled'

/** What is still open will not be sent. Rows that are on their way are left to the job that sends them, unless `left` has them. */
export async function failRestOfSlice(
  ctx: Context,
  slice: Slice,
  left: ReadonlyArray<'PENDING' | 'SENDING'>,
  reason = cancelledReason,
): Promise<void> {
  await inTransaction(ctx, async tx => {
    const { closed, held } = await failOpenRecipients(tx, slice, left, reason)
    const { projectId, campaignId } = slice
    await appendCounts(tx, [{ projectId, campaignId, failed: closed, settled: closed, held: -held }])
    await markDoneIfEnded(tx, slice)
  })
}
