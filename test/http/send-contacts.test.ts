// What a send does to the contacts it is sent to, and what the message sees of them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { makeWorld, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  world.mail.clear()
  await world.ctx.sql`delete from jobs`
  world.project = await world.newProject()
})
afterAll(() => world.close())

interface Stored {
  id: string
  subscribed: boolean
  data: Record<string, unknown>
}

async function contact(email = 'ada@example.com'): Promise<Stored | undefined> {
  const [row] = await world.ctx.sql<Stored[]>`
    select id, subscribed, data from contacts where project_id = ${world.project.id} and email = ${email}`
  return row
}

/** The subject that `template` renders to, in a send with these members. */
async function rendered(template: string, body: Record<string, unknown> = {}): Promise<string> {
  return (await world.email(await world.sendOne({ subject: `>${template}`, ...body }))).subject.slice(1)
}

const reserved = ['id', 'svc_id', 'svc_email', 'email', 'unsubscribeUrl', 'subscribeUrl', 'manageUrl']

describe('a recipient', () => {
  test('becomes a contact that is not subscribed, without any event', async () => {
    await world.sendOne()
    expect(await contact()).toMatchObject({ subscribed: false, data: {} })
    expect(await world.events()).toEqual([])
  })

  test('becomes one that is, where the request says so, still without an event', async () => {
    await world.sendOne({ subscribed: true })
    expect((await contact())!.subscribed).toBe(true)
    expect(await world.events()).toEqual([])
  })

  test('keeps its state unless the request says otherwise; each change is one event', async () => {
    await world.sendOne({ subscribed: true })
    await world.sendOne()
    expect((await contact())!.subscribed).toBe(true)
    await world.sendOne({ subscribed: false })
    await world.sendOne({ subscribed: false })
    await world.sendOne({ subscribed: true })
    const { id } = (await contact())!
    expect((await world.events()).map(event => [event.name, event.contactId])).toEqual([
      ['contact.unsubscribed', id],
      ['contact.subscribed', id],
    ])
  })

  test('is the same contact whatever the case of the address', async () => {
    const first = await world.send({ to: 'Ada@Example.com' })
    const second = await world.send({ to: ' ada@EXAMPLE.com ' })
    expect(second.body.data.emails[0].contact).toEqual(first.body.data.emails[0].contact)
  })
})

describe('data', () => {
  test('is a patch: keys are set, removed by null, kept by an empty string', async () => {
    await world.sendOne({
      data: { plan: 'pro', seats: 3, admin: true, city: 'Ulm', gone: 'x', tags: ['a'], profile: { a: 1 } },
    })
    await world.sendOne({ data: { seats: 4, city: '', gone: null, profile: { b: 2 } } })
    expect((await contact())!.data).toEqual({
      plan: 'pro',
      seats: 4,
      admin: true,
      city: 'Ulm',
      tags: ['a'],
      profile: { b: 2 },
    })
  })

  test('that is not persistent is seen by this message and never stored', async () => {
    await world.sendOne({ data: { code: 'stored' } })
    const data = { code: { value: '1234', persistent: false }, once: { value: { a: 1 }, persistent: false } }
    expect(await rendered('{{code}} {{once.a}} {{data.code}}', { data })).toBe('1234 1 1234')
    expect((await contact())!.data).toEqual({ code: 'stored' })
  })

  test('that is empty and not persistent renders empty, whatever is stored', async () => {
    await world.sendOne({ data: { code: 'stored' } })
    const data = { code: { value: '', persistent: false } }
    expect(await rendered("[{{code}}{{code ?? 'none'}}]", { data })).toBe('[]')
    expect((await contact())!.data).toEqual({ code: 'stored' })
  })

  test('with any other wrapper is an object like others', async () => {
    await world.sendOne({ data: { a: { value: 1, persistent: true }, b: { value: 2 } } })
    expect((await contact())!.data).toEqual({ a: { value: 1, persistent: true }, b: { value: 2 } })
  })

  test('under a reserved key is dropped, and can not stand in for the real value', async () => {
    const data = Object.fromEntries(reserved.map(key => [key, 'forged']))
    const text = await rendered(reserved.map(key => `{{${key}}}`).join(' '), { data: { ...data, kept: 1 } })
    expect(text).not.toContain('forged')
    expect(text).toContain('ada@example.com')
    expect(text).toContain((await contact())!.id)
    expect((await contact())!.data).toEqual({ kept: 1 })
  })

  test('may have keys of any text', async () => {
    const data = { 'first name': 'Ada', 'a.b': 1, 'line\nbreak': 2, 'ü-ß': 3, constructor: 4, toString: 5 }
    expect(await rendered('{{first name}} {{a.b}} {{data["first name"]}}', { data })).toBe('Ada 1 Ada')
    expect((await contact())!.data).toEqual(data)
  })

  test('is applied to every recipient', async () => {
    await world.send({ to: ['ada@example.com', 'bob@example.com'], data: { plan: 'pro' } })
    for (const email of ['ada@example.com', 'bob@example.com'])
      expect((await contact(email))!.data).toEqual({ plan: 'pro' })
  })

  const rows: Array<[string, Record<string, unknown>, Record<string, unknown>, string, string]> = [
    ['a stored value', { plan: 'pro' }, {}, '{{plan}}', 'pro'],
    ['one of the request before a stored one', { plan: 'pro' }, { plan: 'free' }, '{{plan}}', 'free'],
    ['the stored one for an empty string', { plan: 'pro' }, { plan: '' }, '{{plan}}', 'pro'],
    ['nothing for a null', { plan: 'pro' }, { plan: null }, '[{{plan}}]', '[]'],
    ['the fallback for a null', { plan: 'pro' }, { plan: null }, '{{plan ?? "none"}}', 'none'],
    ['the fallback for what is missing', {}, {}, '{{plan ?? "none"}}', 'none'],
    ['no fallback for false', { on: false }, {}, '{{on ?? "none"}}', 'false'],
    ['nested values', { profile: { tier: 2 } }, {}, '{{profile.tier}}', '2'],
    ['no template inside a value', { plan: '{{email}}' }, {}, '{{plan}}', '{{email}}'],
    ['logic', { plan: 'pro' }, {}, '{% if plan == "pro" %}yes{% else %}no{% endif %}', 'yes'],
  ]
  for (const [name, stored, data, template, expected] of rows)
    test(`renders ${name}`, async () => {
      await world.sendOne({ data: stored })
      expect(await rendered(template, { data })).toBe(expected)
    })
})

describe("a recipient's name", () => {
  const to = { email: 'ada@example.com', name: 'Ada' }

  test('is stored, and rendered', async () => {
    expect(await rendered('{{name}}', { to })).toBe('Ada')
    expect((await contact())!.data).toEqual({ name: 'Ada' })
  })

  test("is stored before a name in the data, which is what's rendered", async () => {
    expect(await rendered('{{name}}', { to, data: { name: 'Data' } })).toBe('Data')
    expect((await contact())!.data).toEqual({ name: 'Ada' })
  })

  test('is stored also where the data removes the name', async () => {
    await world.sendOne({ to, data: { name: null } })
    expect((await contact())!.data).toEqual({ name: 'Ada' })
  })

  test('is each its own of several', async () => {
    const list = [
      to,
      { email: 'bob@example.com', name: 'Bob' },
      { email: 'ada@example.com', name: 'Countess' },
    ]
    const { body } = await world.send({ to: list, subject: 'Hi {{name}}' })
    const emails = await Promise.all(
      body.data.emails.map((item: { email: string }) => world.email(item.email)),
    )
    expect(emails.map(email => [email.toName, email.subject])).toEqual([
      ['Ada', 'Hi Ada'],
      ['Bob', 'Hi Bob'],
      ['Countess', 'Hi Countess'],
    ])
    expect((await contact())!.data).toEqual({ name: 'Countess' })
  })
})

describe('a suppressed address', () => {
  test('is answered like any other, and its message has FAILED from the start', async () => {
    const { ctx, project } = world
    await ctx.sql`
      insert into suppressions (project_id, email, reason, source, created_at)
      values (${project.id}, 'gone@example.com', 'complaint', 'report', ${ctx.clock.now()})`
    const { status, body } = await world.send({ to: ['gone@example.com', 'Ada@example.com'] })
    expect(status).toBe(200)
    await world.drain()
    const [gone, ada] = await Promise.all(
      body.data.emails.map((item: { email: string }) => world.email(item.email)),
    )
    expect(gone).toMatchObject({
      status: 'FAILED',
      error: 'address is suppressed (complaint)',
      sentAt: null,
      tries: [],
    })
    expect(ada.status).toBe('DELIVERED')
    expect(world.mail.attempts.map(message => message.envelope.to)).toEqual(['ada@example.com'])
  })
})
