// Several real processes on one database: they share the work, survive the death of one, and fire each tick once.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { after, second } from '../../src/lib/time'
import type { Context } from '../../src/platform/context'
import { enqueueMany } from '../../src/platform/jobs/enqueue'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { bulk, clearJobs, countJobs, countOpenJobs, liveContext, tickMs, until } from './support'

let database: TestDatabase
let ctx: Context
const processes: Bun.Subprocess<'ignore', 'pipe', 'inherit'>[] = []

beforeAll(async () => {
  database = await cloneDatabase()
  ctx = liveContext(database)
})
afterAll(() => database.drop())
beforeEach(async () => {
  await ctx.sql`create table runs (id serial primary key, pid int, kind text, n int,
                                   started_at timestamptz, ended_at timestamptz)`
  // A job does not know its tick, and when it was made depends on the machine; its key names the tick.
  await ctx.sql`create table fired (id serial primary key, key text)`
  await ctx.sql`create function note_fired() returns trigger language plpgsql as
    'begin insert into fired (key) values (new.unique_key); return null; end'`
  await ctx.sql`create trigger fired after insert on jobs for each row when (new.unique_key is not null) execute function note_fired()`
})
afterEach(async () => {
  for (const child of processes.splice(0)) {
    child.kill('SIGKILL')
    await child.exited
  }
  await clearJobs(ctx)
  await ctx.sql`drop function note_fired cascade`
  await ctx.sql`drop table runs, fired`
})

/** Far longer than a process that lives can be held up. */
const longLeaseMs = 60 * second

/** Resolves when the process takes jobs. */
async function spawn(leaseMs = longLeaseMs): Promise<Bun.Subprocess<'ignore', 'pipe', 'inherit'>> {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/worker.ts`, database.url, String(leaseMs)], {
    stdout: 'pipe',
    stderr: 'inherit',
    stdin: 'ignore',
  })
  processes.push(child)
  for await (const text of child.stdout) if (new TextDecoder().decode(text).includes('ready')) break
  return child
}

const jobs = (count: number, from = 0) => Array.from({ length: count }, (_, n) => ({ args: { n: from + n } }))

test('three processes run each of 600 jobs and more exactly once, all of them taking part', async () => {
  await Promise.all([spawn(), spawn(), spawn()])
  let all = 0
  // Two may be done with 600 before a third one that is held up has begun: then there is more to do.
  await until(async () => {
    await enqueueMany(ctx, bulk, jobs(600, all))
    all += 600
    await until(async () => (await finished()) === all)
    return (await takingPart()) === 3
  })
  const [row] = await ctx.sql<{ runs: number; jobs: number }[]>`
    select count(*)::int as runs, count(distinct n)::int as jobs from runs where kind = ${bulk.kind}`
  expect(row).toMatchObject({ runs: all, jobs: all })
})

test('what a killed process held runs elsewhere, and no job runs twice at the same time', async () => {
  const [victim] = await Promise.all([spawn(8 * second), spawn(8 * second)])
  await enqueueMany(ctx, bulk, jobs(600))
  await until(async () => (await finished()) > 100)
  victim.kill('SIGKILL')
  await victim.exited
  const diedAt = new Date()
  await until(async () => (await countOpenJobs(ctx)) === 0)
  const [row] = await ctx.sql<{ jobs: number; overlaps: number; late: number }[]>`
    select (select count(distinct n)::int from runs where kind = ${bulk.kind} and ended_at is not null) as jobs,
           (select count(*)::int from runs as a join runs as b on a.n = b.n and a.id < b.id
             where a.kind = ${bulk.kind} and b.kind = ${bulk.kind}
               and b.started_at < coalesce(a.ended_at, ${diedAt})) as overlaps,
           (select count(*)::int from runs where pid = ${victim.pid}
               -- What it had sent before it died, the server may still carry out a moment later.
               and started_at > ${after(diedAt, second)}) as late`
  expect(row).toMatchObject({ jobs: 600, overlaps: 0, late: 0 })
})

test('a process that is asked to end finishes what runs, puts back the rest and exits 0', async () => {
  const child = await spawn()
  await enqueueMany(ctx, bulk, jobs(2_000))
  await until(async () => (await finished()) > 50)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  const [row] = await ctx.sql<{ open: number; jobs: number; runs: number }[]>`
    select count(*) filter (where ended_at is null)::int as open, count(distinct n)::int as jobs, count(*)::int as runs
      from runs where kind = ${bulk.kind}`
  expect(row!.open).toBe(0)
  expect(row!.runs).toBe(row!.jobs)
  expect(await countJobs(ctx, 'running')).toBe(0)
  expect((await countJobs(ctx, 'queued')) + row!.jobs).toBeGreaterThanOrEqual(2_000)
  expect(await ctx.sql`select * from runners`).toHaveLength(0)
})

test('three processes with the same schedule fire each tick once', async () => {
  await Promise.all([spawn(), spawn(), spawn()])
  await until(async () => (await ticks()).length >= 4)
  const fired = await ticks()
  expect(new Set(fired).size).toBe(fired.length)
  // None was left out either.
  expect(fired.at(-1)! - fired[0]!).toBe((fired.length - 1) * tickMs)
})

async function finished(): Promise<number> {
  const [row] = await ctx.sql<{ count: number }[]>`
    select count(*)::int as count from runs where kind = ${bulk.kind} and ended_at is not null`
  return row!.count
}

async function takingPart(): Promise<number> {
  const [row] = await ctx.sql<{ count: number }[]>`
    select count(distinct pid)::int as count from runs where kind = ${bulk.kind}`
  return row!.count
}

/** The ticks that became jobs. */
async function ticks(): Promise<number[]> {
  const rows = await ctx.sql<{ key: string }[]>`select key from fired order by id`
  return rows.map(({ key }) => Date.parse(key.slice(key.indexOf('@') + 1)))
}
