// One mailbox is one contact, one suppression and one erasure, however its address is spelled and by whichever way it comes in.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readMessage } from '../../src/modules/api/submission/message'
import { eraseAddress } from '../../src/modules/oversight/privacy'
import { type FormWorld, makeFormWorld } from '../support/forms'
import type { MadeProject } from '../support/make'
import { request } from '../support/request'
import { spellingsOf } from '../support/spellings'
import { sender } from '../support/world'

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

const api = (method: string, path: string, body?: object) => world.api(method, path, body, project)
const emails = async (): Promise<string[]> =>
  (await api('GET', '/contacts?sort=email')).body.data.map((row: { email: string }) => row.email)
const mail = (more: object) => ({ from: sender, subject: 'S', body: '<p>x</p>', ...more })

const mailboxes = ['u3@reader.example', "o'brien@münchen.example"]
const spellings = (mailbox: string, count: number): string[] => fc.sample(spellingsOf(mailbox), count)
const csv = (text: string): string => `"${text.replaceAll('"', '""')}"`

test.each(mailboxes)('%s is one contact by every way in', async mailbox => {
  const list = spellings(mailbox, 12)
  const first = await api('POST', '/contacts', { email: list[0] })
  expect(first.body).toMatchObject({ email: mailbox })
  const { id } = first.body
  for (const email of list) {
    expect((await api('POST', '/contacts', { email })).body).toMatchObject({ id, email: mailbox })
    expect((await api('POST', '/events/track', { email, event: 'seen' })).body.data.contact).toBe(id)
    const { body } = await api('POST', '/v1/send', mail({ to: email }))
    expect([email, body.data?.emails[0].contact]).toEqual([email, { id, email: mailbox }])
    expect((await api('PATCH', `/contacts/${id}`, { email })).body).toMatchObject({ email: mailbox })
    expect((await api('POST', '/v1/verify', { email })).body.data).toMatchObject({ email: mailbox })
  }
  expect((await api('POST', '/contacts/lookup', { emails: list })).body).toEqual({
    found: list,
    notFound: [],
  })
  const file = new FormData()
  file.set('file', new File([`email\n${list.map(csv).join('\n')}\n`], 'a.csv', { type: 'text/csv' }))
  const { body: job } = await request(world.site, 'POST', '/contacts/import', {
    key: project.secretKey,
    body: file,
  })
  await world.drain()
  expect((await api('GET', `/contacts/import/${job.jobId}`)).body.result).toMatchObject({
    createdCount: 0,
    failureCount: 0,
  })
  const { body: segment } = await api('POST', '/segments', { name: 'S', type: 'STATIC' })
  const { body: added } = await api('POST', `/segments/${segment.id}/members`, {
    emails: list,
    createMissing: true,
  })
  expect(added).toMatchObject({ added: 1, created: 0, notFound: [] })
  expect(await emails()).toEqual([mailbox])
})

test.each(mailboxes)('%s, once suppressed, gets nothing under any spelling', async mailbox => {
  const list = spellings(mailbox, 12)
  expect((await api('POST', '/suppressions', { emails: list })).body).toEqual({ added: 1, existing: 0 })
  for (const to of list) await api('POST', '/v1/send', mail({ to }))
  await api('POST', '/v1/send', mail({ to: 'other@reader.example', cc: list[1], bcc: [{ email: list[2] }] }))
  await world.drain()
  expect(world.mail.sent.flatMap(({ envelope }) => envelope.to)).toEqual(['other@reader.example'])
  const found = await api('GET', `/suppressions?email=${encodeURIComponent(list[3]!)}`)
  expect(found.body.data).toMatchObject([{ email: mailbox }])
  const path = `/suppressions/${encodeURIComponent(list[4]!)}`
  expect((await api('DELETE', path)).status).toBe(204)
  expect((await api('DELETE', path)).status).toBe(404)
})

test.each(mailboxes)('%s, once erased by any spelling, gets nothing under another', async mailbox => {
  const list = spellings(mailbox, 6)
  await api('POST', '/contacts', { email: list[0] })
  expect(await eraseAddress(world.ctx, { projectId: project.id, by: 'operator' }, list[1]!)).toEqual({
    wasContact: true,
  })
  for (const to of list) await api('POST', '/v1/send', mail({ to }))
  await world.drain()
  expect(world.mail.sent).toEqual([])
})

test('a form mails one mailbox once', async () => {
  world.dns.set('reader.example', 'mx', { exchange: 'mx.reader.example', priority: 10 })
  const form = await world.makeForm()
  for (const email of spellings('u3@reader.example', 8)) await world.fillIn(form.id, { email })
  await world.drain()
  expect(world.mail.sent.flatMap(({ envelope }) => envelope.to)).toEqual(['u3@reader.example'])
})

test('a message by SMTP names its recipients in the stored spelling', async () => {
  const raw = Buffer.from('From: a@acme.example\r\nTo: "Ada" <ADA@xn--mnchen-3ya.example>\r\n\r\nx')
  const envelope = { from: sender, to: ['Ada@XN--mnchen-3ya.example'] }
  const { submission } = await readMessage(world.ctx, raw, envelope, 'a project')
  expect(submission.to).toEqual([{ email: 'ada@münchen.example', name: 'Ada' }])
})

test('several addresses in one text are refused at their field, with what to do', async () => {
  const several = ['Ada <ada@reader.example>, Bob <bob@reader.example>', 'a@reader.example; b@reader.example']
  const of = async (path: string, body: object) => {
    const { status, body: answer } = await api('POST', path, body)
    return [status, answer.error?.errors?.[0] ?? answer]
  }
  for (const text of several) {
    const fault = (field: string) => [
      422,
      { field, code: 'invalid_string', message: expect.stringMatching(/several.*array/) },
    ]
    expect(await of('/v1/send', mail({ to: text }))).toMatchObject(fault('to'))
    expect(await of('/v1/send', mail({ to: [text] }))).toMatchObject(fault('to.0'))
    expect(await of('/v1/send', mail({ to: { email: text } }))).toMatchObject(fault('to.email'))
    expect(await of('/v1/send', mail({ to: sender, cc: text }))).toMatchObject(fault('cc'))
    expect(await of('/v1/send', mail({ to: sender, bcc: [text] }))).toMatchObject(fault('bcc.0'))
    expect(await of('/v1/send', mail({ to: sender, reply: text }))).toMatchObject(fault('reply'))
    expect(await of('/v1/send', { ...mail({ to: sender }), from: text })).toMatchObject(fault('from'))
    expect(await of('/contacts', { email: text })).toMatchObject(fault('email'))
    expect(await of('/events/track', { email: text, event: 'e' })).toMatchObject(fault('email'))
    expect(await of('/suppressions', { emails: [text] })).toMatchObject(fault('emails.0'))
    expect(await of('/v1/verify', { email: text })).toMatchObject(fault('email'))
    const template = { name: 'T', subject: 'S', body: 'B', type: 'TRANSACTIONAL', from: sender }
    expect(await of('/templates', { ...template, replyTo: text })).toMatchObject(fault('replyTo'))
    expect(await of('/templates', { ...template, from: text })).toMatchObject(fault('from'))
  }
})
