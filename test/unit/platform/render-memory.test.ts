// The thread that renders what is costly keeps nothing of what a template made it take.
import { expect, test } from 'bun:test'
import type { RemoteAnswer, RemoteJob } from '../../../src/liquid/costly'
import { createPool, threadProgram } from '../../../src/platform/workers/pool'
import { until } from '../../support/until'

const megabyte = 1024 ** 2

test('what costly templates have filled is given back when they are rendered', async () => {
  const pool = createPool<RemoteJob, RemoteAnswer>({
    start: () => new Worker(threadProgram('render-worker'), { smol: true, ref: false }),
    size: 1,
    idleMs: 60_000,
  })
  const render = (source: string) =>
    pool.run('a', { kind: 'source', source, mode: 'html', scope: {} }, 60_000)
  await render('{{ 1 }}')
  Bun.gc(true)
  const before = process.memoryUsage.rss()
  const taken = (): number => (process.memoryUsage.rss() - before) / megabyte
  // Each list takes seven megabytes.
  for (const lists of [8, 12, 30]) {
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, taken())
    }, 1)
    const body = Array.from({ length: lists }, (_, n) => `{% assign x${n} = (1..900000) %}`).join('')
    expect(await render(body)).toEqual({ text: '' })
    clearInterval(watch)
    expect(most).toBeGreaterThan(40)
    // A last trace of it may be on the thread's stack. Left alone, the engine looks at an idle thread after ten seconds.
    await render('{{ 1 }}')
    await until('it is free', () => taken() < 30, 6_000)
  }
  expect(pool.threads).toBe(1)
})
