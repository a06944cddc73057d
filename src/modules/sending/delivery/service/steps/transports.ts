// Room at the transports, if every transport of a batch is in a warm-up. Each email books its own place when it is handed over: this only
// keeps rows from being taken for nothing.
import type { Context } from '../../../../../platform/context'
import { roomOfTransports } from '../../../domains'
import type { Batch, BatchStep, Make } from '../step'
import { plansFor } from '../transport-plans'
import { soon } from '../warm-up-budget'

export const makeTransports: Make<BatchStep> = ctx => async (batch, count) => {
  const granted = await roomFor(ctx, batch)
  return granted === undefined ? undefined : { granted: Math.min(granted, count), nextAt: soon(ctx) }
}

async function roomFor(ctx: Context, { projectId, fromEmail }: Batch): Promise<number | undefined> {
  if (fromEmail === undefined) return undefined
  const { plans, isByRecipient } = plansFor(ctx, { projectId, fromEmail })
  return isByRecipient || plans.length === 0 ? undefined : await roomOfTransports(ctx, plans)
}
