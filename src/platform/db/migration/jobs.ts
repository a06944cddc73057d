// Works on backfills, a minute's share at a time, beside everything else that the instance does.
import { minute, second, sleep } from '../../../lib/time'
import { type Context, inTransaction } from '../../context'
import { type BoundJob, handle } from '../../jobs/kind'
import { schedule } from '../../jobs/schedule'
import { fillPage, hasBackfills, unfinishedBackfills } from './backfill'
import { backfillKinds } from './kinds'
import { type Migration, type ParsedMigration, parseMigration } from './parse'

/** Less than the schedule's rhythm, so that one run ends before the next begins. */
const runMs = 45 * second

export function backfillJobs(migrations: readonly Migration[]): BoundJob[] {
  return [
    handle(backfillKinds.fill, async (ctx, _args, { signal }) => {
      const begun = performance.now()
      for (const { tag, done, estimate } of await unfinishedBackfills(ctx.sql)) {
        const known = migrations.find(migration => migration.tag === tag)
        // Of a newer program, which works on it.
        if (!known) continue
        ctx.log.info({ backfill: tag, done, estimate }, 'backfill goes on')
        const mayGoOn = (): boolean => !signal.aborted && performance.now() - begun < runMs
        if (await fill(ctx, parseMigration(known), mayGoOn))
          ctx.log.info({ backfill: tag }, 'backfill has ended')
      }
    }),
  ]
}

/** Returns true when it has come to the end. Rests as long as it works: what users wait for comes first. */
async function fill(ctx: Context, migration: ParsedMigration, mayGoOn: () => boolean): Promise<boolean> {
  while (mayGoOn()) {
    const begun = performance.now()
    const isMore = await inTransaction(ctx, tx => fillPage(tx.sql, migration, ctx.clock.now()))
    if (!isMore) return true
    await sleep(performance.now() - begun)
  }
  return false
}

export const backfillSchedules = [schedule(backfillKinds.fill, minute, hasBackfills)]
