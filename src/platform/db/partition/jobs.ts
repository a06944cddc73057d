// Looks after the months of tables that are split, once a day; where none is, nothing is done.
import type postgres from 'postgres'
import { day } from '../../../lib/time'
import type { Context } from '../../context'
import { handle } from '../../jobs/kind'
import { schedule } from '../../jobs/schedule'
import { defaultLockWait, type MigrationSession, withLock } from '../migration/session'
import { makeMonthsAhead } from './ahead'
import { monthKinds } from './kinds'
import { abandonOverdue } from './split'
import { hasMonths } from './state'

/** Runs `work` alone: while it works nobody else migrates, splits or drops. */
export async function withMonths<T>(
  { sql, log }: Pick<Context, 'sql' | 'log'>,
  work: (session: MigrationSession) => Promise<T>,
): Promise<T> {
  return await withLock(sql as postgres.Sql, { log, patience: defaultLockWait }, work)
}

export const monthJobs = [
  handle(monthKinds.create, async ctx => {
    await withMonths(ctx, async session => {
      await abandonOverdue(session, ctx.clock.now())
      for (const table of await makeMonthsAhead(session, ctx.clock.now()))
        ctx.log.info({ table }, 'the coming months were made')
    })
  }),
]

export const monthSchedules = [schedule(monthKinds.create, day, hasMonths)]
