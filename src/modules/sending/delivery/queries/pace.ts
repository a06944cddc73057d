// The budget of a project's sending pace.
import type { Context } from '../../../../platform/context'

export interface Booking {
  /** Messages a second. */
  rate: number
  count: number
  /** How many messages must remain possible after this booking. */
  reserve: number
  /** Goes before everything else: while it waits for its turn, nobody else books. */
  isUrgent: boolean
}

/** An urgent message may come this much later than the turn it was given and still find its place free. */
const graceSeconds = 0.25
/** Nobody books this far ahead: such a moment was written by a wrong clock that has since been corrected. */
const farSeconds = 60

/**
 * Books up to `count` messages against the project's pace; returns how many may leave now and, in seconds since 1970, when the next one
 * may. The budget is a moment up to which it is spent, so one guarded statement serves all instances; it is never further back than one
 * second's worth, which is the permitted burst. Undefined when the project has no budget yet.
 */
export async function bookPace(
  ctx: Context,
  projectId: string,
  { rate, count, reserve, isUrgent }: Booking,
): Promise<{ granted: number; nextAt: number } | undefined> {
  const now = ctx.clock.now().getTime() / 1000
  const burst = Math.max(1, rate) / rate
  const [row] = await ctx.sql<{ granted: number; nextAt: number }[]>`
    with held as (
      select case when spent_until > ${now + farSeconds}::float8 then ${now - burst}::float8
                  else greatest(spent_until, ${now - burst}::float8) end as spent,
             case when ${isUrgent}::boolean or urgent_until > ${now + farSeconds}::float8 then 0
                  else urgent_until end as closed_until
        from send_paces where project_id = ${projectId}::uuid for update
    ), booked as (
      select spent, closed_until,
             case when closed_until > ${now}::float8 then 0
                  else greatest(0, least(${count}::int, floor((${now}::float8 - spent) * ${rate}::float8 - ${reserve}::float8 + 1e-6)))
             end::int as granted
        from held
    )
    update send_paces p
       set spent_until = b.spent + b.granted / ${rate}::float8,
           urgent_until = case when ${isUrgent}::boolean and b.granted < ${count}::int
             then greatest(case when p.urgent_until > ${now + farSeconds}::float8 then 0 else p.urgent_until end, b.spent + ${count}::int / ${rate}::float8 + ${graceSeconds}::float8) else p.urgent_until end
      from booked b where p.project_id = ${projectId}::uuid
    returning b.granted, greatest(b.spent + (b.granted + 1 + ${reserve}::float8) / ${rate}::float8, b.closed_until) as "nextAt"`
  return row
}

/** Gives a project a budget to book against; it starts unspent. */
export async function insertPace(ctx: Context, projectId: string): Promise<void> {
  await ctx.sql`insert into send_paces (project_id, spent_until) values (${projectId}::uuid, 0) on conflict do nothing`
}
