// Lists of contacts and events at size: how long the database works for each and whether it reads a table from end to end (aim:
// below 50 ms, and never). Then an import beside a bare COPY of the same rows. `bun bench/contacts.ts [contacts]`. Aim: 0.25.
import { readListing } from '../src/modules/contacts/listing'
import { listContacts, listFields } from '../src/modules/contacts/service'
import { countNames, listEvents } from '../src/modules/events/service'
import type { Context } from '../src/platform/context'
import { type DatabaseClient, openDatabase } from '../src/platform/db/client'
import { migrate } from '../src/platform/db/migrate'
import { migrations } from '../src/platform/db/migrations'
import { generateProjects } from './support/generate'
import { measureImport } from './support/import'
import { openPlanReader, type PlanReader, type Statement } from './support/plans'
import { benchServer, quietContext } from './support/server'

const contacts = Number(process.argv.slice(2).find(each => /^\d+$/.test(each)) ?? 200_000)
const eventsOfEach = 5
const aimMs = 50
/** More than the five after which PostgreSQL may plan a prepared statement for all values at once. */
const rounds = 9
const project = '01900000-0000-7000-8000-000000000001'
const neighbour = '01900000-0000-7000-8000-000000000002'

type Question = [name: string, ask: (ctx: Context) => Promise<unknown>]

/** The questions, and the rows that some of them begin behind. */
async function questions(ctx: Context): Promise<Question[]> {
  const list = (query: Record<string, string>, after?: string) => (each: Context) =>
    listContacts(each, project, { ...readListing(query), ...(after ? { after } : {}) })
  const [middle] = await ctx.sql<{ id: string; email: string }[]>`
    select id, email from contacts where project_id = ${project}::uuid order by id offset ${Math.floor(contacts / 2)} limit 1`
  const [first] = await ctx.sql<{ id: string }[]>`
    select id from contacts where project_id = ${project}::uuid order by id limit 1`
  const [event] = await ctx.sql<{ createdAt: Date; id: string }[]>`
    select created_at as "createdAt", id from events where project_id = ${project}::uuid
     order by id offset ${Math.floor(contacts)} limit 1`
  const events = (of: Parameters<typeof listEvents>[2]['of'], after?: typeof event) => (each: Context) =>
    listEvents(each, project, { of, after: after ?? null, limit: 100 })
  const { id, email } = middle!
  return [
    ['contacts, first page', list({})],
    ['contacts, page in the middle', list({}, id)],
    ['contacts, subscribed', list({ subscribed: 'true' })],
    ['contacts, unsubscribed', list({ status: 'unsubscribed' })],
    ['contacts, snoozed', list({ status: 'snoozed' })],
    ['contacts by email', list({ sort: 'email', dir: 'asc' })],
    ['contacts by email, middle', list({ sort: 'email', dir: 'asc' }, email)],
    ['search, one contact', list({ search: email.slice(2, -8) })],
    ['search, 1 in 8', list({ search: 'barbara' })],
    ['search, everybody', list({ search: 'example' })],
    ['search, everybody, by email', list({ search: 'example', sort: 'email', dir: 'asc' })],
    ['search, nobody', list({ search: 'xyzzy.quux' })],
    ['search, nobody, two letters', list({ search: 'ß~' })],
    ['contacts/fields', each => listFields(each, project)],
    ['events/names', each => countNames(each, project)],
    ['events/stats, ever', each => countNames(each, project, { first: null, last: null })],
    [
      'events/stats, a year by days',
      each => countNames(each, project, { first: '2000-01-01', last: '2099-12-31' }),
    ],
    ['events, first page', events('all')],
    ['events, page in the middle', events('all', event)],
    ['events of a name', events({ name: 'event 1' })],
    ['events of a contact', events({ contactId: id })],
    ['events of the busiest contact', events({ contactId: first!.id })],
  ]
}

function report(name: string, asked: Statement[][], tookMs: number[]): boolean {
  const sums = asked.map(all => all.reduce((sum, { ms }) => sum + ms, 0)).sort((a, b) => a - b)
  const [best, median, worst] = [sums[0]!, sums[Math.floor(sums.length / 2)]!, sums.at(-1)!]
  const pages = Math.max(...asked.map(all => all.reduce((sum, each) => sum + each.pages, 0)))
  const scanned = new Set(
    asked.flat().flatMap(each => each.scanned.filter(table => ['contacts', 'events'].includes(table))),
  )
  const isGood = worst < aimMs && scanned.size === 0
  const took = [...tookMs].sort((a, b) => a - b)[Math.floor(tookMs.length / 2)]!
  console.log(
    `  ${name.padEnd(31)} ${best.toFixed(2).padStart(8)} ${median.toFixed(2).padStart(8)} ${worst.toFixed(2).padStart(8)} ms` +
      `${took.toFixed(1).padStart(8)} ms ${String(pages).padStart(7)} pages` +
      `  ${scanned.size > 0 ? `SCANS ${[...scanned].join(', ')}` : isGood ? 'good' : 'SLOW'}`,
  )
  if (!isGood && process.argv.includes('--plans')) console.log(JSON.stringify(asked.at(-1), null, 1))
  return isGood
}

async function askAll(reader: PlanReader): Promise<number> {
  const ctx = quietContext(reader)
  let missed = 0
  console.log(`  ${''.padEnd(31)}     best   median    worst in the database, as called, pages looked at`)
  for (const [name, ask] of await questions(ctx)) {
    reader.take()
    const asked: Statement[][] = []
    const tookMs: number[] = []
    for (let round = 0; round < rounds; round++) {
      const begun = performance.now()
      await ask(ctx)
      tookMs.push(performance.now() - begun)
      asked.push(reader.take())
    }
    if (asked.some(all => all.length === 0)) throw new Error(`${name}: the database told no plan`)
    if (!report(name, asked, tookMs)) missed++
  }
  return missed
}

async function fill(database: DatabaseClient): Promise<void> {
  const begun = performance.now()
  const now = new Date()
  await migrate(database.sql, migrations, now)
  const size = (projectId: string, share: number) => {
    const some = Math.floor(contacts * share)
    return { projectId, contacts: some, events: some * eventsOfEach, now }
  }
  await generateProjects(database.sql, [size(project, 1), size(neighbour, 0.2)])
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  console.log(
    `${contacts} contacts, ${contacts * eventsOfEach} events, and a fifth of that beside: ${seconds} s`,
  )
}

const server = await benchServer()
const url = await server.createDatabase()
const database = openDatabase(url, { max: 4 })
try {
  await fill(database)
  const reader = await openPlanReader(database, url)
  const missed = await askAll(reader).finally(() => reader.close())
  console.log(missed === 0 ? 'all within the aim' : `${missed} beyond the aim`)
  await measureImport(url, project)
} finally {
  await database.close()
  await server.stop()
}
