// `waxwing resume`: lets mail leave again after a restore or a copy. A running instance notices within two seconds.

import { readInstance, resumeSending } from '../platform/instance/queries'
import { claimDatabase } from '../platform/instance/sending-pause'
import { readBacklog } from '../platform/jobs/queries'
import { connectBeside, missingMigrations, requireDatabase, systemClock } from '../server/compose'
import { readConfig } from './start'

export async function resume(): Promise<number> {
  const { config, log } = readConfig()
  requireDatabase(config)
  const database = await connectBeside(config, log)
  try {
    const missing = await missingMigrations(database)
    if (missing.length > 0)
      throw new Error('the database is not up to date: start Waxwing once, or run "waxwing migrate"')
    // Nobody runs on it: it is claimed for this place, or the next start would find the same reason again.
    if (!database.holder) await claimDatabase({ sql: database.sql, config, clock: systemClock })
    const before = await readInstance(database)
    const waiting = await readBacklog(database, systemClock.now())
    const jobs = waiting.reduce((sum, { band, waiting }) => (band === 'system' ? sum : sum + waiting), 0)
    if (!(await resumeSending(database))) console.log('sending is not paused')
    else
      console.log(
        `sending goes on; it was paused because ${before?.pausedBecause}. Jobs that are due: ${jobs}`,
      )
    return 0
  } finally {
    await database.close()
  }
}
