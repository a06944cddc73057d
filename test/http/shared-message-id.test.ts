// A message that a program submitted for several recipients has one Message-ID for all of them: a report by that alone is about the recipient
// that it names, and one that names none is counted as not understood.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { signatureHeaders } from '../../src/platform/webhook/signature'
import { dsn } from '../support/dsn'
import { type FeedbackWorld, makeFeedbackWorld } from '../support/feedback'
import { type Answer, request } from '../support/request'
import { notification, sesEvent } from '../support/sns'

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
let messageId: string
const words = '550 5.1.1 no such user'

let world: FeedbackWorld
let mails: Record<'ada' | 'bob', string>
beforeAll(async () => {
  world = await makeFeedbackWorld({ feedbackWebhookSecret: secret, relayWebhooks: { brevo: 'a-secret' } })
})
beforeEach(async () => {
  world.project = await world.newProject()
  messageId = `order-${crypto.randomUUID()}@shop.example`
  await world.ctx.sql`delete from returned_mail_days`
  mails = { ada: await submitted('ada@example.com'), bob: await submitted('bob@example.com') }
})
afterAll(() => world.close())

/** One recipient of the message, as the program's own bytes are recorded. */
async function submitted(to: string, id = messageId): Promise<string> {
  const sent = await world.sent({ to })
  await world.ctx.sql`
    update emails set message_id = ${id}, provider_id = null, submitted_set = ${crypto.randomUUID()} where id = ${sent.id}`
  return sent.id
}

let calls = 0
function post(path: string, body: string, type: string): Promise<Answer> {
  const headers = signatureHeaders(secret, { id: `call-${++calls}`, sentAt: world.ctx.clock.now(), body })
  return request(world.app, 'POST', path, { body, headers: { ...headers, 'content-type': type } })
}

/** The ways in which a bounce is reported by the Message-ID, about `recipient` or about nobody. */
const ways: Record<string, (recipient: string | undefined) => Promise<Answer>> = {
  'a mail from another server': recipient => {
    const mail = dsn({ messageId: `<${messageId}>`, recipient: recipient ?? 'nobody' })
    return post('/webhooks/dsn', mail, 'message/rfc822')
  },
  'a call': recipient =>
    post(
      '/webhooks/bounce',
      JSON.stringify({
        reports: [{ type: 'bounced', messageId, reason: words, ...(recipient ? { recipient } : {}) }],
      }),
      'application/json',
    ),
  "a relay's webhook": recipient =>
    request(world.app, 'POST', '/webhooks/brevo', {
      body: JSON.stringify({
        event: 'hard_bounce',
        'message-id': `<${messageId}>`,
        reason: words,
        ...(recipient ? { email: recipient } : {}),
      }),
      headers: { authorization: 'Bearer a-secret' },
    }),
  'Amazon SNS': recipient => {
    const about = recipient ? [{ emailAddress: recipient, status: '5.1.1', diagnosticCode: words }] : []
    const event = sesEvent('Bounce', `010201-${++calls}`, {
      bounceType: 'Permanent',
      bouncedRecipients: about,
    })
    Object.assign(event['mail'] as object, { commonHeaders: { messageId: `<${messageId}>` } })
    return world.notify(notification(event))
  },
}

const statuses = async () => ({
  ada: (await world.email(mails.ada)).status,
  bob: (await world.email(mails.bob)).status,
})

const notUnderstood = async (): Promise<number> => {
  const [row] = await world.ctx.sql<{ mails: number }[]>`
    select coalesce(sum(mails), 0)::int as mails from returned_mail_days where outcome = 'notUnderstood'`
  return row!.mails
}

describe.each(Object.keys(ways))('%s', way => {
  test('is about the recipient that it names, in any spelling', async () => {
    expect((await ways[way]!('BOB@Example.com')).status).toBe(200)
    expect(await statuses()).toEqual({ ada: 'SENT', bob: 'BOUNCED' })
    expect(await notUnderstood()).toBe(0)
  })

  test('that names none of several changes nothing, and is counted', async () => {
    expect((await ways[way]!(undefined)).status).toBe(200)
    expect(await statuses()).toEqual({ ada: 'SENT', bob: 'SENT' })
    expect(await notUnderstood()).toBe(1)
  })
})

test('a mail about two of the recipients is about each of them, with its own words', async () => {
  const one = dsn({ messageId: `<${messageId}>`, recipient: 'ada@example.com' })
  const both = one.replace(
    'Final-Recipient: rfc822; ada@example.com',
    [
      'Final-Recipient: rfc822; bob@example.com',
      'Action: failed',
      'Status: 5.7.1',
      'Diagnostic-Code: smtp; 550 5.7.1 blocked for spam',
      '',
      'Final-Recipient: rfc822; ada@example.com',
    ].join('\r\n'),
  )
  expect((await post('/webhooks/dsn', both, 'message/rfc822')).body).toMatchObject({ applied: 2 })
  expect(await statuses()).toEqual({ ada: 'BOUNCED', bob: 'FAILED' })
})

test('where two projects gave the same Message-ID to the same address, nobody is picked', async () => {
  const first = world.project
  world.project = await world.newProject()
  const twin = await submitted('bob@example.com')
  world.project = first
  await ways['a call']!('bob@example.com')
  expect((await statuses()).bob).toBe('SENT')
  const [row] = await world.ctx.sql`select status from emails where id = ${twin}`
  expect(row).toMatchObject({ status: 'SENT' })
  expect(await notUnderstood()).toBe(1)
})
