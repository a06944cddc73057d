// What the audit log says about campaigns.

import type { Context } from '../../../../platform/context'
import {
  type AuditAction,
  type AuditDetails,
  type ProjectActor,
  recordAudit,
} from '../../../accounts/projects'
import type { CampaignRow } from '../queries'

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
