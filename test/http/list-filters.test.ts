// Filters of lists: what names nothing is refused with what there is, by HTTP and by the tools of /mcp.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
// Loaded by the first message to /mcp, it leaves globals of its own.
import '@modelcontextprotocol/sdk/types.js'
import type { AnyElysia } from 'elysia'
import { buildApp } from '../../src/server/app'
import { request } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let app: AnyElysia
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
afterAll(() => world.close())

const get = (path: string) => request(app, 'GET', path, { key: world.project.secretKey })

describe('is 400 and says which words there are:', () => {
  test.each([
    ['/emails?status=nope', 'status', 'DELIVERED'],
    ['/emails?status=delivered', 'status', 'DELIVERED'],
    ['/emails?trouble=nope', 'trouble', 'bounced'],
    ['/emails?since=yesterday', 'since', 'ISO 8601'],
    ['/emails?until=last%20week', 'until', 'ISO 8601'],
    ['/contacts?status=active', 'status', 'snoozed'],
    ['/contacts?subscribed=maybe', 'subscribed', 'true, false'],
    ['/contacts/export?status=active', 'status', 'snoozed'],
    ['/campaigns?status=draft', 'status', 'DRAFT'],
    ['/templates?type=nope', 'type', 'HEADLESS'],
    ['/workflows?status=on', 'status', 'active'],
    ['/emails?templateId=nope', 'templateId', 'UUID'],
    ['/emails?contactId=ada@x.example', 'contactId', 'UUID'],
    ['/emails?campaignId=nope', 'campaignId', 'UUID'],
    ['/emails?workflowId=nope', 'workflowId', 'UUID'],
    ['/activity?contactId=nope', 'contactId', 'UUID'],
    ['/suppressions?reason=nope', 'reason', 'complaint'],
    ['/analytics/top-campaigns?metric=nope', 'metric', 'opened'],
    ['/activity?types=nope', 'types', 'email'],
    ['/activity?startDate=nope', 'startDate', 'ISO 8601'],
    ['/activity/stats?endDate=nope', 'endDate', 'ISO 8601'],
  ])('%s', async (path, field, word) => {
    const { status, body } = await get(path)
    expect([status, body.error.errors?.[0].field]).toEqual([400, field])
    expect(body.error.errors[0].message).toContain(word)
  })
  test.each([
    '/emails?status=&since=&templateId=',
    '/contacts?status=&subscribed=',
    '/activity?types=&startDate=',
  ])('and %s narrows nothing', async path => expect((await get(path)).status).toBe(200))
})

describe('a day is refused where its text is none:', () => {
  test.each([
    '/analytics/timeseries?startDate=nope',
    '/analytics/top-campaigns?endDate=nope',
    '/analytics/campaign-stats?startDate=nope',
    '/events/stats?startDate=nope',
  ])('%s', async path => expect((await get(path)).status).toBe(400))
})

const use = async (name: string, args: object) => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  const { body } = await request(app, 'POST', '/mcp', { key: world.project.secretKey, body: message })
  return body.result as { isError?: true; content: Array<{ text: string }> }
}

describe('a tool', () => {
  test.each([
    ['search_contacts', { status: 'active' }, 'snoozed'],
    ['list_messages', { status: 'bounced' }, 'BOUNCED'],
    ['list_messages', { trouble: 'spam' }, 'complained'],
    ['list_messages', { since: 'yesterday' }, 'since'],
    ['list_campaigns', { status: 'draft' }, 'DRAFT'],
    ['statistics', { startDate: 'last month' }, 'startDate'],
  ])('%s refuses %p', async (name, args, word) => {
    const { isError, content } = await use(name, args)
    expect(isError).toBe(true)
    expect(content[0]!.text).toContain(word)
  })
})

describe('start_campaign', () => {
  const start = async (scheduledFor: string) => {
    const text = { name: 'C', subject: 'S', body: '<p>B</p>', from: sender, audienceType: 'ALL' }
    const made = await request(app, 'POST', '/campaigns', { key: world.project.secretKey, body: text })
    return await use('start_campaign', { id: made.body.data.id, scheduledFor })
  }
  test.each([
    ['a time that is over', '2025-01-01T00:00:00Z', 'is over; it is 2026-03-01T12:00:00.000Z now'],
    ['a time without a zone', '2026-12-01T09:00:00', 'scheduledFor'],
    ['words', 'tomorrow 9am', 'scheduledFor'],
  ])('refuses %s before it asks', async (_, scheduledFor, words) => {
    const { isError, content } = await start(scheduledFor)
    expect([isError, content[0]!.text]).toEqual([true, expect.stringContaining(words)])
  })
  test('asks with the moment in UTC and by the clock of the project', async () => {
    await world.ctx.sql`update projects set time_zone = 'Europe/Berlin'`
    const { content } = await start('2026-12-01T09:00:00-05:00')
    expect(content[0]!.text).toContain('2026-12-01T14:00:00.000Z')
    expect(content[0]!.text).toContain('3:00 PM, Europe/Berlin')
  })
})
