// Lists of contacts and events at scale: how long the database works on each and whether it reads a table from end to end (aim: below 50
// ms, and never). Then an import compared with a bare COPY of the same rows. `bun bench/contacts.ts [contacts]`. Aim: 0.25.
import { readContactListing } from '../src/modules/audience/contacts/listing'
import { listContacts, listFields } from '../src/modules/audience/contacts/service'
import { countEventNames, listEvents } from '../src/modules/audience/events/service'
import type { Context } from '../src/platform/context'
import { type DatabaseClient, openDatabase } from '../src/platform/db/client'
import { migrate } from '../src/platform/db/migrate'
import { migrations } from '../src/platform/db/migrations'
import { generateProjects } from './support/generate'
import { measureImport } from './support/import'
import { openPlanReader } from './support/plans'
import { askAll, type Question } from './support/questions'
import { benchServer } from './support/server'

const contacts = Number(process.argv.slice(2).find(each => /^\d+$/.test(each)) ?? 200_000)
const eventsOfEach = 5
const aim = { ms: 50, large: ['contacts', 'events'] }
const project = '01900000-0000-7000-8000-000000000001'
const neighbour = '01900000-0000-7000-8000-000000000002'

/** The questions, and the rows after which some of them begin. */
async function questions(ctx: Context): Promise<Question[]> {
  const list = (query: Record<string, string>, after?: string) => (each: Context) =>
    listContacts(each, project, { ...readContactListing(query), ...(after ? { after } : {}) })
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
    ['events/names', each => countEventNames(each, project)],
    ['events/stats, ever', each => countEventNames(each, project, { first: null, last: null })],
    [
      'events/stats, a year by days',
      each => countEventNames(each, project, { first: '2000-01-01', last: '2099-12-31' }),
    ],
    ['events, first page', events('all')],
    ['events, page in the middle', events('all', event)],
    ['events of a name', events({ name: 'event 1' })],
    ['events of a contact', events({ contactId: id })],
    ['events of the busiest contact', events({ contactId: first!.id })],
  ]
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
  await askAll(reader, questions, aim).finally(() => reader.close())
  await measureImport(url, project)
} finally {
  await database.close()
  await server.stop()
}
