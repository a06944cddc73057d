// What settled and reported messages and opt-outs add to the counts of their campaigns, in the transaction that stores it; kept a second time
// for the variant that is tried on a recipient, under its id, beside the totals.
import type { Context } from '../../../../../platform/context'
import { perInstance } from '../../../../../platform/per-context'
import type { EmailSettlement } from '../../../../sending/emails'
import type { ReducedMail } from '../../../../sending/feedback'
import type { OptOut } from '../../../../sending/preferences'
import { triedOn } from '../../authoring/ab-test'
import { type CountedTest, selectCountedTests } from '../../authoring/queries/ab-tests'
import { learnFromReports, learnFromSettled } from '../../sending/service/receivers'
import { type CountChange, type CountName, clicksOf, countsOfSettled } from '../counts'
import { recordClicks } from '../queries/clicks'
import { appendCounts, rollUpCampaignDeltas } from '../queries/counts'
import { selectOptedOutCampaign } from '../queries/opt-out'

export async function countSettled(tx: Context, settlements: readonly EmailSettlement[]): Promise<void> {
  const changes = settlements.flatMap(
    ({ email: { projectId, campaignId, contactId }, outcome, wasHeld }): MailChange[] =>
      campaignId ? [{ projectId, campaignId, contactId, ...countsOfSettled({ ...outcome, wasHeld }) }] : [],
  )
  await appendCounts(tx, await withVariants(tx, changes))
  await learnFromSettled(tx, settlements)
}

export async function countReported(tx: Context, reduced: readonly ReducedMail[]): Promise<void> {
  const changes = reduced.flatMap(({ mail: { projectId, campaignId, contactId }, deltas }): MailChange[] =>
    campaignId ? [{ projectId, campaignId, contactId, ...deltas }] : [],
  )
  await appendCounts(tx, await withVariants(tx, changes))
  await recordClicks(tx, clicksOf(reduced))
  await learnFromReports(tx, reduced)
}

/** Counts an opt-out against the campaign of its message, in the transaction that changes the contact. */
export async function countOptOut(
  tx: Context,
  { projectId, contactId, emailId, topicId }: OptOut,
): Promise<void> {
  const by = { projectId, contactId, emailId, isOfTopic: topicId !== undefined }
  const campaignId = await selectOptedOutCampaign(tx, by)
  if (campaignId !== undefined) {
    const change = { projectId, campaignId, contactId, unsubscribed: 1 }
    await appendCounts(tx, await withVariants(tx, [change]))
  }
}

export interface MailChange extends CountChange {
  contactId: string
}

/** Counts that a retry never takes back. */
const counted = ['sent', 'opened', 'clicked', 'unsubscribed'] as const satisfies CountName[]

/** The changes, and those of their variants. */
export async function withVariants(ctx: Context, changes: readonly MailChange[]): Promise<CountChange[]> {
  const tests = await testsOf(ctx, [...new Set(changes.map(change => change.campaignId))])
  const ofVariants = changes.flatMap((change): CountChange[] => {
    const test = tests.get(change.campaignId)
    const number = test && triedOn(test, change.campaignId, change.contactId)
    if (number === undefined) return []
    const own = Object.fromEntries(counted.map(name => [name, change[name] ?? 0]))
    return [{ projectId: change.projectId, campaignId: test!.ids[number]!, ...own }]
  })
  return [...changes, ...ofVariants]
}

/** A test does not change once there are messages, so whoever has looked it up knows it. */
const knownTests = perInstance(() => new Map<string, CountedTest | undefined>())
const maxKnown = 5_000

async function testsOf(ctx: Context, campaignIds: readonly string[]): Promise<Map<string, CountedTest>> {
  const known = knownTests(ctx)
  const unknown = campaignIds.filter(id => !known.has(id))
  const found = unknown.length > 0 ? await selectCountedTests(ctx, unknown) : []
  const tests = new Map(found.map(test => [test.campaignId, test]))
  for (const id of campaignIds) {
    const test = tests.get(id) ?? known.get(id)
    if (test) tests.set(id, test)
  }
  if (known.size > maxKnown) known.clear()
  for (const id of unknown) known.set(id, tests.get(id))
  return tests
}

const batchSize = 10_000

/** Adds the appended deltas to the totals until none is left. */
export async function rollUpCampaignCounts(ctx: Context, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) if ((await rollUpCampaignDeltas(ctx, batchSize)) < batchSize) return
}
