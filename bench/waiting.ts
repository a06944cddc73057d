// What an event that one execution among a million waits for costs the database: the product's own statements, as the database itself
// reports having run them. Aim: under 20 ms together, by index. `bun bench/waiting.ts 100000` sets how many wait.
import { holdActive, resumeExecutions } from '../src/modules/features/workflows/runs/queries/executions'
import type { Context } from '../src/platform/context'
import { type DatabaseClient, openDatabase } from '../src/platform/db/client'
import { migrate } from '../src/platform/db/migrate'
import { migrations } from '../src/platform/db/migrations'
import { openPlanReader, type Statement } from './support/plans'
import { benchServer, quietContext } from './support/server'

const maxMs = 20
const events = 20

/** Makes waiting executions of one workflow, each with a contact of its own; returns their project. */
async function fill(ctx: Context, waiting: number): Promise<string> {
  const [projectId, other] = [ctx.random.uuid(ctx.clock.now()), ctx.random.uuid(ctx.clock.now())]
  await ctx.sql`
    insert into workflow_executions (id, project_id, workflow_id, snapshot_id, contact_id, status, current_step_id, is_inside,
                                     context, version, once, wait_event, wait_from, started_at, created_at, updated_at)
    select uuid_v7(now(), n), ${projectId}, ${other}, ${other}, md5(n::text)::uuid, 'WAITING', ${other}, true, '{"n": 1}', 1, false,
           'answer', uuid_v7(now() - interval '1 day', n), now(), now(), now()
      from generate_series(1, ${waiting}::int) n`
  await ctx.sql`vacuum analyze workflow_executions`
  return projectId
}

/** Hands an event to the execution of the `n`-th contact, as routing does. */
async function resumeOne(ctx: Context, projectId: string, n: number): Promise<void> {
  const contactId = new Bun.CryptoHasher('md5').update(String(n)).digest('hex')
  const contact = contactId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const held = (await holdActive(ctx, projectId, [contact])).get(contact) ?? []
  const now = ctx.clock.now()
  const event = { id: ctx.random.uuid(now), name: 'answer', data: {}, receivedAt: now.toISOString() }
  const resumed = await resumeExecutions(ctx, projectId, held, event, 0)
  if (resumed.length !== 1) throw new Error(`${resumed.length} executions went on instead of one`)
}

async function measure(admin: DatabaseClient, url: string, waiting: number): Promise<Statement[][]> {
  const client = openDatabase(url, { max: 2 })
  await migrate(client.sql, migrations, new Date())
  const projectId = await fill(quietContext(client), waiting)
  await client.close()
  const reader = await openPlanReader(admin, url)
  const ctx = quietContext(reader)
  const taken: Statement[][] = []
  for (let n = 0; n < events; n++) {
    reader.take()
    await resumeOne(ctx, projectId, 1 + Math.floor((n / events) * waiting))
    taken.push(reader.take())
  }
  await reader.close()
  return taken
}

export async function run(waiting = 1_000_000): Promise<void> {
  const server = await benchServer()
  try {
    const url = await server.createDatabase()
    const admin = openDatabase(url, { max: 1 })
    const perEvent = await measure(admin, url, waiting)
    await admin.close()
    const times = perEvent.map(each => each.reduce((sum, { ms }) => sum + ms, 0)).sort((a, b) => a - b)
    const pages = Math.max(...perEvent.map(each => each.reduce((sum, statement) => sum + statement.pages, 0)))
    const scanned = [...new Set(perEvent.flat().flatMap(statement => statement.scanned))]
    const [median, longest] = [times[Math.floor(times.length / 2)]!, times.at(-1)!]
    console.log(`one of ${waiting} waiting executions goes on: ${perEvent[0]!.length} statements`)
    console.log(`  median ${median.toFixed(2)} ms, longest ${longest.toFixed(2)} ms, ${pages} pages at most`)
    console.log(`  read from end to end: ${scanned.join(', ') || 'nothing'}`)
    if (median > maxMs || scanned.length > 0) process.exitCode = 1
  } finally {
    await server.stop()
  }
}

if (import.meta.main) await run(Number(process.argv[2] ?? 1_000_000))
