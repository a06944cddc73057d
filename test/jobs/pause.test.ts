// A database that was restored or copied: chores run, what would become mail waits, and nothing is lost when sending goes on.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Context } from '../../src/platform/context'
import { builtInOrigin } from '../../src/platform/instance/origin'
import {
  claimForOrigin,
  pauseSending,
  readInstance,
  resumeSending,
} from '../../src/platform/instance/queries'
import { claimDatabase, watchPause } from '../../src/platform/instance/sending-pause'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { execute } from '../../src/platform/jobs/execute'
import { handle, handlerTable } from '../../src/platform/jobs/kind'
import { startRunner } from '../../src/platform/jobs/runner'
import { claimSecrets } from '../../src/platform/secrets'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { bulk, chore, countOpenJobs, liveContext, step, until, urgent } from './support'

let database: TestDatabase
let ctx: Context

beforeEach(async () => {
  database = await cloneDatabase({ max: 8 })
  ctx = liveContext(database)
  await claimSecrets(ctx)
})
afterEach(() => database.drop())

test('while sending is paused chores alone run; the rest runs when it goes on', async () => {
  const ran: string[] = []
  const note = (name: string) => async () => void ran.push(name)
  const handlers = handlerTable([
    handle(urgent, note('urgent')),
    handle(step, note('step')),
    handle(bulk, note('bulk')),
    handle(chore, note('chore')),
  ])
  let isPaused = true
  const sending = { paused: () => (isPaused ? { because: 'a test', since: new Date() } : undefined) }
  for (const kind of [urgent, step, bulk, chore]) await enqueue(ctx, kind, { n: 1 })
  const runner = await startRunner({ ...ctx, sending }, { handlers, concurrency: 8, pollMs: 20 })
  await until(() => ran.includes('chore'))
  await enqueue(ctx, chore, { n: 2 })
  // A handler that has run is not yet a job that is finished.
  await until(async () => (await countOpenJobs(ctx)) === 3)
  expect(ran).toEqual(['chore', 'chore'])
  isPaused = false
  await until(() => ran.length === 5)
  expect(ran.slice(2).sort()).toEqual(['bulk', 'step', 'urgent'])
  await runner.stop(1_000)
})

test('what starts campaigns does nothing while sending is paused', async () => {
  let runs = 0
  const sweep = { ...chore, kind: 'test.sweep', startsSending: true }
  const handlers = handlerTable([handle(sweep, async () => void runs++)])
  const job = {
    id: ctx.random.uuid(new Date()),
    kind: 'test.sweep',
    args: { n: 1 },
    band: 'system' as const,
    attempt: 1,
    maxAttempts: 3,
    projectId: null,
    createdAt: new Date(),
    runAt: new Date(),
    lockedBy: ctx.random.uuid(new Date()),
  }
  const sending = { paused: () => ({ because: 'a test', since: new Date() }) }
  expect(await execute({ ...ctx, sending }, handlers, job).outcome).toMatchObject({ type: 'completed' })
  expect(runs).toBe(0)
  expect(await execute(ctx, handlers, job).outcome).toMatchObject({ type: 'completed' })
  expect(runs).toBe(1)
})

test('a first start is at home, a second one too, and one in another place is paused until it is told to go on', async () => {
  const external = { ...ctx, config: { ...ctx.config, databaseUrl: database.url, dataDir: '/nowhere' } }
  await claimDatabase(external)
  expect(await readInstance(ctx)).toMatchObject({ generation: 1, pausedAt: null })
  await claimDatabase(external)
  expect(await readInstance(ctx)).toMatchObject({ generation: 2, pausedAt: null })
  await claimForOrigin(ctx, builtInOrigin, undefined, new Date())
  await claimDatabase(external)
  const paused = await readInstance(ctx)
  expect(paused?.pausedBecause).toContain('restored or copied from another place')
  // Starting once more is no word that mail may leave, and keeps the first reason.
  await claimDatabase(external)
  expect(await readInstance(ctx)).toMatchObject({ pausedAt: paused!.pausedAt!, generation: 5 })
  expect(await resumeSending(ctx)).toBe(true)
  expect(await resumeSending(ctx)).toBe(false)
  await claimDatabase(external)
  expect(await readInstance(ctx)).toMatchObject({ pausedAt: null, pausedBecause: null })
})

test('a running instance hears of a pause and of its end', async () => {
  const gate = await watchPause({ ...ctx, config: { ...ctx.config, databaseUrl: database.url } })
  expect(gate.paused()).toBeUndefined()
  await pauseSending(ctx, 'somebody said so', new Date())
  await until(() => gate.paused()?.because === 'somebody said so')
  await resumeSending(ctx)
  await until(() => gate.paused() === undefined)
  await gate.stop()
})
