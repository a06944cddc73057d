// What all parts of campaigns ask about one: whether it is there, and what it is with its counts; and what the audit log says of it.
import { notFound } from '../../../lib/errors'
import type { Context } from '../../../platform/context'
import { type AuditAction, type AuditDetails, type ProjectActor, recordAudit } from '../../accounts/projects'
import { selectAbTest } from './authoring/queries/ab-tests'
import type { CountedCampaign } from './model'
import { type CampaignRow, selectCampaign } from './queries'
import { selectCampaignCounts } from './results/queries/counts'
import { selectReceivers } from './sending/queries/receivers'

export function campaignNotFound(id: string) {
  return notFound('Campaign', id, 'CAMPAIGN_NOT_FOUND')
}

/** 404 for an id of another project too. */
export async function requireCampaign(ctx: Context, projectId: string, id: string): Promise<CampaignRow> {
  const row = await selectCampaign(ctx, projectId, id)
  if (!row) throw campaignNotFound(id)
  return row
}

/** The row with its counts, its A/B test, and the receivers that refuse it. */
export async function counted(ctx: Context, row: CampaignRow): Promise<CountedCampaign> {
  const counts = await selectCampaignCounts(ctx, row.projectId, [row.id])
  const abTest = await selectAbTest(ctx, row.projectId, row.id)
  const isOpen = row.status === 'SENDING'
  const receivers = isOpen ? await selectReceivers(ctx, row.projectId, row.id) : []
  return { row, counts: counts.get(row.id)!, abTest: abTest ?? null, receivers }
}

type CampaignAudit = Extract<AuditAction, `campaign.${string}`>

/** The campaign is named by its id; its name goes along for people. */
export async function noteCampaign(
  tx: Context,
  by: ProjectActor['by'],
  action: CampaignAudit,
  campaign: Pick<CampaignRow, 'id' | 'projectId' | 'name'>,
  details: AuditDetails = {},
): Promise<void> {
  const { id, projectId, name } = campaign
  await recordAudit(tx, { projectId, actor: by, action, subject: id, details: { name, ...details } })
}
