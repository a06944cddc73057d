// One attempt at a message of the ledger: handed over, measured and interpreted. Where there are several transports, one attempt may try more
// than one of them; each has its own row.
import { domainOf } from '../../../lib/address'
import { canonicalDomain } from '../../../lib/domain-name'
import type { Context } from '../../../platform/context'
import { type HandedOver, handOver, type OutgoingMessage } from '../../../platform/mail/hand-over'
import { outcomeOfResult, putBack } from '../../../platform/mail/outcome'
import { receiverOf } from '../../../platform/mail/receivers'
import type { MailFacts } from '../../../platform/mail/ways/conditions'
import type { MailWay } from '../../../platform/mail/ways/ways'
import { perContext } from '../../../platform/per-context'
import type { RecipientRates } from '../../../settings/recipient-rates'
import { retryTimeFor } from '../policy'
import type { DueEmail, EmailSettlement } from '../queries'
import { makeThrottle } from '../receiver-throttle'
import { makeSharedPacer, type PaceClass } from './pace'

const sharedPacer = perContext(makeSharedPacer)
const throttle = perContext(({ clock }) => makeThrottle(clock))

/**
 * Never rejects. `since` is when the message was tried first, or made. Without tries: it waits for the pace of its way, or of its receiver.
 */
export async function attempt(
  ctx: Context,
  email: DueEmail,
  since: Date,
  prepare: () => Promise<OutgoingMessage>,
): Promise<EmailSettlement> {
  const receiver = ctx.config.recipientRates && receiverIn(ctx.config.recipientRates, email)
  const heldUntil = receiver && (await turnAtReceiver(ctx, receiver, email))
  if (heldUntil) return settlementOf(ctx, email, since, { tries: [], heldUntil })
  const pace = ctx.mail.ways && ((way: MailWay) => turnOfWay(ctx, way, email))
  const handedOver = await handOver(ctx, factsOf(email), prepare, pace)
  if (receiver) learnFrom(ctx, receiver, handedOver)
  return settlementOf(ctx, email, since, handedOver)
}

async function turnOfWay(ctx: Context, way: MailWay, { sourceType }: DueEmail): Promise<Date | undefined> {
  const rate = await way.rate()
  return rate
    ? await sharedPacer(ctx)(`transport ${way.entry.name}`, rate, paceClasses[sourceType])
    : undefined
}

interface Receiver {
  name: string
  rate: number
}

/** A domain that is named has a pace of its own, whoever receives its mail. */
function receiverIn(rates: RecipientRates, { toEmail }: DueEmail): Receiver | undefined {
  const domain = canonicalDomain(domainOf(toEmail)) ?? ''
  const name = Object.hasOwn(rates, domain) ? domain : receiverOf(domain)
  const rate = name === undefined ? undefined : rates[name]
  return name !== undefined && rate ? { name, rate } : undefined
}

async function turnAtReceiver(
  ctx: Context,
  { name, rate }: Receiver,
  { sourceType }: DueEmail,
): Promise<Date | undefined> {
  const left = throttle(ctx).rateOf(name, rate)
  return await sharedPacer(ctx)(`recipient ${name}`, left, paceClasses[sourceType])
}

function learnFrom(ctx: Context, { name, rate }: Receiver, { tries }: HandedOver): void {
  const last = tries.at(-1)
  if (!last || !throttle(ctx).learn(name, last.result)) return
  const ratePerSecond = throttle(ctx).rateOf(name, rate)
  ctx.log.info({ receiver: name, ratePerSecond, answer: last.result.response }, 'a receiver asks for less')
}

function settlementOf(
  ctx: Context,
  email: DueEmail,
  since: Date,
  { tries: given, heldUntil }: HandedOver,
): EmailSettlement {
  const tries = given.map((tried, index) => ({ ...tried, attempt: email.attempts + index }))
  for (const { transportName, transport, result } of tries)
    ctx.metrics.deliveries.inc({ transport: transportName ?? transport, outcome: result.outcome })
  const last = tries.at(-1)
  if (!last) return { email, outcome: { ...putBack, nextAttemptAt: heldUntil ?? null }, tries }
  const tried = { attempts: email.attempts, since, retryForMs: retryTimeFor(email) }
  const outcome = outcomeOfResult(last.result, tried, last.finishedAt, ctx.random.fraction())
  const isWaiting = heldUntil !== undefined && outcome.nextAttemptAt !== null
  return { email, outcome: isWaiting ? { ...outcome, nextAttemptAt: heldUntil } : outcome, tries }
}

const paceClasses: Record<DueEmail['sourceType'], PaceClass> = {
  TRANSACTIONAL: 'transactional',
  WORKFLOW: 'workflow',
  CAMPAIGN: 'campaign',
  INBOUND: 'transactional',
}

/** A message of the ledger, as far as it matters for the choice of a transport. */
export function factsOf({ id, projectId, mailClass, campaignId, fromEmail, toEmail }: DueEmail): MailFacts {
  // The same rule as for the headers of bulk mail.
  const kind = mailClass === 'marketing' || campaignId !== null ? 'marketing' : 'transactional'
  return { id, kind, projectId, from: fromEmail, to: toEmail }
}
