// Forms with double opt-in: what a visitor sees and sends, the mail, the confirmation, and what that makes of the contact.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { day, hour, minute } from '../../src/lib/time'
import { formKinds } from '../../src/modules/features/forms/kinds'
import { languageCodes } from '../../src/modules/sending/preferences'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { type FormWorld, giveSender, makeFormWorld } from '../support/forms'

let world: FormWorld
beforeAll(async () => {
  world = await makeFormWorld()
})
afterAll(() => world.close())
beforeEach(() => world.mail.clear())

let count = 0
const newAddress = (): string => `person-${++count}@example.com`

const contactOf = async (email: string) =>
  (await world.ctx.sql`select * from contacts where project_id = ${world.project.id} and email = ${email}`)[0]

const ledgerOf = async (email: string) =>
  (await world.api('GET', `/contacts/${(await contactOf(email))!['id']}/consent`)).body.data

/** Fills in the form, reads the mail and confirms. */
async function signUp(formId: string, entered: Record<string, string> & { email: string }): Promise<string> {
  await world.fillIn(formId, entered)
  await world.drain()
  const link = await world.linkFor(entered.email)
  expect((await world.visit('POST', link)).status).toBe(303)
  return link
}

describe('a form', () => {
  const news = { fields: [{ key: 'firstName', label: 'First name', type: 'text', required: true }] }

  test('subscribes whoever confirms, with data and topics, and the ledger says how', async () => {
    const { body: topic } = await world.api('POST', '/topics', { name: 'Product news' })
    const form = await world.makeForm({ ...news, topics: [topic.id], look: { heading: 'Our letter' } })
    const email = newAddress()
    const asked = await world.fillIn(form.id, { email, 'data.firstName': 'Ada' })
    expect([asked.status, asked.headers.get('location')]).toEqual([303, `${form.id}?asked=1&language=en`])
    await world.drain()
    expect(await contactOf(email)).toBeUndefined()

    const link = await world.linkFor(email)
    const shown = await world.visit('GET', link)
    expect([shown.status, shown.body.includes(email)]).toEqual([200, true])
    expect(await contactOf(email)).toBeUndefined()

    const confirmed = await world.visit('POST', link)
    expect(confirmed.status).toBe(303)
    expect(await contactOf(email)).toMatchObject({ subscribed: true, data: { firstName: 'Ada' } })
    const entries = await ledgerOf(email)
    expect(entries).toMatchObject([
      { topicId: topic.id, before: 'notAsked', after: 'subscribed', source: 'form', actor: form.id },
      { topicId: null, before: 'notAsked', after: 'subscribed', source: 'form', actor: form.id },
    ])
    expect(entries[1].wording).toBe(
      '[en] Our letter / By subscribing you agree to receive emails from Acme. You can unsubscribe at any time. / Subscribe',
    )
    const event = (await world.events()).findLast(({ name }) => name === 'contact.subscribed')!
    expect(event.data).toEqual({ reason: 'form', formId: form.id, form: 'Newsletter' })
  })

  test('counts what was asked and confirmed, also once that is deleted', async () => {
    const form = await world.makeForm()
    await signUp(form.id, { email: newAddress() })
    await world.fillIn(form.id, { email: newAddress() })
    await world.drain()
    const figures = async () => {
      const { asked, confirmed } = (await world.api('GET', `/signup-forms/${form.id}`)).body
      return { asked, confirmed }
    }
    expect(await figures()).toEqual({ asked: 2, confirmed: 1 })
    world.clock.advance(8 * day)
    await enqueue(world.ctx, formKinds.clean, {})
    await world.drain()
    expect((await world.ctx.sql`select from form_requests where form_id = ${form.id}`).count).toBe(0)
    expect(await figures()).toEqual({ asked: 2, confirmed: 1 })
  })

  test('that nobody answers leaves no contact, no event and no request behind', async () => {
    const form = await world.makeForm()
    const email = newAddress()
    await world.fillIn(form.id, { email })
    await world.drain()
    const [request] = await world.ctx.sql`select contact_id from form_requests where email = ${email}`
    const events = async () =>
      (await world.ctx.sql`select from events where contact_id = ${request!['contact_id']}`).count
    expect(await events()).toBeGreaterThan(0)
    world.clock.advance(8 * day)
    await enqueue(world.ctx, formKinds.clean, {})
    await world.drain()
    expect(await contactOf(email)).toBeUndefined()
    expect(await events()).toBe(0)
    expect((await world.ctx.sql`select from form_requests where email = ${email}`).count).toBe(0)
  })

  test('sends on where its owner says, once the person has confirmed', async () => {
    const form = await world.makeForm({ redirectUrl: 'https://acme.example/welcome?a=1' })
    const email = newAddress()
    const link = await signUp(form.id, { email })
    const done = await world.visit('GET', `${link}&done=1`)
    expect(done.headers.get('refresh')).toBe('0; url=https://acme.example/welcome?a=1')
    expect(done.body).toContain('>acme.example</a>')
    expect((await world.visit('GET', link)).headers.get('refresh')).toBeNull()
  })
})

describe('a person', () => {
  test('who opted out is subscribed again by confirming, and an old link undoes nothing later', async () => {
    const form = await world.makeForm()
    const email = newAddress()
    const contact = (await world.api('POST', '/contacts', { email })).body
    await world.api('PATCH', `/contacts/${contact.id}`, { subscribed: false })
    const link = await signUp(form.id, { email })
    expect(await contactOf(email)).toMatchObject({ id: contact.id, subscribed: true, opted_out_at: null })
    await world.api('PATCH', `/contacts/${contact.id}`, { subscribed: false })
    expect((await world.visit('POST', link)).status).toBe(303)
    expect(await contactOf(email)).toMatchObject({ subscribed: false })
  })

  test('who asks again the same day gets the mail when the day is over, about what was sent last', async () => {
    const form = await world.makeForm({ fields: [{ key: 'city', label: 'City', type: 'text' }] })
    const email = newAddress()
    const link = await signUp(form.id, { email, 'data.city': 'Ulm' })
    await world.fillIn(form.id, { email, 'data.city': 'Bonn' })
    await world.drain()
    expect(world.mail.sent).toHaveLength(1)
    world.clock.advance(day)
    await world.drain()
    expect(world.mail.sent).toHaveLength(2)
    expect((await world.visit('POST', link)).status).toBe(404)
    expect((await world.visit('POST', await world.linkFor(email))).status).toBe(303)
    expect(await contactOf(email)).toMatchObject({ data: { city: 'Bonn' } })
  })

  test('can not have what a mail was about changed by somebody else', async () => {
    const form = await world.makeForm({ fields: [{ key: 'city', label: 'City', type: 'text' }] })
    const email = newAddress()
    await world.fillIn(form.id, { email, 'data.city': 'Ulm' })
    await world.drain()
    await world.fillIn(form.id, { email, 'data.city': 'Evil' })
    await world.drain()
    await world.visit('POST', await world.linkFor(email))
    expect(await contactOf(email)).toMatchObject({ data: { city: 'Ulm' } })
  })

  test('who is suppressed gets no mail, and it is on record why', async () => {
    const form = await world.makeForm()
    const email = newAddress()
    await world.api('POST', '/suppressions', { emails: [email] })
    await world.fillIn(form.id, { email })
    await world.drain()
    expect(world.mail.sent).toHaveLength(0)
    const [mail] = await world.ctx.sql`select status, reason from emails where to_email = ${email}`
    expect(mail).toMatchObject({ status: 'FAILED', reason: 'suppressed' })
  })
})

describe('the mail', () => {
  test('is a letter in the language of the form, from the project, and repeats nothing that was entered', async () => {
    const form = await world.makeForm({
      language: 'de',
      fields: [{ key: 'firstName', label: 'Vorname', type: 'text' }],
    })
    const email = newAddress()
    await world.fillIn(form.id, { email, 'data.firstName': 'Buy now' })
    await world.drain()
    const [mail] = await world.received()
    expect(mail!.subject).toBe('Bitte bestätigen Sie Ihre Anmeldung bei Acme')
    expect(mail!.from).toMatchObject({ address: 'hello@acme.example', name: 'Acme' })
    expect(mail!.html).toContain('<html lang="de">')
    expect(`${mail!.html}${mail!.text}`).not.toMatch(/Buy now|Waxwing/)
  })

  test('is the template of the project, with the link and without the data of whoever has the address', async () => {
    const { body: template } = await world.api('POST', '/templates', {
      ...{ name: 'Confirm', subject: 'Hi {{firstName}}', from: 'news@acme.example' },
      body: '<p>{{firstName}}{{data.plan}} {{formName}}: <a href="{{confirmUrl}}">yes</a> {{confirmUrl}}</p>',
    })
    const email = newAddress()
    await world.api('POST', '/contacts', { email, data: { plan: 'gold', firstName: 'Ada' } })
    const form = await world.makeForm({
      templateId: template.id,
      fields: [{ key: 'firstName', label: 'Name', type: 'text' }],
    })
    await world.fillIn(form.id, { email, 'data.firstName': 'Spam' })
    await world.drain()
    const [mail] = await world.received()
    expect([mail!.subject, mail!.from?.address]).toEqual(['Hi', 'news@acme.example'])
    expect(mail!.html).not.toMatch(/gold|Ada|Spam/)
    expect((await world.visit('POST', await world.linkFor(email))).status).toBe(303)
  })

  test('is named by what uses its template, and is our own letter once that is gone', async () => {
    const { body: template } = await world.api('POST', '/templates', {
      ...{ name: 'Confirm', subject: 'Hi', from: 'news@acme.example', body: '<p>{{confirmUrl}}</p>' },
    })
    const usage = async () => (await world.api('GET', `/templates/${template.id}/usage`)).body
    expect((await usage()).forms).toEqual([])
    const { id, name } = await world.makeForm({ templateId: template.id })
    expect(await usage()).toMatchObject({ forms: [{ id, name }], workflowSteps: [] })
    expect((await world.api('DELETE', `/templates/${template.id}`)).status).toBe(204)
    const email = newAddress()
    await signUp(id, { email })
    expect(await contactOf(email)).toMatchObject({ subscribed: true })
  })

  test('is our own letter where the template has no link', async () => {
    const { body: template } = await world.api('POST', '/templates', {
      ...{ name: 'Confirm', subject: 'Hi', from: 'news@acme.example', body: '<p>Hello</p>' },
    })
    const form = await world.makeForm({ templateId: template.id })
    const email = newAddress()
    await signUp(form.id, { email })
    expect(await contactOf(email)).toMatchObject({ subscribed: true })
  })

  test('waits while its sender is not verified', async () => {
    const project = await world.newProject()
    await world.ctx
      .sql`update projects set default_sender = '{"email": "a@acme.example", "name": null, "replyTo": null}'::jsonb
      where id = ${project.id}`
    const form = await world.makeForm({}, project)
    await world.ctx.sql`delete from domains where project_id = ${project.id}`
    const email = newAddress()
    await world.fillIn(form.id, { email })
    await world.drain()
    expect(world.mail.sent).toHaveLength(0)
    await world.ctx
      .sql`update projects set default_sender = (select default_sender from projects where id = ${world.project.id})
      where id = ${project.id}`
    await world.ctx
      .sql`insert into domains select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'project_id', ${project.id}::uuid))).*
      from domains d where project_id = ${world.project.id}`
    world.clock.advance(hour)
    await world.drain()
    expect(world.mail.sent).toHaveLength(1)
  })
})

describe('the page', () => {
  test('is there in every language, with its own styles allowed and nothing else', async () => {
    const form = await world.makeForm({ look: { accent: '#ffd43b', text: 'One\nTwo' } })
    for (const language of languageCodes) {
      const { status, body, headers } = await world.visit('GET', `/forms/${form.id}?language=${language}`)
      expect([status, body.includes(`<html lang="${language}"`)]).toEqual([200, true])
      const digests = [...body.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(
        match => `'sha256-${createHash('sha256').update(match[1]!).digest('base64')}'`,
      )
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; style-src ${digests.join(' ')}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      )
      expect(body).toContain('<p>One<br>Two</p>')
      expect(body).not.toMatch(/<script|style="/)
    }
  })

  test('is in the language of the browser, unless the form has one, and says so to the ledger', async () => {
    const form = await world.makeForm()
    const german = { 'accept-language': 'de-AT,en;q=0.5' }
    expect((await world.visit('GET', `/forms/${form.id}`, german)).body).toContain('<h1>Anmelden</h1>')
    const email = newAddress()
    await world.fillIn(form.id, { email, language: 'de' })
    await world.drain()
    await world.visit('POST', await world.linkFor(email))
    expect((await ledgerOf(email))[0].wording).toStartWith('[de] Anmelden / Mit der Anmeldung stimmen Sie zu')
    const own = await world.makeForm({ language: 'ja' })
    expect((await world.visit('GET', `/forms/${own.id}`, german)).body).toContain('<html lang="ja"')
  })
})

describe('a definition', () => {
  test('is changed part by part, listed page by page, and goes with its requests', async () => {
    const project = await world.newProject()
    await giveSender(world, project)
    const made = []
    for (const name of ['A', 'B', 'C'])
      made.push(await world.makeForm({ name, look: { heading: name } }, project))
    const changed = await world.api(
      'PATCH',
      `/signup-forms/${made[0].id}`,
      { look: { button: 'Go' } },
      project,
    )
    expect(changed.body).toMatchObject({ name: 'A', look: { heading: 'A', button: 'Go', accent: null } })
    const first = await world.api('GET', '/signup-forms?limit=2', undefined, project)
    expect([first.body.data.map(({ name }: { name: string }) => name), first.body.total]).toEqual([
      ['C', 'B'],
      3,
    ])
    const rest = await world.api(
      'GET',
      `/signup-forms?limit=2&cursor=${first.body.cursor}`,
      undefined,
      project,
    )
    expect(rest.body).toMatchObject({ data: [{ name: 'A' }], hasMore: false, cursor: null })
    await world.fillIn(made[2].id, { email: newAddress() })
    expect((await world.api('DELETE', `/signup-forms/${made[2].id}`, undefined, project)).status).toBe(204)
    await world.drain()
    expect(world.mail.sent).toHaveLength(0)
    expect((await world.ctx.sql`select from form_requests where project_id = ${project.id}`).count).toBe(0)
    expect((await world.api('GET', `/signup-forms/${made[2].id}`, undefined, project)).status).toBe(404)
    const log = await world.ctx
      .sql`select action from audit_log where project_id = ${project.id} and action like 'form.%' order by id`
    expect(log.map(({ action }) => action)).toEqual([
      'form.added',
      'form.added',
      'form.added',
      'form.changed',
      'form.removed',
    ])
  })

  test('is changed from the version that was read, and by one of two who read the same', async () => {
    const form = await world.makeForm()
    const path = `/signup-forms/${form.id}`
    expect(form.version).toBe(1)
    const changed = await world.api('PATCH', path, { name: 'A', expectedVersion: 1 })
    expect([changed.status, changed.body.version]).toEqual([200, 2])
    const late = await world.api('PATCH', path, { name: 'B', expectedVersion: 1 })
    expect([late.status, late.body.error.details.version]).toEqual([409, 2])
    expect((await world.api('PATCH', path, { name: 'A', expectedVersion: 2 })).body.version).toBe(2)
    const both = await Promise.all(
      ['C', 'D'].map(name => world.api('PATCH', path, { name, expectedVersion: 2 })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    // Whoever names none writes over it, and what people send by it changes nothing of the form.
    expect((await world.api('PATCH', path, { name: 'E' })).body.version).toBe(4)
    await world.fillIn(form.id, { email: newAddress() })
    expect((await world.api('GET', path)).body.version).toBe(4)
  })

  test('that stores itself while somebody works on it is one entry of the audit log', async () => {
    const project = await world.newProject()
    await giveSender(world, project)
    const form = await world.makeForm({ name: 'A', enabled: false }, project)
    const other = await world.makeForm({ name: 'X', enabled: false }, project)
    const change = async (body: object, id = form.id) =>
      expect((await world.api('PATCH', `/signup-forms/${id}`, body, project)).status).toBe(200)
    const entries = async () => {
      const log = await world.ctx.sql`select subject, details->>'enabled' as enabled from audit_log
        where project_id = ${project.id} and action = 'form.changed' order by id`
      return log.map(({ subject, enabled }) => [subject, enabled])
    }
    await change({ name: 'Ab' })
    await change({ name: 'Other' }, other.id)
    await change({ look: { heading: 'Hi' } })
    await change({ name: 'Abc' })
    expect(await entries()).toEqual([
      ['Abc', 'false'],
      ['Other', 'false'],
    ])
    await change({ enabled: true })
    await change({ enabled: false })
    await change({ enabled: true })
    await change({ name: 'Live' })
    expect((await entries()).slice(2)).toEqual([
      ['Abc', 'true'],
      ['Abc', 'false'],
      ['Live', 'true'],
    ])
    world.clock.advance(11 * minute)
    await change({ name: 'Later' })
    expect((await entries()).at(-2)).toEqual(['Live', 'true'])
    expect((await entries()).at(-1)).toEqual(['Later', 'true'])
  })

  test('names a sender, topics and a template that are there, and keeps its topics from being deleted', async () => {
    const project = await world.newProject()
    const nothing = '00000000-0000-7000-8000-000000000000'
    const tried = async (given: object) =>
      (await world.api('POST', '/signup-forms', { name: 'F', ...given }, project)).status
    expect(await tried({})).toBe(403)
    expect(await tried({ enabled: false })).toBe(201)
    await giveSender(world, project)
    expect(await tried({ topics: [nothing] })).toBe(404)
    expect(await tried({ templateId: nothing })).toBe(404)
    expect(await tried({ redirectUrl: 'javascript:alert(1)' })).toBe(422)
    expect(await tried({ language: 'xx' })).toBe(422)
    const topic = (await world.api('POST', '/topics', { name: 'T' }, project)).body
    expect(await tried({ topics: [topic.id, topic.id] })).toBe(201)
    expect((await world.api('DELETE', `/topics/${topic.id}`, undefined, project)).status).toBe(409)
  })
})
