// Checks that ask the database: whether it answers and is up to date, its clock against ours, its secrets, the queue, and whether
// sending is paused.

import { minute, second } from '../../lib/time'
import { retryingEmails } from '../../modules/sending/emails'
import type { Context } from '../../platform/context'
import { splitTables } from '../../platform/db/partition/catalogue'
import { monthWarnings } from '../../platform/db/partition/state'
import { readInstance } from '../../platform/instance/queries'
import { readBacklog } from '../../platform/jobs/queries'
import type { Band } from '../../platform/jobs/schema'
import { readSecretMarks } from '../../platform/secrets'
import type { Config } from '../../settings/config'
import { type DatabaseHandle, schemaState, systemClock } from '../compose'
import { readRespelling } from '../respell'
import { foreignHere } from '../secrets'
import { checkReports } from './billing'
import { type Check, type Finding, fail, pass, warn } from './check'

export type CheckedDatabase = DatabaseHandle & { holder?: string }

/** `migrations` says what is missing: a database that is not up to date can't be asked anything else. */
export async function checkDatabase(
  database: CheckedDatabase,
): Promise<{ finding: Finding; isCurrent: boolean }> {
  const [row] = await database.sql<{ version: string }[]>`select current_setting('server_version') as version`
  const { missing, newer } = await schemaState(database)
  const whose = database.holder ? ` of the running instance (${database.holder})` : ''
  const about = 'database'
  const isCurrent = missing.length === 0
  const state = isCurrent ? 'up to date' : 'not up to date (waxwing migrate)'
  const finding = `PostgreSQL ${row!.version}${whose}, ${state}`
  if (newer.length > 0)
    return { finding: warn(about, `${finding}; changed by a newer version (${newer.join(', ')})`), isCurrent }
  return { finding: pass(about, finding), isCurrent }
}

/** What a check asks: any connection will do. */
type Asked = Pick<Context, 'sql'>

/** `isRunning`: an instance with a job runner is there. */
export function databaseChecks(config: Config, database: Asked, isRunning: boolean): Check[] {
  return [
    { about: 'clock', run: async () => [await checkClock(database)] },
    { about: 'secrets', run: async () => [await checkSecrets(config, database)] },
    { about: 'sending', run: async () => [await checkSending(database)] },
    { about: 'queue', run: async () => await checkQueue(database, isRunning) },
    { about: 'months', run: async () => await checkMonths(database) },
    { about: 'addresses', run: async () => await checkAddresses(database) },
    { about: 'usage', run: async () => await checkReports(config, database) },
  ]
}

/** Against the database's, and against the times that are written in it: nothing in it can have happened in the future. */
async function checkClock(database: Asked): Promise<Finding> {
  const about = 'clock'
  const before = systemClock.now().getTime()
  const [row] = await database.sql<{ now: Date; newest: Date | null }[]>`
    select clock_timestamp() as now, (select max(last_tick) from schedules) as newest`
  const after = systemClock.now().getTime()
  const offsetMs = row!.now.getTime() - (before + after) / 2
  const behindMs = (row!.newest?.getTime() ?? 0) - after
  if (behindMs > minute)
    return fail(
      about,
      `it is ${words(behindMs)} behind what the database has seen already: set it, or schedules stand still until then`,
    )
  if (Math.abs(offsetMs) > 5 * second + (after - before))
    return warn(
      about,
      `it is ${words(Math.abs(offsetMs))} ${offsetMs > 0 ? 'behind' : 'ahead of'} the database's: let both follow a time server`,
    )
  return pass(about, 'agrees with the database')
}

function words(ms: number): string {
  if (ms < 2 * minute) return `${(ms / second).toFixed(1)} s`
  return ms < 180 * minute ? `${Math.round(ms / minute)} minutes` : `${(ms / minute / 60).toFixed(1)} hours`
}

async function checkSecrets(config: Config, database: Asked): Promise<Finding> {
  const marks = await readSecretMarks(database)
  const foreign = marks ? await foreignHere(config, marks) : []
  return foreign.length === 0
    ? pass('secrets', marks ? 'belong to this database' : 'are made at the first start')
    : fail('secrets', `this database was written with another ${foreign.join(' and another ')}`)
}

/** Says nothing if no table is split. */
async function checkMonths({ sql }: Asked): Promise<Finding[]> {
  const about = 'months'
  const split = await splitTables(sql)
  const found = await monthWarnings(sql, systemClock.now())
  if (found.length > 0) return found.map(words => warn(about, words))
  return split.length > 0
    ? [pass(about, `${split.map(({ name }) => name).join(', ')} have their months`)]
    : []
}

async function checkSending(database: Asked): Promise<Finding> {
  const instance = await readInstance(database)
  if (!instance?.pausedAt) return pass('sending', 'is not paused')
  return warn(
    'sending',
    `PAUSED since ${instance.pausedAt.toISOString()}: ${instance.pausedBecause}; "waxwing resume" lets mail leave again`,
  )
}

/** How long a due job may wait before that is worth a line. Campaigns wait their turn for hours by design. */
const overdueMs: Record<Exclude<Band, 'bulk'>, number> = {
  transactional: minute,
  system: 5 * minute,
  workflow: 10 * minute,
}

async function checkQueue(database: Asked, isRunning: boolean): Promise<Finding[]> {
  const about = 'queue'
  const now = systemClock.now()
  const backlog = await readBacklog(database, now)
  const [runners] = await database.sql<{ alive: number }[]>`
    select count(*)::int as alive from runners where lease_until > ${now}`
  const late = backlog.filter(({ band, oldest }) => {
    return band !== 'bulk' && oldest && now.getTime() - oldest.getTime() > overdueMs[band]
  })
  const waiting = backlog.reduce((sum, { waiting }) => sum + waiting, 0)
  if (isRunning && runners!.alive === 0)
    return [fail(about, `no job runner is alive, so nothing is sent; ${waiting} jobs are due`)]
  const { count: retrying, oldest: oldestRetry } = await retryingEmails(database)
  const retried = oldestRetry
    ? `; ${retrying} emails wait for another attempt, the oldest for ${words(now.getTime() - oldestRetry.getTime())}`
    : ''
  const alive = `${isRunning ? `job runners that are alive: ${runners!.alive}` : 'no instance runs here'}${retried}`
  if (late.length === 0) return [pass(about, `${waiting} jobs are due, ${alive}`)]
  return late.map(({ band, waiting, oldest }) =>
    warn(
      about,
      `${waiting} ${band} jobs wait, the oldest for ${words(now.getTime() - oldest!.getTime())}; ${alive}`,
    ),
  )
}

/** What an update did to addresses that had several spellings; nothing is said where there was nothing to do. */
async function checkAddresses(database: Asked): Promise<Finding[]> {
  const about = 'addresses'
  const found = await readRespelling(database)
  if (!found || found.parts.length === 0) return []
  const counts = found.parts.map(({ part, rows }) => `${part}: ${rows}`).join(', ')
  const words = `stored addresses got their one spelling on ${found.at.toISOString().slice(0, 10)} (${counts})`
  return found.parts.some(({ part }) => part === 'accounts with the mailbox of another')
    ? [
        warn(
          about,
          `${words}; two accounts share a mailbox, and only one of them can sign in with it: the log of that day names the other`,
        ),
      ]
    : [pass(about, words)]
}
