// Jobs per second that do nothing, compared with graphile-worker and pg-boss on the same server in the same run: what the queue itself
// costs. Enqueueing and running are measured separately; both others are set up as their documentation advises for speed.
import { Type } from '@sinclair/typebox'
import { Logger, makeWorkerUtils, run as runGraphile } from 'graphile-worker'
import PgBoss from 'pg-boss'
import type { Context } from '../src/platform/context'
import { openDatabase } from '../src/platform/db/client'
import { migrate } from '../src/platform/db/migrate'
import { migrations } from '../src/platform/db/migrations'
import { enqueueMany } from '../src/platform/jobs/enqueue'
import { handle, handlerTable, job } from '../src/platform/jobs/kind'
import { startRunner } from '../src/platform/jobs/runner'
import { makeJobSignal } from '../src/platform/jobs/wake'
import { benchServer, quietContext } from './support/server'

const total = 40_000
const chunk = 1_000
const concurrency = 16

interface Figures {
  name: string
  enqueuedPerSecond: number
  workedPerSecond: number
}

/** Resolves when `total` jobs have run. */
function countdown(): { tick(): void; finished: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = total
  return { finished: promise, tick: () => (--left === 0 ? resolve() : undefined) }
}

async function perSecond(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return Math.round((total / (performance.now() - begun)) * 1_000)
}

async function eachChunk(add: (numbers: number[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < total; from += chunk)
    await add(Array.from({ length: chunk }, (_, index) => from + index))
}

async function measureWaxwing(url: string): Promise<Figures> {
  const client = openDatabase(url, { max: 10 })
  await migrate(client.sql, migrations, new Date())
  const ctx: Context = quietContext(client)
  const nothing = job('bench.nothing', 'transactional', { n: Type.Integer() })
  const enqueuedPerSecond = await perSecond(() =>
    eachChunk(numbers =>
      enqueueMany(
        ctx,
        nothing,
        numbers.map(n => ({ args: { n } })),
      ),
    ),
  )
  const { tick, finished } = countdown()
  const signal = makeJobSignal({ ...ctx, sql: client.sql })
  const handlers = handlerTable([handle(nothing, async () => tick())])
  let stop = async (): Promise<void> => {}
  const workedPerSecond = await perSecond(async () => {
    const runner = await startRunner({ ...ctx, jobWaker: signal }, { handlers, concurrency, signal })
    stop = () => runner.stop(5_000)
    await finished
  })
  await stop()
  await signal.close()
  await client.close()
  return { name: 'waxwing', enqueuedPerSecond, workedPerSecond }
}

const silent = new Logger(() => () => {})

async function measureGraphile(url: string): Promise<Figures> {
  const utils = await makeWorkerUtils({ connectionString: url, logger: silent })
  await utils.migrate()
  const enqueuedPerSecond = await perSecond(() =>
    eachChunk(numbers => utils.addJobs(numbers.map(n => ({ identifier: 'nothing', payload: { n } })))),
  )
  await utils.release()
  const { tick, finished } = countdown()
  let stop = async (): Promise<void> => {}
  const workedPerSecond = await perSecond(async () => {
    const runner = await runGraphile({
      taskList: { nothing: async () => tick() },
      preset: {
        worker: {
          connectionString: url,
          logger: silent,
          concurrentJobs: concurrency,
          maxPoolSize: concurrency + 2,
          localQueue: { size: 500 },
          completeJobBatchDelay: 0,
        },
      },
      noHandleSignals: true,
    })
    stop = async () => {
      await runner.stop()
      await runner.promise
    }
    await finished
  })
  await stop()
  return { name: 'graphile-worker', enqueuedPerSecond, workedPerSecond }
}

async function measurePgBoss(url: string): Promise<Figures> {
  const boss = new PgBoss({ connectionString: url, max: 10, supervise: false, schedule: false })
  await boss.start()
  await boss.createQueue('nothing')
  const enqueuedPerSecond = await perSecond(() =>
    eachChunk(numbers =>
      boss.insert(
        'nothing',
        numbers.map(n => ({ name: 'nothing', data: { n } }) as PgBoss.JobInsert),
      ),
    ),
  )
  // Its own worker loop pauses between batches, so it is driven without it: fetch, complete, in as many loops as the others have slots.
  const drainLoop = async (): Promise<void> => {
    for (;;) {
      const jobs = await boss.fetch('nothing', { batchSize: 100 })
      if (!jobs || jobs.length === 0) return
      await boss.complete(
        'nothing',
        jobs.map(found => found.id),
      )
    }
  }
  const workedPerSecond = await perSecond(() => Promise.all(Array.from({ length: concurrency }, drainLoop)))
  await boss.stop({ graceful: false, close: true })
  return { name: 'pg-boss', enqueuedPerSecond, workedPerSecond }
}

export async function run(): Promise<void> {
  const server = await benchServer()
  try {
    const rounds: Figures[] = []
    // They alternate, so that whatever else the machine does affects all of them.
    for (let round = 0; round < 3; round++) {
      for (const measure of [measureGraphile, measurePgBoss, measureWaxwing]) {
        rounds.push(await measure(await server.createDatabase()))
      }
    }
    const figures = Object.values(Object.groupBy(rounds, round => round.name)).map(own => best(own!))
    report(figures)
  } finally {
    await server.stop()
  }
}

/** The best round of each: the first one also pays for a cold server and cold code. */
function best(rounds: Figures[]): Figures {
  return {
    name: rounds[0]!.name,
    enqueuedPerSecond: Math.max(...rounds.map(round => round.enqueuedPerSecond)),
    workedPerSecond: Math.max(...rounds.map(round => round.workedPerSecond)),
  }
}

function report(figures: Figures[]): void {
  const own = figures.find(figure => figure.name === 'waxwing')!
  console.log(`${total} jobs that do nothing, ${concurrency} at once`)
  for (const { name, enqueuedPerSecond, workedPerSecond } of figures) {
    const ratio = (ours: number, theirs: number): string => (ours / theirs).toFixed(2)
    console.log(
      `${name.padEnd(16)} enqueued ${enqueuedPerSecond}/s (waxwing ${ratio(own.enqueuedPerSecond, enqueuedPerSecond)}x)` +
        `   worked ${workedPerSecond}/s (waxwing ${ratio(own.workedPerSecond, workedPerSecond)}x)`,
    )
  }
}

if (import.meta.main) await run()
