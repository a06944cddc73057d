// How commands work on an instance's data: alongside it while it runs, or on their own while it does not.

import type { Context } from '../platform/context'
import {
  buildContext,
  connectBeside,
  migrateDatabase,
  missingMigrations,
  requireDatabase,
} from '../server/compose'
import { readConfig } from './start'

/** `mayBeNew`: a database that is not there yet is made. */
export async function withInstance(
  { mayBeNew }: { mayBeNew: boolean },
  work: (ctx: Context) => Promise<number>,
): Promise<number> {
  const { config, log } = readConfig()
  if (!mayBeNew) requireDatabase(config)
  const database = await connectBeside(config, log)
  try {
    // A database that only we use would be brought up to date by nobody else.
    if (database.soleOwner) await migrateDatabase(database, log)
    else if ((await missingMigrations(database)).length > 0)
      throw new Error('the database is not up to date: start Waxwing once, or run "waxwing migrate"')
    const ctx = await buildContext(config, database, log)
    try {
      return await work(ctx)
    } finally {
      await ctx.mail.close()
    }
  } finally {
    await database.close()
  }
}
