// What is refused at the door of /mcp, before a message is looked at: as errors of JSON-RPC, because that is what clients of MCP read.
import { afterAll, beforeAll, expect, test } from 'bun:test'
// Loaded by the first message to /mcp, it leaves globals of its own.
import '@modelcontextprotocol/sdk/types.js'
import type { AnyElysia } from 'elysia'
import { buildApp } from '../../src/server/app'
import { type Answer, type RequestOptions, request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let app: AnyElysia
beforeAll(async () => {
  world = await makeWorld({ rateLimitPerMinute: 8 })
  app = buildApp(world.ctx)
})
afterAll(() => world.close())

const list = { jsonrpc: '2.0', id: 7, method: 'tools/list' }
const ask = (options: RequestOptions = {}): Promise<Answer> =>
  request(app, 'POST', '/mcp', { key: world.project.secretKey, body: list, ...options })

function expectRefused({ status, body, headers }: Answer, expected: number, code: string): void {
  expect([status, headers.get('content-type')]).toEqual([
    expected,
    expect.stringContaining('application/json'),
  ])
  const requestId = headers.get('x-request-id')
  const data = expect.objectContaining({ code, statusCode: expected, requestId })
  const error = { code: expect.any(Number), message: expect.any(String), data }
  expect(body).toEqual({ jsonrpc: '2.0', id: null, error })
  expect(body.error.code).toBeLessThanOrEqual(-32_000)
}

test('a key that is none is 401', async () => {
  const answer = await ask({ key: 'sk_nonsense' })
  expectRefused(answer, 401, 'INVALID_API_KEY')
  expect(answer.headers.get('www-authenticate')).toContain('Bearer')
})

test('a key that may not read is 403', async () => {
  const path = `/projects/${world.project.id}/api-keys`
  const body = { name: 'Sender', scopes: ['send'] }
  const { key } = (await request(app, 'POST', path, { key: world.project.secretKey, body })).body
  expectRefused(await ask({ key }), 403, 'FORBIDDEN')
})

test('a body that is too large is 413', async () => {
  const body = JSON.stringify({ ...list, params: { text: 'x'.repeat(2 * 1024 ** 2) } })
  const headers = { 'content-length': String(body.length) }
  expectRefused(await ask({ body, headers }), 413, 'PAYLOAD_TOO_LARGE')
})

test('a body of another type is 415', async () => {
  const { status, body } = await ask({ headers: { 'content-type': 'text/plain' } })
  expect([status, body.jsonrpc, body.error?.code]).toEqual([415, '2.0', -32_000])
})

test('one request too many is 429, with the seconds to wait in both places', async () => {
  let answer = await ask()
  for (let asked = 0; asked < 5 && answer.status === 200; asked++) answer = await ask()
  expectRefused(answer, 429, 'RATE_LIMIT_EXCEEDED')
  const seconds = answer.headers.get('retry-after')
  expect(Number(seconds)).toBeGreaterThan(0)
  expect(answer.body.error.message).toContain(`${seconds} second`)
})

test('elsewhere, errors are as they were', async () => {
  const { body } = await request(app, 'GET', '/contacts', { key: 'sk_nonsense' })
  expect(body).toMatchObject({ success: false, error: { code: 'INVALID_API_KEY' } })
})
