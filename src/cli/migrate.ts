// `waxwing migrate`: brings the database up to date and exits. With `--plan` it says what it would do, and changes nothing.

import { unfinishedBackfills } from '../platform/db/migration/backfill'
import { allowsNewer } from '../platform/db/migration/journal'
import { type Plan, planOf, readTableSizes } from '../platform/db/migration/plan'
import { defaultLockWait } from '../platform/db/migration/session'
import { connect, connectBeside, hasDatabase, migrateDatabase, schemaState } from '../server/compose'
import { readArguments } from './arguments'
import { readConfig } from './start'

export const migrateFlags = {
  plan: {
    kind: 'flag',
    description: 'say what it would do, whom it would keep waiting and what is final; change nothing',
  },
} as const

export async function migrateCommand(given: string[]): Promise<number> {
  const { flags } = readArguments(given, migrateFlags, [])
  const { config, log } = readConfig()
  if (flags.plan && !hasDatabase(config)) return print(['there is no database yet: the first start makes it'])
  const database = flags.plan ? await connectBeside(config, log) : await connect(config, log)
  try {
    if (flags.plan) return print(await planLines(database))
    const applied = await migrateDatabase(database, log)
    return print([applied.length > 0 ? `applied ${applied.join(', ')}` : 'the database is up to date'])
  } finally {
    await database.close()
  }
}

async function planLines(database: Awaited<ReturnType<typeof connect>>): Promise<string[]> {
  const { missing, newer } = await schemaState(database)
  const lines: string[] = []
  if (newer.length > 0) lines.push(`changed by a newer version of Waxwing: ${newer.join(', ')}`)
  const sizes = await readTableSizes(database.sql)
  if (sizes.some(({ name }) => name === 'backfills'))
    for (const { tag, done, estimate } of await unfinishedBackfills(database.sql))
      lines.push(
        `backfill under way: ${tag}, ${done.toLocaleString('en')} of about ${estimate.toLocaleString('en')} rows`,
      )
  if (missing.length === 0) return [...lines, 'the database is up to date']
  const plan = planOf(missing, sizes)
  if (sizes.length === 0)
    return [...lines, ...plan.lines, '', 'The database is empty, so no one has to wait.']
  return [...lines, ...plan.lines, '', ...footer(plan, await allowsNewer(database.sql))]
}

function footer({ lost }: Plan, previousGoesOn: boolean): string[] {
  const { lockTimeoutMs, forMs } = defaultLockWait
  return [
    "Sizes are PostgreSQL's estimates (analyze), times are guesses for a modest machine.",
    `No statement waits in the queue for a table longer than ${lockTimeoutMs / 1_000} s: it lets others pass and tries again, ` +
      `for ${forMs / 60_000} minutes.`,
    ...(lost.length > 0
      ? ["Can't be undone, except by restoring a backup made before:", ...lost.map(line => `  ${line}`)]
      : [
          previousGoesOn
            ? 'It only adds: the previous version keeps working with the database, beside the new one or in its place.'
            : "It only adds, but the previous version is too old to accept this and won't start afterwards. Back up first.",
        ]),
  ]
}

function print(lines: string[]): number {
  for (const line of lines) console.log(line)
  return 0
}
