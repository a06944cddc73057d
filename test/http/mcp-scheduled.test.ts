// A scheduled campaign goes out by itself: an assistant that may not send is refused before anybody is asked, and the question says so.
import { afterAll, beforeAll, expect, test } from 'bun:test'
// Loaded by the first message to /mcp, it leaves globals of its own.
import '@modelcontextprotocol/sdk/types.js'
import type { AnyElysia } from 'elysia'
import { buildApp } from '../../src/server/app'
import { message } from '../support/campaigns'
import { request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let app: AnyElysia
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
afterAll(() => world.close())

test('update_campaign', async () => {
  const api = (method: string, path: string, body?: unknown) =>
    request(app, method, path, { key: world.project.secretKey, body })
  const body = { name: 'Assistant', scopes: ['read', 'write'] }
  const { key: writer } = (await api('POST', `/projects/${world.project.id}/api-keys`, body)).body
  await api('POST', '/contacts', { email: 'ada@x.example' })
  const { id } = (await api('POST', '/campaigns', message)).body.data
  const update = async (key: string) => {
    const params = { name: 'update_campaign', arguments: { id, body: '<p>Other</p>', audienceType: 'ALL' } }
    const asked = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const { result } = (await request(app, 'POST', '/mcp', { key, body: asked })).body
    return result.content[0].text as string
  }
  expect(await update(writer)).toContain('This would replace body, audienceType of the campaign')
  await api('POST', `/campaigns/${id}/send`, { scheduledFor: '2026-03-02T12:00:00Z' })
  const before = (await api('GET', `/campaigns/${id}`)).body
  expect(await update(writer)).toStartWith('FORBIDDEN (403)')
  expect(await update(world.project.secretKey)).toContain(
    'which is scheduled and will be sent at 2026-03-02T12:00:00.000Z',
  )
  expect((await api('GET', `/campaigns/${id}`)).body).toEqual(before)
})
