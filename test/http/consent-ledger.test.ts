// The ledger of consent: every way in which a subscription changes leaves exactly one entry that says what changed, when, and by whose
// word; and a project may say that the public key undoes no opt-out.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import type { AnyElysia } from 'elysia'
import { signSession } from '../../src/modules/accounts/users/guard'
import { importContacts } from '../../src/modules/audience/contacts'
import { contactKinds } from '../../src/modules/audience/contacts/kinds'
import { stopMailing } from '../../src/modules/sending/emails/service/stop-mailing'
import { receiveMail } from '../../src/modules/sending/feedback/service/inbound'
import { inTransaction } from '../../src/platform/context'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { buildApp } from '../../src/server/app'
import { type MadeProject, makeMember } from '../support/make'
import { makeRecipient, type Person } from '../support/recipient'
import { type RequestOptions, request } from '../support/request'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'
import { sender, senderDomain } from '../support/world'

let world: WorkflowWorld
let app: AnyElysia
beforeAll(async () => {
  world = await makeWorkflowWorld()
  app = buildApp(world.ctx)
})
afterAll(() => world.close())

const call = (project: MadeProject, method: string, path: string, options: RequestOptions = {}) =>
  request(app, method, path, { key: project.secretKey, ...options })

async function ledgerOf(project: MadeProject, id: string) {
  const { status, body } = await call(project, 'GET', `/contacts/${id}/consent`)
  expect(status).toBe(200)
  return body.data as Array<Record<string, unknown>>
}

/** The changes, oldest first: `source: before > after`. */
async function changesOf(project: MadeProject, id: string): Promise<string[]> {
  const entries = await ledgerOf(project, id)
  return entries.map(({ source, before, after }) => `${source}: ${before ?? 'nobody'} > ${after}`).reverse()
}

async function idOf(project: MadeProject, email: string): Promise<string> {
  const { body } = await call(project, 'GET', `/contacts?search=${encodeURIComponent(email)}`)
  return body.data[0].id
}

const create = async (project: MadeProject, body: object) =>
  (await call(project, 'POST', '/contacts', { body })).body

const form = (fields: Record<string, string>) => ({ body: new URLSearchParams(fields), key: '' })
const post = (person: Person, page: string, fields: Record<string, string>, headers = {}) =>
  call(person.project, 'POST', `/${page}/${person.id}?${person.query}`, { ...form(fields), headers })

async function importFile(
  project: MadeProject,
  content: string,
  options: RequestOptions = {},
): Promise<void> {
  const file = new FormData()
  file.set('file', new File([content], 'people.csv', { type: 'text/csv' }))
  expect((await call(project, 'POST', '/contacts/import', { body: file, ...options })).status).toBe(202)
  await world.drain()
}

describe('a change of a subscription is entered, by', () => {
  test('the API: created, patched, upserted, tracked and sent', async () => {
    const { project } = world
    const { id } = await create(project, { email: 'api@x.test' })
    await call(project, 'PATCH', `/contacts/${id}`, { body: { subscribed: false } })
    await create(project, { email: 'api@x.test', subscribed: true })
    const named = { event: 'x', contactId: id, subscribed: false }
    await call(project, 'POST', '/events/track', { body: named })
    const letter = { from: sender, to: 'api@x.test', subject: 'a', body: 'b', subscribed: true }
    await call(project, 'POST', '/v1/send', { body: letter })
    expect(await changesOf(project, id)).toEqual([
      'api: nobody > subscribed',
      'api: subscribed > optedOut',
      'api: optedOut > subscribed',
      'api: subscribed > optedOut',
      'api: optedOut > subscribed',
    ])
    const [last] = await ledgerOf(project, id)
    expect(last).toEqual({
      version: expect.any(Number),
      at: world.clock.now().toISOString(),
      topicId: null,
      topic: null,
      before: 'optedOut',
      after: 'subscribed',
      source: 'api',
      actor: project.secretKey.slice(0, 11),
      actorEmail: null,
      emailId: null,
      wording: null,
      client: null,
      evidence: null,
    })
  })

  test('nothing where nothing changes, and nothing for whoever never was subscribed', async () => {
    const { project } = world
    const { id } = await create(project, { email: 'same@x.test' })
    await create(project, { email: 'same@x.test', subscribed: true, data: { a: 1 } })
    await call(project, 'PATCH', `/contacts/${id}`, { body: { subscribed: true, data: { a: 2 } } })
    expect(await changesOf(project, id)).toEqual(['api: nobody > subscribed'])
    const quiet = await create(project, { email: 'quiet@x.test', subscribed: false })
    await create(project, { email: 'quiet@x.test', subscribed: false, data: { a: 1 } })
    expect(await changesOf(project, quiet.id)).toEqual([])
  })

  test('the public key, and a key that may only track', async () => {
    const { project } = world
    const body = { email: 'public@x.test', event: 'x' }
    const made = await call(project, 'POST', '/v1/track', { body, key: project.publicKey })
    const { key } = (
      await call(project, 'POST', `/projects/${project.id}/api-keys`, {
        body: { name: 'Site', scopes: ['track'] },
      })
    ).body
    await call(project, 'POST', '/v1/track', { body: { ...body, subscribed: false }, key })
    expect(await changesOf(project, made.body.data.contact)).toEqual([
      'publicKey: nobody > subscribed',
      'publicKey: subscribed > optedOut',
    ])
  })

  test('a member of the project, one contact and many, and an undo', async () => {
    const { project } = world
    const { id } = await create(project, { email: 'member@x.test' })
    const member = await makeMember(world, project.id, 'MEMBER')
    const cookie = `waxwing_session=${await signSession(world.ctx, { userId: member.id, version: 1 })}`
    const asMember = { cookie, key: '', headers: { 'x-project-id': project.id } }
    await call(project, 'PATCH', `/contacts/${id}`, { ...asMember, body: { subscribed: false } })
    const bulk = { ...asMember, body: { contactIds: [id] } }
    const { body } = await call(project, 'POST', '/contacts/bulk-subscribe', bulk)
    await world.drain()
    expect((await call(project, 'POST', `/contacts/bulk/${body.jobId}/undo`, asMember)).status).toBe(202)
    await world.drain()
    expect(await changesOf(project, id)).toEqual([
      'api: nobody > subscribed',
      'member: subscribed > optedOut',
      'member: optedOut > subscribed',
      'member: subscribed > optedOut',
    ])
    const [undone] = await ledgerOf(project, id)
    expect(undone).toMatchObject({ actor: member.id, actorEmail: member.email })
  })

  test('no file that says yes to somebody who takes a break, whatever else it changes', async () => {
    const person = await makeRecipient(world, app)
    const { project, id, email } = person
    await post(person, 'manage', { action: 'snooze', duration: '2_weeks' })
    await importFile(project, `email,subscribed,plan\n${email},true,pro\n`)
    expect((await call(project, 'GET', `/contacts/${id}`)).body).toMatchObject({
      ...{ subscribed: false, snoozedUntil: expect.any(String) },
      data: { plan: 'pro' },
    })
    expect(await changesOf(project, id)).toEqual(['api: nobody > subscribed', 'page: subscribed > snoozed'])
  })

  test('a file, with who brought it; and an import by the operator', async () => {
    const project = await world.newProject()
    await importFile(
      project,
      'email,subscribed\nyes@x.test,yes\nno@x.test,no\nout@x.test,yes\nout@x.test,no\n',
    )
    const [yes, no, out] = await Promise.all(
      ['yes', 'no', 'out'].map(name => idOf(project, `${name}@x.test`)),
    )
    expect(await changesOf(project, yes!)).toEqual(['import: nobody > subscribed'])
    expect(await changesOf(project, no!)).toEqual([])
    expect(await changesOf(project, out!)).toEqual([
      'import: nobody > subscribed',
      'import: subscribed > optedOut',
    ])
    expect((await ledgerOf(project, yes!))[0]!['actor']).toBe(project.secretKey.slice(0, 11))
    const optedOutAt = new Date('2026-01-01T00:00:00Z')
    const entries = [{ email: 'moved@x.test', subscribed: false, optedOutAt }]
    const [moved] = await importContacts(world.ctx, project.id, entries)
    expect(await changesOf(project, moved!.contact.id)).toEqual(['import: nobody > optedOut'])
  })

  test('a static segment that makes its contacts', async () => {
    const { project } = world
    const segment = (await call(project, 'POST', '/segments', { body: { name: 'List', type: 'STATIC' } }))
      .body
    const body = { emails: ['listed@x.test'], createMissing: true }
    await call(project, 'POST', `/segments/${segment.id}/members`, { body })
    expect(await changesOf(project, await idOf(project, 'listed@x.test'))).toEqual([
      'api: nobody > subscribed',
    ])
  })

  test('the pages, with the words that were shown, and the mail program', async () => {
    const person = await makeRecipient(world, app, { locale: 'de' }, { projectName: 'Acme' })
    await post(person, 'manage', { action: 'snooze', duration: '2_weeks' })
    await post(person, 'subscribe', { action: 'subscribe' })
    await post(person, 'unsubscribe', { 'List-Unsubscribe': 'One-Click' })
    await post(person, 'unsubscribe', { action: 'subscribe' })
    await call(person.project, 'POST', `/contacts/public/${person.id}/unsubscribe?${person.query}`, {
      key: '',
    })
    expect(await changesOf(person.project, person.id)).toEqual([
      'api: nobody > subscribed',
      'page: subscribed > snoozed',
      'page: snoozed > subscribed',
      'oneClick: subscribed > optedOut',
      'page: optedOut > subscribed',
      'page: subscribed > optedOut',
    ])
    const entries = await ledgerOf(person.project, person.id)
    expect(entries.map(({ wording }) => wording).reverse()).toEqual([
      null,
      `[de] Entscheiden Sie, ob Sie unter ${person.email} E-Mails von Acme erhalten. / Pausieren`,
      `[de] Möchten Sie unter ${person.email} E-Mails von Acme erhalten? / Jetzt wieder E-Mails erhalten`,
      null,
      '[de] Haben Sie es sich anders überlegt? / Wieder anmelden',
      null,
    ])
    expect(entries.map(({ emailId }) => emailId)).toEqual([...Array(5).fill(person.emailId), null])
  })

  test('the end of a break', async () => {
    const person = await makeRecipient(world, app)
    await post(person, 'manage', { action: 'snooze', duration: '2_weeks' })
    world.clock.advance(15 * 86_400_000)
    await enqueue(world.ctx, contactKinds.endSnoozes, {})
    await world.drain()
    const [, , woken] = await changesOf(person.project, person.id)
    expect(woken).toBe('snoozeEnd: snoozed > subscribed')
  })

  test('a bounce and a complaint, with the message', async () => {
    const { project } = world
    const people = [
      await create(project, { email: 'b@x.test' }),
      await create(project, { email: 'c@x.test' }),
    ]
    const emailIds = people.map(() => Bun.randomUUIDv7())
    for (const [index, reason] of (['bounce', 'complaint'] as const).entries()) {
      const { id: contactId, email: toEmail } = people[index]
      const stop = { projectId: project.id, contactId, toEmail, emailId: emailIds[index]!, detail: '' }
      await inTransaction(world.ctx, tx => stopMailing(tx, [{ ...stop, reason, suppress: false }]))
    }
    const entries = await Promise.all(people.map(async ({ id }) => (await ledgerOf(project, id))[0]))
    expect(entries).toMatchObject([
      { source: 'bounce', before: 'subscribed', after: 'optedOut', emailId: emailIds[0] },
      { source: 'complaint', before: 'subscribed', after: 'optedOut', emailId: emailIds[1] },
    ])
  })

  test('mail that came in', async () => {
    const project = await world.newProject()
    await world.ctx.sql`delete from domains where project_id <> ${project.id}`
    await world.ctx.sql`update domains set verified = true where project_id = ${project.id}`
    const mail = {
      recipients: [`hello@${senderDomain}`],
      from: 'writer@x.test',
      isProved: true,
      facts: {},
      subject: 'a',
      html: '',
      text: 'b',
      messageId: 'm@x.test',
      receivedAt: world.clock.now(),
    } as unknown as Parameters<typeof receiveMail>[1]
    const open = { ...world.ctx, config: { ...world.ctx.config, mailTransport: 'outbox' as const } }
    await inTransaction(open, tx => receiveMail(tx, mail))
    const id = await idOf(project, 'writer@x.test')
    expect(await changesOf(project, id)).toEqual(['inbound: nobody > subscribed'])
  })

  test('a workflow, alone and together with others', async () => {
    const { project } = world
    const step = { type: 'UPDATE_CONTACT', config: { subscriptionAction: 'unsubscribe' } }
    const { id: workflow } = await world.chain('left', [step])
    await world.track('alone@x.test', 'left')
    for (const name of ['one', 'two'])
      await call(project, 'POST', '/v1/track', {
        body: { email: `${name}@x.test`, event: 'left' },
        key: project.publicKey,
      })
    await world.drain()
    for (const name of ['alone', 'one', 'two']) {
      const id = await idOf(project, `${name}@x.test`)
      const [left] = await ledgerOf(project, id)
      expect(left).toMatchObject({ source: 'workflow', actor: workflow, after: 'optedOut' })
    }
  })
})

describe('the ledger', () => {
  test('is read in pages, and of the own project alone', async () => {
    const { project } = world
    const { id } = await create(project, { email: 'pages@x.test' })
    for (const subscribed of [false, true, false])
      await call(project, 'PATCH', `/contacts/${id}`, { body: { subscribed } })
    const path = `/contacts/${id}/consent`
    const first = (await call(project, 'GET', `${path}?limit=3`)).body
    expect([first.data.length, first.hasMore, first.total]).toEqual([3, true, 4])
    const second = (await call(project, 'GET', `${path}?limit=3&cursor=${first.cursor}`)).body
    expect(second).toMatchObject({ data: [{ before: null }], hasMore: false, total: 0 })
    const odd = Buffer.from(JSON.stringify([1e300, id])).toString('base64url')
    const stranger = await world.newProject()
    const statuses = [
      await call(project, 'GET', `${path}?cursor=${odd}`),
      await call(stranger, 'GET', path),
      await call(project, 'GET', '/contacts/nobody/consent'),
      await call(project, 'GET', path, { key: project.publicKey }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([400, 404, 404, 401])
  })

  test('is part of the export where it is asked for, which an import reads back', async () => {
    const project = await world.newProject()
    const { id } = await create(project, { email: 'csv@x.test', data: { consentChanges: 'mine' } })
    await call(project, 'PATCH', `/contacts/${id}`, { body: { subscribed: false } })
    const plain = (await call(project, 'GET', '/contacts/export')).body
    expect(plain.split('\n')[0]).not.toMatch(/(^|,)consentChanges(,|$)/)
    const filter = {
      logic: 'AND',
      groups: [{ filters: [{ field: 'subscribed', operator: 'equals', value: false }] }],
    }
    const files = [
      (await call(project, 'GET', '/contacts/export?consent=true')).body,
      (await call(project, 'POST', '/contacts/export', { body: { filter, consent: true } })).body,
    ]
    for (const file of files) {
      const [row] = parse<Record<string, string>>(file, { columns: true })
      expect(JSON.parse(row!['consentChanges']!)).toEqual((await ledgerOf(project, id)).reverse())
    }
    const copy = await world.newProject()
    await importFile(copy, files[0])
    const { data } = (await call(copy, 'GET', `/contacts/${await idOf(copy, 'csv@x.test')}`)).body
    expect(data).toEqual({ consentChanges: 'mine' })
  })

  test('goes with its contact', async () => {
    const { project } = world
    const { id } = await create(project, { email: 'gone@x.test' })
    await call(project, 'DELETE', `/contacts/${id}`)
    await world.drain()
    expect((await world.ctx.sql`select from consent_changes where contact_id = ${id}`).count).toBe(0)
  })

  test('keeps a hash of the client only where the project says so', async () => {
    const person = await makeRecipient(world, app)
    const { project } = person
    const decide = (action: string, agent: string) =>
      post(person, 'manage', { action }, { 'user-agent': agent })
    await decide('unsubscribe', 'Firefox')
    await call(project, 'PATCH', `/users/@me/projects/${project.id}`, { body: { keepsClients: true } })
    await decide('subscribe', 'Firefox')
    await decide('unsubscribe', 'Firefox')
    await decide('subscribe', 'Opera')
    const clients = (await ledgerOf(project, person.id)).map(({ client }) => client).reverse()
    expect(clients.slice(0, 2)).toEqual([null, null])
    expect(clients[2]).toMatch(/^[\w-]{22}$/)
    expect(clients[3]).toBe(clients[2]!)
    expect(clients[4]).not.toBe(clients[2]!)
  })
})

describe('a project whose public key undoes no opt-out', () => {
  async function protectedProject() {
    const project = await world.newProject()
    const body = { keepsOptOuts: true }
    const path = `/users/@me/projects/${project.id}`
    expect((await call(project, 'PATCH', path, { body })).body).toMatchObject(body)
    const { id } = await create(project, { email: 'out@x.test' })
    await call(project, 'PATCH', `/contacts/${id}`, { body: { subscribed: false } })
    const track = (subscribed: boolean, who: object, key = project.publicKey, path = '/v1/track') =>
      call(project, 'POST', path, { body: { event: 'x', subscribed, data: { a: 1 }, ...who }, key })
    const state = async () => (await call(project, 'GET', `/contacts/${id}`)).body
    return { project, id, track, state }
  }

  test('keeps it, and takes the data; a secret key still may', async () => {
    const { project, id, track, state } = await protectedProject()
    const who = { email: 'out@x.test' }
    expect((await track(true, who)).status).toBe(200)
    expect(await state()).toMatchObject({ subscribed: false, data: { a: 1 } })
    const { key } = (
      await call(project, 'POST', `/projects/${project.id}/api-keys`, {
        body: { name: 'Site', scopes: ['track'] },
      })
    ).body
    await track(true, { contactId: id }, key, '/events/track')
    expect((await state()).subscribed).toBe(false)
    await track(true, who, project.secretKey, '/events/track')
    expect((await state()).subscribed).toBe(true)
  })

  test('keeps a break too, and lets the public key unsubscribe and subscribe others', async () => {
    const { project, track, state } = await protectedProject()
    const made = await track(true, { email: 'new@x.test' })
    expect((await call(project, 'GET', `/contacts/${made.body.data.contact}`)).body.subscribed).toBe(true)
    await create(project, { email: 'out@x.test', subscribed: true })
    await track(false, { email: 'out@x.test' })
    expect((await state()).subscribed).toBe(false)
  })

  test('lets the stronger of two requests that are written together decide', async () => {
    const { project, track, state, id } = await protectedProject()
    const who = { email: 'out@x.test' }
    await Promise.all([
      track(true, who),
      track(true, who, project.secretKey, '/events/track'),
      track(true, who),
    ])
    expect((await state()).subscribed).toBe(true)
    expect((await ledgerOf(project, id))[0]!['source']).toBe('api')
  })
})
