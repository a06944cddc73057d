// The ways in by which an address comes less often: what changes many contacts, pages of recipients, assistants, tests of campaigns, and teams. One
// mailbox is one there too, however it is spelled, and a text with several addresses is refused wherever one is meant.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readMessage } from '../../src/modules/api/submission/message'
import { assistantOf } from '../support/assistants'
import { type FormWorld, makeFormWorld } from '../support/forms'
import type { MadeProject } from '../support/make'
import { makeUser } from '../support/make'
import { makeRecipient } from '../support/recipient'
import { request } from '../support/request'
import { spellingsOf } from '../support/spellings'
import { parse, sender } from '../support/world'

let world: FormWorld
let project: MadeProject
beforeAll(async () => {
  world = await makeFormWorld()
})
beforeEach(async () => {
  await world.drain()
  world.mail.clear()
  project = await world.newProject()
})
afterAll(() => world.close())

const mailbox = 'u3@münchen.example'
const spellings = (count: number): string[] => fc.sample(spellingsOf(mailbox), count)
const api = (method: string, path: string, body?: object) => world.api(method, path, body, project)
const campaign = (more: object = {}) => {
  const content = { name: 'C', subject: 'S', body: '<p>x</p>', from: sender }
  return api('POST', '/campaigns', { ...content, audienceType: 'ALL', ...more })
}
const mailed = () => world.mail.sent.flatMap(({ envelope }) => envelope.to)
const ascii = 'u3@xn--mnchen-3ya.example'

test('a bulk change finds whom a search or a filter means', async () => {
  const { body: contact } = await api('POST', '/contacts', { email: mailbox })
  await api('POST', '/contacts', { email: 'other@reader.example' })
  for (const text of [...spellings(6), '@XN--mnchen-3ya.example', 'U3@mün\u00adchen']) {
    const condition = { field: 'email', operator: 'equals', value: text }
    const filter = { logic: 'AND', groups: [{ filters: [condition] }] }
    const found = await api('GET', `/contacts?search=${encodeURIComponent(text)}`)
    expect([text, found.body.data.map(({ id }: { id: string }) => id)]).toEqual([text, [contact.id]])
    const queries =
      text.includes('.example') && !text.startsWith('@') ? [{ search: text }, { filter }] : [{ search: text }]
    for (const query of queries) {
      const { body } = await api('POST', '/contacts/bulk-unsubscribe', { mode: 'query', ...query })
      expect([text, query, body.totalRequested]).toEqual([text, query, 1])
    }
  }
})

test('who has the data erased on the page of recipients gets nothing under any spelling', async () => {
  const person = await makeRecipient(world, world.site, {}, { email: spellings(1)[0]! })
  await world.drain()
  world.mail.clear()
  await world.visit('POST', `/privacy/${person.id}/link?${person.query}`)
  await world.drain()
  const [letter] = await Promise.all(world.mail.sent.map(parse))
  expect(mailed()).toEqual([ascii])
  const path = /http:\/\/localhost:3000(\/privacy\/\S+)/.exec(letter!.text!)![1]!
  const form = new URLSearchParams({ action: 'erase', sure: '1' })
  expect((await request(world.site, 'POST', path, { body: form })).status).toBe(200)
  await world.drain()
  world.mail.clear()
  for (const to of spellings(6))
    await world.api('POST', '/v1/send', { from: sender, to, subject: 'S', body: 'B' }, person.project)
  await world.drain()
  expect(mailed()).toEqual([])
})

test('an assistant finds a contact, and writes to one', async () => {
  const assistant = await assistantOf(world.site, project.secretKey)
  const { body: contact } = await api('POST', '/contacts', { email: mailbox })
  for (const to of spellings(4)) {
    const { structured } = await assistant.call('search_contacts', { search: to })
    expect([to, structured.data.data.map(({ id }: { id: string }) => id)]).toEqual([to, [contact.id]])
    const sent = await assistant.confirmed('send_message', {
      to: [to],
      subject: 'S',
      body: 'B',
      from: sender,
    })
    expect([to, sent.structured.data.emails[0].contact]).toEqual([to, { id: contact.id, email: mailbox }])
  }
  const { text, isError } = await assistant.confirmed('send_message', {
    ...{ to: ['a@reader.example, b@reader.example'], subject: 'S', body: 'B', from: sender },
  })
  expect([isError, text]).toEqual([true, expect.stringMatching(/several/)])
})

test('a test of a campaign goes to the mailbox, unless that is suppressed', async () => {
  const { id } = (await campaign()).body.data
  const sendTest = (email: string) => api('POST', `/campaigns/${id}/test`, { email })
  expect((await sendTest(spellings(1)[0]!)).status).toBe(200)
  expect(mailed()).toEqual([ascii])
  await api('POST', '/suppressions', { emails: [mailbox] })
  for (const email of spellings(3)) expect([email, (await sendTest(email)).status]).toEqual([email, 400])
  const several = await sendTest('a@reader.example; b@reader.example')
  expect([several.status, several.body.error.errors[0]]).toMatchObject([
    422,
    { field: 'email', message: expect.stringMatching(/several/) },
  ])
})

test('a team has a mailbox once, as a member and as an invitation', async () => {
  const [owner] = await world.ctx.sql`select email from users where id = ${project.ownerId}`
  const credentials = { email: owner!['email'], password: `password of ${owner!['email']}` }
  const { cookies } = await request(world.site, 'POST', '/auth/login', { body: credentials })
  const cookie = Object.values(cookies)[0]!
  const call = (path: string, email: string) =>
    request(world.site, 'POST', `/projects/${project.id}${path}`, { cookie, body: { email } })
  const [first, ...others] = spellings(5)
  expect((await call('/members', first!)).body).toMatchObject({ email: mailbox, pending: true })
  for (const email of others) expect([email, (await call('/members', email)).status]).toEqual([email, 409])
  const user = await makeUser(world, { email: 'ada@münchen.example' })
  const added = await call('/members', 'Ada <ADA@xn--mnchen-3ya.example>')
  expect(added.body).toMatchObject({ userId: user.id, email: 'ada@münchen.example', pending: false })
  expect((await call('/members', 'ada@mün\u00adchen.example')).status).toBe(409)
  const several = await call('/members', 'a@reader.example, b@reader.example')
  expect([several.status, several.body.error.errors[0].message]).toMatchObject([
    422,
    expect.stringMatching(/several/),
  ])
})

test.each([
  'Ada <ada@reader.example>, Bob <bob@reader.example>',
  'a@reader.example; b@reader.example',
  'Team: a@reader.example;',
])('no sender is several: %s', async text => {
  const faultOf = async (method: string, path: string, body: object) => {
    const { status, body: answer } = await api(method, path, body)
    const [first] = answer.error?.errors ?? []
    return [status, first?.field, first?.message]
  }
  const several = (field: string) => [422, field, expect.stringMatching(/several/)]
  const content = { name: 'C', subject: 'S', body: 'B', from: sender, audienceType: 'ALL' }
  expect(await faultOf('POST', '/campaigns', { ...content, from: text })).toEqual(several('from'))
  expect(await faultOf('POST', '/campaigns', { ...content, replyTo: text })).toEqual(several('replyTo'))
  const { id } = (await campaign()).body.data
  expect(await faultOf('PUT', `/campaigns/${id}`, { from: text })).toEqual(several('from'))
  expect(await faultOf('PUT', `/campaigns/${id}`, { replyTo: text })).toEqual(several('replyTo'))
  const settings = (defaultSender: object) =>
    faultOf('PATCH', `/users/@me/projects/${project.id}`, { defaultSender })
  expect(await settings({ email: text })).toEqual(several('defaultSender.email'))
  expect(await settings({ email: sender, replyTo: text })).toEqual(several('defaultSender.replyTo'))
  const template = { name: 'T', subject: 'S', body: 'B', type: 'TRANSACTIONAL', from: sender }
  const { body: made } = await api('POST', '/templates', template)
  expect(await faultOf('PATCH', `/templates/${made.id}`, { from: text })).toEqual(several('from'))
  const { body: workflow } = await api('POST', '/workflows', { name: 'W', eventName: 'e' })
  const config = { recipient: { type: 'CUSTOM', customEmail: text } }
  const step = { type: 'SEND_EMAIL', name: 'Mail', position: { x: 0, y: 0 }, templateId: made.id, config }
  const [status, field, words] = await faultOf('POST', `/workflows/${workflow.id}/steps`, step)
  expect([status, field, words]).toEqual([
    422,
    expect.stringMatching(/customEmail$/),
    expect.stringMatching(/several/),
  ])
})

test('by SMTP, a header that should hold addresses and does not is left out', async () => {
  const headers = 'Errors-To: nobody\r\nMail-Reply-To: Ada <a@reader.example>, b@reader.example\r\n'
  const raw = Buffer.from(`From: a@acme.example\r\n${headers}\r\nx`)
  const { submission } = await readMessage(
    world.ctx,
    raw,
    { from: sender, to: ['c@reader.example'] },
    'a project',
  )
  const leaving = submission.source.raw.toString()
  expect(leaving).toContain('\r\nMail-Reply-To: Ada <a@reader.example>, b@reader.example\r\n')
  expect(leaving).not.toContain('Errors-To')
})

test('a default sender and a sender of a campaign may be spelled in any way', async () => {
  const given = await api('PATCH', `/users/@me/projects/${project.id}`, {
    defaultSender: { email: 'Acme <Hello@Acme.example>' },
  })
  expect([given.status, given.body.defaultSender]).toMatchObject([200, { email: sender }])
  const made = await campaign({ from: 'Hello@ａcme.example', replyTo: 'U3@xn--mnchen-3ya.example' })
  expect(made.body.data).toMatchObject({ from: sender, replyTo: mailbox })
})

test('senders that were stored before addresses had one spelling still send', async () => {
  const old = 'Hello@\uff41cme.example'
  const value = JSON.stringify({ email: old, name: 'Acme', replyTo: null })
  await world.ctx.sql`update projects set default_sender = ${value}::text::jsonb where id = ${project.id}`
  const sent = await api('POST', '/v1/send', { to: 'a@reader.example', subject: 'S', body: 'B' })
  expect(sent.status).toBe(200)
  await api('POST', '/contacts', { email: 'b@reader.example', subscribed: true })
  const { id } = (await campaign()).body.data
  await world.ctx.sql`update campaigns set from_email = ${old} where id = ${id}`
  expect((await api('POST', `/campaigns/${id}/send`, {})).status).toBe(200)
  await world.drain()
  expect(mailed().sort()).toEqual(['a@reader.example', 'b@reader.example'])
  const messages = await Promise.all(world.mail.sent.map(parse))
  expect(messages.map(({ from }) => from?.address?.toLowerCase())).toEqual([sender, sender])
})
