// The warm-up plan of a domain: started, changed, given up, shown, and what it means for so many messages.
import { differing, isEmpty } from '../../../../lib/differing'
import { canonicalDomain } from '../../../../lib/domain-name'
import { invalid, notFound } from '../../../../lib/errors'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { type ProjectActor, recordAudit } from '../../../accounts/projects'
import { type DayOfForecast, forecastOf, type PlanSoFar } from '../forecast'
import * as queries from '../queries'
import type { DomainRow } from '../schema'
import { nextDay, utcDateOf, type WarmUpPlan } from '../warm-up'
import { toWarmUp, type WarmUpAnswer, type WarmUpBody } from '../warm-up-model'
import type { TransportPlan } from './warm-up-days'

const maxDaysShown = 60

export async function showWarmUp(ctx: Context, projectId: string, id: string): Promise<WarmUpAnswer> {
  return await answerOf(ctx, await requireDomain(ctx, projectId, id))
}

async function answerOf(ctx: Context, { projectId, domain }: DomainRow): Promise<WarmUpAnswer> {
  const plan = await queries.findWarmUp(ctx, projectId, domain)
  const days = plan ? await queries.selectWarmUpDays(ctx, plan.id, maxDaysShown) : []
  return toWarmUp(domain, plan, days, ctx.clock.now())
}

/** Changes the plan that is under way and keeps its progress; one that has ended begins anew. */
export async function putWarmUp(
  ctx: Context,
  actor: ProjectActor,
  id: string,
  body: WarmUpBody,
): Promise<WarmUpAnswer> {
  const fault = { field: 'target', message: 'must be at least firstDay', code: 'too_small' }
  if (body.target < body.firstDay) throw invalid([fault])
  const row = await requireDomain(ctx, actor.projectId, id)
  await inTransaction(ctx, async tx => {
    const before = await queries.findWarmUp(tx, actor.projectId, row.domain)
    const goesOn = before !== undefined && before.endedAt === null
    if (goesOn && isEmpty(differing(body, before))) return
    if (!goesOn) await queries.deleteWarmUp(tx, row.id)
    if (!(await queries.upsertWarmUp(tx, row.id, newId(tx), body))) throw notFound('Domain', id)
    if (goesOn) await changeToday(tx, before.id, body)
    await audit(tx, actor, row, goesOn ? 'domain.warmUpChanged' : 'domain.warmUpStarted', body)
  })
  return await answerOf(ctx, row)
}

/** A day that has begun is measured anew, as if the plan had always been so. */
async function changeToday(tx: Context, planId: string, plan: WarmUpBody): Promise<void> {
  const [today, before] = await queries.selectWarmUpDays(tx, planId, 2)
  const changed = today && nextDay(plan, before, today.date)
  if (changed) await queries.updateAllowance(tx, planId, changed)
}

export async function stopWarmUp(ctx: Context, actor: ProjectActor, id: string): Promise<WarmUpAnswer> {
  const row = await requireDomain(ctx, actor.projectId, id)
  await inTransaction(ctx, async tx => {
    if (await queries.deleteWarmUp(tx, row.id)) await audit(tx, actor, row, 'domain.warmUpStopped')
  })
  return await answerOf(ctx, row)
}

async function audit(
  tx: Context,
  { projectId, by }: ProjectActor,
  { domain }: DomainRow,
  action: 'domain.warmUpStarted' | 'domain.warmUpChanged' | 'domain.warmUpStopped',
  details?: WarmUpBody,
): Promise<void> {
  await recordAudit(tx, { projectId, actor: by, action, subject: domain, ...(details ? { details } : {}) })
}

export interface ForecastFacts {
  from: Date
  /** Messages by the day on which they are due. */
  arrivals: ReadonlyMap<string, number>
  /** Others that go first: from the domain, and by the transports. */
  ahead: { domain: number; transports: number }
}

export interface WarmUpForecast {
  days: DayOfForecast[]
  /** Those of the transports whose plans are under way; none where one of them has no plan any more. */
  transports: string[]
}

/**
 * On which days messages of a domain leave that can take these transports alone: all of them are in a warm-up. No days where nothing
 * bounds them.
 */
export async function forecastWarmUp(
  ctx: Context,
  sender: { projectId: string; domain: string; transports: readonly TransportPlan[] },
  { from, arrivals, ahead }: ForecastFacts,
): Promise<WarmUpForecast> {
  const domain = canonicalDomain(sender.domain) ?? sender.domain
  const plan = await queries.findWarmUp(ctx, sender.projectId, domain)
  const transports = await plansOf(ctx, sender.transports)
  const gates = [
    ...(plan && !plan.endedAt ? [{ plans: [await soFar(ctx, plan.id, plan)], ahead: ahead.domain }] : []),
    ...(transports.length > 0 ? [{ plans: transports, ahead: ahead.transports }] : []),
  ]
  return {
    days: gates.length > 0 ? forecastOf(gates, utcDateOf(from), arrivals) : [],
    transports: transports.length > 0 ? sender.transports.map(({ transport }) => transport) : [],
  }
}

async function soFar(ctx: Context, id: string, plan: WarmUpPlan): Promise<PlanSoFar> {
  const [last] = await queries.selectWarmUpDays(ctx, id, 1)
  return { plan, last }
}

/** None if one of them is over. */
async function plansOf(ctx: Context, transports: readonly TransportPlan[]): Promise<PlanSoFar[]> {
  const plans: PlanSoFar[] = []
  for (const { transport, plan } of transports) {
    const id = queries.idOfTransportPlan(transport)
    if ((await queries.findPlan(ctx, id))?.endedAt) return []
    plans.push(await soFar(ctx, id, plan))
  }
  return plans
}

async function requireDomain(ctx: Context, projectId: string, id: string): Promise<DomainRow> {
  const row = await queries.findDomain(ctx, projectId, id)
  if (row === undefined) throw notFound('Domain', id)
  return row
}
