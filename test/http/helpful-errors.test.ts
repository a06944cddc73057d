// Errors that say what to do: each was once true and of no help.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { request } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let on: CampaignWorld
beforeAll(async () => {
  world = await makeWorld({ maxMessageBytes: 10_000 })
})
beforeEach(async () => {
  on = await campaignWorld(world)
})
afterAll(() => world.close())

const letter = { to: 'ada@example.com', from: sender, subject: 'Hi', body: '<p>Hi</p>' }

describe('JSON that is not called so', () => {
  test.each([
    ['', 'it has no Content-Type'],
    ['text/plain', 'its Content-Type is text/plain'],
    ['application/x-www-form-urlencoded', 'its Content-Type is application/x-www-form-urlencoded'],
  ])('as %p is told as such', async (type, words) => {
    const body = new Blob([JSON.stringify(letter)], { type })
    const { status, body: answer } = await world.call('POST', '/v1/send', { body })
    expect([status, answer.error.errors]).toEqual([422, undefined])
    expect(answer.error.message).toContain(words)
    expect(answer.error.suggestion).toContain('Content-Type: application/json')
  })

  test('also where a missing field has an error in the short form', async () => {
    const body = new Blob([JSON.stringify({ email: 'ada@example.com' })], { type: 'text/plain' })
    const { status, body: answer } = await on.call('POST', '/contacts', body)
    expect(status).toBeOneOf([400, 422])
    expect(answer.error.suggestion).toContain('Content-Type: application/json')
  })

  test('a missing field of JSON, and no body at all, are told as before', async () => {
    expect((await on.call('POST', '/contacts', {})).body).toEqual({ error: 'Email is required' })
    const { body } = await world.call('POST', '/v1/send')
    expect(body.error.errors).toBeDefined()
  })
})

describe('members that are named like what every object has', () => {
  test.each(['from', 'subject', 'body', 'template', 'replyTo'])(
    'as %s are refused by its name',
    async field => {
      const content = { ...letter, [field]: { toString: 0, valueOf: 'x', constructor: null } }
      const { status, body } = await world.call('POST', '/v1/send', { body: content })
      expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
      expect(body.error.errors.map((error: { field: string }) => error.field.split('.')[0])).toContain(field)
    },
  )
})

describe('a send', () => {
  test.each([
    [{ subject: undefined }, ['template', 'subject']],
    [{ body: undefined }, ['template', 'body']],
    [{ subject: undefined, body: undefined }, ['template', 'subject', 'body']],
  ])('without content names what is missing: %j', async (changes, fields) => {
    const { body } = await world.call('POST', '/v1/send', { body: { ...letter, ...changes } })
    expect(body.error.errors.map(({ field }: { field: string }) => field)).toEqual(fields)
  })

  test('with an unknown template hears where there are some', async () => {
    const template = '018f0000-0000-7000-8000-000000000000'
    const { status, body } = await world.call('POST', '/v1/send', { body: { ...letter, template } })
    expect([status, body.error.code]).toEqual([404, 'TEMPLATE_NOT_FOUND'])
    expect(body.error.suggestion).toContain('GET /templates')
  })

  test('beyond the size of a body hears what to do', async () => {
    const body = { ...letter, body: 'x'.repeat(1_200_000) }
    const { status, body: answer } = await world.call('POST', '/v1/send', { body })
    expect([status, answer.error.suggestion]).toEqual([413, expect.stringContaining('Send less')])
  })
})

describe('a campaign', () => {
  test('that was cancelled is not said to be sent', async () => {
    await on.contacts(1)
    const id = await on.draft()
    await on.send(id, '2099-01-01T00:00:00Z')
    await on.call('POST', `/campaigns/${id}/cancel`)
    const answers = [await on.send(id), await on.call('PUT', `/campaigns/${id}`, { name: 'x' })]
    expect(answers.map(({ status }) => status)).toEqual([400, 409])
    for (const answer of answers) {
      expect(answer.body.error.message).toContain('was cancelled')
      expect(answer.body.error.suggestion).toContain('/duplicate')
    }
  })

  test('with a date that is none sees one', async () => {
    const { status, body } = await on.send(await on.draft(), 'tomorrow at nine')
    expect([status, body.error.suggestion]).toEqual([400, expect.stringContaining('2030-01-31T09:00:00Z')])
  })
})

test('an operator that is none hears the list of them', async () => {
  const filter = { field: 'data.plan', operator: 'is', value: 'pro' }
  const condition = { logic: 'AND', groups: [{ filters: [filter] }] }
  const { body } = await on.call('POST', '/segments', { name: 'x', condition })
  expect(JSON.stringify(body)).toMatch(
    /Invalid operator: is; use one of equals, notEquals, .*memberOfSegment/,
  )
})

test('a wrong method hears the right ones', async () => {
  const { status, body, headers } = await request(world.app, 'GET', '/v1/send')
  expect([status, body.error.code]).toEqual([404, 'RESOURCE_NOT_FOUND'])
  expect(body.error.suggestion).toBe('Use POST.')
  expect(headers.get('allow')).toBe('POST')
  const deeper = await on.call('PATCH', '/campaigns/018f0000-0000-7000-8000-000000000000')
  expect(deeper.body.error.details.allowed).toEqual(['DELETE', 'GET', 'PUT'])
  const unknown = await request(world.app, 'GET', '/v1/nothing')
  expect([unknown.status, unknown.body.error.suggestion]).toEqual([404, 'Check the method and the path.'])
})
