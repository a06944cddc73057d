// What people may do about their own data: get a copy of it, and have it erased, by a link that is mailed to them and to nobody else.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { day, hour, minute } from '../../src/lib/time'
import { locales } from '../../src/modules/sending/preferences/locales'
import { buildApp } from '../../src/server/app'
import { makeRecipient, type Person } from '../support/recipient'
import { type Answer, request } from '../support/request'
import { tablesWith } from '../support/tables-with'
import { makeWorld, parse, type World } from '../support/world'

let world: World
let app: AnyElysia
beforeAll(async () => {
  world = await makeWorld({ trustProxy: true })
  app = buildApp(world.ctx)
})
afterAll(() => world.close())
beforeEach(() => world.mail.clear())

let clients = 0
/** A client of its own for each request. */
const elsewhere = () => ({ 'x-forwarded-for': `10.1.${++clients >> 8}.${clients & 255}` })

const makePerson = async (data: Record<string, unknown> = {}, email?: string): Promise<Person> => {
  const person = await makeRecipient(world, app, data, email ? { email } : {})
  await world.drain()
  world.mail.clear()
  return person
}
const visit = (path: string, method = 'GET'): Promise<Answer> => request(app, method, path)
const ask = ({ id, query }: Person, headers: Record<string, string> = elsewhere()): Promise<Answer> =>
  request(app, 'POST', `/privacy/${id}/link?${query}`, { headers })
const choose = (path: string, form: Record<string, string>): Promise<Answer> =>
  request(app, 'POST', path, { body: new URLSearchParams(form), headers: elsewhere() })
const api = (person: Person, method: string, path: string, body?: object): Promise<Answer> =>
  request(app, method, path, { key: person.project.secretKey, ...(body ? { body } : {}) })

/** The letters that left, and the paths of their links. */
async function letters() {
  await world.drain()
  const mails = await Promise.all(world.mail.sent.map(parse))
  return mails.map(mail => ({
    to: mail.to?.map(({ address }) => address),
    from: mail.from?.name,
    subject: mail.subject,
    path: /http:\/\/localhost:3000(\/privacy\/\S+)/.exec(mail.text ?? '')?.[1] ?? '',
  }))
}

/** The path of the link in the mail that was asked for. */
async function linkFor(person: Person): Promise<string> {
  expect((await ask(person)).status).toBe(303)
  const [letter] = await letters()
  return letter!.path
}

const headingOf = ({ body }: Answer): string | undefined => /<h1>(.*?)<\/h1>/.exec(body)?.[1]
const over = 'This link no longer works'

describe('the page of the subscription', () => {
  test('offers the link, which goes to the contact by mail, and says no more than that', async () => {
    const person = await makePerson()
    const page = await visit(`/manage/${person.id}?${person.query}`)
    expect(page.body).toContain(`action="../privacy/${person.id}/link?`)
    const asked = await ask(person)
    expect(asked.status).toBe(303)
    const { pathname, search } = new URL(
      asked.headers.get('location')!,
      `http://x.test/privacy/${person.id}/link`,
    )
    expect((await visit(pathname + search)).body).toContain('an email with the link is on its way')
    expect(await letters()).toEqual([
      {
        to: [person.email],
        from: 'Acme <&> "Co"',
        subject: 'Your data at Acme <&> "Co"',
        path: expect.stringContaining(`/privacy/${person.id}?t=`),
      },
    ])
  })

  test('has one mail a day sent, however many ask at a time and from wherever', async () => {
    const person = await makePerson()
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(person)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]))
    world.clock.advance(23 * hour)
    await ask(person)
    expect(await letters()).toHaveLength(1)
    world.clock.advance(hour + minute)
    await ask(person)
    expect(await letters()).toHaveLength(2)
  })

  test('answers alike where no mail may leave', async () => {
    const person = await makePerson()
    await api(person, 'POST', '/suppressions', { emails: [person.email] })
    expect((await ask(person)).status).toBe(303)
    expect(await letters()).toEqual([])
  })

  test('lets one client ask so often only', async () => {
    const person = await makePerson()
    const client = { 'x-forwarded-for': '192.0.2.77' }
    for (let n = 0; n < 100; n++) expect((await ask(person, client)).status).toBe(303)
    const refused = await ask(person, client)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
    expect((await ask(person)).status).toBe(303)
  })

  test('offers nothing where the project has switched it off, and links that left are dead', async () => {
    const person = await makePerson()
    const path = await linkFor(person)
    await world.ctx.sql`update projects set offers_data = false where id = ${person.project.id}`
    expect((await visit(`/manage/${person.id}?${person.query}`)).body).not.toContain('/privacy/')
    expect([(await ask(person)).status, (await visit(path)).status]).toEqual([404, 404])
  })

  test('and all that follows is in the language of the person', async () => {
    for (const [code, { privacy }] of Object.entries(locales)) {
      const person = await makePerson({ locale: code })
      const path = await linkFor(person)
      expect((await letters())[0]!.subject).toContain(privacy.mail.subject.split('{')[0]!.trim())
      world.mail.clear()
      const page = await visit(path)
      expect([code, headingOf(page)]).toEqual([code, privacy.title])
      expect(page.body).toContain(`<html lang="${code}"`)
    }
  })
})

describe('a link', () => {
  test('shows buttons and nothing that is kept, and changes nothing, whoever opens it', async () => {
    const person = await makePerson({ secret: 'Mellon' })
    const path = await linkFor(person)
    const page = await visit(path)
    expect(page.status).toBe(200)
    expect(page.body).not.toContain('Mellon')
    expect(page.headers.get('cache-control')).toBe('no-store')
    for (const more of ['&action=erase&sure=1', '&action=save'])
      for (const method of ['GET', 'HEAD']) expect((await visit(path + more, method)).status).toBe(200)
    expect((await api(person, 'GET', `/contacts/${person.id}`)).status).toBe(200)
  })

  test('is good for a day, for one person, at one address', async () => {
    const person = await makePerson()
    const other = await makePerson()
    const path = await linkFor(person)
    const token = path.split('t=')[1]!
    const [project, expires, signature] = token.split('.')
    const later = (Number.parseInt(expires!, 36) + day).toString(36)
    const manageToken = new URLSearchParams(person.query).get('t')!
    const forged = [
      `/privacy/${other.id}?t=${token}`,
      `/privacy/${person.id}?t=${project}.${later}.${signature}`,
      `/privacy/${person.id}?t=${other.project.id}.${expires}.${signature}`,
      `/privacy/${person.id}?t=${manageToken}`,
      `/privacy/${person.id}?t=${token}x`,
      `/privacy/${person.id}`,
      `/privacy/nonsense?t=${token}`,
    ]
    for (const attempt of forged) {
      const answers = [await visit(attempt), await choose(attempt, { action: 'save' })]
      expect(answers.map(answer => [answer.status, headingOf(answer)])).toEqual([
        [404, over],
        [404, over],
      ])
    }
    expect((await visit(path)).status).toBe(200)
    await api(person, 'PATCH', `/contacts/${person.id}`, { email: `moved-${person.email}` })
    expect((await visit(path)).status).toBe(404)
    await api(person, 'PATCH', `/contacts/${person.id}`, { email: person.email })
    world.clock.advance(day)
    expect((await visit(path)).status).toBe(404)
  })

  test('asks for a decision, and for a tick before the erasure', async () => {
    const person = await makePerson()
    const path = await linkFor(person)
    const forms: Array<Record<string, string>> = [
      {},
      { action: 'nonsense' },
      { action: 'erase' },
      { action: 'erase', sure: 'no' },
    ]
    for (const form of forms) expect((await choose(path, form)).status).toBe(400)
    expect((await api(person, 'GET', `/contacts/${person.id}`)).status).toBe(200)
  })
})

describe('the copy', () => {
  test('has all there is, however much it is, as a file', async () => {
    const person = await makePerson({ plan: 'pro', name: '<b>Ada</b>' })
    const { id, project, emailId } = person
    const { body: topic } = await api(person, 'POST', '/topics', { name: 'News & more' })
    await api(person, 'PUT', `/contacts/${id}/topics`, { topics: [{ id: topic.id, subscribed: true }] })
    // Whole pages of both, where an end is easily missed.
    await world.ctx.sql`
      insert into events (id, project_id, contact_id, name, data, created_at)
      select uuid_v7(${world.clock.now()}::timestamptz + n * interval '1 ms', n), ${project.id}::uuid, ${id}::uuid, 'visited',
             jsonb_build_object('page', n), ${world.clock.now()}::timestamptz + n * interval '1 ms'
        from generate_series(1, 400) n`
    await cloneMessage(emailId, 199)
    const events = (await world.ctx.sql`select from events where contact_id = ${id}`).count
    const answer = await choose(await linkFor(person), { action: 'save' })
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="data-\d{4}-\d\d-\d\d\.json"$/,
    )
    const copy = answer.body
    expect(copy).toMatchObject({
      project: { name: 'Acme <&> "Co"' },
      contact: { id, email: person.email, data: { plan: 'pro', name: '<b>Ada</b>' } },
      topics: [{ name: 'News & more', subscribed: true }],
    })
    expect([copy.events.length, copy.messages.length]).toEqual([events, 200])
    expect(copy.events).toContainEqual({ at: expect.any(String), name: 'visited', data: { page: 1 } })
    expect(new Set(copy.messages.map((one: { id: string }) => one.id)).size).toBe(200)
    expect(copy.messages).toContainEqual(
      expect.objectContaining({ id: emailId, subject: 'a', to: person.email, status: 'DELIVERED' }),
    )
    expect(copy.consent).toContainEqual(
      expect.objectContaining({ topic: 'News & more', before: 'notAsked', after: 'subscribed' }),
    )
    expect(JSON.stringify(copy)).not.toContain('actorEmail')
  })

  test('can be read, with what people wrote as text', async () => {
    const person = await makePerson({ name: '<b>Ada</b>', long: 'x'.repeat(2_000) })
    const path = await linkFor(person)
    const { status, body } = await choose(path, { action: 'read' })
    expect(status).toBe(200)
    for (const part of ['You', 'Fields', 'Consent', 'Messages']) expect(body).toContain(`<h2>${part}</h2>`)
    expect(body).toContain('&lt;b&gt;Ada&lt;/b&gt;')
    expect(body).not.toContain('x'.repeat(600))
    expect(body).not.toContain('The file has all')
    await cloneMessage(person.emailId, 199)
    expect((await choose(path, { action: 'read' })).body).not.toContain('The file has all')
    await cloneMessage(person.emailId, 1)
    expect((await choose(path, { action: 'read' })).body).toContain(
      'The newest <bdi>200</bdi>. The file has all.',
    )
  })

  test('is made so often a day only', async () => {
    const person = await makePerson()
    const path = await linkFor(person)
    const statuses: number[] = []
    for (let n = 0; n < 21; n++) statuses.push((await choose(path, { action: 'save' })).status)
    expect([statuses.filter(status => status === 200).length, statuses.at(-1)]).toEqual([20, 429])
  })
})

describe('erasing oneself', () => {
  test('happens once, by whichever of two requests comes first, and leaves nothing that names the person', async () => {
    const person = await makePerson({ name: 'Melindaname' }, 'melinda.unique@x.test')
    const path = await linkFor(person)
    const answers = await Promise.all([1, 2, 3].map(() => choose(path, { action: 'erase', sure: '1' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    expect(headingOf(answers.find(({ status }) => status === 200)!)).toBe('Your data is being erased')
    await world.drain()
    for (const name of ['melinda.unique', 'melindaname']) expect(await tablesWith(world, name)).toEqual([])
    const log = (await api(person, 'GET', `/projects/${person.project.id}/audit-log`)).body.data
    expect(log.filter((one: { action: string }) => one.action === 'contact.erased')).toMatchObject([
      { actor: 'recipient', subject: null },
    ])
    expect([(await visit(path)).status, (await ask(person)).status]).toEqual([404, 404])
    const again = await request(app, 'POST', '/v1/send', {
      key: person.project.secretKey,
      body: { from: 'hello@acme.example', to: person.email, subject: 'a', body: 'b' },
    })
    world.mail.clear()
    await world.drain()
    expect([again.status, world.mail.sent]).toEqual([200, []])
  })
})

/** More messages like one. */
async function cloneMessage(emailId: string, number: number): Promise<void> {
  const columns = await world.ctx.sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
     where table_name = 'emails' and is_generated = 'NEVER' order by ordinal_position`
  const names = columns.map(({ name }) => `"${name}"`)
  const values = names.map(name =>
    name === '"id"'
      ? 'gen_random_uuid()'
      : name === '"created_at"'
        ? `created_at + n * interval '1 ms'`
        : name,
  )
  await world.database.sql.unsafe(
    `insert into emails (${names.join(', ')}) select ${values.join(', ')} from emails, generate_series(1, ${number}) n where id = '${emailId}'`,
  )
}
