// What becomes of a job, told in a test's own flow: drain, move the clock, drain again.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { day, hour, second } from '../../src/lib/time'
import { healthProbe, metricsText } from '../../src/modules/api/meta/service'
import { domainKinds } from '../../src/modules/sending/domains/kinds'
import { emailKinds } from '../../src/modules/sending/emails/kinds'
import { type Context, inTransaction } from '../../src/platform/context'
import { enqueue, enqueueMany } from '../../src/platform/jobs/enqueue'
import { handle, handlerTable, type JobHandler, type JobRun } from '../../src/platform/jobs/kind'
import { Snooze } from '../../src/platform/jobs/outcome'
import { findJob } from '../../src/platform/jobs/queries'
import { queueJobs, queueKinds } from '../../src/platform/jobs/schedule'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { drain } from '../support/drain'
import { bulk, chore, clearJobs, countJobs, jobRow, once, step, urgent } from './support'

let database: TestDatabase
let ctx: Context
let clock: ReturnType<typeof testContext>['clock']

beforeAll(async () => {
  database = await cloneDatabase()
  const fakes = testContext(database)
  clock = fakes.clock
  ctx = { ...fakes.ctx, random: { ...fakes.ctx.random, fraction: () => 0.5 } }
})
afterAll(() => database.drop())
afterEach(() => clearJobs(ctx))

type Numbered = { n: number }
const table = (handler: JobHandler<Numbered>) =>
  handlerTable([urgent, chore, step, bulk, once].map(kind => handle(kind, handler)))
const done = table(async () => {})
const failing = (error: Error) =>
  table(async () => {
    throw error
  })

describe('enqueue', () => {
  test('a job of a transaction that is rolled back never was', async () => {
    const attempt = inTransaction(ctx, async tx => {
      await enqueue(tx, urgent, { n: 1 })
      throw new Error('changed my mind')
    })
    await expect(attempt).rejects.toThrow('changed my mind')
    expect(await drain(ctx, done)).toEqual([])
  })

  test('the waker is told after the commit, and not after a rollback', async () => {
    const told: Date[] = []
    const waking: Context = { ...ctx, jobWaker: { wake: dueAt => void told.push(dueAt) } }
    await inTransaction(waking, async tx => {
      await enqueue(tx, urgent, { n: 1 })
      expect(told).toEqual([])
    })
    expect(told).toEqual([clock.now()])
    await inTransaction(waking, async tx => {
      await enqueue(tx, urgent, { n: 2 })
      throw new Error('no')
    }).catch(() => {})
    expect(told).toHaveLength(1)
  })

  test('arguments that do not fit the kind are refused where they are given', async () => {
    await expect(enqueue(ctx, urgent, { n: 'one' } as never)).rejects.toThrow(
      'arguments of job test.urgent are wrong: /n',
    )
    await expect(enqueue(ctx, domainKinds.check, { after: 'x' } as never)).rejects.toThrow('/after')
    await expect(enqueue(ctx, urgent, { n: 1, m: 2 } as never)).rejects.toThrow('/m')
    expect(await countJobs(ctx)).toBe(0)
  })

  test('many are added in one call, each with its own options', async () => {
    const later = new Date(clock.now().getTime() + hour)
    const added = await enqueueMany(ctx, bulk, [
      { args: { n: 1 } },
      { args: { n: 2 }, runAt: later },
      { args: { n: 3 }, uniqueKey: 'three' },
      { args: { n: 4 }, uniqueKey: 'three' },
    ])
    expect(added).toBe(3)
    expect(await drain(ctx, done)).toHaveLength(2)
    clock.advance(hour)
    expect((await drain(ctx, done)).map(run => run.args)).toEqual([{ n: 2 }])
    expect(await enqueueMany(ctx, bulk, [])).toBe(0)
  })

  test('text that looks like JSON, quotes and backslashes arrive as they were', async () => {
    const texts = ['{"a":1}', 'null', '"', '\\', 'a,b', '{}', 'é\n\t', "o'brien"]
    await enqueueMany(
      ctx,
      bulk,
      texts.map((text, n) => ({ args: { n }, uniqueKey: `${text}-${n}` })),
    )
    const rows = await ctx.sql<
      { key: string }[]
    >`select unique_key as key from jobs order by (args ->> 'n')::int`
    expect(rows.map(row => row.key)).toEqual(texts.map((text, n) => `${text}-${n}`))
  })
})

describe('a unique key', () => {
  test('adds nothing while a job with it waits, and is free again afterwards', async () => {
    expect(await enqueue(ctx, urgent, { n: 1 }, { uniqueKey: 'k' })).toBeString()
    expect(await enqueue(ctx, urgent, { n: 2 }, { uniqueKey: 'k' })).toBeUndefined()
    expect((await drain(ctx, done)).map(run => run.args)).toEqual([{ n: 1 }])
    expect(await enqueue(ctx, urgent, { n: 3 }, { uniqueKey: 'k' })).toBeString()
  })

  test('of many enqueues at the same time one wins', async () => {
    const ids = await Promise.all(
      Array.from({ length: 30 }, (_, n) => enqueue(ctx, urgent, { n }, { uniqueKey: 'k' })),
    )
    expect(ids.filter(id => id !== undefined)).toHaveLength(1)
    expect(await countJobs(ctx)).toBe(1)
  })

  test('asked for while its job runs, runs that job once more: it may have looked before the caller wrote', async () => {
    const runs: number[] = []
    const handlers = table(async (_ctx, _args, run) => {
      runs.push(run.attempt)
      if (runs.length === 1) {
        await enqueue(ctx, urgent, { n: 2 }, { uniqueKey: 'k' })
        await enqueue(ctx, urgent, { n: 3 }, { uniqueKey: 'k' })
      }
    })
    await enqueue(ctx, urgent, { n: 1 }, { uniqueKey: 'k' })
    await drain(ctx, handlers)
    expect(runs).toEqual([1, 1])
    expect(await countJobs(ctx)).toBe(0)
  })

  test('asked for among others that are new, still has its running job run once more', async () => {
    const runs: number[] = []
    const handlers = table(async (_ctx, { n }) => {
      runs.push(n)
      if (runs.length > 1) return
      const jobs = ['k', 'new'].map((uniqueKey, at) => ({ args: { n: at + 2 }, uniqueKey }))
      expect(await enqueueMany(ctx, urgent, jobs)).toBe(1)
    })
    await enqueue(ctx, urgent, { n: 1 }, { uniqueKey: 'k' })
    await drain(ctx, handlers)
    expect(runs.toSorted()).toEqual([1, 1, 3])
  })

  test('asked for among others that are new by what hastens, is due now', async () => {
    const later = new Date(ctx.clock.now().getTime() + hour)
    await enqueue(ctx, urgent, { n: 1 }, { uniqueKey: 'k', runAt: later })
    const jobs = ['k', 'new'].map((uniqueKey, at) => ({ args: { n: at + 2 }, uniqueKey }))
    expect(await enqueueMany(ctx, urgent, jobs, { hastens: true })).toBe(1)
    expect((await drain(ctx, done)).map(run => (run.args as Numbered).n).toSorted()).toEqual([1, 3])
  })

  test('asked for while its job finds that it has to wait, runs that job at once all the same', async () => {
    let runs = 0
    const handlers = table(async () => {
      runs++
      if (runs === 1) await enqueue(ctx, urgent, { n: 2 }, { uniqueKey: 'k' })
      if (runs < 3) throw new Snooze(hour)
    })
    await enqueue(ctx, urgent, { n: 1 }, { uniqueKey: 'k' })
    await drain(ctx, handlers)
    expect([runs, await countJobs(ctx)]).toEqual([2, 1])
    clock.advance(hour)
    await drain(ctx, handlers)
    expect([runs, await countJobs(ctx)]).toEqual([3, 0])
  })

  test('asked for while its job fails for good, still runs once more', async () => {
    let runs = 0
    const handlers = table(async () => {
      runs++
      if (runs > 1) return
      await enqueue(ctx, once, { n: 2 }, { uniqueKey: 'k' })
      throw new Error('not like this')
    })
    await enqueue(ctx, once, { n: 1 }, { uniqueKey: 'k' })
    await drain(ctx, handlers)
    expect(runs).toBe(2)
    expect(await countJobs(ctx)).toBe(0)
  })
})

describe('order', () => {
  test('urgent mail comes before chores, workflows and bulk, and the oldest first within a band', async () => {
    for (const kind of [bulk, step, chore, urgent]) {
      await enqueue(ctx, kind, { n: 1 })
      clock.advance(1)
      await enqueue(ctx, kind, { n: 2 })
    }
    const runs = await drain(ctx, done)
    expect(runs.map(run => run.kind)).toEqual(
      [urgent, urgent, chore, chore, step, step, bulk, bulk].map(kind => kind.kind),
    )
    expect(runs.map(run => (run.args as Numbered).n)).toEqual([1, 2, 1, 2, 1, 2, 1, 2])
  })

  test('a job for later waits for its moment', async () => {
    await enqueue(ctx, urgent, { n: 1 }, { runAt: new Date(clock.now().getTime() + 7 * day) })
    clock.advance(7 * day - 1)
    expect(await drain(ctx, done)).toEqual([])
    clock.advance(1)
    expect(await drain(ctx, done)).toHaveLength(1)
  })
})

describe('outcomes', () => {
  test('a job that succeeds vanishes', async () => {
    const id = await enqueue(ctx, urgent, { n: 1 })
    expect((await drain(ctx, done))[0]!.outcome).toEqual({ type: 'completed' })
    expect(await jobRow(ctx, id!)).toBeUndefined()
  })

  test('the people of its project see how a job stands, and nobody else', async () => {
    const projectId = ctx.random.uuid(clock.now())
    const id = (await enqueue(ctx, once, { n: 1 }, { projectId }))!
    expect(await findJob(ctx, projectId, id)).toMatchObject({ state: 'queued', error: null })
    expect(await findJob(ctx, ctx.random.uuid(clock.now()), id)).toBeUndefined()
    await drain(ctx, failing(new Error('no')))
    expect(await findJob(ctx, projectId, id)).toMatchObject({
      state: 'failed',
      error: 'Error: no',
    })
  })

  test('a failure is tried again with growing waits and then kept as failed', async () => {
    const id = (await enqueue(ctx, urgent, { n: 1 }))!
    const broken = failing(new Error('no luck'))
    await drain(ctx, broken)
    const first = await jobRow(ctx, id)
    expect(first).toMatchObject({
      state: 'queued',
      attempt: 1,
      lastError: 'Error: no luck',
      finishedAt: null,
    })
    expect(first!.runAt.getTime() - clock.now().getTime()).toBe(10 * second)
    clock.advance(10 * second - 1)
    expect(await drain(ctx, broken)).toEqual([])
    clock.advance(1)
    await drain(ctx, broken)
    expect((await jobRow(ctx, id))!.runAt.getTime() - clock.now().getTime()).toBe(60 * second)
    clock.advance(60 * second)
    await drain(ctx, broken)
    expect(await jobRow(ctx, id)).toMatchObject({ state: 'failed', attempt: 3, finishedAt: clock.now() })
    clock.advance(day)
    expect(await drain(ctx, broken)).toEqual([])
  })

  test('a handler learns which attempt it is, and that one is the last', async () => {
    const seen: Pick<JobRun, 'attempt' | 'maxAttempts' | 'isLastAttempt'>[] = []
    const handlers = table(async (_ctx, _args, { attempt, maxAttempts, isLastAttempt }) => {
      seen.push({ attempt, maxAttempts, isLastAttempt })
      throw new Error('again')
    })
    await enqueue(ctx, urgent, { n: 1 })
    for (let round = 0; round < 4; round++) {
      await drain(ctx, handlers)
      clock.advance(60 * second)
    }
    expect(seen).toEqual([
      { attempt: 1, maxAttempts: 3, isLastAttempt: false },
      { attempt: 2, maxAttempts: 3, isLastAttempt: false },
      { attempt: 3, maxAttempts: 3, isLastAttempt: true },
    ])
  })

  test('a snooze does not count as an attempt, however often', async () => {
    const id = (await enqueue(ctx, urgent, { n: 1 }))!
    for (let round = 0; round < 10; round++) {
      expect(await drain(ctx, failing(new Snooze(hour)))).toHaveLength(1)
      expect(await jobRow(ctx, id)).toMatchObject({ state: 'queued', attempt: 0, lastError: null })
      expect(await drain(ctx, done)).toEqual([])
      clock.advance(hour)
    }
    expect(await drain(ctx, done)).toHaveLength(1)
  })

  test('a kind that this version does not know is left for one that does', async () => {
    const id = (await enqueue(ctx, urgent, { n: 1 }))!
    await drain(ctx, handlerTable([]))
    expect(await jobRow(ctx, id)).toMatchObject({ state: 'queued', attempt: 0 })
    clock.advance(60 * second)
    expect((await drain(ctx, done))[0]!.outcome.type).toBe('completed')
  })

  test('a job that an older release queued under the former name of its kind is run', async () => {
    const { deliverWorkflow } = emailKinds
    const ids = { emailId: ctx.random.uuid(clock.now()), projectId: ctx.random.uuid(clock.now()) }
    await enqueue(ctx, { ...deliverWorkflow, kind: 'email.follow' }, ids)
    const ran: unknown[] = []
    await drain(ctx, handlerTable([handle(deliverWorkflow, async (_ctx, args) => void ran.push(args))]))
    expect(ran).toEqual([ids])
    expect(await countJobs(ctx)).toBe(0)
  })

  test('arguments that an older version wrote and that do not fit any more fail at once', async () => {
    const id = (await enqueue(ctx, urgent, { n: 1 }))!
    await ctx.sql`update jobs set args = '{"n": "one"}'::jsonb where id = ${id}`
    await drain(ctx, done)
    expect(await jobRow(ctx, id)).toMatchObject({
      state: 'failed',
      lastError: 'its arguments do not fit its kind',
    })
  })

  test('jobs that a handler enqueues are drained too; a drain without end says so', async () => {
    const chain = table(async (_ctx, { n }) => void (n > 0 && (await enqueue(ctx, bulk, { n: n - 1 }))))
    await enqueue(ctx, bulk, { n: 3 })
    expect((await drain(ctx, chain)).map(run => (run.args as Numbered).n)).toEqual([3, 2, 1, 0])
    const endless = table(async (_ctx, args) => void (await enqueue(ctx, bulk, args)))
    await enqueue(ctx, bulk, { n: 0 })
    await expect(drain(ctx, endless, { maxRuns: 50 })).rejects.toThrow('drain found due jobs after')
    expect(await ctx.sql`select * from runners`).toHaveLength(0)
  })
})

describe('retention', () => {
  test('finished jobs are removed after seven days, in batches, and unfinished ones never', async () => {
    const clean = handlerTable(queueJobs)
    await enqueue(ctx, once, { n: 0 })
    await drain(ctx, failing(new Error('no')))
    // More than two batches of such.
    await ctx.sql`
      insert into jobs (id, kind, args, band, state, run_at, attempt, max_attempts, created_at, finished_at)
      select gen_random_uuid(), kind, args, band, state, run_at, attempt, max_attempts, created_at, finished_at
        from jobs, generate_series(1, 2499)`
    const failed = (await enqueue(ctx, once, { n: 0 }))!
    await drain(ctx, failing(new Error('no')))
    const waiting = (await enqueue(
      ctx,
      bulk,
      { n: 0 },
      { runAt: new Date(clock.now().getTime() + 30 * day) },
    ))!
    clock.advance(7 * day)
    await enqueue(ctx, queueKinds.clean, {})
    await drain(ctx, clean)
    expect(await countJobs(ctx)).toBe(2_502)
    clock.advance(1)
    await enqueue(ctx, queueKinds.clean, {})
    await drain(ctx, clean)
    expect(await jobRow(ctx, failed)).toBeUndefined()
    expect(await jobRow(ctx, waiting)).toMatchObject({ state: 'queued' })
    expect(await countJobs(ctx)).toBe(1)
  })
})

test('the figures of the queue say how much waits in each band and for how long', async () => {
  await enqueueMany(ctx, bulk, [{ args: { n: 1 } }, { args: { n: 2 } }])
  clock.advance(90 * second)
  await enqueue(ctx, urgent, { n: 1 })
  await enqueue(ctx, chore, { n: 1 }, { runAt: new Date(clock.now().getTime() + hour) })
  expect((await healthProbe(ctx)()).jobs).toEqual({
    running: 0,
    bands: {
      transactional: { waiting: 1, oldestSeconds: 0 },
      system: { waiting: 0, oldestSeconds: 0 },
      workflow: { waiting: 0, oldestSeconds: 0 },
      bulk: { waiting: 2, oldestSeconds: 90 },
    },
  })
  const metrics = await metricsText(ctx)
  expect(metrics).toContain('waxwing_queue_depth{band="bulk"} 2')
  expect(metrics).toContain('waxwing_queue_age_seconds{band="bulk"} 90')
})

describe('the table itself', () => {
  const broken: Array<[string, string, string]> = [
    ['running without a holder', `state = 'running', attempt = 1`, 'jobs_running_is_locked'],
    ['held without running', `locked_by = gen_random_uuid()`, 'jobs_running_is_locked'],
    ['finished without a time', `state = 'failed'`, 'jobs_finished_has_time'],
    ['a time without an end', `finished_at = now()`, 'jobs_finished_has_time'],
    ['an unknown state', `state = 'lost'`, 'jobs_state'],
    ['an unknown band', `band = 'vip'`, 'jobs_band'],
    ['wanted again without running', `rerun = true`, 'jobs_rerun_is_running'],
    ['a negative count', `attempt = -1`, 'jobs_attempts'],
  ]
  test.each(broken)('refuses a job that is %s', async (_name, change, constraint) => {
    const id = (await enqueue(ctx, urgent, { n: 1 }))!
    const update = ctx.sql.unsafe(`update jobs set ${change} where id = '${id}'`)
    await expect(update).rejects.toMatchObject({ constraint_name: constraint })
  })
})
