// Counts of a campaign's messages, kept a second time for the variant that is tried on their recipients: under its id, beside the totals.
import type { Context } from '../../../../platform/context'
import { perInstance } from '../../../../platform/per-context'
import { triedOn } from '../ab-test'
import type { CountChange, CountName } from '../counts'
import { type CountedTest, selectCountedTests } from '../queries'

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
