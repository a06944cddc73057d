// Webhooks of the providers that serve as relays, in the shapes that their documentation shows (test/data/relays), signed as they sign.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hour, minute } from '../../src/lib/time'
import { relays } from '../../src/modules/sending/feedback/relays'
import { type RelayName, relayNames } from '../../src/platform/transports/relay-tags'
import { signatureHeaders } from '../../src/platform/webhook/signature'
import { type FeedbackWorld, makeFeedbackWorld } from '../support/feedback'
import { type Answer, request } from '../support/request'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const plain = 'a-secret-of-the-address'
const signing = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
const secrets: Record<RelayName, string> = {
  postmark: plain,
  mailgun: 'key-of-the-webhooks',
  sendgrid: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  brevo: plain,
  mailjet: plain,
  resend: signing,
}

let world: FeedbackWorld
/** Where no provider is expected. */
let bare: FeedbackWorld
beforeAll(async () => {
  world = await makeFeedbackWorld({ relayWebhooks: secrets })
  bare = await makeFeedbackWorld()
})
beforeEach(async () => {
  world.mail.clear()
  world.project = await world.newProject()
})
afterAll(async () => {
  await world.close()
  await bare.close()
})

type Event = 'delivered' | 'gone' | 'full' | 'refused' | 'complaint' | 'delayed' | 'opened'

/** An event as the provider would tell it of this message. */
function told(relay: RelayName, event: Event, mail: { id: string; messageId: string }): string {
  const file = readFileSync(join(import.meta.dir, `../data/relays/${relay}.json`), 'utf8')
  const text = JSON.stringify(JSON.parse(file)[event])
  return text.replaceAll('EMAIL_ID', mail.id).replaceAll('MESSAGE_ID', mail.messageId)
}

interface Proof {
  headers: Record<string, string>
  body: string
}

const basic = (secret: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`waxwing:${secret}`).toString('base64')}`,
})

/** What each provider does to prove itself, at a moment and with a secret. */
const proofs: Record<RelayName, (body: string, at: Date, isForged: boolean) => Proof> = {
  postmark: (body, _, isForged) => ({ body, headers: basic(isForged ? `${plain}x` : plain) }),
  brevo: (body, _, isForged) => ({
    body,
    headers: { authorization: `Bearer ${isForged ? plain.toUpperCase() : plain}` },
  }),
  mailjet: (body, _, isForged) => ({ body, headers: basic(isForged ? '' : plain) }),
  mailgun(body, at, isForged) {
    const timestamp = String(Math.floor(at.getTime() / 1_000))
    const token = '651869375b9df3c98fc15c4889b102119add1235c38fc92824'
    const key = isForged ? 'another-key' : secrets.mailgun
    const signature = createHmac('sha256', key).update(`${timestamp}${token}`).digest('hex')
    const event = { ...JSON.parse(body), signature: { timestamp, token, signature } }
    return { body: JSON.stringify(event), headers: {} }
  },
  sendgrid(body, at, isForged) {
    const timestamp = String(Math.floor(at.getTime() / 1_000))
    const key = isForged ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : privateKey
    return {
      body,
      headers: {
        'x-twilio-email-event-webhook-timestamp': timestamp,
        'x-twilio-email-event-webhook-signature': sign('sha256', Buffer.from(timestamp + body), key).toString(
          'base64',
        ),
      },
    }
  },
  resend(body, at, isForged) {
    const key = isForged ? `whsec_${Buffer.alloc(32).toString('base64')}` : signing
    const headers = signatureHeaders(key, { id: 'msg_1', sentAt: at, body })
    const renamed = Object.entries(headers).map(([name, value]) => [name.replace('webhook-', 'svix-'), value])
    return { body, headers: Object.fromEntries(renamed) }
  },
}

function post(relay: RelayName, body: string, at = world.clock.now(), isForged = false): Promise<Answer> {
  const proof = proofs[relay](body, at, isForged)
  const headers = { 'content-type': 'application/json', ...proof.headers }
  return request(world.app, 'POST', `/webhooks/${relay}`, { body: proof.body, headers })
}

async function leaving(): Promise<{ id: string; messageId: string }> {
  const { id } = await world.sent()
  return { id, messageId: (await world.email(id)).messageId.replace(/[<>]/g, '') }
}

async function suppressed(): Promise<string[]> {
  const rows = await world.ctx.sql`select reason from suppressions where project_id = ${world.project.id}`
  return rows.map(row => row['reason'] as string)
}

describe.each(relayNames)('%s', relay => {
  test('reports a delivery', async () => {
    const mail = await leaving()
    expect((await post(relay, told(relay, 'delivered', mail))).body).toEqual({
      success: true,
      applied: 1,
      unknown: [],
    })
    const email = await world.email(mail.id)
    expect(email.status).toBe('DELIVERED')
    expect(email.deliveredAt).toStartWith('2026-03-01T11:59:30')
  })

  test('reports an address that is gone, once, however often it says so', async () => {
    const mail = await leaving()
    for (const _ of [1, 2]) expect((await post(relay, told(relay, 'gone', mail))).body.applied).toBe(1)
    const email = await world.email(mail.id)
    expect(email.status).toBe('BOUNCED')
    expect(email.error.length).toBeGreaterThan(10)
    expect(await suppressed()).toEqual(['bounce'])
    expect(await world.eventNames()).toEqual(['email.sent', 'email.bounce', 'contact.unsubscribed'])
  })

  test('reports a full mailbox', async () => {
    const mail = await leaving()
    await post(relay, told(relay, 'full', mail))
    expect((await world.email(mail.id)).status).toBe('BOUNCED')
    expect(await world.eventNames()).toEqual(['email.sent', 'email.bounce'])
    expect(await suppressed()).toEqual([])
  })

  test('reports a refusal for which the address is not to blame', async () => {
    const mail = await leaving()
    await post(relay, told(relay, 'refused', mail))
    expect((await world.email(mail.id)).status).toBe('FAILED')
    expect(await suppressed()).toEqual([])
    expect((await world.contact()).subscribed).toBe(true)
  })

  test('reports a complaint', async () => {
    const mail = await leaving()
    await post(relay, told(relay, 'complaint', mail))
    expect((await world.email(mail.id)).status).toBe('COMPLAINED')
    expect(await suppressed()).toEqual(['complaint'])
  })

  test('may tell of delays and openings, which change nothing', async () => {
    const mail = await leaving()
    for (const event of ['delayed', 'opened'] as const)
      expect((await post(relay, told(relay, event, mail))).body).toMatchObject({ success: true, applied: 0 })
    expect(await world.email(mail.id)).toMatchObject({ status: 'SENT', opens: 0 })
  })

  test('may tell of mail that is not ours', async () => {
    const other = { id: crypto.randomUUID(), messageId: `${crypto.randomUUID()}@acme.example` }
    expect((await post(relay, told(relay, 'gone', other))).body).toMatchObject({ applied: 0, unknown: [0] })
  })

  test('is told apart from somebody else', async () => {
    const mail = await leaving()
    const body = told(relay, 'gone', mail)
    expect((await post(relay, body, world.clock.now(), true)).status).toBe(403)
    const unsigned = await request(world.app, 'POST', `/webhooks/${relay}`, { body })
    expect(unsigned.status).toBe(403)
    expect(unsigned.body.error.suggestion).toContain(`/webhooks/${relay}`)
    expect((await world.email(mail.id)).status).toBe('SENT')
  })

  test('may send any JSON', async () => {
    const odd = ['null', '[]', '{}', '[null, 1, "x", [[]]]', '{"event":{},"type":"constructor"}']
    for (const body of relay === 'mailgun' ? ['{}', '{"event-data":[1]}'] : odd)
      expect((await post(relay, body)).body).toMatchObject({ success: true, applied: 0 })
  })

  test('is not there where no secret is set', async () => {
    const mail = { id: crypto.randomUUID(), messageId: 'x@acme.example' }
    const proof = proofs[relay](told(relay, 'gone', mail), bare.clock.now(), false)
    expect((await request(bare.app, 'POST', `/webhooks/${relay}`, proof)).status).toBe(404)
  })
})

describe('the words of the other server', () => {
  const gone = '550 5.1.1 no such user'
  const policy = '550 5.7.1 blocked by spamhaus'
  const withWords: Partial<Record<RelayName, (event: Record<string, unknown>, words: string) => void>> = {
    brevo: (event, words) => Object.assign(event, { reason: words }),
    mailjet: (event, words) => Object.assign(event, { comment: words, error: 'other' }),
    postmark: (event, words) => Object.assign(event, { Details: `smtp;${words}` }),
    resend: (event, words) =>
      Object.assign(event['data'] as object, {
        bounce: { type: 'Permanent', message: 'A hard bounce.', diagnosticCode: [`smtp; ${words}`] },
      }),
  }

  test.each(Object.entries(withWords))('decide what %s calls a bounce', async (name, put) => {
    const relay = name as RelayName
    const results: string[][] = []
    for (const words of [policy, gone]) {
      const mail = await leaving()
      const [event] = [JSON.parse(told(relay, 'gone', mail))].flat()
      put(event, words)
      expect((await post(relay, JSON.stringify(event))).body.applied).toBe(1)
      results.push([(await world.email(mail.id)).status, ...(await suppressed())])
    }
    expect(results).toEqual([['FAILED'], ['BOUNCED', 'bounce']])
  })
})

describe('a call that is signed', () => {
  test.each([
    ['mailgun', 25 * hour],
    ['sendgrid', 25 * hour],
    ['resend', 6 * minute],
  ] as const)('by %s is refused when it is too old, or of the future', async (relay, age) => {
    const mail = await leaving()
    const body = told(relay, 'gone', mail)
    for (const ms of [-age, age])
      expect((await post(relay, body, new Date(world.clock.now().getTime() + ms))).status).toBe(403)
    expect((await world.email(mail.id)).status).toBe('SENT')
  })

  test.each(['sendgrid', 'resend'] as const)('by %s is refused when a letter of it changes', async relay => {
    const mail = await leaving()
    const proof = proofs[relay](told(relay, 'complaint', mail), world.clock.now(), false)
    const body = proof.body.replace('ada@', 'adb@')
    expect((await request(world.app, 'POST', `/webhooks/${relay}`, { ...proof, body })).status).toBe(403)
  })

  test('by Mailgun for a subaccount counts by the key of the main account', async () => {
    const mail = await leaving()
    const { body } = proofs.mailgun(told('mailgun', 'complaint', mail), world.clock.now(), false)
    const event = JSON.parse(body)
    event.signature['parent-signature'] = event.signature.signature
    event.signature.signature = '0'.repeat(64)
    const answer = await request(world.app, 'POST', '/webhooks/mailgun', { body: JSON.stringify(event) })
    expect(answer.body.applied).toBe(1)
  })

  test("is recognised in the words of the providers' own libraries", () => {
    const sent = (headers: Record<string, string>, body: string) => ({
      header: (name: string) => headers[name],
      body: Buffer.from(body),
    })
    const sendgrid = sent(
      {
        'x-twilio-email-event-webhook-timestamp': '1588788367',
        'x-twilio-email-event-webhook-signature':
          'MEUCIQCtIHJeH93Y+qpYeWrySphQgpNGNr/U+UyUlBkU6n7RAwIgJTz2C+8a8xonZGi6BpSzoQsbVRamr2nlxFDWYNH2j/0=',
      },
      '{"category":"example_payload","event":"test_event","message_id":"message_id"}',
    )
    const key =
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtURuePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7yAQGhHPTnlvFYPAZFceEu/1FwCM/QmGUhA=='
    expect(relays.sendgrid.isGenuine(key, sendgrid, new Date(1_588_788_367_000))).toBe(true)
  })
})

describe('a message that leaves', () => {
  const headersOf = async (): Promise<string> => {
    await world.sendOne({
      headers: { 'x-mj-customid': crypto.randomUUID(), 'X-Other': 'kept' },
    })
    await world.drain()
    return Buffer.from(world.mail.sent.at(-1)!.raw).toString().split('\r\n\r\n')[0]!
  }

  test("carries the mark of each provider that reports, and never a caller's", async () => {
    const id = await leaving()
    const text = Buffer.from(world.mail.sent.at(-1)!.raw).toString().replaceAll('\r\n ', ' ')
    for (const line of [
      `X-PM-Metadata-waxwing: ${id.id}`,
      `X-Mailgun-Variables: {"waxwing":"${id.id}"}`,
      `X-SMTPAPI: {"unique_args":{"waxwing":"${id.id}"}}`,
      `X-Mailin-custom: ${id.id}`,
      `X-MJ-CustomID: ${id.id}`,
      `X-Waxwing-Id: ${id.id}`,
    ])
      expect(text).toContain(line)
    const head = await headersOf()
    expect(head.match(/x-mj-customid/gi)).toHaveLength(1)
    expect(head).toContain('X-Other: kept')
  })

  test('carries none where none reports', async () => {
    await bare.sendOne({})
    await bare.drain()
    const text = Buffer.from(bare.mail.sent.at(-1)!.raw).toString()
    expect(text).not.toMatch(/waxwing|x-smtpapi|x-mj-|x-pm-/i)
  })
})

test('a list with many messages is applied as a whole', async () => {
  const mails = [await leaving(), await leaving(), await leaving()]
  const events = mails.flatMap(mail => JSON.parse(told('sendgrid', 'delivered', mail)))
  events.splice(1, 0, { event: 'delivered', email: 'x@example.com', 'smtp-id': '<other@host>' })
  expect((await post('sendgrid', JSON.stringify(events))).body).toEqual({
    success: true,
    applied: 3,
    unknown: [1],
  })
  for (const { id } of mails) expect((await world.email(id)).status).toBe('DELIVERED')
})

test.each(['mailgun', 'sendgrid', 'brevo', 'resend'] as const)(
  '%s names the message by its Message-ID where our mark is missing',
  async relay => {
    const mail = await leaving()
    await post(relay, told(relay, 'complaint', mail).replaceAll(`"${mail.id}"`, '"none"'))
    expect((await world.email(mail.id)).status).toBe('COMPLAINED')
  },
)
