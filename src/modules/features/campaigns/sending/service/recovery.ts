// A campaign stops automatically while the transport fails for everybody, and continues automatically once a single message has got
// through. A person may resume it sooner, or hold it for good.
import { after, second } from '../../../../../lib/time'
import { type Context, inTransaction } from '../../../../../platform/context'
import { isCancelled, isConnectionFault } from '../../../../../platform/db/errors'
import { systemActor } from '../../../../accounts/projects'
import { changeCampaign } from '../../queries'
import { noteCampaign } from '../../service'
import { type DueProbe, selectDueProbes } from '../queries/probes'
import type { Slice } from '../queries/slices'
import { enqueueSlices, goOn, recordPause } from './control'

const firstProbeMs = 5 * second

/** Because sending is futile. Nothing happens where it is paused or over already. */
export async function pauseForFault(
  ctx: Context,
  { projectId, campaignId }: Slice,
  pausedReason: string,
): Promise<void> {
  await interrupt(ctx, { projectId, campaignId }, pausedReason, after(ctx.clock.now(), firstProbeMs))
}

/** Because billing allows no more mail. Only a person knows when that has changed. */
export async function pauseUntilResumed(
  ctx: Context,
  ids: Pick<Slice, 'projectId' | 'campaignId'>,
  pausedReason: string,
): Promise<void> {
  await interrupt(ctx, ids, pausedReason, null)
}

/** What people are told about an internal error: what to do, and nothing about our internals. */
export function whyNotStarted(error: unknown): string {
  return isCancelled(error)
    ? 'Its audience could not be worked out in time. Resume it to try again, or cancel it and choose a simpler audience.'
    : 'It could not be started because of an unexpected error, which is in the log of the server. Resume it to try again.'
}

async function interrupt(
  ctx: Context,
  { projectId, campaignId }: Pick<Slice, 'projectId' | 'campaignId'>,
  pausedReason: string,
  probeAt: Date | null,
): Promise<void> {
  const changes = { pausedAt: ctx.clock.now(), pausedReason, probeAt, probes: 0 }
  const paused = await inTransaction(ctx, async tx => {
    const row = await changeCampaign(tx, { projectId, id: campaignId }, 'interrupt', changes)
    if (!row) return undefined
    await noteCampaign(tx, systemActor, 'campaign.paused', row, { reason: pausedReason })
    await recordPause(tx, row, { response: pausedReason, nextTryAt: probeAt })
    return row
  })
  if (paused) ctx.log.warn({ campaign: campaignId, reason: pausedReason }, 'a campaign was paused')
}

/** The transport works again. Nothing happens where a person has paused or resumed it meanwhile. */
export async function recover(
  ctx: Context,
  { projectId, campaignId }: Pick<Slice, 'projectId' | 'campaignId'>,
): Promise<void> {
  const row = await inTransaction(ctx, async tx => {
    const resumed = await goOn(tx, { projectId, id: campaignId }, 'recover')
    if (resumed) await noteCampaign(tx, systemActor, 'campaign.resumed', resumed)
    return resumed
  })
  if (row) ctx.log.info({ campaign: campaignId }, 'a campaign goes on: its mail leaves again')
}

/** Lets a slice of each campaign that is due try a message; the attempt is claimed before it is made. */
export async function startDueProbes(ctx: Context): Promise<void> {
  for (const probe of await selectDueProbes(ctx)) {
    try {
      await startProbe(ctx, probe)
    } catch (error) {
      // One that fails stays paused, and the next one looks at it again; it holds up no other.
      if (isConnectionFault(error)) throw error
      ctx.log.error({ campaign: probe.campaignId, error: String(error) }, 'a campaign could not be tried')
    }
  }
}

async function startProbe(ctx: Context, { projectId, campaignId, sliceId }: DueProbe): Promise<void> {
  // There is nobody to try with: resuming finishes it, or records the others.
  if (sliceId === null) await recover(ctx, { projectId, campaignId })
  else await enqueueSlices(ctx, [{ id: sliceId, projectId }])
}
