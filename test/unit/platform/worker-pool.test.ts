// Threads for work that may take its time: bounded in number and time, fair between owners, gone when there is no work.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { createPool, Overrun, Withdrawn } from '../../../src/platform/workers/pool'
import { until } from '../../support/until'

const cpuTime = join(import.meta.dir, '../../../src/platform/workers/cpu-time.ts')

/** Answers a number with its double; anything else never ends. */
const program = `
  addEventListener('message', ({ data }) => { for (;;) if (typeof data === 'number') break; postMessage(data * 2) })
  postMessage(undefined)`

function makePool(size: number, idleMs = 60_000) {
  const url = URL.createObjectURL(new Blob([program], { type: 'application/javascript' }))
  return createPool<unknown, number>({ start: () => new Worker(url), size, idleMs })
}

const soon = 60_000

test('a thread starts with the first job, serves the next ones, and ends when there are none', async () => {
  const pool = makePool(2, 50)
  expect(pool.threads).toBe(0)
  for (const n of [1, 2, 3]) expect(await pool.run('a', n, soon)).toBe(2 * n)
  expect(pool.threads).toBe(1)
  await until('the threads have ended', () => pool.threads === 0)
})

test('there are never more than allowed, and every job is answered', async () => {
  const pool = makePool(2, 50)
  const numbers = Array.from({ length: 50 }, (_, n) => n)
  const answers = Promise.all(numbers.map(n => pool.run(`owner ${n % 3}`, n, soon)))
  expect(pool.threads).toBe(2)
  expect(await answers).toEqual(numbers.map(n => 2 * n))
  await until('the threads have ended', () => pool.threads === 0)
})

test('one that does not end is ended, and the others go on', async () => {
  const pool = makePool(1, 50)
  const endless = pool.run('a', 'endless', 100)
  const next = pool.run('a', 4, soon)
  expect(await endless.catch(error => error)).toBeInstanceOf(Overrun)
  expect(await next).toBe(8)
  await until('the threads have ended', () => pool.threads === 0)
})

test('who asks for much waits for those who ask for little', async () => {
  const pool = makePool(1, 50)
  const order: string[] = []
  const run = (owner: string, n: number) => pool.run(owner, n, soon).then(() => void order.push(owner))
  await Promise.all([...Array.from({ length: 6 }, (_, n) => run('greedy', n)), run('modest', 7)])
  expect(order.indexOf('modest')).toBeLessThan(3)
  await until('the threads have ended', () => pool.threads === 0)
})

test('what nobody wants any more when its turn comes is not done', async () => {
  const pool = makePool(1, 50)
  let isWanted = true
  const first = pool.run('a', 1, soon).then(() => {
    isWanted = false
  })
  const second = pool.run('a', 2, soon, { isWanted: () => isWanted }).catch(error => error)
  await first
  expect(await second).toBeInstanceOf(Withdrawn)
  await until('the threads have ended', () => pool.threads === 0)
})

test('a thread that gets little of the processor is not ended for what others do', async () => {
  const url = URL.createObjectURL(
    new Blob(
      [
        `const { ownThreadId } = await import(${JSON.stringify(cpuTime)})
         addEventListener('message', ({ data }) => { Bun.sleepSync(data); postMessage(data) })
         postMessage(ownThreadId())`,
      ],
      { type: 'application/javascript' },
    ),
  )
  const pool = createPool<number, number>({ start: () => new Worker(url), size: 1, idleMs: 50 })
  // Later than its limit, and long before the end by the clock, however late a busy machine wakes it.
  expect(await pool.run('a', 2_200, 2_000)).toBe(2_200)
  // By the clock there is an end too.
  expect(await pool.run('a', 4_000, 200).catch(error => error)).toBeInstanceOf(Overrun)
  await until('the threads have ended', () => pool.threads === 0)
})
