// Mail that comes in through SES: who becomes a contact, what is kept of it, and what is undone when something fails.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type FeedbackWorld, makeFeedbackWorld } from '../support/feedback'
import { notification, topic } from '../support/sns'
import { senderDomain } from '../support/world'

let world: FeedbackWorld
beforeAll(async () => {
  world = await makeFeedbackWorld({ snsTopicArns: [topic], mailTransport: 'outbox' })
})
beforeEach(async () => {
  // Others would hold the same sandbox domain.
  await world.ctx.sql`delete from domains`
  world.project = await world.newProject()
})
afterAll(() => world.close())

const raw = [
  'From: Grace <Grace@Example.org>',
  'Subject: =?utf-8?q?Caf=C3=A9?=',
  'Message-ID: <m1@example.org>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/alternative; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Hello there',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p style="color:red" onclick="x()">Hello <script>alert(1)</script><a href="javascript:x">there</a>' +
    '<img src="https://example.org/a.png"></p>',
  '--b--',
  '',
].join('\r\n')

interface Changes {
  recipients?: string[]
  source?: string
  content?: string | null
  encoding?: string
  verdicts?: Record<string, string>
}

const proved = { spf: 'PASS', dkim: 'PASS' }

function received({
  recipients,
  source,
  content = raw,
  encoding = 'UTF-8',
  verdicts = proved,
}: Changes = {}) {
  return notification({
    notificationType: 'Received',
    mail: {
      messageId: 'ses-inbound-1',
      source: source ?? 'Grace@Example.org',
      timestamp: '2026-03-01T11:58:00.000Z',
      commonHeaders: { from: ['Grace <Grace@Example.org>'], subject: 'Café', messageId: '<m1@example.org>' },
    },
    receipt: {
      recipients: recipients ?? [`Support@${senderDomain}`],
      processingTimeMillis: 12,
      ...{ spamVerdict: { status: 'PASS' }, virusVerdict: { status: 'PASS' } },
      ...Object.fromEntries(Object.entries(verdicts).map(([name, status]) => [`${name}Verdict`, { status }])),
      action: { type: 'SNS', encoding },
    },
    content,
  })
}

const inbound = async () => {
  const rows = await world.ctx.sql`
    select * from emails where project_id = ${world.project.id} and source_type = 'INBOUND' order by from_email`
  return [...rows]
}

test('the sender becomes a subscribed contact, and the mail a row and an event', async () => {
  expect(await world.notify(received())).toMatchObject({ status: 200, body: { success: true } })
  const contact = await world.contact('grace@example.org')
  expect(contact.subscribed).toBe(true)
  const [row] = await inbound()
  expect(row).toMatchObject({
    status: 'RECEIVED',
    contact_id: contact.id,
    from_email: `support@${senderDomain}`,
    to_email: 'grace@example.org',
    subject: 'Café',
    message_id: 'm1@example.org',
    delivered_at: new Date('2026-03-01T11:58:00.000Z'),
    text: 'Hello there\n',
  })
  const { events } = { events: await world.events() }
  expect(events).toMatchObject([
    {
      name: 'email.received',
      contactId: contact.id,
      emailId: row!.id,
      data: {
        ...{ messageId: 'ses-inbound-1', from: 'Grace@Example.org', fromHeader: 'Grace <Grace@Example.org>' },
        ...{ to: `support@${senderDomain}`, subject: 'Café', recipients: [`support@${senderDomain}`] },
        ...{ hasContent: true, spamVerdict: 'PASS', spfVerdict: 'PASS', processingTimeMillis: 12 },
        emailId: row!.id,
      },
    },
  ])
})

test.each<[string, Record<string, string>, boolean]>([
  ['SPF that passed', { spf: 'PASS' }, true],
  ['SPF that passed and mail without a signature', { spf: 'PASS', dkim: 'GRAY', dmarc: 'GRAY' }, true],
  ['SPF that failed', { spf: 'FAIL', dkim: 'FAIL' }, false],
  ["somebody else's signature alone", { spf: 'FAIL', dkim: 'PASS' }, false],
  ['a broken signature', { spf: 'PASS', dkim: 'FAIL' }, false],
  ["a rule of the sender's domain that is broken", { spf: 'PASS', dkim: 'PASS', dmarc: 'FAIL' }, false],
  ['SPF that could not be looked up', { spf: 'PROCESSING_FAILED', dkim: 'PASS' }, false],
  ['no verdict', {}, false],
])('with %s the mail is kept, and the sender subscribed or not', async (_, verdicts, subscribed) => {
  expect((await world.notify(received({ verdicts }))).status).toBe(200)
  expect((await world.contact('grace@example.org')).subscribed).toBe(subscribed)
  expect(await inbound()).toHaveLength(1)
  expect(await world.eventNames()).toEqual(['email.received'])
})

test('its HTML is cleaned of whatever acts', async () => {
  await world.notify(received())
  const [row] = await inbound()
  expect(row!.html).toBe(
    '<p style="color:red">Hello <a>there</a><img src="https://example.org/a.png" /></p>\n',
  )
})

test('content in Base64 is read', async () => {
  await world.notify(received({ content: Buffer.from(raw).toString('base64'), encoding: 'BASE64' }))
  expect((await inbound())[0]).toMatchObject({ text: 'Hello there\n' })
})

test('a contact who opted out stays so', async () => {
  await world.notify(received())
  await world.ctx.sql`update contacts set subscribed = false where project_id = ${world.project.id}`
  await world.notify(received())
  expect((await world.contact('grace@example.org')).subscribed).toBe(false)
  expect(await inbound()).toHaveLength(2)
})

test('each recipient of a verified domain counts, others do not', async () => {
  const recipients = [`a@${senderDomain}`, `b@${senderDomain}`, 'c@elsewhere.org', 'nonsense']
  await world.notify(received({ recipients }))
  expect((await inbound()).map(row => row.from_email)).toEqual([`a@${senderDomain}`, `b@${senderDomain}`])
})

test('a domain that is not verified gets nothing', async () => {
  await world.ctx.sql`update domains set verified = false, sandbox = false, pending_since = created_at`
  expect((await world.notify(received())).status).toBe(200)
  expect(await inbound()).toEqual([])
  expect(await world.contact('grace@example.org')).toBeUndefined()
})

test.each([
  ['without recipients', { recipients: [] }],
  ['from nobody', { source: '<>' }],
])('mail %s is taken and forgotten', async (_, changes) => {
  expect((await world.notify(received(changes))).status).toBe(200)
  expect(await inbound()).toEqual([])
})

test('mail without content is kept without', async () => {
  await world.notify(received({ content: null }))
  expect((await inbound())[0]).toMatchObject({ html: '', text: '', subject: 'Café' })
})

test('mail that is nested without end is kept without its content', async () => {
  const content = Array.from(
    { length: 500 },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
  )
  expect((await world.notify(received({ content: content.join('') }))).status).toBe(200)
  expect((await inbound())[0]).toMatchObject({ html: '', text: '' })
})

test('a fault undoes contact, row and event; the repetition makes each once', async () => {
  const { sql } = world.ctx
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`
  await sql`create trigger refuse before insert on events execute function refuse()`
  const message = received()
  expect((await world.notify(message)).status).toBe(500)
  expect(await world.contact('grace@example.org')).toBeUndefined()
  expect(await inbound()).toEqual([])
  await sql`drop trigger refuse on events`
  for (let n = 0; n < 2; n++) expect((await world.notify(message)).status).toBe(200)
  expect(await inbound()).toHaveLength(1)
  expect(await world.eventNames()).toEqual(['email.received'])
})

test('the ledger shows it', async () => {
  await world.notify(received())
  const { body } = await world.call('GET', '/emails')
  expect(body.data).toMatchObject([{ sourceType: 'INBOUND', status: 'RECEIVED' }])
  expect((await world.call('GET', `/emails/${body.data[0].id}`)).status).toBe(200)
})
