// From nothing to the first delivered message, by API calls only: sign up, make a project, prove a domain, send, look at the ledger.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { dkimVerify } from 'mailauth/lib/dkim/verify'
import PostalMime from 'postal-mime'
import { minute } from '../../src/lib/time'
import { ensureSetupLink } from '../../src/modules/accounts/users/service'
import { buildApp } from '../../src/server/app'
import { jobHandlers } from '../../src/server/jobs'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { drain } from '../support/drain'
import { request } from '../support/request'

let database: TestDatabase
beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(() => database.drop())

/** What POST /domains says should be published. */
interface Published {
  type: 'TXT' | 'MX' | 'CNAME'
  name: string
  value: string
  purpose: string
}

test('somebody signs up, proves a domain and sends a first message', async () => {
  const { ctx, dns, mail, clock } = testContext(database)
  const app = buildApp(ctx)
  const handlers = jobHandlers(ctx)

  // An account, by the command that the first start prints. The answer sets the session cookie.
  const setupToken = /"setupToken":"(\w+)"/.exec((await ensureSetupLink(ctx))!)![1]
  const account = { email: 'ada@acme-mail.com', password: 'a long enough password', setupToken }
  const signedUp = await request(app, 'POST', '/auth/signup', { body: account })
  expect(signedUp.status).toBe(200)
  const cookie = Object.values(signedUp.cookies).join('; ')

  // A project, with a public key for browsers and a secret one for servers.
  const project = await request(app, 'POST', '/users/@me/projects', { cookie, body: { name: 'Acme' } })
  expect(project.status).toBe(201)
  const key: string = project.body.secret

  // A domain to send from. Until its records are published nothing may be sent from it.
  const domain = await request(app, 'POST', '/domains', { key, body: { domain: 'acme-mail.com' } })
  expect([domain.status, domain.body.verified]).toEqual([201, false])
  const letter = {
    to: { email: 'Grace@Example.org', name: 'Grace' },
    from: { email: 'hello@acme-mail.com', name: 'Acme' },
    subject: 'Welcome, {{name}}',
    body: '<p>Hello {{name}}, your plan is {{plan ?? "free"}}.</p>',
    data: { plan: 'pro' },
  }
  const tooEarly = await request(app, 'POST', '/v1/send', { key, body: letter })
  expect(tooEarly.status).toBe(403)

  // Publish what the answer lists, and ask for a check instead of waiting for the next one.
  const records: Published[] = domain.body.records
  for (const record of records.filter(one => one.type === 'TXT')) dns.set(record.name, 'txt', record.value)
  const checked = await request(app, 'GET', `/domains/${domain.body.id}/verify`, { key })
  expect(checked.body.verified).toBe(true)

  // Send. 200 means: durably accepted.
  const accepted = await request(app, 'POST', '/v1/send', {
    key,
    body: letter,
    headers: { 'idempotency-key': 'welcome-grace' },
  })
  expect(accepted.status).toBe(200)
  const [{ contact, email }] = accepted.body.data.emails
  expect(contact.email).toBe('grace@example.org')

  // It leaves at once, signed with the key of the domain.
  await drain(ctx, handlers)
  const [message] = mail.sent
  const parsed = await PostalMime.parse(message!.raw)
  expect(parsed.from).toMatchObject({ address: 'hello@acme-mail.com', name: 'Acme' })
  expect(parsed.to).toMatchObject([{ address: 'grace@example.org', name: 'Grace' }])
  expect(parsed.subject).toBe('Welcome, Grace')
  expect(parsed.text?.trim()).toBe('Hello Grace, your plan is pro.')
  expect(parsed.html).toContain('<p>Hello Grace, your plan is pro.</p>')
  const { results } = await dkimVerify(Buffer.from(message!.raw), {
    resolver: async name => {
      const answer = await dns.txt(name)
      return answer.status === 'found' ? answer.records.map(text => [text]) : []
    },
  })
  expect(results.map(result => [result.status.result, result.signingDomain])).toEqual([
    ['pass', 'acme-mail.com'],
  ])

  // The ledger tells what became of it.
  const ledger = await request(app, 'GET', `/emails/${email}`, { key })
  expect(ledger.body).toMatchObject({
    contactId: contact.id,
    to: 'grace@example.org',
    status: 'DELIVERED',
    messageId: parsed.messageId,
    tries: [{ attempt: 1, outcome: 'accepted' }],
  })

  // A client that lost the answer asks again with the same key: nothing is sent twice.
  clock.advance(minute)
  const again = await request(app, 'POST', '/v1/send', {
    key,
    body: letter,
    headers: { 'idempotency-key': 'welcome-grace' },
  })
  expect([again.status, again.body.error.details.originalResult]).toEqual([409, { emails: [email] }])
  await drain(ctx, handlers)
  expect(mail.sent).toHaveLength(1)
})
