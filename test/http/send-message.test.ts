// What arrives: the message that a send request makes, read by an independent parser and checked by an independent verifier.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { dkimVerify } from 'mailauth/lib/dkim/verify'
import type { Email } from 'postal-mime'
import { makeWorld, parse, sender, senderDomain, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(() => world.mail.clear())
afterAll(() => world.close())

/** Sends, delivers, and answers the one message that left, with the text of its bytes. */
async function sent(body: Record<string, unknown> = {}): Promise<Email & { raw: string }> {
  await world.sendOne(body)
  await world.drain()
  expect(world.mail.attempts).toHaveLength(1)
  const [message] = world.mail.sent
  return { ...(await parse(message!)), raw: Buffer.from(message!.raw).toString('latin1') }
}

const header = (mail: Email, key: string): string[] =>
  mail.headers.filter(line => line.key === key.toLowerCase()).map(line => line.value)

async function makeTemplate(changes: Record<string, unknown> = {}): Promise<string> {
  const body = {
    name: 'Welcome',
    subject: 'Welcome {{name}}',
    body: '<p>Hi {{name ?? "friend"}}</p>',
    from: `template@${senderDomain}`,
    fromName: 'Template name',
    replyTo: 'replies@example.com',
    ...changes,
  }
  const answer = await world.call('POST', '/templates', { body })
  expect(answer.status).toBe(201)
  return answer.body.id
}

describe('the message', () => {
  test('has the envelope, the headers and both bodies', async () => {
    const mail = await sent({
      to: { email: 'Ada@Example.com', name: 'Ada Lovelace' },
      from: { email: sender, name: 'Acme' },
      subject: 'Grüße',
      body: '<h1>Hi</h1><p>See <a href="https://example.com/x">this</a>.</p>',
      reply: 'help@example.com',
    })
    expect(world.mail.sent[0]!.envelope).toEqual({ from: sender, to: 'ada@example.com' })
    expect(mail.from).toMatchObject({ address: sender, name: 'Acme' })
    expect(mail.to).toMatchObject([{ address: 'ada@example.com', name: 'Ada Lovelace' }])
    expect(mail.replyTo).toMatchObject([{ address: 'help@example.com' }])
    expect(mail.subject).toBe('Grüße')
    expect(mail.html).toContain('<h1>Hi</h1>')
    expect(mail.text).toContain('https://example.com/x')
    expect(mail.text).not.toContain('<')
    expect(mail.date).toBe(world.clock.now().toISOString())
  })

  test('carries the Message-ID that the ledger shows, at the domain of its sender', async () => {
    const id = await world.sendOne()
    await world.drain()
    const [mail] = await world.received()
    expect(mail!.messageId).toBe(`<${id}@${senderDomain}>`)
    expect((await world.email(id)).messageId).toBe(mail!.messageId)
  })

  test('is signed, and an independent verifier agrees', async () => {
    await sent({ subject: 'Grüße', headers: { 'X-Ref': '1' }, body: `<p>${'ä '.repeat(500)}</p>` })
    const { ctx, project } = world
    const [domain] = await ctx.sql`
      select selector, public_key from domains where project_id = ${project.id} and domain = ${senderDomain}`
    const { results } = await dkimVerify(Buffer.from(world.mail.sent[0]!.raw), {
      resolver: async name => {
        expect(name).toBe(`${domain!.selector}._domainkey.${senderDomain}`)
        return [[`v=DKIM1; k=rsa; p=${domain!.public_key}`]]
      },
    })
    expect(results.map(result => [result.status.result, result.signingDomain])).toEqual([
      ['pass', senderDomain],
    ])
  })

  test('holds attachments byte for byte, inline ones with their id', async () => {
    const bytes = Uint8Array.from({ length: 3_000 }, (_, index) => (index * 7) % 256)
    const mail = await sent({
      body: '<img src="cid:logo"><p>Hi</p>',
      attachments: [
        {
          filename: 'Übersicht 1.pdf',
          contentType: 'application/pdf',
          content: Buffer.from(bytes).toString('base64'),
        },
        {
          filename: 'logo.png',
          contentType: 'image/png',
          contentId: 'logo',
          disposition: 'inline',
          content: 'iVBORw0=',
        },
        { filename: 'empty-ish.txt', contentType: 'text/plain; charset=utf-8', content: 'AQ==' },
      ],
    })
    const found = mail.attachments.map(({ filename, mimeType, disposition, contentId, content }) => ({
      filename,
      mimeType,
      disposition,
      contentId,
      content: Buffer.from(content as ArrayBuffer).toString('base64'),
    }))
    const byName = Object.fromEntries(found.map(entry => [entry.filename, entry]))
    expect(found).toHaveLength(3)
    expect(byName['Übersicht 1.pdf']).toMatchObject({
      mimeType: 'application/pdf',
      disposition: 'attachment',
      content: Buffer.from(bytes).toString('base64'),
    })
    expect(byName['logo.png']).toMatchObject({
      disposition: 'inline',
      contentId: '<logo>',
      content: 'iVBORw0=',
    })
    expect(byName['empty-ish.txt']).toMatchObject({ mimeType: 'text/plain', content: 'AQ==' })
    expect(mail.html).toContain('cid:logo')
  })

  test('holds an attachment of zero bytes', async () => {
    const mail = await sent({
      attachments: [{ filename: 'empty.log', contentType: 'text/plain', content: '' }],
    })
    expect(mail.attachments.map(({ filename, content }) => [filename, content])).toMatchObject([
      ['empty.log', { byteLength: 0 }],
    ])
  })

  test('each of several recipients gets its own, with the attachments', async () => {
    const attachments = [{ filename: 'a.txt', contentType: 'text/plain', content: 'aGVsbG8=' }]
    await world.send({ to: ['x@example.com', 'y@example.com'], body: '<p>{{email}}</p>', attachments })
    await world.drain()
    const mails = await world.received()
    expect(mails.map(mail => [mail.to![0]!.address, mail.html, mail.attachments.length]).sort()).toEqual([
      ['x@example.com', expect.stringContaining('x@example.com'), 1],
      ['y@example.com', expect.stringContaining('y@example.com'), 1],
    ])
  })

  test('carries custom headers, and the last of two that differ in case', async () => {
    const mail = await sent({ headers: { 'X-Order': 'A 7 ü', 'x-ref': '1', 'X-Ref': '2' } })
    expect(header(mail, 'X-Order')).toEqual(['=?UTF-8?Q?A_7_=C3=BC?='])
    expect(header(mail, 'X-Ref')).toEqual(['2'])
  })

  test('offers one-click unsubscription only when its body holds the link', async () => {
    const without = await sent({ body: '<p>Hi</p>' })
    expect([header(without, 'List-Unsubscribe'), header(without, 'Precedence')]).toEqual([[], []])
    world.mail.clear()
    const mail = await sent({ body: '<a href="{{unsubscribeUrl}}">no more</a>' })
    const url = /href="([^"]+)"/.exec(mail.html!)![1]!.replaceAll('&amp;', '&')
    expect(url).toMatch(/^http:\/\/localhost:3000\/unsubscribe\/[0-9a-f-]{36}\?t=[\w-]{22,}&e=[0-9a-f-]{36}$/)
    expect(header(mail, 'List-Unsubscribe')).toEqual([`<${url}>`])
    expect(header(mail, 'List-Unsubscribe-Post')).toEqual(['List-Unsubscribe=One-Click'])
    expect(header(mail, 'Precedence')).toEqual([])
  })

  test('of an international domain has an ASCII Message-ID and envelope', async () => {
    const { ctx, project } = world
    await ctx.sql`
      insert into domains select (jsonb_populate_record(d, jsonb_build_object(
        'id', gen_random_uuid(), 'domain', 'xn--bcher-kva.example'))).* from domains d where project_id = ${project.id}`
    const mail = await sent({ to: 'ada@bücher.example', from: 'me@bücher.example' })
    expect(mail.raw).not.toMatch(/[^\p{ASCII}]/u)
    expect(mail.messageId).toEndWith('@xn--bcher-kva.example>')
    expect(mail.from!.address).toBe('me@xn--bcher-kva.example')
    expect(world.mail.sent[0]!.envelope).toEqual({
      from: 'me@xn--bcher-kva.example',
      to: 'ada@xn--bcher-kva.example',
    })
  })
})

describe('the name of the sender', () => {
  const rows: Array<[string, Record<string, unknown>, string]> = [
    ['is that of the sender object', { from: { email: sender, name: 'A' }, name: 'B' }, 'A'],
    ['else the deprecated name', { from: sender, name: 'B' }, 'B'],
    ['also beside an object with an empty one', { from: { email: sender, name: '' }, name: 'B' }, 'B'],
    ['else that of the project', { from: sender }, 'Acme'],
  ]
  for (const [name, body, expected] of rows)
    test(name, async () => {
      expect((await sent(body)).from!.name).toBe(expected)
    })

  test('is that of the template unless the request has one', async () => {
    const template = await makeTemplate()
    const letter = { from: undefined, subject: undefined, body: undefined, template }
    expect((await sent(letter)).from).toMatchObject({
      name: 'Template name',
      address: `template@${senderDomain}`,
    })
    world.mail.clear()
    expect((await sent({ ...letter, name: 'B' })).from!.name).toBe('B')
  })
})

describe('a template', () => {
  test('gives what the request leaves out', async () => {
    const template = await makeTemplate()
    const mail = await sent({
      from: undefined,
      subject: undefined,
      body: undefined,
      template,
      data: { name: 'Ada' },
    })
    expect([mail.subject, mail.replyTo![0]!.address]).toEqual(['Welcome Ada', 'replies@example.com'])
    expect(mail.html).toContain('Hi Ada')
  })

  const overrides: Array<[string, Record<string, unknown>, (mail: Email) => unknown, unknown]> = [
    ['subject', { subject: 'Own {{name}}' }, mail => mail.subject, 'Own Ada'],
    ['body', { body: '<p>own</p>' }, mail => mail.text?.trim(), 'own'],
    ['sender', { from: `own@${senderDomain}` }, mail => mail.from!.address, `own@${senderDomain}`],
    ['reply address', { reply: 'own@example.org' }, mail => mail.replyTo![0]!.address, 'own@example.org'],
  ]
  for (const [name, change, read, expected] of overrides)
    test(`is overridden by the ${name} of the request`, async () => {
      const template = await makeTemplate()
      const letter = { from: undefined, subject: undefined, body: undefined, template, data: { name: 'Ada' } }
      expect(read(await sent({ ...letter, ...change }))).toBe(expected)
    })

  test('of type MARKETING reaches an unsubscribed contact, and looks transactional', async () => {
    const template = await makeTemplate({ type: 'MARKETING' })
    const mail = await sent({
      from: undefined,
      subject: undefined,
      body: undefined,
      template,
      to: 'off@example.com',
      subscribed: false,
    })
    expect([header(mail, 'Precedence'), header(mail, 'List-Unsubscribe')]).toEqual([[], []])
  })

  for (const source of ['{{ name | nofilter }}', '{{ "a" | base64_decode }}', '{{ name | append }}'])
    test(`with a filter that can't work is sent as plainly as possible: ${source}`, async () => {
      const mail = await sent({
        subject: `S ${source}`,
        body: `<p>{{name}} ${source}</p>`,
        data: { name: 'Ada' },
      })
      expect(mail.html).toContain('Ada')
    })

  const unreadable: Array<[source: string, reason: string]> = [
    ['{{ name ', '"{{" is not closed'],
    ['{{ a {{ name }}', '"{{" is not closed'],
    ['a {% if', '"{%" is not closed'],
    ['{% if %}', 'invalid value expression'],
    ['{% if plan is "pro" %}x{% endif %}', '"is" is not an operator'],
    ['{% if name == "a %}x{% endif %}', 'the quote of "a is not closed'],
    ['{% for a in b step: 2 %}x{% endfor %}', '"for" has no parameter "step"'],
    ['{% capture manageUrl %}x{% endcapture %}', '"manageUrl" is set by Waxwing'],
    ['{% if name %}', 'not closed'],
    ['{% nothing %}', 'tag "nothing" not found'],
    ['{% include "a" %}', 'tag "include" not found'],
    ['{% render "a" %}', 'tag "render" not found'],
    ['{% layout "a" %}', 'tag "layout" not found'],
  ]
  test.each(unreadable)(
    'that no template language reads is refused, and nothing is sent: %s',
    async (source, reason) => {
      for (const field of ['subject', 'body']) {
        const { status, body } = await world.send({ to: 'ada@example.com', [field]: source })
        expect(status).toBe(422)
        const [fault] = body.error.errors
        expect(fault).toMatchObject({ field, code: 'invalid_string' })
        expect(fault.message).toStartWith(`Invalid template syntax in ${field} (line 1, column `)
        expect(fault.message).toContain(reason)
        expect(body.error.suggestion).toBeString()
      }
      expect(await world.received()).toHaveLength(0)
    },
  )

  test('without any delimiter is never read as one', async () => {
    const mail = await sent({ body: '<p>{ a } {a: {b: 1}} }} %}</p>' })
    expect(mail.html).toContain('{ a } {a: {b: 1}} }} %}')
  })

  test('that takes longer than it may is refused, and nothing is sent', async () => {
    const { status, body } = await world.send({
      to: 'slow@example.com',
      body: '{% for x in (1..100000000) %}{{x}}{% endfor %}',
    })
    expect([status, body.error.errors]).toEqual([
      422,
      [{ field: 'body', message: expect.stringContaining('longer than a second'), code: 'too_big' }],
    ])
    const [row] = await world.ctx
      .sql`select count(*)::int as rows from contacts where email = 'slow@example.com'`
    expect(row!['rows']).toBe(0)
  })
})

describe('text that no database stores', () => {
  const rows: Array<[string, string]> = [
    ['half a character', '{{ "😀" | slice: 0 }}'],
    ['NUL', '{{ "a%00b" | url_decode }}'],
    ['NUL from Base64', '{{ "YQBi" | base64_decode }}'],
  ]
  for (const [name, source] of rows)
    test(`is dropped when a template makes it: ${name}`, async () => {
      const mail = await sent({ subject: `S ${source} end`, body: `<p>start ${source} end</p>` })
      expect(mail.subject).toMatch(/^S .*end$/)
      expect(mail.html).toMatch(/<p>start .* end<\/p>/)
    })
})

test('a subject that a template makes too long is cut to what a subject may have', async () => {
  const mail = await sent({ subject: '{% for n in (1..5000) %}😀{% endfor %}' })
  expect(mail.subject).toBe('😀'.repeat(499))
})

describe('nobody can smuggle a header in', () => {
  const evil = 'x\r\nBcc: victim@example.com'
  test('through values that a template puts into the subject', async () => {
    const mail = await sent({ subject: 'Hi {{nick}}', data: { nick: evil } })
    expect(mail.subject).toBe('Hi x Bcc: victim@example.com')
    expect(mail.raw).not.toMatch(/^Bcc:/im)
  })

  test('through other line separators', async () => {
    for (const separator of ['\u2028', '\u0085', '\v', '\f']) {
      world.mail.clear()
      const name = `x${separator}Bcc: victim@example.com`
      const mail = await sent({
        to: { email: 'ada@example.com', name },
        from: { email: sender, name },
        subject: name,
        headers: { 'X-A': name },
        attachments: [{ filename: name, contentType: 'text/plain', contentId: name, content: 'AA==' }],
      })
      expect(mail.raw).not.toMatch(/^Bcc:/im)
      expect(mail.bcc ?? []).toEqual([])
    }
  })

  const refused: Array<[string, Record<string, unknown>]> = [
    ['the subject', { subject: evil }],
    ['the name of the sender', { from: { email: sender, name: evil } }],
    ['the deprecated name', { name: evil }],
    ['the name of the recipient', { to: { email: 'a@b.co', name: evil } }],
    ['the address of the recipient', { to: `a@b.co${evil}` }],
    ['the address of the sender', { from: `${sender}${evil}` }],
    ['the reply address', { reply: `a@b.co${evil}` }],
    ['a header value', { headers: { 'X-A': evil } }],
    ['a header name', { headers: { [`X-A: ${evil}`]: '1' } }],
    ['a file name', { attachments: [{ filename: evil, contentType: 'text/plain', content: 'AA==' }] }],
    [
      'a content type',
      { attachments: [{ filename: 'a', contentType: `text/plain; x=${evil}`, content: 'AA==' }] },
    ],
    [
      'a content id',
      { attachments: [{ filename: 'a', contentType: 'text/plain', contentId: evil, content: 'AA==' }] },
    ],
  ]
  for (const [name, body] of refused)
    test(`through ${name}: 422`, async () => {
      expect((await world.send({ to: 'a@example.com', ...body })).status).toBe(422)
    })
})
