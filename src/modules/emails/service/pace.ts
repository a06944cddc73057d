// Keeps a project to its sending pace (SEND_RATE_PER_SECOND, or what the transport bears). The budget is a row that all
// instances share; deliveries that ask in the same moment book it together.
import { collector, type Settled } from '../../../lib/collect'
import type { Context } from '../../../platform/context'
import { Snooze } from '../../../platform/jobs/outcome'
import { bookPace, insertPace } from '../queries'

/** Returns a function that resolves when a message of the project may leave now, and throws Snooze with its turn otherwise. */
export function makePacer(ctx: Context): (projectId: string) => Promise<void> {
  const rate = ctx.config.sendRatePerSecond ?? ctx.mail.ratePerSecond ?? 0
  if (rate === 0) return async () => {}
  const book = collector<string, void>(projectIds => bookBatch(ctx, rate, projectIds), {
    maxItems: 500,
    slots: 1,
  })
  return projectId => book(projectId)
}

async function bookBatch(ctx: Context, rate: number, projectIds: string[]): Promise<Settled<void>[]> {
  const wanted = Map.groupBy(projectIds, id => id)
  const granted = new Map<string, { left: number; nextAt: number }>()
  for (const [projectId, asked] of wanted) {
    const booked = await bookOrOpen(ctx, projectId, rate, asked.length)
    granted.set(projectId, { left: booked.granted, nextAt: booked.nextAt })
  }
  return projectIds.map(projectId => {
    const budget = granted.get(projectId)!
    if (budget.left-- > 0) return { value: undefined }
    // Those who have to wait come back one after the other, at the pace, and not all at once.
    const at = new Date((budget.nextAt + (-budget.left - 1) / rate) * 1000)
    return { error: new Snooze(at) }
  })
}

async function bookOrOpen(
  ctx: Context,
  projectId: string,
  rate: number,
  count: number,
): Promise<{ granted: number; nextAt: number }> {
  const booked = await bookPace(ctx, projectId, rate, count)
  if (booked) return booked
  await insertPace(ctx, projectId)
  return (await bookPace(ctx, projectId, rate, count))!
}
