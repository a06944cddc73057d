// A message in the warm-up of its sender: one that can wait leaves only while the day allows it, the others are counted.
import { domainOf } from '../../../lib/address'
import type { Context } from '../../../platform/context'
import { putBack } from '../../../platform/mail/outcome'
import { warmUpOf } from '../../domains'
import type { DueEmail, EmailSettlement } from '../queries'
import { isOwnSimulator } from '../simulator'
import { factsOf } from './attempt'
import { askLater, makeWarmUpDesk, tomorrow } from './warm-up-desk'

/** Sends the message, or settles it as one that waits for another day. */
export type WarmUpGate = (email: DueEmail, send: () => Promise<EmailSettlement>) => Promise<EmailSettlement>

/** One for each process. */
export function makeWarmUpGate(ctx: Context): WarmUpGate {
  const { book, count } = makeWarmUpDesk(ctx)
  /** Whether it may leave today, and what to do when that is over. */
  const enter = async (email: DueEmail): Promise<((settlement: EmailSettlement) => Promise<void>) | Date> => {
    const plan = await warmUpOf(ctx, email.projectId, domainOf(email.fromEmail))
    if (plan === undefined) return async () => {}
    if (factsOf(email).kind === 'transactional')
      return async settlement => void (hasLeft(settlement) && (await count(plan)))
    const { granted, release } = await book(plan)
    if (granted === 0) return tomorrow(ctx)
    return async settlement => void (!hasLeft(settlement) && (await release(1)))
  }
  return async (email, send) => {
    if (isOwnSimulator(email.toEmail)) return await send()
    const entered = await enter(email).catch((error: unknown) => askLater(ctx, error))
    if (entered instanceof Date) return { email, outcome: { ...putBack, nextAttemptAt: entered }, tries: [] }
    const settlement = await send()
    // What has left must be settled, whatever becomes of the count.
    await entered(settlement).catch((error: unknown) => void askLater(ctx, error))
    return settlement
  }
}

/** Whether receivers have seen it, whatever they said: what is tried again later is counted then. */
export function hasLeft({ tries }: EmailSettlement): boolean {
  const last = tries.at(-1)
  return last !== undefined && last.result.outcome !== 'deferred'
}
