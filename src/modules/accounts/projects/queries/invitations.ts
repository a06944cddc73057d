// SQL of invitations. One project has one open invitation for an address; the unique index ensures it, and an expired one gives way.

import type { Context } from '../../../../platform/context'
import type { InvitationOffer } from '../../users'
import type { Role } from '../schema'

export type InvitedRole = Exclude<Role, 'OWNER'>

export interface InvitationRow {
  id: string
  email: string
  role: InvitedRole
  expiresAt: Date
  createdAt: Date
}

/** The new row, or undefined if the address is invited already. */
export async function insertInvitation(
  ctx: Context,
  projectId: string,
  row: Omit<InvitationRow, 'createdAt'> & { tokenHash: string },
): Promise<{ id: string; projectName: string } | undefined> {
  const now = ctx.clock.now()
  const [inserted] = await ctx.sql<{ id: string; projectName: string }[]>`
    insert into invitations as i (id, project_id, email, role, token_hash, expires_at, created_at, updated_at)
    values (${row.id}, ${projectId}, ${row.email}, ${row.role}, ${row.tokenHash}, ${row.expiresAt}, ${now}, ${now})
    on conflict (project_id, email) do update
       set id = excluded.id, role = excluded.role, token_hash = excluded.token_hash, expires_at = excluded.expires_at,
           created_at = excluded.created_at, updated_at = excluded.updated_at
     where i.expires_at <= ${now}
    returning id, (select name from projects where id = i.project_id) as "projectName"`
  return inserted
}

/** More than the daily limit of invitations can make within their life. */
const maxListed = 5_000

/** Open invitations, oldest first. */
export async function selectInvitations(ctx: Context, projectId: string): Promise<InvitationRow[]> {
  return await ctx.sql<InvitationRow[]>`
    select id, email, role, expires_at as "expiresAt", created_at as "createdAt" from invitations
     where project_id = ${projectId} and expires_at > ${ctx.clock.now()}
     order by created_at, id limit ${maxListed}`
}

/** Revokes an invitation; undefined if there is none. */
export async function deleteInvitation(
  ctx: Context,
  projectId: string,
  invitationId: string,
): Promise<{ email: string } | undefined> {
  const [row] = await ctx.sql<{ email: string }[]>`
    delete from invitations where project_id = ${projectId} and id = ${invitationId} returning email`
  return row
}

/** Whether any project waits for the address. */
export async function hasInvitation(ctx: Context, email: string): Promise<boolean> {
  const rows = await ctx.sql`
    select 1 from invitations where email = ${email} and expires_at > ${ctx.clock.now()} limit 1`
  return rows.length > 0
}

export type OfferRow = InvitationOffer & { role: InvitedRole }

/** What the link of an invitation offers. */
export async function selectOffer(
  ctx: Context,
  named: { tokenHash?: string; id?: string },
): Promise<OfferRow | undefined> {
  const { tokenHash, id } = { tokenHash: null, id: null, ...named }
  const [row] = await ctx.sql<OfferRow[]>`
    select i.email, i.role, p.name as "projectName", i.token_hash is not distinct from ${tokenHash}::text as "provesAddress" from invitations i join projects p on p.id = i.project_id and p.closing is distinct from 'DELETE'
     where (i.token_hash = ${tokenHash}::text or i.id = ${id}::uuid) and i.expires_at > ${ctx.clock.now()}`
  return row
}

/** Turns open invitations of an address, all or one, into memberships; returns those that are new. */
export async function joinInvited(
  ctx: Context,
  user: { id: string; email: string },
  only: string | null = null,
): Promise<{ projectId: string; role: InvitedRole }[]> {
  const now = ctx.clock.now()
  return await ctx.sql<{ projectId: string; role: InvitedRole }[]>`
    with taken as (
      delete from invitations
       where email = ${user.email} and expires_at > ${now} and (${only}::uuid is null or id = ${only}::uuid)
      returning project_id, role
    )
    insert into memberships (project_id, user_id, role, created_at, updated_at)
    select project_id, ${user.id}, role, ${now}, ${now} from taken
    on conflict (project_id, user_id) do nothing
    returning project_id as "projectId", role`
}

/** Deletes invitations that have expired; returns how many. */
export async function deleteExpiredInvitations(ctx: Context): Promise<number> {
  const rows = await ctx.sql`delete from invitations where expires_at <= ${ctx.clock.now()} returning 1`
  return rows.length
}

/** Open invitations whose addresses may have been stored before addresses had one spelling. */
export async function selectStrayInvitations(
  ctx: Context,
): Promise<Array<{ id: string; projectId: string; email: string }>> {
  return await ctx.sql<Array<{ id: string; projectId: string; email: string }>>`
    select i.id, i.project_id as "projectId", i.email from invitations i
     where octet_length(i.email) <> char_length(i.email) or strpos(i.email, 'xn--') > 0
     order by i.id`
}

/** Nothing changes where the project has invited that address as well. */
export async function respellInvitation(
  ctx: Context,
  projectId: string,
  id: string,
  email: string,
): Promise<void> {
  await ctx.sql`
    update invitations set email = ${email}
     where project_id = ${projectId}::uuid and id = ${id}::uuid
       and not exists (select from invitations where project_id = ${projectId}::uuid and email = ${email})`
}
