// SQL of the shared request budget. Granting is one statement, so that instances queue on a row's lock and can't both take the last
// of it.
import type { Context } from '../context'
import type { HolderKind } from './schema'

export interface Holder {
  kind: HolderKind
  id: string
}

export interface GrantRequest {
  holder: Holder
  /** The slot the requests fall in. */
  slot: number
  want: number
  /** Requests of earlier slots that were granted and never used. */
  returned: Record<string, number>
}

export interface GrantTerms {
  /** How many slots together cover a minute. */
  span: number
  limit: number
}

export interface GrantRow {
  holderId: string
  kind: HolderKind
  granted: number
  /** Granted in all slots of the span, this one included. */
  used: number
  /** The oldest slot of the span in which anything was granted. */
  oldest: number | null
}

/** About an hour. */
export const farSlots = 1_800

/**
 * Grants each of different holders up to `want` requests. Slots newer than its `slot` (another instance's clock is ahead) count as well, so a
 * clock that lags gains nothing; those beyond `farSlots` were written by a clock that was wrong and has been put right. While more than a chunk
 * is left, one grant takes at most half of it, so that several instances share the end. Requests wait for it, so it does not wait for
 * the disk: a crash may lose the grants of its last moment. Never inside a transaction, which would be committed as carelessly.
 * Rows are locked in the order of holders, so that two instances never wait for each other.
 */
export async function grantRequests(
  ctx: Context,
  { span, limit }: GrantTerms,
  requests: readonly GrantRequest[],
): Promise<GrantRow[]> {
  const most = Math.ceil(limit / 2)
  const input = JSON.stringify(
    requests.map(({ holder, want, ...request }) => ({
      ...request,
      ...holder,
      want,
      first: Math.min(want, most),
    })),
  )
  return await ctx.sql<GrantRow[]>`
    with asked as materialized (
      select id, kind, slot, slot::text as key, want, first, returned
        from json_to_recordset(${input}::json) as r(id uuid, kind text, slot bigint, want bigint, first bigint, returned jsonb)
    )
    insert into rate_budgets as budget (holder_id, kind, slots, granted, newest_slot)
    select id, kind, jsonb_build_object(key, first), first, slot
      from asked, (select set_config('synchronous_commit', 'off', true) as durability) this_statement
     where durability = 'off'
     order by id, kind
    on conflict (holder_id, kind) do update set (slots, granted, newest_slot) = (
      select kept.slots || jsonb_build_object(own.key, coalesce((kept.slots ->> own.key)::bigint, 0) + grant_.amount),
             grant_.amount,
             greatest(budget.newest_slot, own.slot)
        from asked own,
        lateral (
          select coalesce(jsonb_object_agg(old.key, old.left), '{}') as slots, coalesce(sum(old.left), 0)::bigint as used
            from (
              select each.key, each.value::bigint - coalesce((own.returned ->> each.key)::bigint, 0) as left
                from jsonb_each_text(budget.slots) each
               where each.key::bigint > own.slot - ${span}::bigint
                 and each.key::bigint < own.slot + ${farSlots}::bigint
            ) old
           where old.left > 0
        ) kept,
        lateral (
          select greatest(0, least(own.want, ceil((${limit}::bigint - kept.used) / 2.0)))::bigint as amount
        ) grant_
       where own.id = budget.holder_id and own.kind = budget.kind
    )
    returning holder_id as "holderId", kind, granted,
              (select sum(value::bigint) from jsonb_each_text(slots))::bigint as used,
              (select min(key::bigint) from jsonb_each_text(slots) where value::bigint > 0) as oldest`
}

/** Drops the budgets nobody has drawn on since `slot`; a missing row is a full budget. */
export async function deleteIdleBudgets(ctx: Context, slot: number): Promise<void> {
  await ctx.sql`delete from rate_budgets where newest_slot < ${slot}`
}
