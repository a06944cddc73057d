// Forms in the hands of people who mean harm: who is asked how often, what an answer gives away, and what links and time stamps are good for.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { day, hour, minute } from '../../src/lib/time'
import { makeTicket, puzzleBits } from '../../src/modules/features/forms/ticket'
import { buildApp } from '../../src/server/app'
import { type FormWorld, makeFormWorld, ticketIn } from '../support/forms'
import { request } from '../support/request'

let world: FormWorld
beforeAll(async () => {
  world = await makeFormWorld()
  world.dns.set('silent.example', 'mx', { exchange: 'mx.silent.example', priority: 10 })
})
afterAll(() => world.close())
beforeEach(() => world.mail.clear())

let count = 0
const newAddress = (): string => `somebody-${++count}@example.com`
/** A client of its own for each request. */
const elsewhere = (): Record<string, string> => ({
  'x-forwarded-for': `10.${++count >> 16}.${(count >> 8) & 255}.${count & 255}`,
})

/** A time stamp that is old enough. */
function ticketOf(formId: string, nonce = `n${++count}`): string {
  const issuedAt = new Date(world.clock.now().getTime() - minute)
  return makeTicket(world.ctx.vault, formId, { issuedAt, nonce })
}

/** As the network delivers it, with a length; whether its body was read is told by `bodyUsed`. */
function unread(path: string, headers: Record<string, string> = {}): Request {
  const body = 'email=a'
  const own = { ...headers, 'content-length': String(body.length) }
  return new Request(`http://localhost${path}`, { method: 'POST', headers: own, body })
}

const requestsOf = async (formId: string): Promise<number> =>
  (await world.ctx.sql`select from form_requests where form_id = ${formId}`).count

const sentTo = (): string[] => world.mail.sent.flatMap(({ envelope }) => envelope.to)

/** How many requests; WAXWING_SLOW=1 makes it ten thousand. */
const many = process.env['WAXWING_SLOW'] === '1' ? 10_000 : 120

/** Sixteen at a time. */
async function postAll(asks: ReadonlyArray<{ id: string; email: string }>): Promise<number[]> {
  const statuses = new Set<number>()
  const waiting = asks.values()
  const worker = async (): Promise<void> => {
    for (const { id, email } of waiting)
      statuses.add((await world.post(id, { email, ticket: ticketOf(id) }, elsewhere())).status)
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  return [...statuses]
}

describe('a mailbox', () => {
  test('has one mail a day, of hundreds of requests by as many clients, by three forms, in any spelling', async () => {
    const forms = [await world.makeForm(), await world.makeForm(), await world.makeForm()]
    const asks = Array.from({ length: many }, (_, index) => ({
      id: forms[index % 3].id as string,
      email: index % 4 === 0 ? 'v.i.c.t.i.m@gmail.com' : `victim+${index % 40}@googlemail.com`,
    }))
    for (const domain of ['gmail.com', 'googlemail.com'])
      world.dns.set(domain, 'mx', { exchange: 'mx.google.example', priority: 10 })
    expect(await postAll(asks)).toEqual([303])
    const perDay: number[] = []
    for (let at = 0; at < 10; at++) {
      world.mail.clear()
      await world.drain()
      perDay.push(world.mail.sent.length)
      world.clock.advance(day)
    }
    // What is not mailed within a week is over.
    expect(perDay).toEqual([1, 1, 1, 1, 1, 1, 1, 0, 0, 0])
  }, 300_000)

  test('of many that are asked for has one mail, and none more the same day', async () => {
    const form = await world.makeForm()
    const asks = Array.from({ length: many }, (_, index) => ({
      id: form.id as string,
      email: `of-many-${index % (many / 2)}@example.com`,
    }))
    expect(await postAll(asks)).toEqual([303])
    await world.drain()
    expect(await postAll(asks.slice(0, 20))).toEqual([303])
    await world.drain()
    const sent = sentTo()
    expect([sent.length, new Set(sent).size]).toEqual([many / 2, many / 2])
  }, 300_000)

  test('is asked about once, however many ask at the same moment', async () => {
    const form = await world.makeForm()
    const email = newAddress()
    await Promise.all(
      Array.from({ length: 30 }, () =>
        world.post(form.id, { email, ticket: ticketOf(form.id) }, elsewhere()),
      ),
    )
    expect(await requestsOf(form.id)).toBe(1)
    await world.drain()
    expect(sentTo()).toEqual([email])
  })
})

describe('a client', () => {
  test('sends a hundred forms an hour, and is then told to wait before anything is read', async () => {
    const form = await world.makeForm()
    const client = elsewhere()
    const many = await Promise.all(Array.from({ length: 110 }, () => world.post(form.id, {}, client)))
    const statuses = Map.groupBy(many, ({ status }) => status)
    expect([statuses.get(422)?.length, statuses.get(429)?.length]).toEqual([100, 10])
    expect(Number(statuses.get(429)![0]!.headers.get('retry-after'))).toBeGreaterThan(0)
    const script = await world.post(form.id, {}, { ...client, accept: 'application/json' })
    expect([script.status, script.body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    const asked = unread(`/forms/${form.id}`, client)
    expect([(await world.site.handle(asked)).status, asked.bodyUsed]).toEqual([429, false])
    world.clock.advance(hour)
    expect((await world.post(form.id, {}, client)).status).toBe(422)
  })

  test('that is slow holds up nobody else', async () => {
    const form = await world.makeForm()
    const ends: Array<() => void> = []
    const stuck = Array.from({ length: 30 }, () => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('email='))
          ends.push(() => controller.close())
        },
      })
      return request(world.site, 'POST', `/forms/${form.id}`, { body, headers: elsewhere() })
    })
    expect((await world.fillIn(form.id, { email: newAddress() }, elsewhere())).status).toBe(303)
    for (const end of ends) end()
    expect([...new Set((await Promise.all(stuck)).map(({ status }) => status))]).toEqual([422])
  })
})

describe('an answer', () => {
  test('and the work for it are the same, whatever is known of the address', async () => {
    const form = await world.makeForm()
    const of = {
      unknown: newAddress(),
      subscribed: newAddress(),
      optedOut: newAddress(),
      suppressed: newAddress(),
      asked: newAddress(),
      confirmed: newAddress(),
    }
    await world.api('POST', '/contacts', { email: of.subscribed })
    await world.api('POST', '/contacts', { email: of.optedOut, subscribed: false })
    await world.api('POST', '/suppressions', { emails: [of.suppressed] })
    await world.fillIn(form.id, { email: of.asked }, elsewhere())
    await world.fillIn(form.id, { email: of.confirmed }, elsewhere())
    await world.drain()
    await world.visit('POST', await world.linkFor(of.confirmed))
    const mailJobs = async () =>
      (await world.ctx.sql`select from jobs where kind = 'form.mail' and state = 'queued'`).count
    const seen = new Map<string, unknown>()
    for (const [name, email] of Object.entries(of)) {
      const before = await mailJobs()
      const { status, body, headers } = await world.fillIn(form.id, { email }, elsewhere())
      const shown = [...headers].filter(([key]) => key !== 'x-request-id')
      seen.set(name, { status, body, shown, jobs: (await mailJobs()) - before })
    }
    for (const answer of seen.values()) expect(answer).toEqual(seen.get('unknown'))
    expect(seen.get('unknown')).toMatchObject({ status: 303, jobs: 1 })
  })

  test('to a program that fills in everything is that of all, and nothing happens', async () => {
    const form = await world.makeForm()
    const entered = { email: newAddress(), website: 'https://spam.example' }
    const answer = await world.fillIn(form.id, entered, elsewhere())
    expect(answer.status).toBe(303)
    expect(await requestsOf(form.id)).toBe(0)
  })

  test.each([
    ['a disposable one', 'x@mailinator.com', 'We cannot send emails to this address'],
    ['no address', 'x@', 'Please enter a valid email address'],
    ['an address with a line break', 'a@example.com\r\nBcc: b@example.com', 'Please enter a valid email'],
    [
      'an address as long as a page',
      `${'a'.repeat(5_000)}@example.com`,
      'Please enter a valid email address',
    ],
  ])('refuses %s', async (_, email, words) => {
    const form = await world.makeForm()
    const answer = await world.fillIn(form.id, { email }, elsewhere())
    expect([answer.status, answer.body.includes(words)]).toEqual([422, true])
    expect(await requestsOf(form.id)).toBe(0)
  })

  test('refuses one of a domain that is not there, unless mail is kept in the outbox', async () => {
    const form = await world.makeForm()
    const entered = { email: 'x@nothing.example', ticket: ticketOf(form.id) }
    const { ctx } = world
    const sending = buildApp({ ...ctx, config: { ...ctx.config, mailTransport: 'smtp' } })
    const body = new URLSearchParams(entered)
    const answer = await request(sending, 'POST', `/forms/${form.id}`, { body, headers: elsewhere() })
    expect([answer.status, answer.body.includes('We cannot send emails to this address')]).toEqual([
      422,
      true,
    ])
    expect((await world.post(form.id, entered, elsewhere())).status).toBe(303)
  })

  test('does not depend on a name server that is silent', async () => {
    const form = await world.makeForm()
    world.dns.fail('silent.example', 'timeout')
    const answer = await world.fillIn(form.id, { email: 'x@silent.example' }, elsewhere())
    expect(answer.status).toBe(303)
  })

  test('shows what was entered as text, and marks what can’t be taken', async () => {
    const form = await world.makeForm({
      fields: [
        { key: 'name', label: 'Name <b>', type: 'text', maxLength: 20 },
        { key: 'seats', label: 'Seats', type: 'number', min: 1, max: 5 },
      ],
    })
    const entered = { email: newAddress(), 'data.name': '"><script>x', 'data.seats': '6' }
    const { status, body } = await world.fillIn(form.id, entered, elsewhere())
    expect(status).toBe(422)
    expect(body).toContain('value="&quot;&gt;&lt;script&gt;x"')
    expect(body).toContain('Name &lt;b&gt; (optional)')
    expect(body).toMatch(/name="data.seats"[^>]* aria-invalid="true"/)
    expect(body).not.toMatch(/<script|name="data.name"[^>]* aria-invalid/)
  })
})

describe('a time stamp', () => {
  const post = (id: string, ticket: string, email = newAddress()) =>
    world.post(id, { email, ticket }, elsewhere())

  test('is missing in forms of other pages, so one more page has it', async () => {
    const form = await world.makeForm({ fields: [{ key: 'a', label: 'A', type: 'text' }] })
    const email = newAddress()
    const step = await world.post(form.id, { email, 'data.a': '1 < 2' }, elsewhere())
    expect([step.status, step.body.includes('One more step')]).toEqual([200, true])
    expect(step.body).toContain('name="data.a" value="1 &lt; 2"')
    expect(await requestsOf(form.id)).toBe(0)
    world.clock.advance(minute)
    const sent = await world.post(form.id, { email, ticket: ticketIn(step.body) }, elsewhere())
    expect(sent.status).toBe(303)
  })

  test('that is too young is shown again, and good a moment later', async () => {
    const form = await world.makeForm()
    const ticket = ticketIn((await world.visit('GET', `/forms/${form.id}`)).body)
    const step = await post(form.id, ticket)
    expect([step.status, ticketIn(step.body)]).toEqual([200, ticket])
    world.clock.advance(minute)
    expect((await post(form.id, ticket)).status).toBe(303)
  })

  test('is good for five addresses, for a day of work, and for its form', async () => {
    const form = await world.makeForm()
    const other = await world.makeForm()
    const ticket = ticketOf(form.id)
    const statuses = []
    for (let at = 0; at < 6; at++) statuses.push((await post(form.id, ticket)).status)
    expect(statuses).toEqual([303, 303, 303, 303, 303, 200])
    expect((await post(other.id, ticketOf(form.id))).status).toBe(200)
    const old = ticketOf(form.id)
    world.clock.advance(13 * hour)
    expect((await post(form.id, old)).status).toBe(200)
    for (const broken of ['x', '..', `${old}x`, 'a'.repeat(5_000), old.replace(/^./, 'z')])
      expect((await post(form.id, broken)).status).toBe(200)
  })
})

describe('a script', () => {
  const solve = (ticket: string, email: string): string => {
    for (let answer = 0; ; answer++) {
      const digest = createHash('sha256').update(`${ticket}:${email}:${answer}`).digest()
      if (digest.readUInt32BE(0) >>> (32 - puzzleBits) === 0) return String(answer)
    }
  }
  const asScript = { accept: 'application/json', origin: 'https://shop.example' }

  test.each([
    ['en', 'If the address can receive it'],
    ['de', 'Wenn die Adresse sie empfangen kann'],
  ])(
    'that solves the puzzle sends at once, from any page, for that address alone: %s',
    async (language, message) => {
      const form = await world.makeForm({ language })
      const email = newAddress()
      const puzzle = await world.visit('GET', `/forms/${form.id}/puzzle`, asScript)
      expect(puzzle.body).toEqual({ ticket: expect.any(String), bits: puzzleBits })
      const { ticket } = puzzle.body
      const answer = solve(ticket, email)
      const headers = { ...asScript, ...elsewhere(), cookie: 'waxwing_session=x' }
      const other = await world.post(form.id, { email: newAddress(), ticket, answer }, headers)
      expect([other.status, other.body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
      const taken = await world.post(form.id, { email, ticket, answer }, headers)
      expect([taken.status, taken.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
      expect(taken.body.message).toStartWith(message)
      expect(await requestsOf(form.id)).toBe(1)
    },
  )

  test.each([
    ['en', 'Please check the marked fields.'],
    ['fr', 'Veuillez vérifier les champs signalés.'],
  ])('is told what is wrong in the words of the form: %s', async (language, message) => {
    const form = await world.makeForm({ fields: [{ key: 'a', label: 'A', type: 'date' }], language })
    const entered = { email: newAddress(), 'data.a': '2026-02-30' }
    const { status, body } = await world.post(form.id, entered, { ...asScript, ...elsewhere() })
    expect([status, body.error.message]).toEqual([422, message])
    expect(body.error.details).toEqual({ fields: ['a'] })
  })

  test('of another page reads nothing but forms', async () => {
    const form = await world.makeForm()
    for (const path of [`/forms/${form.id}/confirm?t=x`, '/signup-forms', '/forms/x/y/z'])
      expect((await world.visit('GET', path, asScript)).headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('a link', () => {
  /** Of a request that is waiting for its answer. */
  async function openLink(): Promise<{ formId: string; email: string; link: string }> {
    const form = await world.makeForm()
    const email = newAddress()
    await world.fillIn(form.id, { email }, elsewhere())
    await world.drain()
    return { formId: form.id, email, link: await world.linkFor(email) }
  }
  const isSubscribed = async (email: string) =>
    (await world.ctx.sql`select from contacts where email = ${email} and subscribed`).count === 1

  test('confirms nothing by being looked at, whatever looks at it', async () => {
    const { link, email } = await openLink()
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'GET']) await world.visit(method, link)
    expect(await isSubscribed(email)).toBe(false)
  })

  test('that was altered, or is of another form or project, is 404 and changes nothing', async () => {
    const { link, formId, email } = await openLink()
    const [path = '', token = ''] = link.split('?t=')
    const altered = [...token].map(
      (sign, at) => token.slice(0, at) + (sign === 'x' ? 'y' : 'x') + token.slice(at + 1),
    )
    const other = await world.makeForm()
    const foreign = await world.newProject()
    const tried = [
      ...altered.map(each => `${path}?t=${each}`),
      ...[path, `${path}?t=`, `${path}?t=${token}${token}`, `/forms/nothing/confirm?t=${token}`],
      link.replace(formId, other.id),
      link.replace(formId, foreign.id),
    ]
    const answers = await Promise.all(tried.map(each => world.visit('POST', each)))
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([404])
    expect(await isSubscribed(email)).toBe(false)
  })

  test('confirms once, also by ten at the same time', async () => {
    const { link, email } = await openLink()
    const answers = await Promise.all(Array.from({ length: 10 }, () => world.visit('POST', link)))
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([303])
    const [contact] = await world.ctx.sql`select id from contacts where email = ${email}`
    const id = contact!['id']
    expect((await world.ctx.sql`select from consent_changes where contact_id = ${id}`).count).toBe(1)
    expect(
      (await world.ctx.sql`select from events where contact_id = ${id} and name = 'contact.subscribed'`)
        .count,
    ).toBe(1)
  })

  test('is over after a week, and reads no body', async () => {
    const { link, email } = await openLink()
    const asked = unread(link)
    world.clock.advance(7 * day + 1)
    expect([(await world.site.handle(asked)).status, asked.bodyUsed]).toEqual([404, false])
    expect(await isSubscribed(email)).toBe(false)
  })

  test('works where the form was switched off meanwhile, which nobody can send then', async () => {
    const { link, email, formId } = await openLink()
    await world.api('PATCH', `/signup-forms/${formId}`, { enabled: false })
    expect((await world.visit('GET', `/forms/${formId}`)).status).toBe(404)
    const asked = unread(`/forms/${formId}`)
    expect([(await world.site.handle(asked)).status, asked.bodyUsed]).toEqual([404, false])
    expect((await world.visit('POST', link)).status).toBe(303)
    expect(await isSubscribed(email)).toBe(true)
  })
})

describe('a body', () => {
  test('beyond 16 kB is refused, with and without a length', async () => {
    const form = await world.makeForm()
    const body = `email=${'x'.repeat(17_000)}`
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
    }
    const declared = new Request(`http://localhost/forms/${form.id}`, { method: 'POST', headers, body })
    expect((await world.site.handle(declared)).status).toBe(413)
    const stream = new Blob([body]).stream()
    const counted = await request(world.site, 'POST', `/forms/${form.id}`, {
      body: stream,
      headers: elsewhere(),
    })
    expect(counted.status).toBe(413)
  })

  test('puts nothing into a header or another key of the contact', async () => {
    const form = await world.makeForm({ fields: [{ key: 'name', label: 'Name', type: 'text' }] })
    const email = newAddress()
    const entered = {
      ...{ email, 'data.name': 'Ada\r\nBcc: eve@example.com', 'data.plan': 'gold' },
      ...{ 'data.__proto__': 'x', __proto__: 'x', subscribed: 'false', projectId: 'x' },
    }
    await world.fillIn(form.id, entered, elsewhere())
    await world.drain()
    expect(sentTo()).toEqual([email])
    await world.visit('POST', await world.linkFor(email))
    const [contact] = await world.ctx.sql`select data from contacts where email = ${email}`
    expect(contact!['data']).toEqual({ name: 'Ada\r\nBcc: eve@example.com' })
  })
})
