// What only a real socket shows: the client's address, bodies that are too large, and a stop that lets requests finish.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { type AnyElysia, Elysia } from 'elysia'
import { makeApplication } from '../../src/http/application'
import { clientAddress } from '../../src/http/request-id'
import { type HttpServer, reserve } from '../../src/http/server'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { until } from '../support/until'

let database: TestDatabase
let server: HttpServer
let release: () => void = () => {}
const held = new Promise<void>(resolve => {
  release = resolve
})

const lines: string[] = []
const keep = (fields: object, message: string): void =>
  void lines.push(JSON.stringify({ ...fields, message }))

const probe = () =>
  new Elysia()
    .get('/unsubscribe/:id', () => 'a page')
    .get('/t/o/:token', () => 'a picture')
    .post('/v1/echo', ({ body }) => body)
    .get('/address', ({ request }) => ({ address: clientAddress(request) }))
    .get('/held', async () => {
      await held
      return { done: true }
    })

function application(trustProxy: boolean): AnyElysia {
  const { ctx } = testContext(database, { trustProxy })
  return makeApplication({ ...ctx, log: { ...ctx.log, info: keep } }, [probe])
}

beforeAll(async () => {
  database = await cloneDatabase({ empty: true })
  server = reserve('127.0.0.1', 0)
  server.open(application(true))
})
afterAll(async () => {
  release()
  await server.stop()
  await database.drop()
})

/** Speaks HTTP by hand, so that the body may be anything; resolves with what came back. */
async function speak(head: string[], chunks: Iterable<string>): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect(server.port, '127.0.0.1')
  let text = ''
  socket.on('data', data => {
    text += data
    if (text.includes('}}') || text.includes('"timestamp"')) socket.end()
  })
  socket.on('error', () => {})
  socket.on('close', () => resolve(text))
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  for (const chunk of chunks) if (socket.writable) socket.write(chunk)
  return await promise
}

const head = ['POST /v1/echo HTTP/1.1', 'host: localhost', 'content-type: application/json']

describe('a body that is too large is 413 in the envelope', () => {
  function* chunks(count: number): Generator<string> {
    const text = 'x'.repeat(65_536)
    for (let i = 0; i < count; i++) yield `10000\r\n${text}\r\n`
  }

  test('when it says so before it is sent', async () => {
    const answer = await speak([...head, 'content-length: 900000000'], ['{"a":"'])
    expect(answer).toStartWith('HTTP/1.1 413')
    expect(answer.toLowerCase()).toContain('x-request-id:')
    expect(answer).toContain('"code":"PAYLOAD_TOO_LARGE"')
  })

  test('when it comes in chunks without a length', async () => {
    const answer = await speak([...head, 'transfer-encoding: chunked'], chunks(60))
    expect(answer).toStartWith('HTTP/1.1 413')
    expect(answer).toContain('"code":"PAYLOAD_TOO_LARGE"')
  })

  test('when it declares a small length and comes in chunks all the same', async () => {
    const answer = await speak([...head, 'content-length: 5', 'transfer-encoding: chunked'], chunks(60))
    expect(answer).toMatch(/^HTTP\/1\.1 4/)
    expect(answer).not.toContain(' 200 ')
  })

  test('and a chunked one within the limit passes', async () => {
    const answer = await speak(
      [...head, 'transfer-encoding: chunked'],
      ['7\r\n{"a":{}\r\n', '1\r\n}\r\n', '0\r\n\r\n'],
    )
    expect(answer).toStartWith('HTTP/1.1 200')
    expect(answer).toEndWith('{"a":{}}')
  })
})

describe('an address', () => {
  const ask = (length: number) => fetch(`${server.url}/address?${'x'.repeat(length)}`)

  test('of up to about 16 kB is served', async () => {
    expect((await ask(15_000)).status).toBe(200)
  })

  test.each([17_000, 200_000])(
    'of %d characters is 431 without a body, and the next one is served',
    async length => {
      const answer = await ask(length)
      expect([answer.status, await answer.text()]).toEqual([431, ''])
      expect(answer.headers.get('x-request-id')).toBeNull()
      expect((await ask(1)).status).toBe(200)
    },
  )
})

describe('a request whose end is in doubt', () => {
  const post = ['POST /v1/echo HTTP/1.1', 'host: localhost', 'content-type: application/json']
  const hidden = 'GET /address HTTP/1.1\r\nhost: localhost\r\n\r\n'

  test.each<[name: string, head: string[], body: string]>([
    ['two lengths', [...post, 'content-length: 8', 'content-length: 2'], '{"a":{}}'],
    ['a length and chunks', [...post, 'content-length: 2', 'transfer-encoding: chunked'], '0\r\n\r\n'],
    ['an encoding that is none', [...post, 'transfer-encoding: xchunked'], '0\r\n\r\n'],
    ['chunks under another', [...post, 'transfer-encoding: chunked, identity'], '0\r\n\r\n'],
    ['a blank before the colon', [...post, 'transfer-encoding : chunked'], '0\r\n\r\n'],
    ['a folded header', [...post, 'x-a: 1', ' transfer-encoding: chunked'], '0\r\n\r\n'],
    ['a length with a sign', [...post, 'content-length: +8'], '{"a":{}}'],
    ['a length in hexadecimal', [...post, 'content-length: 0x8'], '{"a":{}}'],
    ['a chunk of no size', [...post, 'transfer-encoding: chunked'], 'x\r\n{}\r\n0\r\n\r\n'],
    [
      'a chunk of a huge size',
      [...post, 'transfer-encoding: chunked'],
      'fffffffffffffffff\r\n{}\r\n0\r\n\r\n',
    ],
    ['a bare line feed', ['GET /held HTTP/1.1\nhost: localhost'], ''],
  ])('is refused, and nothing behind it is answered: %s', async (_, head, body) => {
    const answer = await speak(head, [body, hidden])
    expect(answer).not.toContain('"address"')
    expect(answer).toMatch(/^(?:HTTP\/1\.1 (?:400|413|501|505) |$)/)
  })

  test('headers of 20 kB are 431', async () => {
    const headers = { 'x-long': 'x'.repeat(20_000) }
    expect((await fetch(`${server.url}/address`, { headers })).status).toBe(431)
  })
})

describe('the client’s address', () => {
  const ask = async (headers: Record<string, string>) =>
    ((await (await fetch(`${server.url}/address`, { headers })).json()) as { address: string }).address

  test('is the last hop of X-Forwarded-For behind a trusted proxy', async () => {
    expect(await ask({ 'x-forwarded-for': '6.6.6.6, 203.0.113.9' })).toBe('203.0.113.9')
  })
  test('is the peer’s where nothing was forwarded', async () => {
    expect(await ask({})).toBe('127.0.0.1')
  })
  test('is the peer’s where no proxy is trusted', async () => {
    const plain = reserve('127.0.0.1', 0)
    plain.open(application(false))
    const answer = await fetch(`${plain.url}/address`, { headers: { 'x-forwarded-for': '6.6.6.6' } })
    expect(await answer.json()).toEqual({ address: '127.0.0.1' })
    await plain.stop()
  })
  test('is in the log, but not that of a recipient who follows a link in an email', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.77' }
    for (const path of ['/address', '/unsubscribe/a-contact', '/t/o/a-token'])
      await (await fetch(`${server.url}${path}`, { headers })).text()
    // Lines are written after the answer is out, so those of other tests may stand between them.
    const logged = () => lines.map(line => JSON.parse(line) as { path: string; client?: string })
    const ofRecipients = () => logged().filter(({ path }) => /^\/(?:unsubscribe|t)\//.test(path))
    await until('the lines of both recipients', () => ofRecipients().length === 2)
    await until('the line of the client', () => logged().some(({ client }) => client === '203.0.113.77'))
    expect(ofRecipients().map(({ client }) => client)).toEqual([undefined, undefined])
    expect(logged().find(({ client }) => client === '203.0.113.77')?.path).toBe('/address')
  })
})

test('a request that comes before the application is there waits for it', async () => {
  const early = reserve('127.0.0.1', 0)
  const answer = fetch(`${early.url}/address`)
  early.open(application(false))
  expect((await answer).status).toBe(200)
  await early.stop()
})

test('a stop lets the request in flight finish and takes no new one', async () => {
  const ending = reserve('127.0.0.1', 0)
  ending.open(application(false))
  const answer = fetch(`${ending.url}/held`)
  await fetch(`${ending.url}/address`)
  const stopped = ending.stop()
  expect(fetch(`${ending.url}/address`, { keepalive: false })).rejects.toThrow()
  release()
  expect(await (await answer).json()).toEqual({ done: true })
  await stopped
})

test('a port in use is told in plain words', () => {
  expect(() => reserve('127.0.0.1', server.port)).toThrow(/in use.*another PORT$/)
  expect(() => reserve('127.0.0.1', server.port, 'METRICS_PORT')).toThrow(/another METRICS_PORT$/)
})
