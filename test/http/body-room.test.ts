// Memory for bodies: what is not wanted stays unread, and nobody can use up the room of the others.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { relays } from '../../src/modules/sending/feedback/relays'
import { type RelayName, relayNames } from '../../src/platform/transports/relay-tags'
import { buildApp } from '../../src/server/app'
import { request } from '../support/request'
import { until } from '../support/until'
import { makeWorld, type World } from '../support/world'

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
/** All are on. */
const relaySecrets: Record<RelayName, string> = {
  ...(Object.fromEntries(relayNames.map(name => [name, 's'])) as Record<RelayName, string>),
  ...{ resend: secret, sendgrid: 'MFkw' },
}

let off: World
let on: World
let apps: Record<'off' | 'on', AnyElysia>
beforeAll(async () => {
  // All together may hold 8 * (1.33 + 1) MB.
  off = await makeWorld({ maxMessageBytes: 1024 ** 2, trustProxy: true })
  on = await makeWorld({ feedbackWebhookSecret: secret, relayWebhooks: relaySecrets })
  apps = { off: buildApp(off.ctx), on: buildApp(on.ctx) }
})
afterAll(async () => {
  await off.close()
  await on.close()
})

/** A body that says nothing, or `text` and then nothing. */
function stalled() {
  const seen = { isRead: false }
  const { promise, resolve } = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        seen.isRead = true
        await promise
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { body, seen, end: resolve }
}

const now = () => Math.floor(on.clock.now().getTime() / 1_000)
const signature = `v1,${Buffer.alloc(32).toString('base64')}`

describe('nothing is read of a body', () => {
  test.each(['/webhooks/dsn', '/webhooks/bounce'])('of a receiver that is off: %s', async path => {
    const { body, seen } = stalled()
    const headers = { 'webhook-id': 'a', 'webhook-timestamp': String(now()), 'webhook-signature': signature }
    expect((await request(apps.off, 'POST', path, { body, headers })).status).toBe(403)
    expect(seen.isRead).toBe(false)
  })
  test.each([...relayNames, 'sns', 'incoming/stripe'])(
    'of a provider that is not configured: %s',
    async name => {
      const { body, seen } = stalled()
      const headers = { 'stripe-signature': `t=${now()},v1=00` }
      const { status } = await request(apps.off, 'POST', `/webhooks/${name}`, { body, headers })
      expect([403, 404]).toContain(status)
      expect(seen.isRead).toBe(false)
    },
  )
  test.each<[string, Record<string, string>]>([
    ['without a signature', {}],
    ['without an id', { 'webhook-timestamp': 'NOW', 'webhook-signature': signature }],
    [
      'of yesterday',
      { 'webhook-id': 'a', 'webhook-timestamp': '1700000000', 'webhook-signature': signature },
    ],
    [
      'with a signature that is none',
      { 'webhook-id': 'a', 'webhook-timestamp': 'NOW', 'webhook-signature': 'x' },
    ],
  ])('of a report %s', async (_, given) => {
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value === 'NOW' ? String(now()) : value]),
    )
    for (const path of ['/webhooks/dsn', '/webhooks/bounce']) {
      const { body, seen } = stalled()
      expect((await request(apps.on, 'POST', path, { body, headers })).status).toBe(403)
      expect(seen.isRead).toBe(false)
    }
  })
  test.each(relayNames.filter(name => relays[name].mayBeGenuine))(
    'of a call to /webhooks/%s whose headers prove nothing',
    async name => {
      const { body, seen } = stalled()
      const headers = { authorization: 'Bearer wrong' }
      expect((await request(apps.on, 'POST', `/webhooks/${name}`, { body, headers })).status).toBe(403)
      expect(seen.isRead).toBe(false)
    },
  )
})

describe('bodies on their way', () => {
  const megabyte = 1024 ** 2
  const good = { to: 'ada@example.com', from: 'hello@acme.example', subject: 'S', body: '<p>B</p>' }

  const begin = (app: AnyElysia, path: string, length: number, key?: string, more = {}) => {
    const { body, seen, end } = stalled()
    const headers = { 'content-length': String(length), 'content-type': 'application/json', ...more }
    return { seen, end, answer: request(app, 'POST', path, { body, headers, key }) }
  }

  test('of one project leave room to another, and are taken again when they are over', async () => {
    const other = await off.newProject()
    const under = Array.from({ length: 4 }, () =>
      begin(apps.off, '/v1/send', 2 * megabyte, off.project.secretKey),
    )
    await until('the bodies are being read', () => under.every(({ seen }) => seen.isRead))
    const refused = await begin(apps.off, '/v1/send', 2 * megabyte, off.project.secretKey).answer
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await request(apps.off, 'POST', '/v1/send', { key: other.secretKey, body: good })).status).toBe(
      200,
    )
    for (const { end } of under) end()
    await Promise.all(under.map(({ answer }) => answer))
    const again = begin(apps.off, '/v1/send', 2 * megabyte, off.project.secretKey)
    await until('the bodies are being read', () => again.seen.isRead)
    again.end()
    expect((await again.answer).status).toBe(400)
  })

  test('with the public key leave room to the secret one', async () => {
    const under = Array.from({ length: 9 }, () =>
      begin(apps.off, '/v1/track', 125_000, off.project.publicKey),
    )
    await until('the bodies are being read', () => under.every(({ seen }) => seen.isRead))
    const refused = await begin(apps.off, '/v1/track', 125_000, off.project.publicKey).answer
    expect(refused.status).toBe(503)
    const key = off.project.secretKey
    expect((await request(apps.off, 'POST', '/v1/send', { key, body: good })).status).toBe(200)
    for (const { end } of under) end()
    await Promise.all(under.map(({ answer }) => answer))
  })

  test('of one client without a secret key leave room to others', async () => {
    const from = (address: string) =>
      begin(apps.off, '/v1/track', 125_000, off.project.publicKey, { 'x-forwarded-for': address })
    const under = Array.from({ length: 9 }, () => from('198.51.100.7'))
    await until('the bodies are being read', () => under.every(({ seen }) => seen.isRead))
    expect((await from('198.51.100.7').answer).status).toBe(503)
    const other = from('198.51.100.8')
    await until('the other is being read', () => other.seen.isRead)
    for (const { end } of [...under, other]) end()
    await Promise.all([...under, other].map(({ answer }) => answer))
  })
  test.each([
    ['IPv4 addresses', [1, 2, 3, 4].map(n => `198.51.100.${n}`), '198.51.101.1'],
    ['IPv6 networks', [1, 2, 3, 4].map(n => `2001:db8:7:${n}::1`), '2001:db8:8:1::1'],
  ])('of four %s of one owner leave room to other clients without a secret key', async (_, own, other) => {
    const from = (address: string) =>
      begin(apps.off, '/v1/track', 125_000, off.project.publicKey, { 'x-forwarded-for': address })
    const refusals: number[] = []
    const under = own.flatMap(address => Array.from({ length: 9 }, () => from(address)))
    for (const { seen, answer } of under)
      void answer.then(({ status }) => !seen.isRead && refusals.push(status))
    await until(
      'each is being read or refused',
      () => under.filter(({ seen }) => seen.isRead).length + refusals.length === under.length,
    )
    expect(refusals.length).toBeGreaterThan(under.length / 4)
    expect(new Set(refusals)).toEqual(new Set([503]))
    const honest = from(other)
    await until('the other is being read', () => honest.seen.isRead)
    for (const { end } of [...under, honest]) end()
    await Promise.all([...under, honest].map(({ answer }) => answer))
  })
})
