// What guards have in common: nobody's body is read before it is known who sends it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type AnyElysia, Elysia, t } from 'elysia'
import { makeApplication } from '../../src/http/application'
import { guard } from '../../src/http/guard'
import { signSession } from '../../src/modules/accounts/users/guard'
import { buildApp } from '../../src/server/app'
import { request } from '../support/request'
import { routeRows } from '../support/routes'
import { makeWorld, type World } from '../support/world'

let world: World
let app: AnyElysia
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
afterAll(() => world.close())

/** A body without end, that counts how much of it is asked for. */
function endless() {
  const taken = { chunks: 0 }
  const chunk = new Uint8Array(65_536).fill(0x20)
  const pull = (controller: ReadableStreamDefaultController) => {
    taken.chunks++
    controller.enqueue(chunk)
  }
  return { taken, body: new ReadableStream({ pull }, { highWaterMark: 0 }) }
}

const behindGuards = routeRows()
  .filter(({ guard }) => guard && guard !== 'signature')
  .map(({ name }) => name)
const guarded = behindGuards.filter(name => !name.startsWith('GET '))

test.each(guarded)('%s reads nothing of a stranger’s body', async route => {
  const [method, path] = route.split(' ') as [string, string]
  const address = path.replaceAll(/:\w+/g, crypto.randomUUID())
  for (const options of [{}, { key: `sk_${'a'.repeat(48)}` }, { cookie: 'waxwing_session=false' }]) {
    const { body, taken } = endless()
    const { status } = await request(app, method, address, { ...options, body })
    expect(status).toBe(401)
    // One that waits in the pipe behind the counter.
    expect(taken.chunks).toBeLessThanOrEqual(2)
  }
})

const shown = behindGuards.filter(name => name.startsWith('GET ')).map(name => name.slice('GET '.length))

test.each(shown)('what %s shows is stored by nobody on the way', async path => {
  const { id, ownerId } = world.project
  const cookie = `waxwing_session=${await signSession(world.ctx, { userId: ownerId, version: 1 })}`
  const address = path.replace(':projectId', id).replace('projects/:id', `projects/${id}`)
  const headers = { 'x-project-id': id }
  const answer = await request(app, 'GET', address.replaceAll(/:\w+/g, crypto.randomUUID()), {
    cookie,
    headers,
  })
  expect([path, answer.status]).not.toEqual([path, 401])
  expect(answer.headers.get('cache-control')).toContain('no-store')
})

test('a malformed body is 401 with a wrong key and 400 with the right one', async () => {
  const send = (key: string) => request(app, 'POST', '/v1/send', { key, body: '{"to":' })
  expect((await send('sk_wrong')).body.error.code).toBe('INVALID_API_KEY')
  expect((await send(world.project.secretKey)).status).toBe(400)
})

describe('what goes wrong in a guard', () => {
  const routes = (error: Error) => () =>
    new Elysia()
      .use(
        guard({ name: 'broken' }, 'secretKey', async (): Promise<{ who: string }> => {
          throw error
        }),
      )
      .post('/x', ({ body }) => body, { body: t.Object({ n: t.Number() }) })
  const call = async (error: Error, body: unknown) =>
    (await request(makeApplication(world.ctx, [routes(error)]), 'POST', '/x', { body })).status

  test('is no fault of the body, whatever that is', async () => {
    const away = Object.assign(new Error('away'), { code: 'CONNECTION_CLOSED' })
    for (const body of [{ n: 1 }, {}, '{', undefined]) {
      expect(await call(away, body)).toBe(503)
      expect(await call(new Error('a mistake of ours'), body)).toBe(500)
    }
  })
})
