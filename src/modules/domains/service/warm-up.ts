// The warm-up plan of a domain: started, changed, given up, shown, and what it means for so many messages.
import { canonicalDomain } from '../../../lib/domain-name'
import { invalid, notFound } from '../../../lib/errors'
import { type Context, inTransaction, newId } from '../../../platform/context'
import { type ProjectActor, recordAudit, requireRight } from '../../projects'
import * as queries from '../queries'
import type { DomainRow } from '../schema'
import { type DayOfForecast, forecastOf, nextDay, utcDateOf } from '../warm-up'
import { toWarmUp, type WarmUpAnswer, type WarmUpBody } from '../warm-up-model'

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
  requireRight(actor.role, 'domains.manage')
  const fault = { field: 'target', message: 'must be at least firstDay', code: 'too_small' }
  if (body.target < body.firstDay) throw invalid([fault])
  const row = await requireDomain(ctx, actor.projectId, id)
  await inTransaction(ctx, async tx => {
    const before = await queries.findWarmUp(tx, actor.projectId, row.domain)
    const goesOn = before !== undefined && before.endedAt === null
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
  requireRight(actor.role, 'domains.manage')
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

/** On which days so many messages leave, from `from` on and after `ahead` others; none where the domain has no plan under way. */
export async function forecastWarmUp(
  ctx: Context,
  sender: { projectId: string; domain: string },
  { ahead, messages, from }: { ahead: number; messages: number; from: Date },
): Promise<DayOfForecast[]> {
  const domain = canonicalDomain(sender.domain) ?? sender.domain
  const plan = await queries.findWarmUp(ctx, sender.projectId, domain)
  if (!plan || plan.endedAt) return []
  const [last] = await queries.selectWarmUpDays(ctx, plan.id, 1)
  let others = ahead
  return forecastOf(plan, last, utcDateOf(from), ahead + messages).flatMap(({ date, messages: all }) => {
    const own = Math.max(0, all - others)
    others = Math.max(0, others - all)
    return own > 0 ? [{ date, messages: own }] : []
  })
}

async function requireDomain(ctx: Context, projectId: string, id: string): Promise<DomainRow> {
  const row = await queries.findDomain(ctx, projectId, id)
  if (row === undefined) throw notFound('Domain', id)
  return row
}
