// SQL of approvals: one row for a campaign, with the last request and its decision.
import type { Context } from '../../../../platform/context'
import type { Approval, ApprovalFacts } from '../approval'

/** Whether the project asks for approvals. Behind `lockLive` it stays so until the transaction ends. */
export async function isApprovalRequired(ctx: Context, projectId: string): Promise<boolean> {
  const rows = await ctx.sql`select 1 from projects where id = ${projectId}::uuid and approval_required`
  return rows.length > 0
}

export async function selectApproval(
  ctx: Context,
  projectId: string,
  campaignId: string,
): Promise<Approval | undefined> {
  const [row] = await ctx.sql<Approval[]>`
    select a.campaign_id as "campaignId", a.state, a.fingerprint, a.recipients, a.scheduled_for as "scheduledFor",
           a.requested_by as "requestedBy", asker.email as "requestedByEmail", a.requested_at as "requestedAt",
           decider.email as "decidedByEmail", a.decided_at as "decidedAt", a.reason
      from approvals a
      left join users asker on asker.id = a.requested_by
      left join users decider on decider.id = a.decided_by
     where a.project_id = ${projectId}::uuid and a.campaign_id = ${campaignId}::uuid`
  return row
}

/** Replaces an earlier request and its decision. */
export async function putApprovalRequest(
  ctx: Context,
  projectId: string,
  { campaignId, fingerprint, recipients, scheduledFor }: ApprovalFacts,
  by: string,
): Promise<void> {
  await ctx.sql`
    insert into approvals (project_id, campaign_id, state, fingerprint, recipients, scheduled_for, requested_by, requested_at)
    values (${projectId}::uuid, ${campaignId}::uuid, 'REQUESTED', ${fingerprint}, ${recipients}, ${scheduledFor},
            ${by}::uuid, ${ctx.clock.now()})
    on conflict (project_id, campaign_id) do update
       set state = excluded.state, fingerprint = excluded.fingerprint, recipients = excluded.recipients,
           scheduled_for = excluded.scheduled_for, requested_by = excluded.requested_by,
           requested_at = excluded.requested_at, decided_by = null, decided_at = null, reason = null`
}

export interface ApprovalDecision {
  state: 'APPROVED' | 'DECLINED'
  /** The user. */
  by: string
  /** Of what was looked at. */
  fingerprint: string
  reason: string | null
}

/** False unless the request is open, of this fingerprint, and another's. */
export async function decideApproval(
  ctx: Context,
  projectId: string,
  campaignId: string,
  { state, by, fingerprint, reason }: ApprovalDecision,
): Promise<boolean> {
  const rows = await ctx.sql`
    update approvals set state = ${state}, decided_by = ${by}::uuid, decided_at = ${ctx.clock.now()}, reason = ${reason}
     where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid
       and state = 'REQUESTED' and fingerprint = ${fingerprint} and requested_by <> ${by}::uuid
    returning 1`
  return rows.length > 0
}

/** How many members have one of the roles, and an address that is proved; the owner counts in any case. */
export async function countProvedMembers(
  ctx: Context,
  projectId: string,
  roles: readonly string[],
): Promise<number> {
  const [row] = await ctx.sql<{ count: number }[]>`
    select count(*)::int as count from memberships m join users u on u.id = m.user_id
     where m.project_id = ${projectId}::uuid and m.role = any(${roles as string[]}::text[])
       and (u.email_verified or m.role = 'OWNER')`
  return row?.count ?? 0
}

/** What a sender without a name of its own is called. */
export async function selectNameOfProject(ctx: Context, projectId: string): Promise<string> {
  const [row] = await ctx.sql<{ name: string }[]>`select name from projects where id = ${projectId}::uuid`
  return row?.name ?? ''
}
