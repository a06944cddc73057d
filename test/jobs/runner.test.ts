// The runner against a real database: who gets which job, what a lost lease means, how it stops, and that it outlives faults.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type postgres from 'postgres'
import { minute, second } from '../../src/lib/time'
import { type Context, inTransaction } from '../../src/platform/context'
import { openDatabase } from '../../src/platform/db/client'
import { enqueue, enqueueMany } from '../../src/platform/jobs/enqueue'
import { type HandlerTable, handle, handlerTable } from '../../src/platform/jobs/kind'
import { Snooze } from '../../src/platform/jobs/outcome'
import { type Runner, type RunnerOptions, startRunner } from '../../src/platform/jobs/runner'
import { defaultPollMs, type JobSignal, makeJobSignal } from '../../src/platform/jobs/wake'
import { manualClock } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { startLossyProxy } from '../support/lossy-proxy'
import { bulk, clearJobs, countJobs, gate, jobRow, liveContext, once, step, until, urgent } from './support'

let database: TestDatabase
let ctx: Context
const started: Runner[] = []
const signals: JobSignal[] = []

beforeAll(async () => {
  database = await cloneDatabase({ max: 12 })
  ctx = liveContext(database)
})
afterAll(() => database.drop())
afterEach(async () => {
  await Promise.all(started.splice(0).map(runner => runner.stop(2_000)))
  await Promise.all(signals.splice(0).map(signal => signal.close()))
  await clearJobs(ctx)
})

const never = 10 * minute

/** Stopped after the test. Polls once a `never` unless told otherwise, so that only hints can wake it. */
async function start(
  handlers: HandlerTable,
  changes: Partial<RunnerOptions> = {},
  context = ctx,
): Promise<Runner> {
  const runner = await startRunner(context, { handlers, concurrency: 4, pollMs: never, ...changes })
  started.push(runner)
  return runner
}

function signalFor(context = ctx): JobSignal {
  const signal = makeJobSignal({ ...context, sql: database.sql as postgres.Sql })
  signals.push(signal)
  return signal
}

/** Of the jobs that are left, in the order of their numbers. */
async function jobStates(): Promise<string[]> {
  const rows = await database.sql<{ state: string }[]>`select state from jobs order by (args->>'n')::int`
  return rows.map(({ state }) => state)
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ args: { n } }))

describe('claims', () => {
  test('eight runners at once run each of 4,000 jobs exactly once', async () => {
    const runs = new Map<number, number>()
    const handlers = handlerTable([
      handle(bulk, async (_ctx, { n }) => void runs.set(n, (runs.get(n) ?? 0) + 1)),
    ])
    await enqueueMany(ctx, bulk, numbers(4_000))
    await Promise.all(Array.from({ length: 8 }, () => start(handlers, { concurrency: 8, pollMs: 50 })))
    await until(async () => (await countJobs(ctx)) === 0)
    expect(runs.size).toBe(4_000)
    expect([...runs.values()].every(count => count === 1)).toBe(true)
  })

  test('no more jobs run at once than there are slots', async () => {
    const hold = gate()
    await enqueueMany(ctx, urgent, numbers(20))
    let [running, most] = [0, 0]
    const counted: typeof hold.handle = async (...given) => {
      most = Math.max(most, ++running)
      await hold.handle(...given)
      running--
    }
    const runner = await start(handlerTable([handle(urgent, counted)]), { concurrency: 3 })
    await until(() => hold.started.length === 3)
    expect(runner.running()).toBe(3)
    const opener = setInterval(hold.open, 1)
    await until(async () => (await countJobs(ctx)) === 0)
    clearInterval(opener)
    expect(hold.started).toHaveLength(20)
    expect(most).toBe(3)
  })

  test('a wall of bulk leaves room for urgent mail, which starts at once', async () => {
    const wall = gate()
    const mail: number[] = []
    const handlers = handlerTable([
      handle(bulk, wall.handle),
      handle(urgent, async (_ctx, { n }) => void mail.push(n)),
    ])
    await enqueueMany(ctx, bulk, numbers(50))
    const signal = signalFor()
    const waking = { ...ctx, jobWaker: signal }
    await start(handlers, { concurrency: 8, signal }, waking)
    await until(() => wall.started.length === 4)
    await enqueue(waking, urgent, { n: 1 })
    await until(() => mail.length === 1)
    expect(wall.started).toHaveLength(4)
    wall.open()
  })

  test.each([1, 4])(
    'a flood of urgent mail without end does not starve bulk (%d slots)',
    async concurrency => {
      const left = new Set([0, 1, 2, 3, 4])
      const handlers = handlerTable([
        handle(
          urgent,
          async handlerCtx => void (left.size > 0 && (await enqueue(handlerCtx, urgent, { n: 0 }))),
        ),
        handle(bulk, async (_ctx, { n }) => void left.delete(n)),
      ])
      await enqueueMany(ctx, urgent, numbers(40))
      await enqueueMany(ctx, bulk, numbers(5))
      await start(handlers, { concurrency, pollMs: 20 })
      await until(() => left.size === 0)
      await until(async () => (await countJobs(ctx)) === 0)
    },
  )

  test('a job of one slow kind is not claimed ahead of its slot', async () => {
    const hold = gate()
    await enqueueMany(ctx, step, numbers(20))
    const others: number[] = []
    const other = handle(urgent, async (_ctx, { n }) => void others.push(n))
    await start(handlerTable([handle(step, hold.handle), other]), { concurrency: 4, pollMs: 20 })
    await until(() => hold.started.length === 3)
    await enqueue(ctx, urgent, { n: 1 })
    await until(async () => others.length === 1 && (await countJobs(ctx)) === 20)
    // There was a claim, and three run, and nothing lies in memory that another process could run.
    expect(await countJobs(ctx, 'running')).toBe(3)
    hold.open()
  })
})

describe('hints', () => {
  test('a job of the same process starts without a poll', async () => {
    const hold = gate()
    const signal = signalFor()
    await start(handlerTable([handle(urgent, hold.handle)]), { signal })
    await enqueue({ ...ctx, jobWaker: signal }, urgent, { n: 7 })
    await until(() => hold.started.length === 1)
    hold.open()
  })

  test('a job of another process starts without a poll, through NOTIFY', async () => {
    const hold = gate()
    const signal = signalFor()
    await start(handlerTable([handle(urgent, hold.handle)]), { signal })
    await signal.listen()
    const other = signalFor()
    await enqueue({ ...ctx, jobWaker: other }, urgent, { n: 8 })
    await until(() => hold.started.length === 1)
    hold.open()
  })

  test('a job that is due in a moment starts in that moment, between two polls', async () => {
    const at: number[] = []
    const signal = signalFor()
    const waking = { ...ctx, jobWaker: signal }
    await start(handlerTable([handle(urgent, async () => void at.push(Date.now()))]), { signal }, waking)
    const due = new Date(Date.now() + 120)
    await enqueue(waking, urgent, { n: 1 }, { runAt: due })
    await until(() => at.length === 1)
    // The next poll would be in an hour.
    expect(at[0]!).toBeGreaterThanOrEqual(due.getTime())
  })

  test('jobs that somebody left behind for later start in their moments, between two polls', async () => {
    const at: number[] = []
    const due = [120, 260].map(ms => new Date(Date.now() + ms))
    for (const runAt of due) await enqueue(ctx, urgent, { n: 1 }, { runAt })
    await start(handlerTable([handle(urgent, async () => void at.push(Date.now()))]))
    await until(() => at.length === 2)
    expect(due.map((moment, index) => at[index]! >= moment.getTime())).toEqual([true, true])
  })

  test('a job that another process adds for a moment between two polls is announced', async () => {
    const at: number[] = []
    const signal = signalFor()
    await start(handlerTable([handle(urgent, async () => void at.push(Date.now()))]), { signal })
    await signal.listen()
    const due = new Date(Date.now() + 120)
    await enqueue({ ...ctx, jobWaker: signalFor() }, urgent, { n: 1 }, { runAt: due })
    await until(() => at.length === 1)
    expect(at[0]!).toBeGreaterThanOrEqual(due.getTime())
  })

  test('a hint that is lost delays a job by one poll at most', async () => {
    const runs: number[] = []
    await start(handlerTable([handle(urgent, async (_ctx, { n }) => void runs.push(n))]), { pollMs: 100 })
    await enqueue(ctx, urgent, { n: 1 })
    await until(() => runs.length === 1)
    // Where nothing else is said, a poll is never further away than this.
    expect(defaultPollMs).toBeLessThanOrEqual(5 * second)
  })

  test('a thousand enqueues cost a few NOTIFYs', async () => {
    const heard: string[] = []
    const listening = await database.sql.listen('waxwing_jobs', sender => void heard.push(sender))
    const waking = { ...ctx, jobWaker: signalFor() }
    await Promise.all(numbers(1_000).map(({ args }) => enqueue(waking, bulk, args)))
    // What another process announces comes after theirs.
    await enqueue({ ...ctx, jobWaker: signalFor() }, bulk, { n: 0 })
    await until(() => new Set(heard.map(payload => payload.split(' ')[0])).size === 2)
    expect(heard.length).toBeLessThan(100)
    await listening.unlisten()
  })
})

describe('leases', () => {
  test('what a dead process held is put back when its lease is over, and not before', async () => {
    const clock = manualClock(new Date())
    const timed: Context = { ...ctx, clock }
    const id = (await enqueue(timed, urgent, { n: 1 }))!
    await holdAsDead(timed, id, 30 * second)
    const hold = gate()
    const handlers = handlerTable([handle(urgent, hold.handle)])
    clock.advance(30 * second - 1)
    const early = await start(handlers, { lease: { leaseMs: 30 * second, beatMs: 10 } }, timed)
    await beats(2)
    expect(await jobRow(ctx, id)).toMatchObject({ state: 'running', attempt: 1 })
    await early.stop(0)
    clock.advance(1)
    await start(handlers, { lease: { leaseMs: 30 * second, beatMs: 10 }, pollMs: 20 }, timed)
    await until(() => hold.started.length === 1)
    expect(await jobRow(ctx, id)).toMatchObject({
      state: 'running',
      attempt: 2,
      lastError: 'the process that ran it died',
    })
    hold.open()
  })

  test('a process that owns its database alone takes the work of the dead over at once', async () => {
    const id = (await enqueue(ctx, urgent, { n: 1 }))!
    await holdAsDead(ctx, id, minute)
    const hold = gate()
    await start(handlerTable([handle(urgent, hold.handle)]), { soleOwner: true })
    await until(() => hold.started.length === 1)
    hold.open()
  })

  test('a job whose lease was lost does not complete, and its handler is told', async () => {
    const clock = manualClock(new Date())
    const timed: Context = { ...ctx, clock }
    const told: string[] = []
    const release = Promise.withResolvers<void>()
    const handlers = handlerTable([
      handle(once, async (_ctx, _args, run) => {
        run.signal.addEventListener('abort', () => told.push(String(run.signal.reason)))
        await release.promise
      }),
    ])
    const id = (await enqueue(timed, once, { n: 1 }))!
    const runner = await start(handlers, { lease: { leaseMs: 30 * second, beatMs: 20 } }, timed)
    await until(async () => (await jobRow(ctx, id))?.state === 'running')
    // The process sleeps for a minute; another one puts the job back and claims it.
    const other = ctx.random.uuid(clock.now())
    await inTransaction(ctx, async tx => {
      await tx.sql`update runners set lease_until = ${clock.now()}`
      await tx.sql`insert into runners (id, lease_until, started_at) values (${other}, ${new Date(Date.now() + never)}, ${clock.now()})`
      await tx.sql`update jobs set locked_by = ${other}, attempt = 2 where id = ${id}`
    })
    await until(() => told.length === 1)
    expect(told[0]).toContain('the lease of this process was lost')
    release.resolve()
    await until(() => runner.running() === 0)
    await runner.stop(0)
    expect(await jobRow(ctx, id)).toMatchObject({ state: 'running', attempt: 2 })
  })

  test('a job that the same process takes again after a lost lease stays its own when the first run ends', async () => {
    const clock = manualClock(new Date())
    const timed: Context = { ...ctx, clock }
    const runs = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let begun = 0
    const handlers = handlerTable([handle(bulk, async () => await runs[begun++]!.promise)])
    const id = (await enqueue(timed, bulk, { n: 1 }))!
    const runner = await start(handlers, { lease: { leaseMs: 30 * second, beatMs: 20 }, pollMs: 20 }, timed)
    await until(() => begun === 1)
    await ctx.sql`update runners set lease_until = ${clock.now()}`
    await until(() => begun === 2)
    runs[0]!.resolve()
    await until(() => runner.running() === 1)
    const stopped = runner.stop(never)
    // What has not begun is put back at once; what runs is not.
    for (let looks = 0; looks < 20; looks++)
      expect(await jobRow(ctx, id)).toMatchObject({ state: 'running', attempt: 2 })
    runs[1]!.resolve()
    await stopped
    expect(await countJobs(ctx)).toBe(0)
  })

  test('a job that takes down its process again and again is given up', async () => {
    const id = (await enqueue(ctx, once, { n: 1 }))!
    for (let death = 1; death <= 4; death++) {
      await holdAsDead(ctx, id, -1, death)
      // Not due for long, so that the runner puts it back and does no more.
      await ctx.sql`update jobs set run_at = ${new Date(Date.now() + never)} where id = ${id}`
      await (await start(handlerTable([]))).stop(0)
      expect([death, (await jobRow(ctx, id))?.state]).toEqual([death, death < 4 ? 'queued' : 'failed'])
    }
  })

  test('what was asked for while such a job ran is not given up with it', async () => {
    const id = (await enqueue(ctx, once, { n: 1 }, { uniqueKey: 'k' }))!
    await holdAsDead(ctx, id, -1, 4)
    await enqueue(ctx, once, { n: 2 }, { uniqueKey: 'k' })
    const hold = gate()
    await start(handlerTable([handle(once, hold.handle)]))
    await until(() => hold.started.length === 1)
    hold.open()
    await until(async () => (await countJobs(ctx)) === 0)
  })

  test('a claim that ends after its lease was lost starts nothing: the jobs are put back and taken again', async () => {
    const clock = manualClock(new Date())
    const timed: Context = { ...ctx, clock }
    await database.sql`
      create function wait_for_test() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(4711); return null; end'`
    await database.sql`
      create trigger wait_for_test after update on jobs for each row when (new.state = 'running')
        execute function wait_for_test()`
    const begun: number[] = []
    const release = Promise.withResolvers<void>()
    const handlers = handlerTable([
      handle(bulk, async (_ctx, _args, run) => {
        begun.push(run.attempt)
        await release.promise
      }),
    ])
    const own = await database.sql.reserve()
    try {
      await own`select pg_advisory_lock(4711)`
      await enqueue(timed, bulk, { n: 1 })
      await start(handlers, { lease: { leaseMs: 30 * second, beatMs: 20 }, pollMs: 20 }, timed)
      await until(async () => (await waitingForTest()) > 0)
      await ctx.sql`update runners set lease_until = ${clock.now()}`
      await until(
        async () => (await ctx.sql`select from runners where lease_until > ${clock.now()}`).length > 0,
      )
    } finally {
      await own`select pg_advisory_unlock(4711)`
      own.release()
    }
    await until(() => begun.includes(2))
    expect(begun).toEqual([2])
    release.resolve()
    await until(async () => (await countJobs(ctx)) === 0)
    await database.sql`drop trigger wait_for_test on jobs`
    await database.sql`drop function wait_for_test`
  })
})

async function waitingForTest(): Promise<number> {
  const [row] = await database.sql<[{ count: number }]>`
    select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`
  return row.count
}

/** Waits until runners have renewed their leases so many times: each time is a new version of a row. */
async function beats(count: number): Promise<void> {
  const seen = new Set<string>()
  await until(async () => {
    const rows = await database.sql<
      { version: string }[]
    >`select id::text || xmin::text as version from runners`
    for (const { version } of rows) seen.add(version)
    return seen.size > rows.length + count
  })
}

/** Makes it look as if a process that is gone had claimed the job. */
async function holdAsDead(context: Context, id: string, leaseMs: number, attempt = 1): Promise<void> {
  const dead = context.random.uuid(context.clock.now())
  const until = new Date(context.clock.now().getTime() + leaseMs)
  await context.sql`insert into runners (id, lease_until, started_at) values (${dead}, ${until}, ${context.clock.now()})`
  await context.sql`update jobs set state = 'running', attempt = ${attempt}, locked_by = ${dead} where id = ${id}`
}

describe('runs', () => {
  test('a run beyond its time limit is told to stop and counts as failed', async () => {
    const clock = manualClock(new Date())
    const timed: Context = { ...ctx, clock }
    const handlers = handlerTable([
      handle(bulk, async (_ctx, _args, run) => {
        await new Promise((_, reject) =>
          run.signal.addEventListener('abort', () => reject(run.signal.reason)),
        )
      }),
    ])
    const id = (await enqueue(timed, bulk, { n: 1 }))!
    const runner = await start(handlers, { lease: { leaseMs: never, beatMs: never } }, timed)
    await until(() => runner.running() === 1)
    clock.advance(60 * second)
    await until(async () => (await jobRow(ctx, id))?.state === 'queued')
    expect(await jobRow(ctx, id)).toMatchObject({
      attempt: 1,
      lastError: 'Error: it ran longer than 60000 ms',
    })
  })
})

describe('a run that was told to stop', () => {
  test('keeps its job while it may still be ending, and is abandoned after that', async () => {
    const clock = manualClock(new Date())
    const timed: Context = { ...ctx, clock }
    const slow = { ...bulk, graceMs: 120 * second }
    const signals: AbortSignal[] = []
    const handlers = handlerTable([
      handle(slow, async (_ctx, _args, run) => {
        signals.push(run.signal)
        if (signals.length === 1) await new Promise(() => {})
      }),
    ])
    const id = (await enqueue(timed, bulk, { n: 1 }))!
    const runner = await start(handlers, { lease: { leaseMs: never, beatMs: never }, pollMs: 20 }, timed)
    await until(() => runner.running() === 1)
    clock.advance(60 * second)
    await until(() => signals[0]!.aborted)
    expect(await jobRow(ctx, id)).toMatchObject({ state: 'running', attempt: 1 })
    clock.advance(120 * second)
    await until(async () => (await jobRow(ctx, id))?.state === 'queued')
    expect(await jobRow(ctx, id)).toMatchObject({ lastError: 'Error: it ran longer than 60000 ms' })
  })
})

describe('an outcome that the database refuses', () => {
  test('fails its own job, and holds up no other', async () => {
    const handlers = handlerTable([
      handle(urgent, async (_ctx, { n }) => {
        // No timestamp of PostgreSQL, as the driver writes it.
        if (n === 0) throw new Snooze(new Date(8.64e15))
        if (n < 4) throw new Snooze(new Date('2100-01-01'))
      }),
    ])
    await enqueueMany(ctx, urgent, numbers(8))
    await start(handlers)
    await until(async () => (await jobStates()).join() === 'failed,queued,queued,queued')
  })
})

describe('stopping', () => {
  test('waits for what runs, and puts back what was only claimed', async () => {
    const hold = gate()
    const handlers = handlerTable([handle(urgent, hold.handle)])
    await enqueueMany(ctx, urgent, numbers(20))
    const runner = await start(handlers, { concurrency: 2 })
    await until(() => hold.started.length === 2)
    const stopped = runner.stop(5_000)
    await until(async () => (await countJobs(ctx, 'queued')) === 18)
    hold.open()
    await stopped
    expect(hold.started).toEqual([0, 1])
    expect(await countJobs(ctx, 'queued')).toBe(18)
    expect(await countJobs(ctx, 'running')).toBe(0)
    expect(await ctx.sql`select * from runners`).toHaveLength(0)
    expect(await ctx.sql`select * from jobs where attempt <> 0`).toHaveLength(0)
  })

  test('what does not end in time is told to, put back, and its run does not count', async () => {
    let reason = ''
    const handlers = handlerTable([
      handle(urgent, async (_ctx, _args, run) => {
        await new Promise((_, reject) =>
          run.signal.addEventListener('abort', () => reject(run.signal.reason)),
        )
      }),
      handle(step, async (_ctx, _args, run) => {
        run.signal.addEventListener('abort', () => {
          reason = String(run.signal.reason)
        })
        await new Promise(() => {})
      }),
    ])
    const willing = (await enqueue(ctx, urgent, { n: 1 }))!
    const deaf = (await enqueue(ctx, step, { n: 1 }))!
    const runner = await start(handlers)
    await until(() => runner.running() === 2)
    await runner.stop(50)
    expect(reason).toContain('the process stops')
    for (const id of [willing, deaf])
      expect(await jobRow(ctx, id)).toMatchObject({ state: 'queued', attempt: 0 })
  })
})

describe('faults of the database', () => {
  test('killed connections cost no job, and the runner hears of new ones again', async () => {
    const runs = new Set<number>()
    const handlers = handlerTable([handle(urgent, async (_ctx, { n }) => void runs.add(n))])
    await start(handlers, { signal: signalFor(), lease: { leaseMs: 30 * second, beatMs: 50 } })
    const waking = { ...ctx, jobWaker: signalFor() }
    const theirs = ctx.sql`
      datname = current_database() and (application_name = 'waxwing jobs' or query like 'listen%')`
    await until(async () => (await ctx.sql`select 1 from pg_stat_activity where ${theirs}`).length > 1)
    for (let round = 0; round < 5; round++) {
      await enqueueMany(
        waking,
        urgent,
        Array.from({ length: 40 }, (_, n) => ({ args: { n: round * 40 + n } })),
      )
      await ctx.sql`select pg_terminate_backend(pid) from pg_stat_activity where ${theirs}`
    }
    await until(async () => (await countJobs(ctx)) === 0)
    expect(runs.size).toBe(200)
    await enqueue(waking, urgent, { n: 999 })
    await until(() => runs.has(999))
  })

  test('jobs whose claim was committed and never answered are put back by the process itself', async () => {
    const proxy = startLossyProxy(database.url)
    const client = openDatabase(proxy.url, { max: 2 })
    const runs: number[] = []
    const hold = gate()
    const handlers = handlerTable([
      handle(urgent, async (_ctx, { n }) => void runs.push(n)),
      handle(step, hold.handle),
    ])
    try {
      await start(handlers, { pollMs: 50 }, { ...ctx, sql: client.sql, db: client.db })
      await enqueue(ctx, step, { n: 0 })
      await until(() => hold.started.length === 1)
      // The claim of three, and not the one that finds nothing.
      proxy.loseAnswer(/UPDATE 3\0/)
      await enqueueMany(ctx, urgent, numbers(3))
      await until(() => runs.length === 3)
      expect({ lost: proxy.lost(), runs: runs.toSorted() }).toEqual({ lost: 1, runs: [0, 1, 2] })
      // What ran all the while was known, and stays.
      expect(hold.started).toEqual([0])
      hold.open()
      await until(async () => (await countJobs(ctx)) === 0)
    } finally {
      await Promise.all(started.splice(0).map(runner => runner.stop(2_000)))
      await client.close()
      proxy.stop()
    }
  })

  test('a database that cannot be reached for a while is waited for', async () => {
    const hold = gate()
    const failures: string[] = []
    const log = { ...ctx.log, warn: (_: object, text: string) => void failures.push(text) }
    const handlers = handlerTable([handle(urgent, hold.handle)])
    const runner = await start(handlers, { pollMs: 20 }, { ...ctx, log })
    await ctx.sql`alter table jobs rename to jobs_away`
    await until(() => failures.length >= 2)
    await ctx.sql`alter table jobs_away rename to jobs`
    await enqueue(ctx, urgent, { n: 1 })
    await until(() => runner.running() === 1)
    hold.open()
  })
})
