// A message's turn at its receiver, where something is set for that one: so many a second, so many at a time, and less of both where it
// asks for less.
import { domainOf } from '../../../../../lib/address'
import { canonicalDomain } from '../../../../../lib/domain-name'
import type { Context } from '../../../../../platform/context'
import { perContext } from '../../../../../platform/per-context'
import { isOwnSimulator, operatorFor } from '../../../emails'
import { makeReceiverLanes } from '../../receiver-lanes'
import { makeThrottle } from '../../receiver-throttle'
import { paceClasses } from '../facts'
import { makeQueue, type PaceClass, sharedPacer } from '../pace'
import { type EmailStep, later, type Make, type Release, type Result } from '../step'

const throttle = perContext(({ clock }) => makeThrottle(clock))
const lanes = perContext(({ clock }) => makeReceiverLanes(clock))
const restQueue = perContext(makeQueue)

export const makeReceiver: Make<EmailStep> =
  ctx =>
  async ({ email }) => {
    const receiver = isOwnSimulator(email.toEmail) ? undefined : receiverFor(ctx, email.toEmail)
    if (!receiver) return undefined
    const turn = await takeTurn(ctx, receiver, paceClasses[email.sourceType])
    return turn instanceof Date ? later('pace', turn) : turn
  }

/** Takes the message's turn, or says when it comes. Never rejects. */
async function takeTurn(ctx: Context, receiver: Receiver, paceClass: PaceClass): Promise<Release | Date> {
  const remaining = restOf(ctx, receiver)
  if (remaining) return remaining
  const leave = enterLane(ctx, receiver)
  if (leave instanceof Date) return leave
  const heldUntil = await turnByRate(ctx, receiver, paceClass)
  if (!heldUntil) return result => endTurn(ctx, receiver, result, leave)
  leave(false)
  return heldUntil
}

interface Receiver {
  name: string
  /** Messages a second. */
  rate: number | undefined
  /** Messages at a time. */
  places: number | undefined
}

function receiverFor(ctx: Context, toEmail: string): Receiver | undefined {
  const { recipientRates: rates = {}, recipientConnections: connections = {} } = ctx.config
  if (!ctx.config.recipientRates && !ctx.config.recipientConnections) return undefined
  const isNamed = (name: string): boolean => Object.hasOwn(rates, name) || Object.hasOwn(connections, name)
  const name = receiverAmong(ctx, isNamed, canonicalDomain(domainOf(toEmail)) ?? '')
  return name === undefined ? undefined : { name, rate: rates[name], places: connections[name] }
}

/** A domain that is named has a pace of its own, whoever receives its mail. Else its name says who does, or its MX records. */
function receiverAmong(ctx: Context, isNamed: (name: string) => boolean, domain: string): string | undefined {
  if (isNamed(domain)) return domain
  const name = operatorFor(ctx, domain)
  return name !== undefined && isNamed(name) ? name : undefined
}

/** Those that wait for its end come back one after the other. */
function restOf(ctx: Context, { name, rate, places }: Receiver): Date | undefined {
  const until = throttle(ctx).restsUntil(name)
  const ratePerSecond = throttle(ctx).rateOf(name, rate ?? places ?? 1)
  return until && restQueue(ctx)({ name, ratePerSecond, nextAt: until.getTime() / 1000 })
}

function enterLane(ctx: Context, { name, places }: Receiver): ((wasSent: boolean) => void) | Date {
  if (places === undefined) return () => {}
  return lanes(ctx).enter(name, Math.max(1, Math.floor(throttle(ctx).rateOf(name, places))))
}

async function turnByRate(
  ctx: Context,
  { name, rate }: Receiver,
  paceClass: PaceClass,
): Promise<Date | undefined> {
  if (rate === undefined) return undefined
  return await sharedPacer(ctx)(`recipient ${name}`, throttle(ctx).rateOf(name, rate), paceClass)
}

function endTurn(
  ctx: Context,
  { name, rate, places }: Receiver,
  result: Result | undefined,
  leave: (wasSent: boolean) => void,
): undefined {
  const last = result?.tries.at(-1)
  leave(last !== undefined)
  if (!last || !throttle(ctx).learn(name, last.result)) return undefined
  const share = throttle(ctx).rateOf(name, 1)
  ctx.log.info(
    { receiver: name, rate, places, share, answer: last.result.response },
    'a receiver asks for less',
  )
  return undefined
}
