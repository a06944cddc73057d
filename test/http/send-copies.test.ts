// Copies of a message, texts of one's own, names in front of addresses, and the caller's own marks: what leaves, what is kept, who counts.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { day, hour, minute } from '../../src/lib/time'
import { makeDelivery } from '../../src/modules/sending/delivery/service'
import { applyReports } from '../../src/modules/sending/feedback/service/apply'
import { overRun } from '../support/job-run'
import { deltaUsage } from '../support/usage'
import { makeWorld, sender, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  world.mail.clear()
  await world.ctx.sql`delete from suppressions`
  await world.ctx.sql`delete from email_day_deltas`
})
afterAll(() => world.close())

const copies = (email: { copies: Array<Record<string, unknown>> }) =>
  email.copies.map(({ kind, email: to, status, error }) => [kind, to, status, error])

describe('copies', () => {
  test('go out with their message, once, and only the open ones are written on it', async () => {
    const cc = ['Bob <Bob@example.com>', { email: 'carl@example.com', name: 'Carl, Jr.' }]
    const id = await world.sendOne({ to: 'ada@example.com', cc, bcc: 'archive@acme.example' })
    await world.drain()
    expect(world.mail.sent.map(({ envelope }) => envelope)).toEqual([
      {
        from: sender,
        to: 'ada@example.com',
        also: ['bob@example.com', 'carl@example.com', 'archive@acme.example'],
      },
    ])
    const [mail] = await world.received()
    expect(mail!.to).toEqual([{ address: 'ada@example.com', name: '' }])
    expect(mail!.cc).toEqual([
      { address: 'bob@example.com', name: 'Bob' },
      { address: 'carl@example.com', name: 'Carl, Jr.' },
    ])
    expect(Buffer.from(world.mail.sent[0]!.raw).toString()).not.toContain('archive@')
    expect(copies(await world.email(id))).toEqual([
      ['cc', 'bob@example.com', 'SENT', null],
      ['cc', 'carl@example.com', 'SENT', null],
      ['bcc', 'archive@acme.example', 'SENT', null],
    ])
  })

  test('make no contacts, and each address counts for billing, whatever comes of the message', async () => {
    const id = await world.sendOne({ to: 'ada@example.com', cc: ['bob@example.com', 'carl@example.com'] })
    expect(await deltaUsage(world.ctx)).toEqual({ created: 1, used: 3, units: 0 })
    await world.drain()
    expect(await deltaUsage(world.ctx)).toEqual({ created: 1, used: 3, units: 3 })
    const contacts = await world.ctx.sql`select email from contacts where email like 'carl%'`
    expect([(await world.email(id)).status, contacts.length]).toEqual(['DELIVERED', 0])
    world.mail.script({ outcome: 'refused', blame: 'other', response: '554 5.7.1 no' })
    await world.sendOne({ to: 'ada@example.com', cc: 'bob@example.com' })
    await world.drain()
    expect(await deltaUsage(world.ctx)).toEqual({ created: 2, used: 3, units: 3 })
  })

  test('a suppressed one is left out, and a suppressed recipient holds the whole message back', async () => {
    await world.ctx.sql`
      insert into suppressions (project_id, email, reason, source, created_at)
      values (${world.project.id}, 'gone@example.com', 'bounce', 'test', now())`
    const id = await world.sendOne({ to: 'ada@example.com', cc: ['gone@example.com', 'bob@example.com'] })
    const none = await world.sendOne({ to: 'gone@example.com', cc: 'bob@example.com' })
    await world.drain()
    expect(world.mail.sent.map(({ envelope }) => envelope.also)).toEqual([['bob@example.com']])
    expect(copies(await world.email(id))[0]).toEqual([
      'cc',
      'gone@example.com',
      'FAILED',
      expect.stringContaining('suppressed'),
    ])
    const withheld = await world.email(none)
    expect([withheld.status, ...copies(withheld)]).toEqual([
      'FAILED',
      ['cc', 'bob@example.com', 'FAILED', 'the message was not sent'],
    ])
  })

  test('one that the relay refuses is suppressed, one that it puts off is tried again alone', async () => {
    world.mail.script({
      outcome: 'accepted',
      delivered: true,
      response: '250 ok',
      code: 250,
      untaken: [
        {
          address: 'nobody@example.com',
          outcome: 'refused',
          blame: 'address',
          response: '550 5.1.1 unknown',
        },
        { address: 'full@example.com', outcome: 'deferred', response: '452 4.2.2 mailbox full' },
      ],
    })
    const cc = ['nobody@example.com', 'full@example.com', 'bob@example.com']
    const id = await world.sendOne({ to: 'ada@example.com', cc })
    await world.drain()
    const first = await world.email(id)
    expect([first.status, ...copies(first)]).toEqual([
      'DELIVERED',
      ['cc', 'nobody@example.com', 'BOUNCED', '550 5.1.1 unknown'],
      ['cc', 'full@example.com', 'PENDING', '452 4.2.2 mailbox full'],
      ['cc', 'bob@example.com', 'SENT', null],
    ])
    const suppressed = await world.ctx.sql`select email, reason from suppressions`
    expect([...suppressed]).toEqual([{ email: 'nobody@example.com', reason: 'bounce' }])
    world.clock.advance(60_000)
    await world.drain()
    expect(world.mail.sent.at(-1)!.envelope).toEqual({ from: sender, to: 'full@example.com' })
    expect(world.mail.sent.at(-1)!.raw).toEqual(world.mail.sent[0]!.raw)
    const last = await world.email(id)
    expect([copies(last)[1], last.tries.length]).toEqual([['cc', 'full@example.com', 'SENT', null], 2])
  })

  test('one that is put off is not handed over by a run that is over, and is kept for the next', async () => {
    const untaken = [
      { address: 'full@example.com', outcome: 'deferred' as const, response: '452 mailbox full' },
    ]
    world.mail.script({ outcome: 'accepted', delivered: true, response: '250 ok', untaken })
    const emailId = await world.sendOne({ to: 'ada@example.com', bcc: 'full@example.com' })
    await world.drain()
    const ids = { emailId, projectId: world.project.id }
    await expect(makeDelivery(world.ctx).deliverCopies(ids, overRun())).rejects.toThrow('it ran longer')
    expect(world.mail.attempts).toHaveLength(1)
    expect(copies(await world.email(emailId))).toEqual([
      ['bcc', 'full@example.com', 'PENDING', '452 mailbox full'],
    ])
    world.clock.advance(60_000)
    await world.drain()
    expect(copies(await world.email(emailId))).toEqual([['bcc', 'full@example.com', 'SENT', null]])
  })

  test('one of a message that was scheduled has all of its time for trying, from when the message left', async () => {
    const untaken = [
      { address: 'full@example.com', outcome: 'deferred' as const, response: '452 mailbox full' },
    ]
    world.mail.script(
      { outcome: 'accepted', delivered: true, response: '250 ok', untaken },
      { outcome: 'deferred', response: '451 later' },
    )
    const scheduledFor = new Date(world.clock.now().getTime() + 2 * day).toISOString()
    const id = await world.sendOne({ to: 'ada@example.com', cc: 'full@example.com', scheduledFor })
    world.clock.advance(2 * day)
    await world.drain()
    world.clock.advance(minute)
    await world.drain()
    expect(world.mail.attempts).toHaveLength(2)
    expect(copies(await world.email(id))).toEqual([['cc', 'full@example.com', 'PENDING', '451 later']])
    world.clock.advance(hour)
    await world.drain()
    expect(copies(await world.email(id))).toEqual([['cc', 'full@example.com', 'SENT', null]])
  })

  test('one that is suppressed while it waits for its next try gets nothing more', async () => {
    const untaken = [
      { address: 'full@example.com', outcome: 'deferred' as const, response: '452 mailbox full' },
    ]
    world.mail.script({ outcome: 'accepted', delivered: true, response: '250 ok', untaken })
    const id = await world.sendOne({ to: 'ada@example.com', cc: 'full@example.com' })
    await world.drain()
    await world.ctx.sql`
      insert into suppressions (project_id, email, reason, source, created_at)
      values (${world.project.id}, 'full@example.com', 'complaint', 'test', now())`
    world.clock.advance(hour)
    await world.drain()
    expect(world.mail.attempts).toHaveLength(1)
    expect(copies(await world.email(id))).toEqual([
      ['cc', 'full@example.com', 'FAILED', expect.stringContaining('suppressed')],
    ])
  })

  test('one that is put off for a day is given up', async () => {
    const untaken = [
      { address: 'full@example.com', outcome: 'deferred' as const, response: '452 mailbox full' },
    ]
    world.mail.script({ outcome: 'accepted', delivered: true, response: '250 ok', untaken })
    const id = await world.sendOne({ to: 'ada@example.com', bcc: 'full@example.com' })
    world.mail.always({ outcome: 'accepted', delivered: true, response: '250 ok', untaken })
    await world.drain()
    world.mail.always({ outcome: 'deferred', response: '451 later' })
    for (let hours = 0; hours < 30; hours++) {
      world.clock.advance(3_600_000)
      await world.drain()
    }
    const email = await world.email(id)
    expect(copies(email)).toEqual([['bcc', 'full@example.com', 'BOUNCED', 'gave up: 451 later']])
    expect(email.status).toBe('DELIVERED')
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['two recipients beside copies', { to: ['a@example.com', 'b@example.com'], cc: 'c@example.com' }, 'to'],
    ['no address', { cc: ['nobody'] }, 'cc.0'],
    ['a line break in a name', { bcc: { email: 'a@example.com', name: 'a\nb' } }, 'bcc.name'],
    ['fifty of them', { cc: Array.from({ length: 50 }, (_, n) => `c${n}@example.com`) }, 'cc'],
    ['a number', { cc: 5 }, 'cc'],
  ])('%s is refused', async (_, body, field) => {
    const { status, body: answer } = await world.send({ to: 'ada@example.com', ...body })
    expect([status, answer.error.errors[0].field]).toEqual([422, field])
  })

  test.each([[null], [''], [[]]])('%j means none', async nothing => {
    const id = await world.sendOne({ cc: nothing, bcc: nothing, tags: nothing })
    expect(await world.email(id)).toMatchObject({ copies: [], tags: [] })
  })
})

describe('what comes back about a copy', () => {
  test('suppresses its address, and leaves the message as it was', async () => {
    const id = await world.sendOne({ to: 'ada@example.com', cc: ['left@example.com', 'angry@example.com'] })
    await world.drain()
    const about = {
      projectId: world.project.id,
      emailId: id,
      at: world.clock.now(),
      source: 'provider' as const,
    }
    await applyReports(world.ctx, [
      { ...about, kind: 'bounced', recipients: ['left@example.com'], detail: '550 5.1.1' },
      { ...about, kind: 'complained', recipients: ['angry@example.com'] },
    ])
    const email = await world.email(id)
    expect([email.status, copies(email)[0]]).toEqual([
      'DELIVERED',
      ['cc', 'left@example.com', 'BOUNCED', '550 5.1.1'],
    ])
    const rows = await world.ctx.sql`select email, reason from suppressions order by email`
    expect([...rows]).toEqual([
      { email: 'angry@example.com', reason: 'complaint' },
      { email: 'left@example.com', reason: 'bounce' },
    ])
    await applyReports(world.ctx, [{ ...about, kind: 'bounced', recipients: ['ada@example.com'] }])
    expect((await world.email(id)).status).toBe('BOUNCED')
  })
})

describe('names in front of addresses', () => {
  test('are taken apart wherever an address is text', async () => {
    await world.sendOne({
      from: '"Acme, Inc." <hello@acme.example>',
      to: 'Ada Lovelace <Ada@Example.com>',
      reply: 'Help <help@acme.example>',
      body: '<p>Hello {{name}}</p>',
    })
    await world.drain()
    const [mail] = await world.received()
    expect(mail!.from).toMatchObject({ address: 'hello@acme.example', name: 'Acme, Inc.' })
    expect(mail!.to).toEqual([{ address: 'ada@example.com', name: 'Ada Lovelace' }])
    expect(mail!.replyTo).toEqual([{ address: 'help@acme.example', name: 'Help' }])
    expect(mail!.html).toContain('Hello Ada Lovelace')
  })

  test.each(['Ada <ada@example.com', 'Ada <>', '<a@example.com> Ada', 'a <b <c@example.com>>'])(
    '%s is no address',
    async to => {
      expect((await world.send({ to })).status).toBe(422)
    },
  )
})

describe("a text of one's own", () => {
  test('is filled and leaves beside the HTML', async () => {
    await world.sendOne({ text: 'Dear {{name}},\r\n\tas is', body: '<p>Hi</p>', data: { name: 'Ada' } })
    await world.drain()
    const [mail] = await world.received()
    expect(mail!.text?.replaceAll('\r\n', '\n').trimEnd()).toBe('Dear Ada,\n\tas is')
    expect(mail!.html).toContain('<p>Hi</p>')
  })

  test('may stand alone', async () => {
    await world.send({ to: 'ada@example.com', body: undefined, text: 'Only words' })
    await world.drain()
    const [mail] = await world.received()
    expect([mail!.text?.trim(), mail!.html]).toEqual(['Only words', undefined])
  })

  test('that nobody can read is refused', async () => {
    const { status, body } = await world.send({ to: 'ada@example.com', text: 'Dear {{ name' })
    expect([status, body.error.errors[0].field]).toEqual([422, 'text'])
  })
})

describe('tags and metadata', () => {
  const marks = { tags: ['welcome', 'a'], metadata: { order: 4711, vip: true, ref: 'x' } }

  test('stand in the ledger, and in every event of the message', async () => {
    const id = await world.sendOne({ to: 'marks@example.com', ...marks })
    await world.drain()
    expect(await world.email(id)).toMatchObject(marks)
    const { body } = await world.call('GET', '/emails')
    expect(body.data[0]).toMatchObject(marks)
    const events = (await world.events()).filter(({ emailId }) => emailId === id)
    expect(events.map(({ name, data }) => [name, data?.['tags'], data?.['metadata']])).toEqual([
      ['email.sent', marks.tags, marks.metadata],
      ['email.delivery', marks.tags, marks.metadata],
    ])
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['tags that are no list', { tags: 'welcome' }, 'tags'],
    ['a tag without a letter', { tags: [''] }, 'tags.0'],
    ['nested metadata', { metadata: { a: { b: 1 } } }, 'metadata.a'],
    ['metadata without end', { metadata: { a: 'x'.repeat(1001) } }, 'metadata.a'],
    [
      'more than fifty',
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n])) },
      'metadata',
    ],
  ])('%s are refused', async (_, body, field) => {
    const { status, body: answer } = await world.send({ to: 'ada@example.com', ...body })
    expect([status, answer.error.errors[0].field]).toEqual([422, field])
  })
})
