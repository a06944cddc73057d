// SQL of approvals: one row for a campaign or workflow, with the last request and what came of it.
import type { Context } from '../../../../platform/context'
import type { Approval, ApprovalFacts } from '../approval'
import type { ApprovalKind } from '../schema'

/** Whether the project asks for approvals. Behind `lockLive` it stays so until the transaction ends. */
export async function isApprovalRequired(ctx: Context, projectId: string): Promise<boolean> {
  const rows = await ctx.sql`select 1 from projects where id = ${projectId}::uuid and approval_required`
  return rows.length > 0
}

export async function selectApproval(
  ctx: Context,
  projectId: string,
  { kind, subjectId }: Pick<ApprovalFacts, 'kind' | 'subjectId'>,
): Promise<Approval | undefined> {
  const [row] = await ctx.sql<Approval[]>`
    select kind, subject_id as "subjectId", state, fingerprint, recipients, scheduled_for as "scheduledFor",
           requested_by as "requestedBy", requested_at as "requestedAt", decided_by as "decidedBy",
           decided_at as "decidedAt", reason
      from approvals
     where project_id = ${projectId}::uuid and kind = ${kind} and subject_id = ${subjectId}::uuid`
  return row
}

/** A new request takes the place of the one before, whatever came of that. */
export async function putApprovalRequest(
  ctx: Context,
  projectId: string,
  { kind, subjectId, fingerprint, recipients, scheduledFor }: ApprovalFacts,
  by: string,
): Promise<void> {
  await ctx.sql`
    insert into approvals (project_id, kind, subject_id, state, fingerprint, recipients, scheduled_for, requested_by, requested_at)
    values (${projectId}::uuid, ${kind}, ${subjectId}::uuid, 'REQUESTED', ${fingerprint}, ${recipients}, ${scheduledFor},
            ${by}::uuid, ${ctx.clock.now()})
    on conflict (project_id, kind, subject_id) do update
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
  { kind, subjectId }: Pick<ApprovalFacts, 'kind' | 'subjectId'>,
  { state, by, fingerprint, reason }: ApprovalDecision,
): Promise<boolean> {
  const rows = await ctx.sql`
    update approvals set state = ${state}, decided_by = ${by}::uuid, decided_at = ${ctx.clock.now()}, reason = ${reason}
     where project_id = ${projectId}::uuid and kind = ${kind} and subject_id = ${subjectId}::uuid
       and state = 'REQUESTED' and fingerprint = ${fingerprint} and requested_by <> ${by}::uuid
    returning 1`
  return rows.length > 0
}

export interface OpenRequest {
  subjectId: string
  requestedBy: string
  requestedByEmail: string | null
  requestedAt: Date
}

const mostOpen = 100

/** Open requests, oldest first. */
export async function selectOpenRequests(
  ctx: Context,
  projectId: string,
  kind: ApprovalKind,
): Promise<OpenRequest[]> {
  return await ctx.sql<OpenRequest[]>`
    select a.subject_id as "subjectId", a.requested_by as "requestedBy", u.email as "requestedByEmail",
           a.requested_at as "requestedAt"
      from approvals a left join users u on u.id = a.requested_by
     where a.project_id = ${projectId}::uuid and a.state = 'REQUESTED' and a.kind = ${kind}
     order by a.requested_at, a.subject_id limit ${mostOpen}`
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

/** The addresses of these users, by their ids. */
export async function selectAddresses(
  ctx: Context,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await ctx.sql<{ id: string; email: string }[]>`
    select id, email from users where id = any(${userIds as string[]}::uuid[])`
  return new Map(rows.map(({ id, email }) => [id, email]))
}
