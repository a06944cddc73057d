// A process of its own for the tests: runs jobs and schedules on the database given as argument, with leases of the milliseconds given
// behind it, and notes in the table `runs` what it did. Ends gracefully at SIGTERM, as an instance does.
import { openDatabase } from '../../src/platform/db/client'
import { handle, handlerTable, job } from '../../src/platform/jobs/kind'
import { startRunner } from '../../src/platform/jobs/runner'
import { runSchedules, schedule } from '../../src/platform/jobs/schedule'
import { makeJobSignal } from '../../src/platform/jobs/wake'
import { bulk, liveContext, tickMs } from './support'

const client = openDatabase(process.argv[2]!, { max: 8 })
const ctx = liveContext({ ...client, url: process.argv[2]!, drop: async () => {} })

const note = async (kind: string, n: number): Promise<void> => {
  const [row] = await ctx.sql<{ id: number }[]>`
    insert into runs (pid, kind, n, started_at)
    values (${process.pid}, ${kind}, ${n}, clock_timestamp()) returning id`
  await Bun.sleep(5)
  await ctx.sql`update runs set ended_at = clock_timestamp() where id = ${row!.id}`
}
const tick = job('test.tick', 'system', {})
const handlers = handlerTable([
  handle(bulk, (_ctx, { n }) => note(bulk.kind, n)),
  handle(tick, () => note(tick.kind, 0)),
])
const signal = makeJobSignal({ ...ctx, sql: client.sql })
const waking = { ...ctx, jobWaker: signal }
const runner = await startRunner(waking, {
  handlers,
  concurrency: 6,
  signal,
  lease: { leaseMs: Number(process.argv[3]), beatMs: 300 },
})
const schedules = runSchedules(waking, [schedule(tick, tickMs)])

process.on('SIGTERM', async () => {
  await schedules.stop()
  await runner.stop(5_000)
  await signal.close()
  await client.close()
  process.exit(0)
})
console.log('ready')
