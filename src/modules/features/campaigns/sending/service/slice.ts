// Sends one slice of a campaign: takes its recipients in batches, and has each go through the steps of delivery.
// Runs until no recipient of the slice is open, or comes back when the next one is due.
import { batcher } from '../../../../../lib/batcher'
import { makeCpuThrottle } from '../../../../../lib/cpu-throttle'
import { semaphore, slots } from '../../../../../lib/semaphore'
import { after, minute, second } from '../../../../../lib/time'
import { createTemplateCache } from '../../../../../liquid/cache'
import { makePieceEncoder } from '../../../../../mail/mime/chunks'
import type { Context } from '../../../../../platform/context'
import type { JobRun } from '../../../../../platform/jobs/kind'
import { Snooze } from '../../../../../platform/jobs/outcome'
import { slotsBeside } from '../../../../../platform/requests'
import { makePipeline, type Pipeline } from '../../../../sending/delivery'
import {
  type EmailSettlement,
  makeKeyRing,
  settleBatch,
  type TakenRecipient,
  type Taking,
  takeRecipients,
} from '../../../../sending/emails'
import { variantsOfSlice } from '../../authoring/service/variants'
import { claimProbe } from '../queries/probes'
import { mayLeave, type SliceFacts, selectSlice } from '../queries/slices'
import { planOthers } from './ab-decision'
import { conclude, finishAfterDeath } from './conclude'
import { type CampaignSource, makeCampaignSource, type SendTools } from './recipient'
import { pauseForFault, recover } from './recovery'
import { makeWatch } from './watch'

/** All limits are halved while requests keep the instance busy: with three batches `/v1/send` took three times as long. */
const batchSize = 100
/** Batches of all campaigns that are taken at once: whoever is taken and waits is SENDING, and after a crash its attempt would count as lost. */
const maxBatches = 3
/**
 * Messages of all campaigns that are on their way at once: enough to keep a relay and the threads that sign busy (24 leave those idle in
 * between), few enough for a password mail to get in.
 */
const maxInFlight = 48
/** Outcomes are written when there are this many, or a moment after the last ones: a transaction has a cost of its own. */
const settling = { size: 80, delayMs: 50 }

export interface SliceSending {
  sendSlice(sliceId: string, run: Pick<JobRun, 'signal'>): Promise<void>
}

/** One for each process: slices share its connections, its templates and its transactions. */
export function makeSliceSending(ctx: Context): SliceSending {
  const resources: SendResources = {
    pipeline: makePipeline(ctx),
    batchTurn: semaphore(() => slotsBeside(ctx, maxBatches)),
    tools: {
      cache: createTemplateCache(),
      encoder: makePieceEncoder(),
      keys: makeKeyRing(ctx),
      throttle: makeCpuThrottle(20, ctx.requests.isBusy),
      enter: slots(() => slotsBeside(ctx, maxInFlight)),
      settle: batcher<EmailSettlement, boolean>(batch => settleBatch(ctx, batch), settling),
    },
  }
  return { sendSlice: (sliceId, run) => sendSlice(ctx, resources, sliceId, run) }
}

/** What all slices of a process share. */
interface SendResources {
  pipeline: Pipeline
  /** Holds back batches while enough are taken. */
  batchTurn: <T>(work: () => Promise<T>) => Promise<T>
  tools: SendTools
}

async function sendSlice(
  ctx: Context,
  resources: SendResources,
  sliceId: string,
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  const slice = await selectSlice(ctx, sliceId)
  if (!slice) return await finishAfterDeath(ctx, sliceId)
  if (slice.isPaused) return await probe(ctx, { resources, slice, signal })
  if (slice.status === 'SENDING') {
    await planOthers(ctx, slice)
    const source = makeCampaignSource(ctx, resources.tools, slice, await variantsOfSlice(ctx, slice))
    const waitUntil = await sendAll(ctx, { resources, slice, signal }, source)
    if (source.fault() !== undefined) await pauseForFault(ctx, slice, source.fault()!)
    if (signal.aborted) throw new Snooze(0)
    // Whoever comes back soon will see then whether anything is left.
    if (waitUntil && waitUntil < after(ctx.clock.now(), minute)) throw new Snooze(waitUntil)
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

/** So many recipients in a row whose transport or receiver is at its pace: the next probe is soon enough. */
const maxHeldProbes = 20

interface SliceRun {
  resources: SendResources
  slice: SliceFacts
  signal: AbortSignal
}

/**
 * Where the transport paused the campaign and an attempt is due: sends to one recipient, and has the campaign go on where that got an
 * answer. Those who may not be written to any more are skipped.
 */
async function probe(ctx: Context, run: SliceRun): Promise<void> {
  const { resources, slice } = run
  if (!(await claimProbe(ctx, slice.projectId, slice.campaignId))) return
  await planOthers(ctx, slice)
  const source = makeCampaignSource(ctx, resources.tools, slice, await variantsOfSlice(ctx, slice), 1)
  const waitUntil = await sendBatches(ctx, run, source, {
    inTurn: semaphore(1),
    size: () => 1,
    taking: { isProbe: true, keepsMoments: slice.timing !== null },
    isDone: () => source.tried() > 0 || source.held() >= maxHeldProbes,
    isStopped: async () => false,
  })
  if (source.tried() > 0) return source.fault() === undefined ? await recover(ctx, slice) : undefined
  if (run.signal.aborted) throw new Snooze(0)
  if (!waitUntil && source.held() < maxHeldProbes) await conclude(ctx, slice.id)
}

/** Returns when to come back where the pace or the time is used up. */
async function sendAll(ctx: Context, run: SliceRun, source: CampaignSource): Promise<Date | undefined> {
  const isDone = (): boolean => run.signal.aborted || source.fault() !== undefined
  const watch = makeWatch(ctx, run.slice)
  return await sendBatches(ctx, run, source, {
    inTurn: run.resources.batchTurn,
    size: () => slotsBeside(ctx, batchSize),
    isDone,
    isStopped: async () => isDone() || !(await watch()),
  })
}

interface Batches {
  inTurn: SendResources['batchTurn']
  size(): number
  taking?: Omit<Taking, 'limit'>
  /** No other batch is wanted. */
  isDone(): boolean
  /** Those of a batch who wait for their turn go back. */
  isStopped(): Promise<boolean>
}

/**
 * Batch after batch, each in its turn: the next ones are taken while the first is on its way. Returns when to come back where the
 * pace or the time is used up.
 */
async function sendBatches(
  ctx: Context,
  { resources, slice, signal }: SliceRun,
  source: CampaignSource,
  { inTurn, size, taking, isDone, isStopped }: Batches,
): Promise<Date | undefined> {
  const end = after(ctx.clock.now(), maxRunMs)
  const underway: Promise<void>[] = []
  let position = slice.after
  const sendNext = async (onTaken: (taken: TakenRecipient[] | Date) => void): Promise<void> => {
    if (signal.aborted || isDone()) return onTaken([])
    const take = async (limit: number): Promise<TakenRecipient[]> => {
      const next = await takeNextOf(ctx, slice, position, { ...taking, limit })
      onTaken(next)
      return next
    }
    const sent = await resources.pipeline.deliver(source.batch({ count: size(), signal, take, isStopped }))
    // Slices further back return later, or a thousand of them would wake up for each message that may leave.
    if (sent instanceof Date) onTaken(after(sent, Math.min(slice.before, 600) * second))
  }
  try {
    while (ctx.clock.now() <= end) {
      const taken = await new Promise<TakenRecipient[] | Date>((resolve, reject) => {
        const turn = inTurn(() => sendNext(resolve))
        turn.catch(reject)
        underway.push(turn)
      })
      if (!Array.isArray(taken)) return taken
      if (taken.length === 0) return undefined
      position = taken.at(-1)!.contactId
    }
    return end
  } finally {
    await endAll(underway)
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

/** All of them come to an end before an error is thrown, so that nothing is on its way when the job is over. */
async function endAll(batches: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(batches)
  const failed = results.find(result => result.status === 'rejected')
  if (failed) throw failed.reason
}
