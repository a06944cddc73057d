// What came of a campaign in detail: links and who followed them, hours, recipients as a file and as a segment.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { second } from '../../src/lib/time'
import { feedbackKinds } from '../../src/modules/sending/feedback/kinds'
import { hitRecorder } from '../../src/modules/sending/feedback/service/record-hits'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { buildApp } from '../../src/server/app'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { request } from '../support/request'
import { makeWorld, parse, type World } from '../support/world'

let world: World
let app: AnyElysia
let on: CampaignWorld
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
beforeEach(async () => {
  on = await campaignWorld(world)
})
afterAll(() => world.close())

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const body = '<p><a href="https://shop.example/one">one</a> <a href="https://shop.example/two">two</a></p>'

/** Sends to three contacts; answers the campaign and a way for each to follow the first or the second link. */
async function sent() {
  await on.contacts(3)
  const id = await on.draft({ body })
  await on.send(id)
  await on.drain()
  world.clock.advance(60 * second)
  const mails = await Promise.all(world.mail.sent.map(parse))
  const linksOf = new Map(
    mails.map(mail => [
      mail.to![0]!.address!,
      [...mail.html!.matchAll(/<a href="([^"]*\/t\/c\/[^"]*)">/g)].map(match => match[1]!),
    ]),
  )
  const follow = async (contact: number, link: number) => {
    const url = linksOf.get(`ada-${contact}@example.com`)![link]!
    const headers = { 'user-agent': browser }
    await request(app, 'GET', new URL(url.replaceAll('&amp;', '&')).pathname, { headers })
  }
  return { id, follow }
}

async function judge(): Promise<void> {
  await hitRecorder(world.ctx).settled()
  world.clock.advance(6 * second)
  await enqueue(world.ctx, feedbackKinds.classify, {})
  await world.drain()
}

async function followed() {
  const { id, follow } = await sent()
  await follow(1, 0)
  await follow(1, 1)
  await judge()
  await follow(1, 0)
  await follow(2, 0)
  await judge()
  return id
}

const addresses = (rows: Array<Record<string, unknown>>) => rows.map(row => row['email'])

test('clicks by link, each by how many people and how often, and by whom', async () => {
  const id = await followed()
  const { links } = (await on.call('GET', `/campaigns/${id}/links`)).body
  expect(links).toEqual([
    { link: 'https://shop.example/one', people: 2, clicks: 3 },
    { link: 'https://shop.example/two', people: 1, clicks: 1 },
  ])
  const two = encodeURIComponent('https://shop.example/two')
  expect(addresses(await on.recipients(id, `&link=${two}`))).toEqual(['ada-1@example.com'])
  expect(await on.recipients(id, '&link=https://other.example')).toEqual([])
})

test('recipients by what they did, whatever came last', async () => {
  const id = await followed()
  expect(addresses(await on.recipients(id, '&reaction=clicked'))).toEqual([
    'ada-1@example.com',
    'ada-2@example.com',
  ])
  expect(addresses(await on.recipients(id, '&reaction=notClicked'))).toEqual(['ada-3@example.com'])
  expect(await on.recipients(id, '&reaction=bounced')).toEqual([])
  const wrong = await on.call('GET', `/campaigns/${id}/recipients?reaction=laughed`)
  expect([wrong.status, wrong.body.error.errors[0].field]).toEqual([400, 'reaction'])
})

test('opens and clicks by the hour', async () => {
  const id = await followed()
  const { hours } = (await on.call('GET', `/campaigns/${id}/timeline`)).body
  const at = new Date(Math.floor(world.clock.now().getTime() / 3_600_000) * 3_600_000).toISOString()
  expect(hours).toEqual([{ at, opened: 0, clicked: 2 }])
  expect((await on.call('GET', `/campaigns/${await on.draft()}/timeline`)).body).toEqual({ hours: [] })
})

test('recipients have the names that their contacts have now', async () => {
  const { id } = await sent()
  const [first, second, third] = await on.recipients(id)
  const change = (row: Record<string, unknown> | undefined, data: object) =>
    on.call('PATCH', `/contacts/${row!['contactId']}`, { data })
  await change(first, { first_name: 'Ada', 'Last name': 'Lovelace', name: 'Someone else' })
  await change(second, { name: ' Grace Hopper ', firstName: '' })
  await on.call('DELETE', `/contacts/${third!['contactId']}`)
  expect((await on.recipients(id)).map(row => row['name'])).toEqual(['Ada Lovelace', 'Grace Hopper', null])
})

test('recipients as a file', async () => {
  const id = await followed()
  const answer = await on.call('GET', `/campaigns/${id}/recipients/export?reaction=clicked`)
  expect(answer.headers.get('content-type')).toContain('text/csv')
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="[a-z0-9-]+-recipients-\d{4}-\d\d-\d\d\.csv"$/,
  )
  const [head, first, ...rest] = answer.body.trim().split('\r\n')
  expect(head).toBe('email,status,sentAt,deliveredAt,openedAt,clickedAt,bouncedAt,lastError')
  expect(first).toStartWith('ada-1@example.com,CLICKED,')
  expect(rest).toHaveLength(1)
})

test('recipients as a segment, without those who are gone', async () => {
  const id = await followed()
  const [first] = await on.recipients(id)
  await on.call('DELETE', `/contacts/${first!['contactId']}`)
  const answer = await on.call('POST', `/campaigns/${id}/recipients/segment`, {
    name: 'Followed a link',
    reaction: 'clicked',
  })
  expect([answer.status, answer.body]).toMatchObject([
    201,
    { name: 'Followed a link', type: 'STATIC', memberCount: 1 },
  ])
  const members = await on.call('GET', `/segments/${answer.body.id}/contacts`)
  expect(addresses(members.body.data)).toEqual(['ada-2@example.com'])
})

test('an audience is counted before anything is stored', async () => {
  await on.contacts(2)
  await on.contacts(3, { subscribed: false, prefix: 'ben' })
  const count = async (given: object) => (await on.call('POST', '/campaigns/audience', given)).body
  expect(await count({ audienceType: 'ALL' })).toMatchObject({ matching: 5, recipients: 2 })
  expect(await count({ audienceType: 'ALL', type: 'TRANSACTIONAL' })).toMatchObject({
    matching: 5,
    recipients: 5,
  })
  const condition = {
    logic: 'AND',
    groups: [{ filters: [{ field: 'data.name', operator: 'equals', value: 'Ada 1' }] }],
  }
  expect(await count({ audienceType: 'FILTERED', audienceCondition: condition })).toMatchObject({
    matching: 2,
    recipients: 1,
  })
  const missing = await on.call('POST', '/campaigns/audience', { audienceType: 'SEGMENT' })
  expect(missing.status).toBe(400)
})
