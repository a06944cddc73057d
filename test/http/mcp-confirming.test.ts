// What tools of the MCP server do only once a person has agreed: the question, the token, and everything that makes it void.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { minute, second } from '../../src/lib/time'
import { buildApp } from '../../src/server/app'
import { type Assistant, assistantOf } from '../support/assistants'
import { type Answer, type RequestOptions, request } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let app: AnyElysia
let assistant: Assistant
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
  assistant = await assistantOf(app, world.project.secretKey)
})
beforeEach(async () => {
  await world.drain()
  world.mail.clear()
})
afterAll(() => world.close())

const api = (method: string, path: string, options: RequestOptions = {}): Promise<Answer> =>
  request(app, method, path, { key: world.project.secretKey, ...options })
const letter = { subject: 'News', body: '<p>Hello</p>', from: sender }
const message = { to: ['ada@example.com'], ...letter }

async function sent(): Promise<string[]> {
  await world.drain()
  return world.mail.sent.map(({ envelope }) => envelope.to)
}

/** What the tool answers to a call without a confirmation. */
async function question(name: string, given: Record<string, unknown>, by = assistant): Promise<string> {
  const { isError, text, structured } = await by.call(name, given)
  expect([isError, structured.confirmationRequired]).toEqual([false, true])
  expect(text).toStartWith('Nothing was done yet.')
  expect(text).toContain(structured.confirmation)
  return structured.confirmation
}

async function draft(name = 'News'): Promise<string> {
  const { structured } = await assistant.call('create_campaign', { name, ...letter, audienceType: 'ALL' })
  return structured.data.id
}

describe('a message', () => {
  test('is asked about, and sent once it is confirmed', async () => {
    const { text } = await assistant.call('send_message', message)
    expect(text).toContain('send "News" to ada@example.com')
    expect(await sent()).toEqual([])
    const { isError, structured } = await assistant.confirmed('send_message', message)
    expect([isError, structured.data.emails.length]).toEqual([false, 1])
    expect(await sent()).toEqual(['ada@example.com'])
  })

  test('is sent once by a confirmation, also by five at the same time', async () => {
    const confirmation = await question('send_message', message)
    const all = await Promise.all(
      Array.from({ length: 5 }, () => assistant.call('send_message', { ...message, confirmation })),
    )
    expect(all.filter(({ isError }) => !isError)).toHaveLength(1)
    const refused = all.filter(({ isError }) => isError).map(({ structured }) => structured.error.code)
    expect(refused).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', 'CONFLICT'])
    expect(await sent()).toEqual(['ada@example.com'])
    const later = await assistant.call('send_message', { ...message, confirmation })
    expect([later.isError, later.structured.error.code]).toEqual([true, 'CONFLICT'])
  })

  test('is refused as the API refuses it, and the confirmation is gone', async () => {
    const foreign = { ...message, from: 'me@elsewhere.example' }
    const confirmation = await question('send_message', foreign)
    const { isError, structured } = await assistant.call('send_message', { ...foreign, confirmation })
    expect([isError, structured.error.status]).toEqual([true, 403])
    const again = await assistant.call('send_message', { ...foreign, confirmation })
    expect(again.structured.error.code).toBe('CONFLICT')
    expect(await sent()).toEqual([])
  })
})

describe('a confirmation is void', () => {
  const refusal = async (by: Assistant, name: string, given: Record<string, unknown>) => {
    const { isError, structured } = await by.call(name, given)
    expect([isError, structured.error.code]).toEqual([true, 'BAD_REQUEST'])
    expect(await sent()).toEqual([])
    return structured.error.message
  }
  const notForThis = 'The confirmation is not for this call'

  test('with other arguments; their order makes no difference', async () => {
    const given = { ...message, data: { a: 1, b: { c: 2, d: 3 } } }
    const confirmation = await question('send_message', given)
    const others = [
      { ...given, to: ['mallory@example.com'] },
      { ...given, to: [...given.to, 'mallory@example.com'] },
      { ...given, data: { a: 1, b: { c: 2, d: 4 } } },
      message,
    ]
    for (const other of others)
      expect(await refusal(assistant, 'send_message', { ...other, confirmation })).toBe(notForThis)
    const turned = Object.fromEntries(
      Object.entries({ ...given, data: { b: { d: 3, c: 2 }, a: 1 } }).reverse(),
    )
    expect((await assistant.call('send_message', { ...turned, confirmation })).isError).toBe(false)
  })

  test('for another tool, another key of the project, and another project', async () => {
    const id = await draft()
    const given = { id, email: 'ada@example.com' }
    const confirmation = await question('send_campaign_test', given)
    expect(await refusal(assistant, 'start_campaign', { id, confirmation })).toBe(notForThis)
    const path = `/projects/${world.project.id}/api-keys`
    const body = { name: 'Other', scopes: ['read', 'write', 'send'] }
    const other = await assistantOf(app, (await api('POST', path, { body })).body.key)
    expect(await refusal(other, 'send_campaign_test', { ...given, confirmation })).toBe(notForThis)
    const sending = await question('send_message', message)
    const stranger = await assistantOf(app, (await world.newProject()).secretKey)
    expect(await refusal(stranger, 'send_message', { ...message, confirmation: sending })).toBe(notForThis)
  })

  test('after five minutes', async () => {
    const [first, last] = [await question('send_message', message), await question('send_message', message)]
    world.clock.advance(5 * minute - second)
    expect((await assistant.call('send_message', { ...message, confirmation: first })).isError).toBe(false)
    await sent()
    world.mail.clear()
    world.clock.advance(second)
    expect(await refusal(assistant, 'send_message', { ...message, confirmation: last })).toBe(
      'The confirmation is over',
    )
  })

  test('changed in any part, and in any form that is none', async () => {
    const confirmation = await question('send_message', message)
    const [id, end, signature] = confirmation.split('.')
    const later = (Number.parseInt(end!, 36) + 60_000).toString(36)
    const forged = [
      `${id}.${later}.${signature}`,
      `${crypto.randomUUID()}.${end}.${signature}`,
      `${id}.${end}.${signature!.slice(0, -1)}`,
      `${confirmation}.x`,
      'yes',
      '',
    ]
    for (const text of forged)
      expect(await refusal(assistant, 'send_message', { ...message, confirmation: text })).toBe(notForThis)
    const { structured } = await assistant.call('send_message', { ...message, confirmation: true })
    expect(structured.error.code).toBe('VALIDATION_ERROR')
  })

  test('once what it is about has changed', async () => {
    const id = await draft()
    const confirmation = await question('start_campaign', { id })
    await api('PUT', `/campaigns/${id}`, { body: { subject: 'Something else' } })
    expect(await refusal(assistant, 'start_campaign', { id, confirmation })).toBe(notForThis)
    expect((await api('GET', `/campaigns/${id}`)).body.status).toBe('DRAFT')
  })

  test('and where nothing asks for one it is an unknown argument', async () => {
    const { structured } = await assistant.call('list_segments', { confirmation: 'x' })
    expect(structured.error.code).toBe('VALIDATION_ERROR')
  })
})

describe('a campaign', () => {
  test('is drafted, changed, tested and started', async () => {
    await api('POST', '/contacts', { body: { email: 'grace@example.com', subscribed: true } })
    const id = await draft('October')
    const changed = await assistant.confirmed('update_campaign', { id, subject: 'October news' })
    expect(changed.structured.data).toMatchObject({ subject: 'October news', name: 'October' })
    await assistant.confirmed('send_campaign_test', { id, email: 'boss@example.com' })
    expect(await sent()).toEqual(['boss@example.com'])
    world.mail.clear()
    const { text } = await assistant.call('start_campaign', { id })
    expect(text).toMatch(
      /send the campaign "October" with the subject "October news" to \d+ contacts at once/,
    )
    const started = await assistant.confirmed('start_campaign', { id })
    expect([started.isError, started.structured.data.status]).toEqual([false, 'SENDING'])
    expect(await sent()).toContain('grace@example.com')
    const { data } = (await api('GET', `/projects/${world.project.id}/audit-log?action=campaign.sent`)).body
    expect(data[0]).toMatchObject({ actor: world.project.secretKey.slice(0, 11), subject: id })
  })

  test('of another project is not found before anything is asked', async () => {
    const stranger = await assistantOf(app, (await world.newProject()).secretKey)
    const { isError, structured } = await stranger.call('start_campaign', { id: await draft() })
    expect([isError, structured.error.code]).toEqual([true, 'CAMPAIGN_NOT_FOUND'])
  })
})

test('a template is made at once, and replaced only after asking', async () => {
  const { structured } = await assistant.call('create_template', { name: 'Welcome', ...letter })
  const { id } = structured.data
  const confirmation = await question('update_template', { id, body: '<p>New</p>' })
  expect((await api('GET', `/templates/${id}`)).body.body).toBe('<p>Hello</p>')
  await assistant.call('update_template', { id, body: '<p>New</p>', confirmation })
  expect((await api('GET', `/templates/${id}`)).body).toMatchObject({ body: '<p>New</p>', subject: 'News' })
})

test('confirmations that were used are kept until their end, and not longer', async () => {
  await assistant.confirmed('send_message', message)
  world.clock.advance(6 * minute)
  await assistant.confirmed('send_message', message)
  const rows = await world.ctx.sql`select 1 from mcp_confirmations where project_id = ${world.project.id}`
  expect(rows.count).toBe(1)
})

test('what a disabled project may not do is refused, and it may still look', async () => {
  const { id, secretKey } = await world.newProject()
  const closed = await assistantOf(app, secretKey)
  await world.ctx.sql`update projects set disabled = true where id = ${id}`
  const { isError, structured } = await closed.confirmed('send_message', message)
  expect([isError, structured.error.code]).toEqual([true, 'PROJECT_DISABLED'])
  expect((await closed.call('list_messages')).isError).toBe(false)
})

test('a call counts as a request of the project, and what it asks for as well', async () => {
  const limited = buildApp({ ...world.ctx, config: { ...world.ctx.config, rateLimitPerMinute: 12 } })
  const { secretKey } = await world.newProject()
  // Assistants have half of it. Two requests to begin with: the greeting, and that it was heard.
  const busy = await assistantOf(limited, secretKey)
  for (let call = 0; call < 2; call++) expect((await busy.call('list_segments')).isError).toBe(false)
  await expect(busy.call('list_segments')).rejects.toThrow('RATE_LIMIT_EXCEEDED')
})
