// Members of other mail APIs, on sends and campaigns: refused with what to write here, because ignored they would lose a copy or a date.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { foreignToSend } from '../../src/modules/api/v1/foreign'
import { sendBody } from '../../src/modules/api/v1/model/bodies'
import { foreignToContact } from '../../src/modules/audience/contacts/foreign'
import { createBody as createContactBody } from '../../src/modules/audience/contacts/model'
import { foreignToCampaign } from '../../src/modules/features/campaigns/authoring/foreign'
import { createBody } from '../../src/modules/features/campaigns/model'
import { type CampaignWorld, campaignWorld, message } from '../support/campaigns'
import type { Answer } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let on: CampaignWorld
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  on = await campaignWorld(world)
})
afterAll(() => world.close())

/** What is refused, and the suggestion, which quotes our own member. */
function expectRefused({ status, body }: Answer, names: string[], ours: string): void {
  expect([status, body.error?.code]).toEqual([422, 'VALIDATION_ERROR'])
  const fields = body.error.errors.map(({ field, code }: Record<string, string>) => [field, code])
  expect(fields).toEqual(names.map(name => [name, 'unrecognized_keys']))
  expect(body.error.suggestion).toContain(ours)
}

describe('a send', () => {
  test.each<[name: string, value: unknown, ours: string]>([
    // Resend
    ['html', '<p>Hi</p>', 'Use "body"'],
    ['replyTo', 'help@acme.example', 'Use "reply"'],
    ['reply_to', 'help@acme.example', 'Use "reply"'],
    ['scheduledAt', '2099-01-01T00:00:00Z', 'Use "scheduledFor"'],
    ['scheduled_at', 'in 1 hour', 'Use "scheduledFor"'],
    // Postmark
    ['HtmlBody', '<p>Hi</p>', 'Use "body"'],
    ['Subject', 'Hi', 'Use "subject"'],
    ['TemplateModel', { a: 1 }, 'Use "data"'],
    ['TrackOpens', false, 'Use "tracking"'],
    // SendGrid
    ['personalizations', [{ to: [{ email: 'a@example.com' }] }], '"to"'],
    ['content', [{ type: 'text/html', value: 'x' }], 'Use "body"'],
    ['template_id', 'd-1', 'Use "template"'],
    ['dynamic_template_data', { a: 1 }, 'Use "data"'],
    ['send_at', 4_070_908_800, 'Use "scheduledFor"'],
    // Mailgun
    ['o:tracking', 'no', 'Use "tracking"'],
    ['h:Reply-To', 'help@acme.example', 'Use "reply"'],
    ['o:deliverytime', 'Thu, 01 Jan 2099 00:00:00 +0000', 'Use "scheduledFor"'],
    ['delivery_time', '2099-01-01T00:00:00Z', 'Use "scheduledFor"'],
    // listmonk
    ['subscriber_email', 'a@example.com', 'Use "to"'],
    ['from_email', 'help@acme.example', 'Use "from"'],
    // Loops
    ['transactionalId', 'x', 'Use "template"'],
    ['dataVariables', { a: 1 }, 'Use "data"'],
    // nodemailer
    [
      'icalEvent',
      { method: 'REQUEST', content: 'x' },
      'Use "attachments" with "contentType": "text/calendar',
    ],
    ['alternatives', [{ contentType: 'text/calendar', content: 'x' }], '"attachments"'],
    ['amp', '<html amp4email></html>', 'Use "body"'],
    ['inReplyTo', '<a@b.example>', 'Use "headers": {"In-Reply-To"'],
    ['references', ['<a@b.example>'], 'Use "headers": {"References"'],
  ])('with %s is refused, and leaves nothing behind', async (name, value, ours) => {
    const answer = await world.send({ to: `${name.length}@new.example`, [name]: value })
    expectRefused(answer, [name], ours)
    const [row] = await world.ctx.sql`select count(*)::int as count from emails`
    expect(row).toEqual({ count: 0 })
  })

  test('written for another API hears of all of them at once, and not of what is missing besides', async () => {
    const body = { From: 'hello@acme.example', To: 'ada@example.com', HtmlBody: '<p>Hi</p>' }
    const answer = await world.call('POST', '/v1/send', { body })
    expectRefused(answer, ['From', 'To', 'HtmlBody'], '"To": Use "to".')
  })

  test('members without a value and unknown ones are ignored', async () => {
    const nothing = { replyTo: null, html: '', template_id: null, personalizations: [] }
    const { status } = await world.send({ to: 'ada@example.com', ...nothing, colour: 'red', _internal: 1 })
    expect(status).toBe(200)
    await world.ctx.sql`delete from emails`
  })

  test('a wrong key is 401 first', async () => {
    const { status } = await world.send({ to: 'a@example.com', html: 'x' }, { key: 'sk_nonsense' })
    expect(status).toBe(401)
  })
})

describe('a campaign', () => {
  test.each<[name: string, value: unknown, ours: string]>([
    ['html', '<p>Hi</p>', 'Use "body"'],
    ['htmlContent', '<p>Hi</p>', 'Use "body"'],
    ['template', '018f0000-0000-7000-8000-000000000000', '"body"'],
    ['template_id', 7, '"body"'],
    ['reply', 'help@acme.example', 'Use "replyTo"'],
    ['reply_to', 'help@acme.example', 'Use "replyTo"'],
    ['from_email', 'help@acme.example', 'Use "from"'],
    ['scheduledFor', '2099-01-01T00:00:00Z', '/campaigns/:id/send'],
    ['send_at', '2099-01-01T00:00:00Z', '/campaigns/:id/send'],
    ['lists', [1], 'Use "audienceType"'],
    ['segment_id', '018f0000-0000-7000-8000-000000000000', 'Use "segmentId"'],
    ['cc', ['a@example.com'], 'Leave it out'],
  ])('with %s is refused', async (name, value, ours) => {
    expectRefused(await on.call('POST', '/campaigns', { ...message, [name]: value }), [name], ours)
    if (name === 'scheduledFor') return
    const id = await on.draft()
    expectRefused(await on.call('PUT', `/campaigns/${id}`, { [name]: value }), [name], ours)
  })

  test('may be sent back as it was read, with its date', async () => {
    await on.contacts(1)
    const id = await on.draft()
    await on.send(id, '2099-01-01T00:00:00Z')
    const { body } = await on.call('GET', `/campaigns/${id}`)
    const answer = await on.call('PUT', `/campaigns/${id}`, {
      ...body,
      name: 'Changed',
      segmentId: undefined,
    })
    expect(answer).toMatchObject({ status: 200, body: { name: 'Changed', scheduledFor: body.scheduledFor } })
  })

  test.each(['scheduledAt', 'send_at', 'scheduled_for'])('is not started by %s', async name => {
    await on.contacts(1)
    const id = await on.draft()
    const answer = await on.call('POST', `/campaigns/${id}/send`, { [name]: '2099-01-01T00:00:00Z' })
    expectRefused(answer, [name], 'Use "scheduledFor"')
    expect((await on.call('GET', `/campaigns/${id}`)).body.status).toBe('DRAFT')
  })
})

describe('a contact', () => {
  test.each<[name: string, value: unknown, ours: string]>([
    ['name', 'Ada', 'Use "data": {"name"'],
    ['first_name', 'Ada', 'Use "data": {"firstName"'],
    ['lastName', 'Byron', 'Use "data": {"lastName"'],
    ['unsubscribed', true, 'Use "subscribed": false'],
    ['attributes', { plan: 'pro' }, 'Use "data"'],
    ['email_address', 'ada@new.example', 'Use "email"'],
    ['listIds', [1], '/segments/:id/members'],
  ])('with %s is refused, and not made', async (name, value, ours) => {
    const answer = await on.call('POST', '/contacts', { email: 'ada@new.example', [name]: value })
    expectRefused(answer, [name], ours)
    const { body } = await on.call('POST', '/contacts', { email: 'ada@new.example' })
    expect(body._meta.isNew).toBe(true)
    expectRefused(await on.call('PATCH', `/contacts/${body.id}`, { [name]: value }), [name], ours)
  })

  test('may be sent back as it was read', async () => {
    const { body } = await on.call('POST', '/contacts', { email: 'ada@new.example', data: { name: 'Ada' } })
    const read = await on.call('GET', `/contacts/${body.id}`)
    expect((await on.call('PATCH', `/contacts/${body.id}`, read.body)).status).toBe(200)
  })
})

test('no entry stands for a member that we have', () => {
  const plain = (name: string): string => name.toLowerCase()
  const ours = (schema: { properties: object }): string[] => Object.keys(schema.properties).map(plain)
  expect(Object.keys(foreignToSend).filter(name => ours(sendBody).includes(name))).toEqual([])
  expect(Object.keys(foreignToContact).filter(name => ours(createContactBody).includes(name))).toEqual([])
  expect(Object.keys(foreignToCampaign).filter(name => ours(createBody).includes(name))).toEqual([])
})
