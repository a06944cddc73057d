// Addresses that try out an integration: nothing is sent to them, by any transport, and everything else is as for real ones.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { staysHere } from '../../src/platform/transports/relay-hosts'
import { deltaUsage } from '../support/usage'
import { makeWorld, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  world.mail.clear()
  world.project = await world.newProject()
  await world.ctx.sql`delete from email_day_deltas`
})
afterAll(() => world.close())

const names = async (id: string) =>
  (await world.events())
    .filter(({ emailId }) => emailId === id)
    .map(({ name }) => name)
    .filter(name => name.startsWith('email.'))
    .toSorted()

test.each([
  ['delivered', 'DELIVERED', ['email.delivery', 'email.sent']],
  ['bounced', 'BOUNCED', ['email.bounce']],
  ['complained', 'COMPLAINED', ['email.complaint', 'email.delivery', 'email.sent']],
  ['full', 'BOUNCED', ['email.bounce']],
  ['suppressed', 'FAILED', ['email.failed']],
  ['deferred', 'DELIVERED', ['email.delivery', 'email.sent']],
  ['whoever', 'BOUNCED', ['email.bounce']],
])('%s@simulator.example ends %s, sends nothing, and counts for nothing', async (word, status, events) => {
  const id = await world.sendOne({ to: `${word}+order7@simulator.example` })
  await world.drain()
  if (word === 'deferred') {
    expect(await world.email(id)).toMatchObject({ status: 'PENDING', error: expect.stringContaining('451') })
    world.clock.advance(60_000)
    await world.drain()
  }
  const email = await world.email(id)
  expect([email.status, email.simulated]).toEqual([status, true])
  expect(await names(id)).toEqual(events)
  expect(world.mail.attempts).toEqual([])
  expect(await world.ctx.sql`select from suppressions where project_id = ${world.project.id}`).toHaveLength(0)
  expect(await deltaUsage(world.ctx)).toMatchObject({ used: 0, units: 0 })
})

test('a copy to one is not handed over, and real recipients get theirs', async () => {
  const id = await world.sendOne({
    to: 'ada@example.com',
    cc: ['bob@example.com', 'delivered@simulator.example'],
  })
  await world.drain()
  expect(world.mail.sent.map(({ envelope }) => envelope.also)).toEqual([['bob@example.com']])
  expect((await world.email(id)).status).toBe('DELIVERED')
})

describe('a relay on this machine', () => {
  test.each([
    ['smtp://127.0.0.1:1025', true],
    ['smtp://localhost:1025', true],
    ['smtp://[::1]:1025', true],
    ['smtp://relay.acme.example:587', false],
  ])('%s counts as the outbox does: %p', (smtpUrl, expected) => {
    expect(staysHere({ mailTransport: 'smtp', smtpUrl } as Parameters<typeof staysHere>[0])).toBe(expected)
  })

  test('takes mail from a domain that nobody can own', async () => {
    const local = await makeWorld({ mailTransport: 'smtp', smtpUrl: 'smtp://127.0.0.1:1025' })
    const id = await local.sendOne()
    await local.drain()
    expect((await local.email(id)).status).toBe('DELIVERED')
    await local.close()
  })
})
