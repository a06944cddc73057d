// What the appended counts say of messages made, used and charged.
import type { Context } from '../../src/platform/context'

export async function deltaUsage({ sql }: Context): Promise<Record<'created' | 'used' | 'units', number>> {
  const [row] = await sql<Record<'created' | 'used' | 'units', number>[]>`
    select sum(created)::int as created, sum(used)::int as used, sum(units)::int as units from email_day_deltas`
  return row!
}
