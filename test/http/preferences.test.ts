// What recipients do with the links in their mails: opting out always works, a GET changes nothing, and a link of one contact opens
// no other.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { contactJobs } from '../../src/modules/audience/contacts/jobs'
import { contactKinds } from '../../src/modules/audience/contacts/kinds'
import { endSnoozes } from '../../src/modules/audience/contacts/service'
import { linkToken } from '../../src/modules/sending/emails/links'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { handlerTable } from '../../src/platform/jobs/kind'
import { buildApp } from '../../src/server/app'
import { drain } from '../support/drain'
import type { MadeProject } from '../support/make'
import { makeRecipient, type Person } from '../support/recipient'
import { type RequestOptions, request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let app: AnyElysia
const handlers = handlerTable(contactJobs)

beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
afterAll(() => world.close())

const makePerson = (data: Record<string, unknown> = {}): Promise<Person> => makeRecipient(world, app, data)

const call = (project: MadeProject, method: string, path: string, body?: unknown) =>
  request(app, method, path, { key: project.secretKey, body })
const open = (method: string, path: string, options: RequestOptions = {}) =>
  request(app, method, path, options)
const contactOf = async ({ project, id }: Person) => (await call(project, 'GET', `/contacts/${id}`)).body
const flipsOf = async ({ project }: Person) =>
  (await world.events(project.id)).filter(event => event.name.startsWith('contact.'))
const oneClick = {
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: 'List-Unsubscribe=One-Click',
}
const form = (members: Record<string, string>) => ({ body: new URLSearchParams(members) })

describe('one-click unsubscribe', () => {
  test('unsubscribes with the link of the mail, once, and names the message', async () => {
    const person = await makePerson()
    for (let round = 0; round < 2; round++) {
      const answer = await open('POST', `/unsubscribe/${person.id}?${person.query}`, oneClick)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toStartWith('text/plain')
      expect(answer.headers.get('x-request-id')).toBeString()
    }
    expect(await contactOf(person)).toMatchObject({ subscribed: false, snoozedUntil: null })
    expect(await flipsOf(person)).toEqual([
      { name: 'contact.unsubscribed', contactId: person.id, emailId: person.emailId, data: {} },
    ])
  })

  test('works as multipart, in any spelling, and without a body at all', async () => {
    const multipart = new FormData()
    multipart.set('List-Unsubscribe', 'One-Click')
    const bodies: RequestOptions[] = [
      { body: multipart },
      { ...oneClick, body: 'list-unsubscribe=one-click' },
      {},
      { headers: { 'content-type': 'text/plain' }, body: '' },
    ]
    for (const options of bodies) {
      const person = await makePerson()
      const answer = await open('POST', `/unsubscribe/${person.id}?${person.query}`, options)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toStartWith('text/plain')
      expect((await contactOf(person)).subscribed).toBe(false)
    }
  })

  test('answers 200 and does nothing with a link that is not valid', async () => {
    const [person, other] = [await makePerson(), await makePerson()]
    const paths = [
      person.id,
      `${person.id}?t=`,
      `${person.id}?t=${'x'.repeat(44)}`,
      `${person.id}?t=${'x'.repeat(5_000)}`,
      `${person.id}?${other.query}`,
      `${Bun.randomUUIDv7()}?${person.query}`,
      `nobody?${person.query}`,
      `%27--?t=%F0%9F%92%A9`,
    ]
    for (const path of paths) expect((await open('POST', `/unsubscribe/${path}`, oneClick)).status).toBe(200)
    expect(await flipsOf(person)).toEqual([])
    expect(await flipsOf(other)).toEqual([])
  })

  test('answers 200 for a contact that is deleted, and 400 without an id', async () => {
    const person = await makePerson()
    await call(person.project, 'DELETE', `/contacts/${person.id}`)
    expect((await open('POST', `/unsubscribe/${person.id}?${person.query}`, oneClick)).status).toBe(200)
    expect((await open('POST', '/unsubscribe', oneClick)).status).toBe(400)
    expect((await open('POST', '/unsubscribe/', oneClick)).status).toBe(400)
  })

  test('counts for the message only if that was sent to this contact', async () => {
    const other = await makePerson()
    for (const e of [other.emailId, Bun.randomUUIDv7(), 'nonsense', '']) {
      const person = await makePerson()
      const token = linkToken(world.ctx.vault, { projectId: person.project.id, contactId: person.id })
      expect((await open('POST', `/unsubscribe/${person.id}?t=${token}&e=${e}`, oneClick)).status).toBe(200)
      expect(await flipsOf(person)).toMatchObject([{ name: 'contact.unsubscribed', emailId: null }])
    }
  })

  test('works while the project is disabled, and whatever the limit of requests', async () => {
    const person = await makePerson()
    await world.ctx
      .sql`update projects set disabled = true, disabled_reason = 'MANUAL' where id = ${person.project.id}::uuid`
    const answer = await open('POST', `/unsubscribe/${person.id}?${person.query}`, oneClick)
    expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([200, null])
    expect((await flipsOf(person)).length).toBe(1)
  })
})

test('a campaign goes out, and the very address in its header and footer opts out, for that message', async () => {
  const project = await world.newProject()
  const email = 'reader@x.test'
  const { body: contact } = await call(project, 'POST', '/contacts', { email })
  const draft = {
    name: 'News',
    subject: 'News',
    body: '<p>News</p>',
    from: 'hello@acme.example',
    audienceType: 'ALL',
  }
  const { body: made } = await call(project, 'POST', '/campaigns', draft)
  expect((await call(project, 'POST', `/campaigns/${made.data.id}/send`, {})).status).toBe(200)
  await world.drain()
  const mail = (await world.received()).find(each => each.to?.some(to => to.address === email))!
  const header = (name: string) => mail.headers.find(each => each.key === name)?.value
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  const address = new URL(/^<(.*)>$/.exec(header('list-unsubscribe')!)![1]!)
  const path = `${address.pathname}${address.search}`
  expect(mail.html).toContain(path.replaceAll('&', '&amp;'))
  expect((await open('GET', path)).body).toContain(email)
  expect((await open('POST', path, oneClick)).status).toBe(200)
  expect((await call(project, 'GET', `/contacts/${contact.id}`)).body.subscribed).toBe(false)
  const [flip] = (await world.events(project.id)).filter(event => event.name === 'contact.unsubscribed')
  expect(flip).toMatchObject({ contactId: contact.id, emailId: address.searchParams.get('e')! })
  const counted = async () =>
    (await call(project, 'GET', `/campaigns/${made.data.id}/stats`)).body.unsubscribedCount
  expect(await counted()).toBe(1)
  // Back again and out again by the same message: still one who was lost.
  await call(project, 'PATCH', `/contacts/${contact.id}`, { subscribed: true })
  await Promise.all([1, 2, 3].map(() => open('POST', path, oneClick)))
  expect((await call(project, 'GET', `/contacts/${contact.id}`)).body.subscribed).toBe(false)
  expect(await counted()).toBe(1)
})

describe('/contacts/public/:id', () => {
  test('GET tells who the link is about, in which language', async () => {
    const person = await makePerson({ locale: 'nl' })
    const answer = await open('GET', `/contacts/public/${person.id}?${person.query}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      id: person.id,
      email: (await contactOf(person)).email,
      subscribed: true,
      snoozedUntil: null,
      projectName: 'Acme <&> "Co"',
      language: 'nl',
    })
    const other = await makePerson({ locale: 5 })
    await world.ctx.sql`update projects set language = 'de' where id = ${other.project.id}::uuid`
    expect((await open('GET', `/contacts/public/${other.id}?${other.query}`)).body.language).toBe('de')
  })

  test('subscribe and unsubscribe answer the state and record flips only', async () => {
    const person = await makePerson()
    const act = async (action: string) =>
      (await open('POST', `/contacts/public/${person.id}/${action}?${person.query}`)).body
    const { email } = await contactOf(person)
    expect(await act('unsubscribe')).toEqual({ id: person.id, email, subscribed: false, snoozedUntil: null })
    await act('unsubscribe')
    expect(await act('subscribe')).toEqual({ id: person.id, email, subscribed: true, snoozedUntil: null })
    await act('subscribe')
    expect((await flipsOf(person)).map(event => [event.name, event.emailId])).toEqual([
      ['contact.unsubscribed', person.emailId],
      ['contact.subscribed', person.emailId],
    ])
  })

  test('without a valid token all of them are 404', async () => {
    const [person, other] = [await makePerson(), await makePerson()]
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/subscribe'],
      ['POST', '/unsubscribe'],
      ['POST', '/snooze'],
    ] as const) {
      for (const query of ['', '?t=x', `?${other.query}`]) {
        const answer = await open(method, `/contacts/public/${person.id}${path}${query}`, {
          body: method === 'POST' ? { duration: '1_year' } : undefined,
        })
        expect([answer.status, answer.body.error.code]).toEqual([404, 'CONTACT_NOT_FOUND'])
      }
    }
    expect(await flipsOf(person)).toEqual([])
  })
})

describe('a snooze', () => {
  const snooze = (person: Person, body: unknown) =>
    open('POST', `/contacts/public/${person.id}/snooze?${person.query}`, { body })
  const sweep = async () => {
    await enqueue(world.ctx, contactKinds.endSnoozes, {})
    return await drain(world.ctx, handlers)
  }

  test('unsubscribes until its end, and then the contact is subscribed again by itself', async () => {
    const person = await makePerson()
    const until = new Date(world.clock.now().getTime() + 14 * 86_400_000)
    const answer = await snooze(person, { duration: '2_weeks' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ id: person.id, subscribed: false, snoozedUntil: until.toISOString() })
    await sweep()
    expect((await contactOf(person)).subscribed).toBe(false)
    world.clock.set(until)
    await sweep()
    await sweep()
    expect(await contactOf(person)).toMatchObject({ subscribed: true, snoozedUntil: null })
    expect(await flipsOf(person)).toMatchObject([
      {
        name: 'contact.unsubscribed',
        emailId: person.emailId,
        data: { reason: 'snooze', duration: '2_weeks', snoozedUntil: until.toISOString() },
      },
      { name: 'contact.subscribed', emailId: null, data: { reason: 'snooze_expired' } },
    ])
    const { body } = await call(person.project, 'GET', '/contacts?subscribed=true')
    expect(body.total).toBe(1)
  })

  test('a second time moves the date without an event; for somebody unsubscribed for good it is 409', async () => {
    const person = await makePerson()
    const first = await snooze(person, { duration: '2_weeks' })
    const second = await snooze(person, { duration: '1_year' })
    expect(second.body.snoozedUntil > first.body.snoozedUntil).toBe(true)
    expect(await flipsOf(person)).toHaveLength(1)
    await open('POST', `/unsubscribe/${person.id}?${person.query}`, oneClick)
    expect(await contactOf(person)).toMatchObject({ subscribed: false, snoozedUntil: null })
    expect(await flipsOf(person)).toHaveLength(1)
    const refused = await snooze(person, { duration: '2_weeks' })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFLICT'])
    world.clock.advance(400 * 86_400_000)
    await sweep()
    expect((await contactOf(person)).subscribed).toBe(false)
  })

  test('of somebody who never said yes is 409: its end would be one', async () => {
    const { project } = await makePerson()
    const body = { email: 'never-asked@x.test', subscribed: false }
    const person = { project, ...(await call(project, 'POST', '/contacts', body)).body }
    const { manageUrl } = (await call(project, 'GET', `/contacts/${person.id}/links`)).body
    const refused = await snooze({ ...person, query: manageUrl.split('?')[1] }, { duration: '2_weeks' })
    expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFLICT'])
    world.clock.advance(400 * 86_400_000)
    await sweep()
    expect(await contactOf(person)).toMatchObject({ subscribed: false, snoozedUntil: null })
  })

  test.each<[string, (person: Person) => Promise<unknown>, boolean]>([
    [
      'PATCH',
      person => call(person.project, 'PATCH', `/contacts/${person.id}`, { subscribed: false }),
      false,
    ],
    [
      'an upsert',
      async person =>
        call(person.project, 'POST', '/contacts', {
          email: (await contactOf(person)).email,
          subscribed: false,
        }),
      false,
    ],
    [
      'a bulk job',
      async person => {
        await call(person.project, 'POST', '/contacts/bulk-unsubscribe', { contactIds: [person.id] })
        await drain(world.ctx, handlers)
      },
      false,
    ],
    [
      'the page',
      person => open('POST', `/manage/${person.id}?${person.query}`, form({ action: 'unsubscribe' })),
      false,
    ],
    [
      'a subscription',
      person => open('POST', `/contacts/public/${person.id}/subscribe?${person.query}`),
      true,
    ],
  ])('is ended by %s, and the sweep leaves the contact alone', async (_, write, subscribed) => {
    const person = await makePerson()
    await snooze(person, { duration: '2_weeks' })
    await write(person)
    expect(await contactOf(person)).toMatchObject({ subscribed, snoozedUntil: null })
    world.clock.advance(30 * 86_400_000)
    await sweep()
    expect(await contactOf(person)).toMatchObject({ subscribed, snoozedUntil: null })
  })

  test.each<[string, unknown]>([
    ['nothing', {}],
    ['another duration', { duration: '3_weeks' }],
    ['a number', { duration: 14 }],
    ['a name every object has', { duration: 'constructor' }],
    ['null', { duration: null }],
  ])('for %s is 400', async (_, body) => {
    const person = await makePerson()
    expect((await snooze(person, body)).status).toBe(400)
    expect(await flipsOf(person)).toEqual([])
  })

  test('of many contacts ends for all of them, in batches, once, with two sweeps at a time', async () => {
    const project = await world.newProject()
    const { ctx } = world
    await ctx.sql`
      insert into contacts (id, project_id, email, subscribed, snoozed_until, data, created_at, updated_at)
      select gen_random_uuid(), ${project.id}::uuid, 's' || n || '@x.test', false, ${ctx.clock.now()}::timestamptz, '{}',
             ${ctx.clock.now()}::timestamptz, ${ctx.clock.now()}::timestamptz from generate_series(1, 1200) n`
    await ctx.sql`insert into contact_deltas (project_id, contacts, subscribed) values (${project.id}::uuid, 1200, 0)`
    const wake = () => endSnoozes(ctx, new AbortController().signal)
    const woken = await Promise.all([wake(), wake()])
    const rest = await wake()
    expect(woken[0]! + woken[1]! + rest).toBe(1_200)
    const events = (await world.events(project.id)).map(event => event.contactId)
    expect([events.length, new Set(events).size]).toEqual([1_200, 1_200])
    expect((await call(project, 'GET', '/contacts?subscribed=true')).body.total).toBe(1_200)
  })
})

describe('races', () => {
  test('fifty changes of one contact by every path at once: events and states alternate exactly', async () => {
    const person = await makePerson()
    const { email } = await contactOf(person)
    const paths: Array<() => Promise<{ status: number }>> = [
      () => open('POST', `/unsubscribe/${person.id}?${person.query}`, oneClick),
      () => open('POST', `/contacts/public/${person.id}/subscribe?${person.query}`),
      () => call(person.project, 'PATCH', `/contacts/${person.id}`, { subscribed: false }),
      () => call(person.project, 'POST', '/contacts', { email, subscribed: true }),
      () => call(person.project, 'POST', '/contacts/bulk-unsubscribe', { contactIds: [person.id] }),
      () =>
        open('POST', `/contacts/public/${person.id}/snooze?${person.query}`, {
          body: { duration: '1_year' },
        }),
    ]
    const answers = await Promise.all([
      ...Array.from({ length: 50 }, (_, index) => paths[index % paths.length]!()),
      drain(world.ctx, handlers).then(() => ({ status: 200 })),
    ])
    expect(answers.filter(answer => ![200, 202, 409].includes(answer.status))).toEqual([])
    await drain(world.ctx, handlers)
    const flips = (await flipsOf(person)).map(event => event.name)
    const balance =
      flips.filter(name => name === 'contact.unsubscribed').length -
      flips.filter(name => name === 'contact.subscribed').length
    expect(balance).toBe((await contactOf(person)).subscribed ? 0 : 1)
    expect((await call(person.project, 'GET', '/contacts?subscribed=true')).body.total).toBe(
      (await contactOf(person)).subscribed ? 1 : 0,
    )
  })

  test('fifty unsubscribes by every path at once record one event', async () => {
    const person = await makePerson()
    const { email } = await contactOf(person)
    const paths: Array<() => Promise<{ status: number }>> = [
      () => open('POST', `/unsubscribe/${person.id}?${person.query}`, oneClick),
      () => open('POST', `/contacts/public/${person.id}/unsubscribe?${person.query}`),
      () => open('POST', `/manage/${person.id}?${person.query}`, form({ action: 'unsubscribe' })),
      () => call(person.project, 'PATCH', `/contacts/${person.id}`, { subscribed: false }),
      () => call(person.project, 'POST', '/contacts', { email, subscribed: false }),
    ]
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => paths[index % paths.length]!()),
    )
    expect(answers.filter(answer => answer.status !== 200 && answer.status !== 303)).toEqual([])
    expect(await flipsOf(person)).toHaveLength(1)
  })
})
