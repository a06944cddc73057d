// Whether a message of a campaign may go to its receiver: not while that one refuses the campaign, except for one message now and then that
// tries whether it still does.
import { after } from '../../../../../lib/time'
import type { Context } from '../../../../../platform/context'
import { type DeliveryOutcome, skipped } from '../../../../../platform/transports/outcome'
import { type Result, type StepOutcome, untried } from '../../../../sending/delivery'
import { heldForReceiver, receiverNameFor, type SettledReceiver } from '../../../../sending/emails'
import { type CampaignReceiver, claimReceiverProbe, selectReceivers } from '../queries/receivers'
import type { Slice } from '../queries/slices'
import { joinAnswers, type ReceiverAnswer, refusesCampaign, waitBeforeProbe } from '../receiver-rules'

/** Lets the message go on, or says why not; what is known of the receiver goes along with the result. */
export type ReceiverGate = (toEmail: string) => Promise<StepOutcome>

/** Messages between two looks at what other processes have learned. */
const lookEvery = 20

export function makeReceiverGate(
  ctx: Context,
  { projectId, campaignId }: Pick<Slice, 'projectId' | 'campaignId'>,
): ReceiverGate {
  let known: ReadonlyMap<string, CampaignReceiver> = new Map()
  /** Answers of this run, from the first refusal of each receiver on: they are stored a moment later, and many messages sooner. */
  const heard = new Map<string, string>()
  let asked = 0
  let latest = Promise.resolve()

  async function refresh(): Promise<void> {
    const rows = await selectReceivers(ctx, projectId, campaignId)
    known = new Map(rows.map(row => [row.receiver, row]))
  }

  /** The moment of the next try if this message is the one that tries now. */
  async function claim({ receiver, probes }: CampaignReceiver): Promise<Date | undefined> {
    const nextAt = after(ctx.clock.now(), waitBeforeProbe(probes + 1))
    const isOurs = await claimReceiverProbe(ctx, { projectId, campaignId, receiver }, nextAt)
    latest = refresh()
    await latest
    return isOurs ? nextAt : undefined
  }

  /** Remembers the answer. */
  function hear(toEmail: string, result: Result): Result {
    const { tries, outcome } = result
    const answer: ReceiverAnswer = outcome.reason === 'refused' ? 'refused' : 'other'
    if (tries.length === 0 || (answer === 'other' && heard.size === 0)) return result
    const name = receiverNameFor(ctx, toEmail)
    const before = heard.get(name)
    if (answer === 'refused' || before !== undefined) heard.set(name, joinAnswers(before ?? '', [answer]))
    return result
  }

  function whyNotNow(name: string): DeliveryOutcome | undefined {
    const row = known.get(name)
    if (row?.state === 'leftOut') return skipped('receiver', { provider: name })
    if (row?.probeAt) return heldForReceiver(name, row.probeAt)
    // If what is stored says otherwise, it is let go with the settlement.
    const isRefusing = refusesCampaign(heard.get(name) ?? '')
    return isRefusing ? heldForReceiver(name, after(ctx.clock.now(), waitBeforeProbe(0))) : undefined
  }

  return async toEmail => {
    if (asked++ % lookEvery === 0) latest = refresh()
    await latest
    // Only where something was refused is there a need to know who receives.
    if (known.size === 0 && heard.size === 0) return result => result && hear(toEmail, result)
    const name = receiverNameFor(ctx, toEmail)
    const row = known.get(name)
    const isDue = row?.probeAt && row.probeAt <= ctx.clock.now()
    const nextAt = isDue ? await claim(row) : undefined
    if (nextAt) return result => result && afterProbe(result, name, nextAt)
    const receiver: SettledReceiver = { name, isProbe: false }
    const outcome = whyNotNow(name)
    if (outcome) return { ...untried(outcome), receiver }
    return result => result && { ...hear(toEmail, result), receiver }
  }
}

/** What tried in vain waits like the others. */
function afterProbe(result: Result, name: string, nextAt: Date): Result {
  const outcome = result.outcome.reason === 'refused' ? heldForReceiver(name, nextAt) : result.outcome
  return { ...result, outcome, receiver: { name, isProbe: true } }
}
