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

beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
  person = await makeRecipient(world, app)
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
    '/auth/login',
    '/auth/login/form',
    '/auth/signup',
    '/auth/request-password-reset',
    '/auth/forgot-password/form',
    '/auth/reset-password/form',
    '/auth/invitation/form',
  ])('%s is refused beyond 16 kB, with and without a length', async pattern => {
    const path = pattern.replace('ID', person.id).replace('QUERY', person.query)
    const body = `action=unsubscribe&more=${'x'.repeat(16 * kilobyte)}`
    expect((await app.handle(post(path, body))).status).toBe(413)
    const stream = new Blob([body]).stream()
    expect((await request(app, 'POST', path, { body: stream, headers: formType })).status).toBe(413)
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
