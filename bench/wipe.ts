// Deleting a large project while another one works: how many rows per second are deleted, how long the slowest page holds its locks,
// whether the first page costs as much as the last, and what the other project notices. `bun bench/wipe.ts [contacts] [events] [emails]`.
import { ownedTables } from '../src/modules/accounts/projects/owned-tables'
import { deletePage, type PageEnd } from '../src/modules/accounts/projects/queries'
import { type DatabaseClient, openDatabase } from '../src/platform/db/client'
import { migrate } from '../src/platform/db/migrate'
import { migrations } from '../src/platform/db/migrations'
import { benchServer, quietContext } from './support/server'

const sizes = {
  contacts: Number(process.argv[2] ?? 200_000),
  events: Number(process.argv[3] ?? 1_000_000),
  emails: Number(process.argv[4] ?? 200_000),
}
const project = '01900000-0000-7000-8000-000000000001'
const neighbour = '01900000-0000-7000-8000-000000000002'

async function fill({ sql }: DatabaseClient, owner: string, share: number): Promise<void> {
  const id = (n: string) => `uuid_v7(now() - interval '1 day' + ${n} * interval '1 ms', ${n})`
  const count = (table: keyof typeof sizes) => Math.floor(sizes[table] * share)
  await sql.unsafe(`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select ${id('n')}, '${owner}', 'user' || n || '@example.com', true, jsonb_build_object('plan', 'pro', 'age', n % 90), now(), now()
      from generate_series(1, ${count('contacts')}) n`)
  await sql.unsafe(`
    insert into events (id, project_id, name, contact_id, created_at)
    select ${id('n')}, '${owner}', 'visit' || n % 5, gen_random_uuid(), now() from generate_series(1, ${count('events')}) n`)
  await sql.unsafe(`
    insert into emails (id, project_id, contact_id, source_type, mail_class, to_email, from_email, subject, html, text, headers,
                        message_id, status, sent_at, created_at, updated_at)
    select ${id('n')}, '${owner}', gen_random_uuid(), 'TRANSACTIONAL', 'transactional', 'a@example.com', 'b@example.com', 's',
           repeat(md5(n::text), 100), 'text', '{}', 'm' || n, 'DELIVERED', now(), now() + n * interval '1 ms', now()
      from generate_series(1, ${count('emails')}) n`)
}

async function clear(database: DatabaseClient, table: keyof typeof sizes): Promise<void> {
  const possession = ownedTables.find(each => each.table === table)!
  const ctx = quietContext(database)
  const times: number[] = []
  const started = performance.now()
  let after: PageEnd | undefined
  do {
    const begun = performance.now()
    after = await deletePage(ctx, possession, project, after)
    times.push(performance.now() - begun)
  } while (after !== undefined)
  const seconds = (performance.now() - started) / 1_000
  const mean = (part: number[]) => (part.reduce((sum, ms) => sum + ms, 0) / part.length).toFixed(1)
  const tenth = Math.ceil(times.length / 10)
  console.log(
    `${table}: ${Math.round(sizes[table] / seconds)} rows a second, pages of ${possession.batch}: first tenth ${mean(times.slice(0, tenth))} ms,`,
    `last tenth ${mean(times.slice(-tenth))} ms, longest ${Math.max(...times).toFixed(0)} ms`,
  )
}

/** A small write by the other project, again and again. */
async function neighbourWrites(database: DatabaseClient, signal: AbortSignal): Promise<number[]> {
  const times: number[] = []
  while (!signal.aborted) {
    const begun = performance.now()
    await database.sql`
      insert into events (id, project_id, name, created_at) values (${Bun.randomUUIDv7()}, ${neighbour}, 'visit', now())`
    times.push(performance.now() - begun)
    await Bun.sleep(2)
  }
  return times.sort((a, b) => a - b)
}

const server = await benchServer()
const url = await server.createDatabase()
const database = openDatabase(url, { max: 2 })
const other = openDatabase(url, { max: 1 })
try {
  await migrate(database.sql, migrations, new Date())
  await fill(database, neighbour, 0.2)
  await fill(database, project, 1)
  await database.sql.unsafe('vacuum analyze')
  const over = new AbortController()
  const quiet = new AbortController()
  setTimeout(() => quiet.abort(), 3_000)
  const alone = await neighbourWrites(other, quiet.signal)
  const writing = neighbourWrites(other, over.signal)
  for (const table of ['contacts', 'events', 'emails'] as const) await clear(database, table)
  over.abort()
  const beside = await writing
  const at = (times: number[], share: number) => times[Math.floor((times.length - 1) * share)]!.toFixed(1)
  console.log(`a neighbour's write: median ${at(alone, 0.5)} ms and 99 % ${at(alone, 0.99)} ms alone,`)
  console.log(
    `  ${at(beside, 0.5)} ms and ${at(beside, 0.99)} ms, longest ${at(beside, 1)} ms, while the project is deleted`,
  )
} finally {
  await database.close()
  await other.close()
  await server.stop()
}
