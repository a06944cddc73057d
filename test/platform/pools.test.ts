// The pools of an instance: what jobs and heavy questions do stands back behind requests, where the server is ours.
import { afterAll, expect, test } from 'bun:test'
import { getPriority } from 'node:os'
import {
  openHeavyJobPool,
  openHeavyPool,
  openJobPool,
  openRequestPool,
  type PoolServer,
} from '../../src/platform/db/pools'
import { cloneDatabase } from '../support/database'

const database = await cloneDatabase()
afterAll(() => database.drop())

const own: PoolServer = { client: database.sql, isBuiltIn: true }
const elsewhere: PoolServer = { client: database.sql, isBuiltIn: false }

// The tests themselves may run at another priority, which their server has too.
test.each([
  ['of requests', openRequestPool(own, 1_000), getPriority()],
  ['of heavy questions', openHeavyPool(own, 1_000), 10],
  ['of jobs', openJobPool(own, 2), 5],
  ['of heavy jobs', openHeavyJobPool(own), 10],
  ['of jobs on a server of others', openJobPool(elsewhere, 2), getPriority()],
])('backends %s have their place in the queue for the processor', async (_, pool, priority) => {
  const [row] = await pool.sql<Array<{ pid: number }>>`select pg_backend_pid() as pid`
  expect(getPriority(row!.pid)).toBe(priority)
  await pool.close()
})
