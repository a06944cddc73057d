// The budget of a project's sending pace.
import type { Context } from '../../../platform/context'

/**
 * Books up to `count` messages on the project's pace of `rate` a second; returns how many may leave now and, in seconds since
 * 1970, when the next one may. The budget is a moment up to which it is spent, so one guarded statement serves all instances; it
 * never lies further back than one second's worth, which is the permitted burst. Undefined when the project has no budget yet.
 */
export async function bookPace(
  ctx: Context,
  projectId: string,
  rate: number,
  count: number,
): Promise<{ granted: number; nextAt: number } | undefined> {
  const now = ctx.clock.now().getTime() / 1000
  const burst = Math.max(1, rate) / rate
  const [row] = await ctx.sql<{ granted: number; nextAt: number }[]>`
    with held as (
      select greatest(spent_until, ${now - burst}::float8) as spent
        from send_paces where project_id = ${projectId}::uuid for update
    ), booked as (
      select spent, greatest(0, least(${count}::int, floor((${now}::float8 - spent) * ${rate}::float8 + 1e-6)))::int as granted
        from held
    )
    update send_paces p set spent_until = b.spent + b.granted / ${rate}::float8
      from booked b where p.project_id = ${projectId}::uuid
    returning b.granted, b.spent + (b.granted + 1) / ${rate}::float8 as "nextAt"`
  return row
}

/** Gives a project a budget to book on; it starts unspent. */
export async function insertPace(ctx: Context, projectId: string): Promise<void> {
  await ctx.sql`insert into send_paces (project_id, spent_until) values (${projectId}::uuid, 0) on conflict do nothing`
}
