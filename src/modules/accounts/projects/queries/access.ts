// The two look-ups that every request makes: fixed statements on a unique index.
import type { Context } from '../../../../platform/context'
import type { ProjectKeyKind } from '../keys'
import type { Role, Tracking } from '../schema'

/** What a request needs to know about its project. */
export interface ProjectAccessRow {
  id: string
  name: string
  disabled: boolean
  /** Its data is being deleted; it opens again by itself. */
  resetting: boolean
  language: string
  tracking: Tracking
  keepsOptOuts: boolean
  keepsClients: boolean
}

export interface KeyedProject extends ProjectAccessRow {
  keyHash: string
}

/**
 * The projects of some keys of one kind, each probed in the unique index. One that is being deleted is unknown from then on. As a join,
 * because with `= any(…)` the server plans again each time, which takes five times as long as the look-up.
 */
export async function selectProjectsByKeyHash(
  ctx: Context,
  kind: ProjectKeyKind,
  hashes: string[],
): Promise<KeyedProject[]> {
  return kind === 'secret'
    ? await ctx.sql<KeyedProject[]>`
        select p.id, p.name, p.disabled, p.closing is not null as resetting, p.language, p.tracking,
               p.keeps_opt_outs as "keepsOptOuts", p.keeps_clients as "keepsClients", p.secret_key_hash as "keyHash"
          from unnest(${hashes}::text[]) as asked(hash) join projects p on p.secret_key_hash = asked.hash
         where p.closing is distinct from 'DELETE'`
    : await ctx.sql<KeyedProject[]>`
        select p.id, p.name, p.disabled, p.closing is not null as resetting, p.language, p.tracking,
               p.keeps_opt_outs as "keepsOptOuts", p.keeps_clients as "keepsClients", p.public_key_hash as "keyHash"
          from unnest(${hashes}::text[]) as asked(hash) join projects p on p.public_key_hash = asked.hash
         where p.closing is distinct from 'DELETE'`
}

export interface MembershipRow extends ProjectAccessRow {
  role: Role
  secondFactorRequired: boolean
}

export async function selectMembership(
  ctx: Context,
  userId: string,
  projectId: string,
): Promise<MembershipRow | undefined> {
  const [row] = await ctx.sql<MembershipRow[]>`
    select p.id, p.name, p.disabled, p.closing is not null as resetting, p.language, p.tracking,
               p.keeps_opt_outs as "keepsOptOuts", p.keeps_clients as "keepsClients", m.role,
           p.second_factor_required as "secondFactorRequired"
      from memberships m join projects p on p.id = m.project_id
     where m.project_id = ${projectId} and m.user_id = ${userId} and p.closing is distinct from 'DELETE'`
  return row
}

/**
 * Keeps what may turn something on (`turnOn`) and changes that are refused for live things (`change`) out of each other's transactions, so
 * that nothing becomes live between the question and the change. Changes do not exclude each other.
 */
export async function lockLive(tx: Context, projectId: string, what: 'turnOn' | 'change'): Promise<void> {
  if (what === 'turnOn') await tx.sql`select from projects where id = ${projectId}::uuid for no key update`
  else await tx.sql`select from projects where id = ${projectId}::uuid for share`
}
