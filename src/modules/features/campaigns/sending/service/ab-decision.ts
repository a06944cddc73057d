// The end of an A/B test: its figures, the one decision, and the way on for the others. The decision, what the log says of it and the jobs of
// the others are one transaction.
import { conflict, notFound } from '../../../../../lib/errors'
import { type Context, inTransaction } from '../../../../../platform/context'
import { isConnectionFault } from '../../../../../platform/db/errors'
import { perInstance } from '../../../../../platform/per-context'
import { type ProjectActor, systemActor } from '../../../../accounts/projects'
import { type JudgedVariant, judged, type VariantName, variantNames, winnerOf } from '../../authoring/ab-test'
import {
  type AbDecision,
  claimPlanning,
  recordJudgement,
  restartTestClock,
  type StoredAbTest,
  selectAbTest,
  selectDueTests,
  selectVariants,
} from '../../authoring/queries/ab-tests'
import { inWordsOf, noVariant } from '../../authoring/service/variants'
import type { Moments } from '../../authoring/timing'
import { type CampaignRow, changeCampaign, lockCampaign } from '../../queries'
import { selectCampaignCounts } from '../../results/queries/counts'
import { campaignNotFound, noteCampaign, requireCampaign } from '../../service'
import { requireAllowed } from '../../state'
import { planRest } from '../queries/moments'
import { type SliceFacts, selectOpenSlices } from '../queries/slices'
import { enqueueSlices } from './control'
import { momentsFor } from './moments'

export interface AbResults {
  campaign: CampaignRow
  test: StoredAbTest
  /** As they were when the test was judged; until then, as they are now. */
  variants: JudgedVariant[]
}

/** 404 for a campaign without a test. */
export async function abResults(ctx: Context, projectId: string, id: string): Promise<AbResults> {
  const campaign = await requireCampaign(ctx, projectId, id)
  const test = await requireTest(ctx, projectId, id)
  return { campaign, test, variants: test.figures ?? (await figuresOf(ctx, test)) }
}

async function requireTest(ctx: Context, projectId: string, id: string): Promise<StoredAbTest> {
  const test = await selectAbTest(ctx, projectId, id)
  if (!test) throw notFound('A/B test of campaign', id)
  return test
}

async function figuresOf(
  ctx: Context,
  { projectId, metric, variants }: StoredAbTest,
): Promise<JudgedVariant[]> {
  const ids = variants.map(({ id }) => id)
  const counts = await selectCampaignCounts(ctx, projectId, ids)
  const figures = ids.map(id => counts.get(id)!)
  return judged(
    metric,
    figures.map(({ sent, opened, clicked, unsubscribed }) => ({ sent, opened, clicked, unsubscribed })),
  )
}

/** A person can choose until there is a winner; 409 after that, and where nothing is being sent. */
export async function chooseWinner(
  ctx: Context,
  { projectId, by }: ProjectActor,
  id: string,
  name: VariantName,
): Promise<AbResults> {
  await inTransaction(ctx, async tx => {
    const row = await lockCampaign(tx, projectId, id)
    if (!row) throw campaignNotFound(id)
    const test = await requireTest(tx, projectId, id)
    const winner = variantNames.indexOf(name)
    if (winner >= test.variants.length) throw noVariant(name)
    requireAllowed('decide', row)
    const isFirst = await decide(tx, by, row, test, await figuresOf(tx, test), { winner, by: 'PERSON' })
    if (!isFirst) throw conflict('The A/B test of the campaign already has a winner')
  })
  return await abResults(ctx, projectId, id)
}

/** Judges the tests whose hours are over, each in a transaction of its own; one that fails holds up no other. */
export async function judgeDueTests(ctx: Context): Promise<void> {
  for (const { projectId, campaignId } of await selectDueTests(ctx)) {
    try {
      await inTransaction(ctx, tx => judge(tx, projectId, campaignId))
    } catch (error) {
      if (isConnectionFault(error)) throw error
      ctx.log.error({ campaign: campaignId, error: String(error) }, 'an A/B test could not be judged')
    }
  }
}

async function judge(tx: Context, projectId: string, campaignId: string): Promise<void> {
  const row = await lockCampaign(tx, projectId, campaignId)
  const test = row && (await selectAbTest(tx, projectId, campaignId))
  if (!test || test.judgedAt || row.status === 'CANCELLED') return
  const { settled } = (await selectCampaignCounts(tx, projectId, [campaignId])).get(campaignId)!
  // The transport may have failed for all of these hours, which says nothing of the variants.
  if (settled === 0 && (await restartTestClock(tx, test))) return
  const figures = await figuresOf(tx, test)
  const winner = winnerOf(figures, test.confidence)
  await decide(tx, systemActor, row, test, figures, whatFollows(winner, test))
}

/** Without a winner, what the author chose for that case; undefined leaves it to a person. */
function whatFollows(winner: number | undefined, { otherwise }: StoredAbTest): AbDecision | undefined {
  if (winner !== undefined) return { winner, by: 'TEST' }
  return otherwise === 'A' ? { winner: 0, by: 'FALLBACK' } : undefined
}

/** False if somebody else was quicker. */
async function decide(
  tx: Context,
  by: string,
  row: CampaignRow,
  test: StoredAbTest,
  figures: JudgedVariant[],
  decision: AbDecision | undefined,
): Promise<boolean> {
  const { projectId, campaignId } = test
  if (!(await recordJudgement(tx, test, figures, decision))) return false
  if (!decision) {
    await noteCampaign(tx, by, 'campaign.undecided', row)
    return true
  }
  const { winner } = decision
  const probability = figures[winner]!.probability
  await noteCampaign(tx, by, 'campaign.decided', row, {
    winner: variantNames[winner]!,
    decidedBy: decision.by,
    probability,
  })
  const { settled } = (await selectCampaignCounts(tx, projectId, [campaignId])).get(campaignId)!
  // From now on its speed is measured by the others: during the hours of the test nothing was sent.
  await changeCampaign(tx, row, 'decide', { measuredFrom: tx.clock.now(), measuredBase: settled })
  await enqueueSlices(tx, await selectOpenSlices(tx, projectId, campaignId))
  return true
}

/** Once for each slice, after the decision: what the others get, and when. Until then their rows were those of A, due at the start. */
export async function planOthers(ctx: Context, slice: SliceFacts): Promise<void> {
  const { abTest, decidedAt, isPlanned } = slice
  if (!abTest || !decidedAt || isPlanned) return
  const moments = await momentsOfOthers(ctx, slice, decidedAt)
  const [winner] = (await selectVariants(ctx, slice.projectId, slice.campaignId)).slice(abTest.winner!)
  const { subject, fromName } = inWordsOf(slice, winner!)
  const mail = { subject, fromName: fromName || slice.projectName }
  await inTransaction(ctx, async tx => {
    if (await claimPlanning(tx, slice.id)) await planRest(tx, slice, abTest, mail, moments)
  })
}

/** The clocks of all time zones take some ten milliseconds, and a campaign has a slice for each thousand of its recipients. */
const knownMoments = perInstance(() => new Map<string, Promise<Moments | undefined>>())
const maxKnown = 20

async function momentsOfOthers(
  ctx: Context,
  { campaignId, type, timing, rules, timeZone, timeZoneField }: SliceFacts,
  decidedAt: Date,
): Promise<Moments | undefined> {
  const quietHours = rules?.quietHours ?? null
  const known = knownMoments(ctx)
  const name = JSON.stringify([campaignId, quietHours, timeZone, timeZoneField])
  const made =
    known.get(name) ?? momentsFor(ctx, { type, timing, quietHours, timeZone, timeZoneField }, decidedAt)
  if (known.size >= maxKnown) known.clear()
  known.set(name, made)
  made.catch(() => known.delete(name))
  return await made
}
