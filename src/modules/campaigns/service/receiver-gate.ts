// Whether a message of a campaign may go to its receiver: not while that one refuses the campaign, except for one message now and then that
// tries whether it still does.
import { after } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { type DeliveryOutcome, skipped } from '../../../platform/mail/outcome'
import { type EmailSettlement, heldForReceiver, receiverNameFor, type SettledReceiver } from '../../emails'
import { type CampaignReceiver, claimReceiverProbe, type Slice, selectReceivers } from '../queries'
import { joinAnswers, type ReceiverAnswer, refusesCampaign, waitBeforeProbe } from '../receivers/rules'

export interface ReceiverGate {
  /** Sends, or says why not; what is known of the receiver goes along with the settlement. */
  pass(toEmail: string, send: () => Promise<EmailSettlement>, untried: Untried): Promise<EmailSettlement>
}

type Untried = (outcome: DeliveryOutcome) => EmailSettlement

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

  async function look(): Promise<void> {
    const rows = await selectReceivers(ctx, projectId, campaignId)
    known = new Map(rows.map(row => [row.receiver, row]))
  }

  /** The moment of the next try if this message is the one that tries now. */
  async function claim({ receiver, probes }: CampaignReceiver): Promise<Date | undefined> {
    const nextAt = after(ctx.clock.now(), waitBeforeProbe(probes + 1))
    const isOurs = await claimReceiverProbe(ctx, { projectId, campaignId, receiver }, nextAt)
    latest = look()
    await latest
    return isOurs ? nextAt : undefined
  }

  /** Sends, and remembers the answer. */
  async function sendTo(toEmail: string, send: () => Promise<EmailSettlement>): Promise<EmailSettlement> {
    const settlement = await send()
    const { tries, outcome } = settlement
    const answer: ReceiverAnswer = outcome.failure === 'refused' ? 'refused' : 'other'
    if (tries.length === 0 || (answer === 'other' && heard.size === 0)) return settlement
    const name = receiverNameFor(ctx, toEmail)
    const before = heard.get(name)
    if (answer === 'refused' || before !== undefined) heard.set(name, joinAnswers(before ?? '', [answer]))
    return settlement
  }

  function whyNotNow(name: string): DeliveryOutcome | undefined {
    const row = known.get(name)
    if (row?.state === 'leftOut') return skipped(`${name} rejected the campaign`, 'held')
    if (row?.probeAt) return heldForReceiver(name, row.probeAt)
    // If what is stored says otherwise, it is let go with the settlement.
    const isRefusing = refusesCampaign(heard.get(name) ?? '')
    return isRefusing ? heldForReceiver(name, after(ctx.clock.now(), waitBeforeProbe(0))) : undefined
  }

  return {
    async pass(toEmail, send, untried) {
      if (asked++ % lookEvery === 0) latest = look()
      await latest
      // Only where something was refused is there a need to know who receives.
      if (known.size === 0 && heard.size === 0) return await sendTo(toEmail, send)
      const name = receiverNameFor(ctx, toEmail)
      const receiver: SettledReceiver = { name, isProbe: false }
      const row = known.get(name)
      const isDue = row?.probeAt && row.probeAt <= ctx.clock.now()
      const nextAt = isDue ? await claim(row) : undefined
      if (nextAt) return afterProbe({ ...(await send()), receiver: { name, isProbe: true } }, nextAt)
      const outcome = whyNotNow(name)
      return { ...(outcome ? untried(outcome) : await sendTo(toEmail, send)), receiver }
    },
  }
}

/** What tried in vain waits like the others. */
function afterProbe(settlement: EmailSettlement, nextAt: Date): EmailSettlement {
  const isRefused = settlement.outcome.failure === 'refused'
  return isRefused
    ? { ...settlement, outcome: heldForReceiver(settlement.receiver!.name, nextAt) }
    : settlement
}
