// Months of events and messages: what lists cost that look into all of them, what dropping a month costs beside deleting its rows, and how
// long a table is locked while it is split. `bun bench/partition.ts [events] [months] [--write]`; `--write` puts the figures into
// docs/scaling.md. A tenth as many messages, and as many attempts.
import { cpus } from 'node:os'
import { join } from 'node:path'
import { day } from '../src/lib/time'
import { deleteEventsBefore, dropEventMonths, listEvents } from '../src/modules/audience/events'
import { listActivity } from '../src/modules/oversight/reporting/service/feed'
import { timeseries, topEvents } from '../src/modules/oversight/reporting/service/statistics'
import { listEmails } from '../src/modules/sending/emails/service'
import { findByIds, findByProviderIds, findNewest } from '../src/modules/sending/feedback/queries'
import type { Context } from '../src/platform/context'
import { type DatabaseClient, openDatabase } from '../src/platform/db/client'
import { migrate } from '../src/platform/db/migrate'
import { migrations } from '../src/platform/db/migrations'
import { withMonths } from '../src/platform/db/partition/jobs'
import { splitTable } from '../src/platform/db/partition/split'
import { monthlyTables } from '../src/platform/db/partition/tables'
import { silentLogger } from '../src/platform/log'
import {
  eventsPerMessage,
  fillMonths,
  insertProject,
  project,
  someContact,
  splitLongAgo,
} from './support/months'
import { openPlanReader, type PlanNode, type Statement } from './support/plans'
import { benchServer, quietContext } from './support/server'

const [events = 3_600_000, months = 36] = process.argv
  .slice(2)
  .filter(word => /^\d+$/.test(word))
  .map(Number)
const perMonth = Math.ceil(events / months)
const now = new Date()

type Question = [name: string, ask: (ctx: Context) => Promise<unknown>]

async function questions({ sql }: DatabaseClient): Promise<Question[]> {
  const ids = await sql<{ id: string; providerId: string; to: string }[]>`
    select id, provider_id as "providerId", to_email as to from emails order by id desc limit 50`
  const known = ids.map(({ id }) => id)
  const provided = ids.map(({ providerId }) => providerId)
  const year = new Date(now.getTime() - 365 * day).toISOString()
  const page = { after: null, limit: 50 }
  return [
    ['activity, newest 30 days', ctx => listActivity(ctx, project, { limit: 100 })],
    ['activity of a year', ctx => listActivity(ctx, project, { limit: 100, startDate: year })],
    [
      'activity of a year, bounces',
      ctx => listActivity(ctx, project, { limit: 100, startDate: year, types: 'email.bounced' }),
    ],
    [
      'activity of a contact, 30 days',
      ctx => listActivity(ctx, project, { limit: 100, contactId: someContact }),
    ],
    ['events, newest', ctx => listEvents(ctx, project, { of: 'all', ...page })],
    ['events of a name', ctx => listEvents(ctx, project, { of: { name: 'event 17' }, ...page })],
    ['events of a contact', ctx => listEvents(ctx, project, { of: { contactId: someContact }, ...page })],
    ['messages, newest', ctx => listEmails(ctx, project, { limit: 50 })],
    ['messages of a contact', ctx => listEmails(ctx, project, { limit: 50, contactId: someContact })],
    [
      'messages with a word, 90 days',
      ctx =>
        listEmails(ctx, project, {
          limit: 50,
          subject: 'subject 77',
          since: new Date(now.getTime() - 90 * day).toISOString(),
        }),
    ],
    ['messages by id (50)', ctx => findByIds(ctx, known)],
    ['messages by provider id (50)', ctx => findByProviderIds(ctx, provided)],
    [
      'newest message to an address',
      ctx =>
        findNewest(
          ctx,
          [{ projectId: project, email: 'c77@example.com' }],
          new Date(now.getTime() - 30 * day),
        ),
    ],
    ['analytics, a quarter', ctx => timeseries(ctx, project, { startDate: year })],
    ['analytics, top events', ctx => topEvents(ctx, project, {}, 20)],
  ]
}

/** More than the five rounds after which PostgreSQL may switch to a generic plan for a prepared statement. */
const rounds = 9

interface Answer {
  name: string
  /** Median, in the executor. */
  ms: number
  /** Median, as called: with planning and the way there. */
  calledMs: number
  months: number
  pages: number
}

/** Months that a statement really looked into. */
function monthsIn(node: PlanNode): string[] {
  const name = node['Relation Name'] ?? ''
  const own = /_(first|rest|\d{4}_\d\d)$/.test(name) && (node['Actual Loops'] ?? 0) > 0 ? [name] : []
  return [...own, ...(node.Plans ?? []).flatMap(monthsIn)]
}

async function askAll(database: DatabaseClient, url: string): Promise<Answer[]> {
  const all = await questions(database)
  // Explaining costs more than most answers.
  const calledMs: number[] = []
  for (const [, ask] of all) calledMs.push(median(await timesOf(() => ask(quietContext(database)))))
  const reader = await openPlanReader(database, url)
  const ctx = quietContext(reader)
  try {
    const answers: Answer[] = []
    for (const [index, [name, ask]] of all.entries()) {
      const seen: Statement[][] = []
      for (let round = 0; round < rounds; round++) {
        reader.take()
        await ask(ctx)
        seen.push(reader.take())
      }
      const sums = seen.map(each => each.reduce((sum, { ms }) => sum + ms, 0))
      const last = seen.at(-1)!
      answers.push({
        ...{ name, ms: median(sums), calledMs: calledMs[index]! },
        months: Math.max(...last.map(({ plan }) => new Set(monthsIn(plan)).size)),
        pages: last.reduce((sum, each) => sum + each.pages, 0),
      })
      if (process.argv.includes('--plans')) console.log(JSON.stringify(last, null, 1))
    }
    return answers
  } finally {
    await reader.close()
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

async function timesOf(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push((await timed(work)) * 1_000)
  return times
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1_000
}

/** The oldest month is dropped; the rows of the next one are deleted one by one, in batches as retention does. */
async function compareRemovals(
  database: DatabaseClient,
  oldest: Date[],
): Promise<{ dropped: number; deleted: number }> {
  const ctx = quietContext(database)
  const until = (at: Date) => async (_: Date | undefined, to: Date) => to > at
  const dropped = await timed(() => dropEventMonths(ctx, until(oldest[0]!)))
  const deleted = await timed(() => deleteEventsBefore(ctx, project, oldest[1]!))
  return { dropped, deleted }
}

/** An ordinary table with the rows of a month is split; returns how long that took, and for how long it was locked. */
async function splitOrdinary(
  database: DatabaseClient,
  rows: number,
): Promise<{ seconds: number; lockedMs: number }> {
  await migrate(database.sql, migrations, now)
  await insertProject(database)
  await fillMonths(database, [{ from: new Date(now.getTime() - 30 * day), to: now }], rows, now)
  let lockedMs = 0
  const seconds = await timed(() =>
    withMonths({ sql: database.sql, log: silentLogger }, session =>
      splitTable(session, monthlyTables[0]!, now, line => {
        lockedMs = Number(/(\d+) ms/.exec(line)?.[1] ?? lockedMs)
      }),
    ),
  )
  return { seconds, lockedMs }
}

const count = (value: number): string => Math.round(value).toLocaleString('en')

function report(
  answers: Answer[],
  removals: { dropped: number; deleted: number },
  ordinary: { rows: number; seconds: number; lockedMs: number },
  bytes: number,
): string {
  const rows = answers.map(
    ({ name, ms, calledMs, months: looked, pages }) =>
      `| ${name} | ${looked} | ${pages} | ${ms.toFixed(1)} | ${calledMs.toFixed(1)} |`,
  )
  return [
    `${count(events)} events in ${months} months (${count(perMonth)} a month), ${count(events / eventsPerMessage)} messages and as many attempts, ` +
      `${(bytes / 1e9).toFixed(1)} GB; ${cpus().length} × ${cpus()[0]!.model}, which others used as well; ${now.toISOString().slice(0, 10)}:`,
    '',
    '| | partitions looked into | pages | ms in the database | ms as called |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    `Dropping a month of ${count(perMonth)} events took ${removals.dropped.toFixed(1)} s, most of it for counting what it held; deleting the rows of the next one as ` +
      `retention does took ${removals.deleted.toFixed(1)} s. Splitting an ordinary table of ${count(ordinary.rows)} events took ${ordinary.seconds.toFixed(1)} s, during which it was ` +
      `locked for ${ordinary.lockedMs} ms.`,
  ].join('\n')
}

async function write(text: string): Promise<void> {
  const path = join(import.meta.dir, '../docs/scaling.md')
  const page = await Bun.file(path).text()
  const [head, , tail] = page.split(/<!-- \/?months -->\n/)
  if (tail === undefined) throw new Error('docs/scaling.md has no place for the figures')
  await Bun.write(path, `${head}<!-- months -->\n${text}\n<!-- /months -->\n${tail}`)
}

const server = await benchServer()
const opened: DatabaseClient[] = []
const open = async (): Promise<DatabaseClient & { url: string }> => {
  const url = await server.createDatabase()
  const client = openDatabase(url, { max: 4 })
  opened.push(client)
  return { ...client, url }
}
try {
  const database = await open()
  await migrate(database.sql, migrations, now)
  const spans = await splitLongAgo(database, now, months - 1)
  await insertProject(database)
  const filled = await timed(() => fillMonths(database, spans, perMonth, now))
  console.log(
    `${count(events)} events and ${count(events / eventsPerMessage)} messages in ${filled.toFixed(0)} s`,
  )
  const [size] = await database.sql<
    { bytes: number }[]
  >`select pg_database_size(current_database())::float8 as bytes`
  const answers = await askAll(database, database.url)
  const removals = await compareRemovals(
    database,
    spans.slice(0, 2).map(({ to }) => to),
  )
  // More would say nothing new, and take as much room again as a tenth of the rest.
  const rows = Math.min(Math.ceil(events / 10), 3_000_000)
  const ordinary = { rows, ...(await splitOrdinary(await open(), rows)) }
  const text = report(answers, removals, ordinary, size!.bytes)
  console.log(text)
  if (process.argv.includes('--write')) await write(text)
} finally {
  for (const client of opened) await client.close()
  await server.stop()
}
