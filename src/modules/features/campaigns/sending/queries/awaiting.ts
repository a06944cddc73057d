// Campaigns that wait for approval.
import type { Context } from '../../../../../platform/context'

export interface AwaitingApproval {
  id: string
  name: string
  requestedBy: string
  requestedByEmail: string | null
  requestedAt: Date
}

const maxListed = 100

/** Open requests for campaigns that can still be sent, oldest first. */
export async function selectAwaiting(ctx: Context, projectId: string): Promise<AwaitingApproval[]> {
  return await ctx.sql<AwaitingApproval[]>`
    select c.id, c.name, a.requested_by as "requestedBy", u.email as "requestedByEmail",
           a.requested_at as "requestedAt"
      from approvals a
      join campaigns c on c.project_id = a.project_id and c.id = a.campaign_id and c.status in ('DRAFT', 'SCHEDULED')
      left join users u on u.id = a.requested_by
     where a.project_id = ${projectId}::uuid and a.state = 'REQUESTED'
     order by a.requested_at, a.campaign_id limit ${maxListed}`
}
