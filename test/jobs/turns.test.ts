// Whose jobs are claimed where there are more than places: each project has its turn, and none holds all slots.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import type postgres from 'postgres'
import { minute } from '../../src/lib/time'
import { type Context, newId } from '../../src/platform/context'
import type { DatabaseClient } from '../../src/platform/db/client'
import { openRunnerPool } from '../../src/platform/db/pools'
import { enqueue, enqueueMany } from '../../src/platform/jobs/enqueue'
import { type BoundJob, handle, handlerTable, projectJob } from '../../src/platform/jobs/kind'
import { claimJobs, insertRunner } from '../../src/platform/jobs/queries'
import { type Runner, startRunner } from '../../src/platform/jobs/runner'
import { type JobSignal, makeJobSignal } from '../../src/platform/jobs/wake'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { clearJobs, gate, liveContext, chore as ownChore, until } from './support'

const number = { n: Type.Integer() }
const call = projectJob('test.call', 'workflow', number, { slotShare: 1 / 16 })
const step = projectJob('test.projectStep', 'workflow', number)
const upload = projectJob('test.import', 'system', number)

let database: TestDatabase
let ctx: Context
let waker: JobSignal
const started: Runner[] = []

beforeAll(async () => {
  database = await cloneDatabase({ max: 6 })
  const context = liveContext(database)
  waker = makeJobSignal({ ...context, sql: database.sql as postgres.Sql }, { soleOwner: true })
  ctx = { ...context, jobWaker: waker }
})
afterAll(() => database.drop())
afterEach(async () => {
  await Promise.all(started.splice(0).map(runner => runner.stop(2_000)))
  await clearJobs(ctx)
})

async function start(concurrency: number, ...jobs: BoundJob[]): Promise<void> {
  const handlers = handlerTable(jobs)
  started.push(await startRunner(ctx, { handlers, concurrency, signal: waker, pollMs: 10 * minute }))
}

const many = (projectId: string, count: number, runAt?: Date) =>
  Array.from({ length: count }, (_, n) => ({ args: { n }, projectId, ...(runAt && { runAt }) }))

describe('a project with many due jobs', () => {
  test.each([
    ['workflow', step],
    ['system', upload],
  ])('does not stand in front of the others (%s)', async (_band, kind) => {
    const [crowd, small, other] = [newId(ctx), newId(ctx), newId(ctx)]
    await enqueueMany(ctx, kind, many(crowd, 1_000))
    await enqueueMany(ctx, kind, [...many(small, 3), ...many(other, 3)])
    const order: (string | null)[] = []
    await start(
      8,
      handle(kind, async (_job, _args, { projectId }) => {
        order.push(projectId)
        // As long as most of ours take: what is claimed ahead is measured by it.
        await Bun.sleep(2)
      }),
    )
    await until(() => order.length >= 1_006)
    expect(order.findLastIndex(project => project === small || project === other)).toBeLessThan(400)
  })

  test('does not stand in front of the instance’s own', async () => {
    await enqueueMany(ctx, upload, many(newId(ctx), 1_000))
    await enqueue(ctx, ownChore, { n: 0 })
    const order: string[] = []
    const run = async (name: string) => {
      order.push(name)
      await Bun.sleep(2)
    }
    await start(
      8,
      handle(upload, () => run('import')),
      handle(ownChore, () => run('own')),
    )
    await until(() => order.includes('own'))
    expect(order.length).toBeLessThan(400)
  })
})

describe('a project whose jobs hang', () => {
  test('leaves slots to others, whose jobs begin at once, also many of them', async () => {
    const hanging = gate()
    const done: number[] = []
    await enqueueMany(ctx, call, many(newId(ctx), 100))
    await start(
      4,
      handle(call, hanging.handle),
      handle(step, async (_job, { n }) => void done.push(n)),
    )
    await until(() => hanging.started.length >= 16)
    await enqueueMany(ctx, step, many(newId(ctx), 100))
    await until(() => done.length === 100)
    expect(hanging.started.length).toBeLessThan(3 * 16)
    const opener = setInterval(hanging.open, 1)
    await until(() => hanging.started.length === 100)
    clearInterval(opener)
    hanging.open()
  })

  test('and so do several of them', async () => {
    const hanging = gate()
    const done: number[] = []
    for (let index = 0; index < 4; index++) await enqueueMany(ctx, call, many(newId(ctx), 100))
    await start(
      4,
      handle(call, hanging.handle),
      handle(upload, async () => {}),
      handle(step, async (_job, { n }) => void done.push(n)),
    )
    await until(() => hanging.started.length >= 32)
    await enqueueMany(ctx, step, many(newId(ctx), 10))
    await until(() => done.length === 10)
    const opener = setInterval(hanging.open, 1)
    await until(() => hanging.started.length === 400)
    clearInterval(opener)
    hanging.open()
  })
})

describe('the statement of turns', () => {
  let own: DatabaseClient
  // One connection, whose counts can be asked for, planned like the runner's.
  beforeAll(() => {
    own = openRunnerPool(database.sql as postgres.Sql, 1)
  })
  afterAll(() => own.close())

  /** Entries of indexes that were read since the last call. */
  async function entriesRead(): Promise<number> {
    await own.sql`select pg_stat_force_next_flush()`
    await own.sql`select pg_stat_clear_snapshot()`
    const [row] = await own.sql<{ read: number }[]>`
      select (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'jobs')::int
             + (select seq_tup_read from pg_stat_user_tables where relname = 'jobs')::int as read`
    return row!.read
  }

  test.each([
    ['with counts of before', ''],
    ['with counts of the crowd alone', 'crowd'],
    ['with counts of everybody', 'all'],
  ])('read nothing of what others have due, %s', async (_name, counted) => {
    const now = ctx.clock.now()
    const [crowd, small] = [newId(ctx), newId(ctx)]
    const runner = newId(ctx)
    // What other tests left is no part of it.
    await own.sql`vacuum jobs`
    await insertRunner(ctx, runner, new Date(now.getTime() + minute), now)
    await enqueueMany(ctx, step, many(crowd, 20_000, new Date(now.getTime() - minute)))
    if (counted === 'crowd') await ctx.sql`analyze jobs`
    await enqueueMany(ctx, step, many(small, 40, now))
    if (counted === 'all') await ctx.sql`analyze jobs`
    // More often than the driver's statements are planned anew.
    for (let round = 0; round < 12; round++) {
      const before = await entriesRead()
      const jobs = await claimJobs(own, runner, [{ band: 'workflow', places: 4, turn: '' }], now)
      expect(jobs.map(({ projectId }) => projectId).sort()).toEqual([crowd, crowd, small, small].sort())
      expect((await entriesRead()) - before).toBeLessThan(300)
    }
  })
})
