// What Citus would cost: the statements of a message against plain PostgreSQL and against a coordinator with two workers, all on this
// machine. One machine can't show how much faster several are, but it shows what decides it: the processor time that a message takes of
// the coordinator, which no worker takes over, and of all together. `bun bench/citus.ts`, where the machine's PostgreSQL has Citus.
import { type DatabaseClient, openDatabase } from '../src/platform/db/client'
import { migrate } from '../src/platform/db/migrate'
import { migrations } from '../src/platform/db/migrations'
import { hasCitus, type Server, startServers } from './support/cluster'
import { cpuOfAll } from './support/cpu'
import {
  ask,
  campaignOf,
  fillReading,
  type Place,
  projects,
  readings,
  sendOf,
} from './support/one-project-load'

const seconds = 5
const distributed =
  'contacts consent_changes contact_deltas emails email_attempts email_day_deltas email_hours events event_deltas suppressions'.split(
    ' ',
  )

interface Mode {
  name: string
  /** None: plain PostgreSQL. */
  shards?: number
  /** The program speaks to the worker that has the project. */
  isDirect?: boolean
  /** Jobs are distributed like the rest, so a transaction stays on one machine, and nobody finds due jobs but one project at a time. */
  jobsToo?: boolean
}

const modes: Mode[] = [
  { name: 'PostgreSQL' },
  { name: 'Citus, 4 shards', shards: 4 },
  { name: 'Citus, 32 shards', shards: 32 },
  { name: 'to the workers', shards: 4, isDirect: true },
  { name: 'to the workers, jobs too', shards: 4, isDirect: true, jobsToo: true },
]

async function setUp(mode: Mode, [plain, ...cluster]: Server[], database: string): Promise<void> {
  const used = mode.shards ? cluster : [plain!]
  for (const server of used) {
    await ask(server.url('postgres'), `create database ${database}`)
    if (mode.shards) await ask(server.url(database), 'create extension citus')
  }
  const { sql, close } = openDatabase(used[0]!.url(database), { max: 1 })
  if (mode.shards) {
    await sql.unsafe(`select citus_set_coordinator_host('127.0.0.1', ${cluster[0]!.port})`)
    for (const { port } of cluster.slice(1)) await sql.unsafe(`select citus_add_node('127.0.0.1', ${port})`)
  }
  await migrate(sql, migrations, new Date())
  await changeKeys(sql)
  if (mode.shards) await distribute(sql, mode)
  for (const id of projects)
    await sql`
      insert into projects (id, name, public_key_hash, secret_key_hash, public_key_sealed, secret_key_sealed, webhook_secret_sealed, created_at, updated_at)
      values (${id}, 'Bench', ${id}, ${id}, '', '', '', now(), now())`
  await fillReading(sql)
  await close()
}

/** The same on both sides: what is distributed has the project in all its keys, and no foreign keys. */
async function changeKeys(sql: DatabaseClient['sql']): Promise<void> {
  const keys = await sql<{ on: string; name: string }[]>`
    select conrelid::regclass::text as on, conname as name from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`
  for (const { on, name } of keys) await sql.unsafe(`alter table ${on} drop constraint ${name}`)
  await sql.unsafe(`
    alter table emails drop constraint emails_pkey, add primary key (project_id, id);
    drop index emails_provider_id, projects_public_key, projects_secret_key, contacts_email_search;
    create unique index on emails (project_id, provider_id) where provider_id is not null`)
}

async function distribute(sql: DatabaseClient['sql'], { shards, isDirect, jobsToo }: Mode): Promise<void> {
  await sql.unsafe(`set citus.shard_count = ${shards}`)
  await sql.unsafe(`select create_distributed_table('projects', 'id')`)
  const place = (table: string) =>
    sql.unsafe(`select create_distributed_table('${table}', 'project_id', colocate_with => 'projects')`)
  for (const table of distributed) await place(table)
  if (jobsToo) {
    await sql.unsafe(
      'alter table jobs drop constraint jobs_pkey, add primary key (project_id, id); drop index jobs_unique_key',
    )
    await place('jobs')
  } else if (isDirect) await sql.unsafe(`select citus_add_local_table_to_metadata('jobs')`)
}

/** Where the statements of each project go. */
async function placesOf(
  mode: Mode,
  [plain, coordinator, ...workers]: Server[],
  database: string,
  max: number,
) {
  const main = openDatabase((mode.shards ? coordinator! : plain!).url(database), { max })
  const others = new Map(
    mode.isDirect ? workers.map(({ port, url }) => [port, openDatabase(url(database), { max })]) : [],
  )
  const places = new Map<string, Place>()
  for (const project of projects) {
    const [row] = mode.isDirect
      ? await main.sql<{ port: number }[]>`
          select nodeport::int as port from citus_shards where shardid = get_shard_id_for_distribution_column('emails', ${project}::uuid)`
      : []
    const own = row ? others.get(row.port)! : main
    places.set(project, { own, jobs: mode.jobsToo ? own : main, isByProject: mode.jobsToo === true })
  }
  const close = async () => void (await Promise.all([main, ...others.values()].map(client => client.close())))
  return { places, close }
}

type Load = [name: string, clients: number, once: (places: Map<string, Place>, turn: number) => Promise<Done>]
interface Done {
  messages: number
  /** Until it was accepted. */
  ms: number
}

const loads: Load[] = [
  ['send, 1 client', 1, sendOf(1)],
  ['send, 32 clients', 32, sendOf(1)],
  ['send, 4 × 12 in a transaction', 4, sendOf(12)],
  ['campaign of one project', 1, campaignOf(1)],
  ['campaigns of four projects', 4, campaignOf(4)],
]

/** Transactions so far that were committed in two phases: each leaves a record for each other machine where it began. */
async function countTwoPhase(servers: Server[], database: string): Promise<number> {
  let count = 0
  for (const { url } of servers.slice(1)) {
    const { sql, close } = openDatabase(url(database), { max: 1 })
    const [row] = await sql<{ made: number }[]>`
      select coalesce(sum(n_tup_ins), 0)::int as made from pg_stat_all_tables where relname = 'pg_dist_transaction'`
    count += row!.made
    await close()
  }
  return count
}

async function measure(servers: Server[], mode: Mode, database: string, [name, clients, once]: Load) {
  const { places, close } = await placesOf(mode, servers, database, clients)
  const times: number[] = []
  let messages = 0
  const run = async (ms: number): Promise<void> => {
    const end = performance.now() + ms
    times.length = messages = 0
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let turn = client; performance.now() < end; turn += clients) {
          const done = await once(places, turn)
          messages += done.messages
          times.push(done.ms)
        }
      }),
    )
  }
  const cpu = () => servers.map(({ pid }) => cpuOfAll(pid)!)
  await run(2_000)
  // So that no plan is made for empty tables; over a connection of its own, which writes down its statistics at its end.
  const { url } = servers[mode.shards ? 1 : 0]!
  for (const table of distributed) await ask(url(database), `analyze ${table}`)
  const earlier = mode.shards ? await countTwoPhase(servers, database) : 0
  const before = cpu()
  await run(seconds * 1_000)
  const [plain, coordinator, ...workers] = cpu().map((ms, index) => (ms - before[index]!) / messages)
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(1)
  const first = mode.shards ? coordinator! : plain!
  const rest = workers.reduce((sum, each) => sum + each, 0)
  // Sessions write down their statistics when they end.
  await close()
  const twoPhase = mode.shards ? ((await countTwoPhase(servers, database)) - earlier) / times.length : 0
  const all = (first + rest).toFixed(2)
  processor.add(name, mode.shards ? `${first.toFixed(2)} of ${all}` : first.toFixed(2))
  waiting.add(name, `${at(0.5)} / ${at(0.99)}`)
  phases.add(name, twoPhase.toFixed(1))
}

async function read(servers: Server[], mode: Mode, database: string): Promise<void> {
  const { places, close } = await placesOf(mode, servers, database, 1)
  const { own } = places.get(projects[0]!)!
  for (const [name, text] of readings) {
    const times: number[] = []
    for (let round = 0; round < 15; round++) {
      const begun = performance.now()
      await own.sql.unsafe(text, [projects[0]!], { prepare: true })
      times.push(performance.now() - begun)
    }
    waiting.add(name, times.sort((a, b) => a - b)[7]!.toFixed(1))
  }
  await close()
}

/** A column for each mode. */
function makeTable(title: string) {
  const rows = new Map<string, string[]>()
  return {
    add: (row: string, cell: string) => void rows.set(row, [...(rows.get(row) ?? []), cell]),
    print() {
      console.log(
        `\n| ${title} | ${modes.map(({ name }) => name).join(' | ')} |\n|---|${'---|'.repeat(modes.length)}`,
      )
      for (const [row, cells] of rows) console.log(`| ${row} | ${cells.join(' | ')} |`)
    },
  }
}

const processor = makeTable('ms of processor a message, of the coordinator of all')
const waiting = makeTable('ms, half of them / 99 % (to be accepted; of a campaign its whole)')
const phases = makeTable('two-phase commits a transaction')

export async function run(): Promise<void> {
  if (!hasCitus()) return console.log('skipped: the PostgreSQL of pg_config has no Citus')
  const { servers, stop } = startServers(['plain', 'coordinator', 'worker1', 'worker2'], 7710)
  try {
    for (const [index, mode] of modes.entries()) {
      const database = `bench_${index}`
      await setUp(mode, servers, database)
      for (const load of loads) await measure(servers, mode, database, load)
      await read(servers, mode, database)
    }
    for (const table of [processor, waiting, phases]) table.print()
  } finally {
    stop()
  }
}

if (import.meta.main) await run()
