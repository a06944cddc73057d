// SQL of the shared request budget. Granting is one statement on one row, so that instances queue on the row's lock and can't
// both take the last of it.
import type { Context } from '../context'
import type { HolderKind } from './schema'

export interface Holder {
  kind: HolderKind
  id: string
}

export interface LeaseRequest {
  holder: Holder
  /** The slot the requests fall in. */
  slot: number
  /** How many slots together cover a minute. */
  span: number
  limit: number
  want: number
  /** Requests of earlier slots that were leased and never used. */
  returned: Record<string, number>
}

export interface LeaseRow {
  granted: number
  /** Granted in all slots of the span, this lease included. */
  used: number
  /** The oldest slot of the span in which anything was granted. */
  oldest: number | null
}

/** About an hour. */
export const farSlots = 1_800

/**
 * Grants up to `want` requests. Slots newer than `slot` (another instance's clock is ahead) count as well, so a clock that
 * lags gains nothing; those beyond `farSlots` were written by a clock that was wrong and has been put right. While more than a chunk is
 * left, one lease takes at most half of it, so that several instances share the end. A request waits for it, so it does not wait for
 * the disk: a crash may lose the leases of its last moment. Never inside a transaction, which would be committed as carelessly.
 */
export async function leaseRequests(ctx: Context, request: LeaseRequest): Promise<LeaseRow> {
  const { holder, slot, span, limit, want, returned } = request
  const key = String(slot)
  const first = Math.min(want, Math.ceil(limit / 2))
  const [row] = await ctx.sql<LeaseRow[]>`
    insert into rate_budgets as budget (holder_id, kind, slots, granted, newest_slot)
    select ${holder.id}::uuid, ${holder.kind}::text, jsonb_build_object(${key}::text, ${first}::bigint), ${first}::bigint, ${slot}::bigint
      from (select set_config('synchronous_commit', 'off', true) as durability) this_statement
     where durability = 'off'
    on conflict (holder_id, kind) do update set (slots, granted, newest_slot) = (
      select kept.slots || jsonb_build_object(${key}::text, coalesce((kept.slots ->> ${key}::text)::bigint, 0) + grant_.amount),
             grant_.amount,
             greatest(budget.newest_slot, ${slot}::bigint)
        from (
          select coalesce(jsonb_object_agg(old.key, old.left), '{}') as slots, coalesce(sum(old.left), 0)::bigint as used
            from (
              select each.key, each.value::bigint - coalesce((${JSON.stringify(returned)}::jsonb ->> each.key)::bigint, 0) as left
                from jsonb_each_text(budget.slots) each
               where each.key::bigint > ${slot}::bigint - ${span}::bigint
                 and each.key::bigint < ${slot}::bigint + ${farSlots}::bigint
            ) old
           where old.left > 0
        ) kept,
        lateral (
          select greatest(0, least(${want}::bigint, ceil((${limit}::bigint - kept.used) / 2.0)))::bigint as amount
        ) grant_
    )
    returning granted,
              (select sum(value::bigint) from jsonb_each_text(slots))::bigint as used,
              (select min(key::bigint) from jsonb_each_text(slots) where value::bigint > 0) as oldest`
  return row!
}

/** Drops the budgets nobody has drawn on since `slot`; a missing row is a full budget. */
export async function deleteIdleBudgets(ctx: Context, slot: number): Promise<void> {
  await ctx.sql`delete from rate_budgets where newest_slot < ${slot}`
}
