// The second key of a domain: begun, given up, and put in the place of the first.
import type { Context } from '../../../../platform/context'
import type { RotationRow } from '../schema'

/** Undefined where no key waits and none was replaced recently. */
export async function findRotation(ctx: Context, domainId: string): Promise<RotationRow | undefined> {
  const [row] = await ctx.sql<RotationRow[]>`
    select domain_id as "domainId", selector, public_key as "publicKey", private_key as "privateKey",
           started_at as "startedAt", switched_at as "switchedAt"
      from dkim_rotations where domain_id = ${domainId}::uuid`
  return row
}

export type NextKey = Pick<RotationRow, 'domainId' | 'selector' | 'publicKey'>

/** The keys of these domains that wait for their record. */
export async function selectNextKeys(ctx: Context, domainIds: string[]): Promise<NextKey[]> {
  return await ctx.sql<NextKey[]>`
    select domain_id as "domainId", selector, public_key as "publicKey"
      from dkim_rotations where domain_id = any(${domainIds}::uuid[]) and switched_at is null`
}

/**
 * Begins a rotation, in the place of one that has ended. False when another key waits already, when the domain is gone, or when its key is
 * no longer that of `current`.
 */
export async function insertNextKey(
  ctx: Context,
  current: { id: string; selector: string },
  next: { selector: string; publicKey: string; privateKey: string },
): Promise<boolean> {
  const inserted = await ctx.sql`
    insert into dkim_rotations (domain_id, selector, public_key, private_key, started_at)
    select id, ${next.selector}, ${next.publicKey}, ${next.privateKey}, ${ctx.clock.now()}::timestamptz
      from domains where id = ${current.id}::uuid and selector = ${current.selector} for update
    on conflict (domain_id) do update
       set selector = excluded.selector, public_key = excluded.public_key, private_key = excluded.private_key,
           started_at = excluded.started_at, switched_at = null
     where dkim_rotations.switched_at is not null`
  return inserted.count > 0
}

/** Gives up the key that waits. False when there is none. */
export async function deleteNextKey(ctx: Context, domainId: string): Promise<boolean> {
  const deleted = await ctx.sql`
    delete from dkim_rotations where domain_id = ${domainId}::uuid and switched_at is null`
  return deleted.count > 0
}

/**
 * Puts the key that waits in the place of the domain's, and that one in its place. False when it was done or given up meanwhile. The
 * domain is locked before its rotation, as by `insertNextKey`.
 */
export async function switchKeys(ctx: Context, next: NextKey): Promise<boolean> {
  const now = ctx.clock.now()
  const switched = await ctx.sql`
    with old as (
      select id, selector, public_key from domains where id = ${next.domainId}::uuid for update
    ), waiting as (
      select r.selector, r.public_key, r.private_key from old join dkim_rotations r on r.domain_id = old.id
       where r.selector = ${next.selector} and r.switched_at is null
         for update of r
    ), signing as (
      update domains d
         set selector = waiting.selector, public_key = waiting.public_key, private_key = waiting.private_key,
             updated_at = ${now}::timestamptz
        from waiting where d.id = ${next.domainId}::uuid
      returning d.id
    )
    update dkim_rotations r
       set selector = old.selector, public_key = old.public_key, private_key = null, switched_at = ${now}::timestamptz
      from old, signing
     where r.domain_id = old.id and r.domain_id = signing.id`
  return switched.count > 0
}

/** False when it was so already, or the domain is gone. */
export async function setRelaySigns(ctx: Context, domainId: string, relaySigns: boolean): Promise<boolean> {
  const changed = await ctx.sql`
    update domains set relay_signs = ${relaySigns}, updated_at = ${ctx.clock.now()}
     where id = ${domainId}::uuid and relay_signs <> ${relaySigns}`
  return changed.count > 0
}

/** Deletes the keys that were replaced before `before`. */
export async function deletePreviousKeys(ctx: Context, before: Date): Promise<void> {
  await ctx.sql`delete from dkim_rotations where switched_at < ${before}`
}
