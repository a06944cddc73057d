// What a stranger may send to the pages that need no credentials: little, and nothing of it is read before the token is right.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { buildApp } from '../../src/server/app'
import { makeRecipient, type Person } from '../support/recipient'
import { request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let app: AnyElysia
let person: Person
/** Behind `/privacy/`: the link that a person asked for. */
let dataPath = ''

beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
  person = await makeRecipient(world, app)
  await world.drain()
  world.mail.clear()
  await request(app, 'POST', `/privacy/${person.id}/link?${person.query}`)
  await world.drain()
  dataPath = /\/privacy\/(\S+)/.exec((await world.received())[0]?.text ?? '')![1]!
})
afterAll(() => world.close())

const kilobyte = 1024
const formType = { 'content-type': 'application/x-www-form-urlencoded' }

/** A request as the network delivers it: with a length. */
function post(path: string, body: string, headers: Record<string, string> = formType): Request {
  const length = String(Buffer.byteLength(body))
  return new Request(`http://localhost${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-length': length },
    body,
  })
}

describe('a body of a public form', () => {
  test.each([
    '/unsubscribe/ID?QUERY',
    '/subscribe/ID?QUERY',
    '/manage/ID?QUERY',
    '/contacts/public/ID/subscribe?QUERY',
    '/contacts/public/ID/snooze?QUERY',
    // Of mail that listmonk sent, and of people who ask for their data.
    '/subscription/018f0000-0000-4000-8000-000000000001/018f0000-0000-4000-8000-000000000002',
    '/privacy/DATA',
    '/auth/login',
    '/auth/login/form',
    '/auth/signup',
    '/auth/request-password-reset',
    '/auth/forgot-password/form',
    '/auth/reset-password/form',
    '/auth/invitation/form',
  ])('%s is refused beyond 16 kB, with and without a length', async pattern => {
    const path = pattern.replace('ID', person.id).replace('QUERY', person.query).replace('DATA', dataPath)
    const body = `action=unsubscribe&more=${'x'.repeat(16 * kilobyte)}`
    expect((await app.handle(post(path, body))).status).toBe(413)
    const stream = new Blob([body]).stream()
    expect((await request(app, 'POST', path, { body: stream, headers: formType })).status).toBe(413)
  })

  test('is not read at all where somebody asks for the link to their data', async () => {
    const path = `/privacy/${person.id}/link?${person.query}`
    expect((await app.handle(post(path, 'x'.repeat(17 * kilobyte)))).status).toBe(413)
    const asked = post(path, 'x'.repeat(15 * kilobyte))
    expect([(await app.handle(asked)).status, asked.bodyUsed]).toEqual([303, false])
  })

  test('has room for what the pages and programs send', async () => {
    const body = `List-Unsubscribe=One-Click&more=${'x'.repeat(15 * kilobyte)}`
    expect((await app.handle(post(`/unsubscribe/${person.id}?${person.query}`, body))).status).toBe(200)
  })

  test.each(['/%75nsubscribe/x', '//unsubscribe/x', '/AUTH/login', '/%61uth/login/form'])(
    'is not reached by another spelling of its path (%s)',
    async path => {
      const { status } = await app.handle(post(path, 'x'.repeat(20 * kilobyte)))
      expect([404, 413]).toContain(status)
    },
  )
})

describe('a false token', () => {
  test.each(['/subscribe', '/manage', '/unsubscribe'])('at %s is told before a form is read', async page => {
    const asked = post(`${page}/${person.id}?t=${'x'.repeat(44)}`, 'action=unsubscribe')
    const answer = await app.handle(asked)
    expect([answer.status, asked.bodyUsed]).toEqual([404, page === '/unsubscribe'])
  })

  test('is told before the JSON of a snooze is read', async () => {
    const asked = post(`/contacts/public/${person.id}/snooze?t=x`, '{"duration":', {
      'content-type': 'application/json',
    })
    const answer = await app.handle(asked)
    expect([answer.status, asked.bodyUsed]).toEqual([404, false])
  })
})
