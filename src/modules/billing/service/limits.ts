// The limits that subscribers set for themselves or the operator grants, and how much of them is used.

import { badRequest, notFound } from '../../../lib/errors'
import { type Context, inTransaction } from '../../../platform/context'
import { categories } from '../../emails'
import { type ProjectActor, recordAudit } from '../../projects'
import type { PerCategory, UsageState } from '../allowance'
import {
  deleteNotices,
  ensureBilling,
  holdLimits,
  type Limits,
  selectBilling,
  selectStandings,
  updateLimits,
} from '../queries'

export interface LimitsState {
  standing: UsageState
  currency: string | null
}

/** Where billing is off nothing limits a project, whatever was set before. */
export async function describeLimits(ctx: Context, projectId: string): Promise<LimitsState> {
  const [standings, billing] = await Promise.all([
    selectStandings(ctx, [projectId], 'always'),
    selectBilling(ctx, projectId),
  ])
  const standing = standings.get(projectId)
  if (!standing) throw notFound('Project', projectId)
  const currency = billing?.currency ?? null
  return ctx.payments ? { standing, currency } : { standing: { ...standing, ...unlimited }, currency }
}

const noLimits: PerCategory<null> = { workflows: null, campaigns: null, transactional: null, inbound: null }
const unlimited = { isSubscribed: true, limits: noLimits }

/** 400 without a subscription. Members are notified anew about the limits that were changed. */
export async function changeLimits(
  ctx: Context,
  { projectId, by }: ProjectActor,
  limits: Limits,
): Promise<LimitsState> {
  return await inTransaction(ctx, async tx => {
    const before = tx.payments && (await holdLimits(tx, projectId, 'subscriber'))
    if (!before) throw badRequest('Limits need a subscription')
    await replaceLimits(tx, { projectId, by }, before, limits)
    return await describeLimits(tx, projectId)
  })
}

/** For whoever runs the instance: limits for a project that need no subscription, and replace the free tier. */
export async function grantLimits(
  ctx: Context,
  projectId: string,
  limits: Limits,
  actor: string,
): Promise<UsageState> {
  return await inTransaction(ctx, async tx => {
    if (!(await ensureBilling(tx, projectId))) throw notFound('Project', projectId)
    const before = (await holdLimits(tx, projectId, 'anybody'))!
    await replaceLimits(tx, { projectId, by: actor }, before, limits)
    return (await selectStandings(tx, [projectId], 'always')).get(projectId)!
  })
}

async function replaceLimits(
  tx: Context,
  { projectId, by }: Pick<ProjectActor, 'projectId' | 'by'>,
  before: Limits,
  limits: Limits,
): Promise<void> {
  const changed = categories.filter(category => before[category] !== limits[category])
  if (changed.length === 0) return
  await updateLimits(tx, projectId, limits)
  await deleteNotices(tx, projectId, changed)
  const details = Object.fromEntries(changed.map(category => [category, limits[category]]))
  await recordAudit(tx, { projectId, actor: by, action: 'billing.limitsChanged', details })
}
