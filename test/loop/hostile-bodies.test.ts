// A corpus of bodies, by keys that anybody or a neighbor holds: none holds up anybody, and none is a fault of ours.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
// Loaded by the first message to /mcp, it leaves globals of its own.
import '@modelcontextprotocol/sdk/types.js'
import type { AnyElysia } from 'elysia'
import { buildApp } from '../../src/server/app'
import { hostileBodies, hostileHeads } from '../data/hostile-bodies'
import { maxBlockMs, watchLoop, watchRepeatable } from '../support/longest-block'
import { request } from '../support/request'
import { makeWorld, type World } from '../support/world'

const pieceSize = 512 * 1024
let world: World
let app: AnyElysia

const call = (path: string, by: string | undefined, body: string, type = 'application/json') => {
  const key = by === 'public' ? world.project.publicKey : world.project.secretKey
  const bytes = Buffer.from(body)
  const headers = { 'content-type': type }
  return () => request(app, 'POST', path, { key, body: inPieces(bytes), headers })
}

/** As a socket has it: to make the text is no part of what is watched. */
function inPieces(bytes: Buffer): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await Bun.sleep(0)
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, at + pieceSize))
      at += pieceSize
    },
  })
}

beforeAll(async () => {
  world = await makeWorld({ rateLimitPerMinute: 0 })
  app = buildApp(world.ctx)
  // What is loaded and compiled at the first use is no part of what a body costs.
  for (const { path, by, type, body } of hostileBodies) {
    await call(path, by, body().slice(0, 1_000), type)()
    await call(path, by, '{"a":[1,{"b":"c"}]}')()
  }
  const [letter] = hostileBodies.filter(({ name }) => name.includes('batch'))
  await call(letter!.path, undefined, letter!.body())()
})
afterAll(() => world.close())

test('the corpus is as large as it was', () => {
  expect(hostileBodies.length).toBeGreaterThanOrEqual(31)
  expect(hostileHeads.length).toBeGreaterThanOrEqual(6)
})

describe('the process is not held up', () => {
  test.each(hostileBodies.map(one => [`${one.name} at ${one.path}`, one] as const))(
    'by %s',
    async (_, { path, by, type, body, statuses }) => {
      const work = call(path, by, body(), type)
      Bun.gc(true)
      const watched = await watchRepeatable(app, work)
      expect(statuses).toContain(watched.result.status)
      expect(watched.longestMs).toBeLessThan(maxBlockMs)
      expect(watched.healthAnswers).toBeGreaterThan(0)
    },
  )
  test.each(hostileHeads)('by %s', async (_, path, headers) => {
    const key = headers['cookie'] ? undefined : world.project.secretKey
    const watched = await watchLoop(app, () => request(app, 'GET', path, { key, headers }))
    expect(watched.result.status).toBeLessThan(500)
    expect(watched.longestMs).toBeLessThan(maxBlockMs)
  })
})
