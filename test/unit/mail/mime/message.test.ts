import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import MailComposer from 'nodemailer/lib/mail-composer'
import PostalMime, { decodeWords, type Email } from 'postal-mime'
import type { ComposedMail, MailAttachment } from '../../../../src/mail/mime/mail'
import { buildMime } from '../../../../src/mail/mime/message'

const base: ComposedMail = {
  from: 'sender@example.com',
  to: 'ada@example.org',
  subject: 'Hello',
  html: '<p>Hello</p>',
  text: 'Hello',
  headers: {},
  attachments: [],
  messageId: '0190-abc@example.com',
  date: new Date('2026-11-21T05:08:39.123Z'),
}

function raw(mail: Partial<ComposedMail>): string {
  return Buffer.from(buildMime({ ...base, ...mail })).toString('latin1')
}

function parse(bytes: Uint8Array): Promise<Email> {
  return PostalMime.parse(bytes)
}

/** The same mail by the reference composer. */
function reference(mail: ComposedMail): Promise<Uint8Array> {
  const composer = new MailComposer({
    from: { name: mail.fromName ?? '', address: mail.from },
    to: { name: mail.toName ?? '', address: mail.to },
    ...(mail.replyTo ? { replyTo: mail.replyTo } : {}),
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    messageId: `<${mail.messageId}>`,
    date: mail.date,
    headers: { ...mail.headers },
    attachments: mail.attachments.map(file => ({
      filename: file.filename,
      contentType: file.contentType,
      content: Buffer.from(file.content, 'base64'),
      contentDisposition: file.disposition,
      ...(file.contentId ? { cid: file.contentId } : {}),
    })),
  })
  return composer.compile().build()
}

/** What a reader sees; the line break that ends a body is not content. */
async function seen(bytes: Uint8Array): Promise<unknown> {
  const mail = await parse(bytes)
  const body = (text: string | undefined) => text?.replaceAll('\r\n', '\n').replace(/\n+$/, '')
  return {
    from: mail.from,
    to: mail.to,
    replyTo: mail.replyTo,
    subject: mail.subject,
    messageId: mail.messageId,
    date: mail.date,
    text: body(mail.text),
    html: body(mail.html),
    attachments: mail.attachments.map(file => ({
      filename: file.filename,
      type: file.mimeType,
      disposition: file.disposition,
      id: file.contentId,
      related: file.related,
      content: Buffer.from(file.content as ArrayBuffer).toString('base64'),
    })),
  }
}

const word = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    'a',
    'Zoé',
    '日本語のとても長い件名です',
    '"q"',
    'a\\b',
    'x'.repeat(90),
    'ünïcödé',
    ',',
    '<b>',
    '😀',
  ),
)
const line = fc.array(word, { maxLength: 12 }).map(words =>
  words
    .join(' ')
    .replace(/[\p{Cc}\u2028\u2029]/gu, '')
    .replace(/\s+/g, ' ')
    .trim(),
)
const bodyLine = fc.oneof(
  word,
  fc.constantFrom(
    '.',
    '..',
    '.hidden',
    'From me',
    'trailing  ',
    'tab\t',
    ' ',
    '=3D',
    '--=_alternative_0190abcexamplecom',
    '=',
    'é'.repeat(40),
    'x'.repeat(2000),
    '😀'.repeat(30),
    '\u00a0',
    '\f',
  ),
)
const body = fc
  .array(fc.tuple(bodyLine, fc.constantFrom('\n', '\r\n', '\n\n', ' ')), { minLength: 1, maxLength: 20 })
  .map(parts => `x${parts.map(([text, end]) => text.replaceAll('\0', '') + end).join('')}.`.toWellFormed())
const filename = fc.oneof(
  fc.constantFrom(
    'a.pdf',
    'Rechnung März 2026.pdf',
    '日本語のとても長いファイル名の請求書です2026年十一月.pdf',
    "it's (1) 100%.txt",
    'a;b=c.txt',
  ),
  fc.stringMatching(/^[\w .-]{1,60}[a-z]$/),
)
const file: fc.Arbitrary<MailAttachment> = fc.record({
  filename: filename.map(name => name.trim() || 'a'),
  contentType: fc.constantFrom('application/pdf', 'image/png', 'text/csv'),
  content: fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes).toString('base64')),
  disposition: fc.constant('attachment' as const),
})
const inlineFile = fc.tuple(file, fc.stringMatching(/^[a-z0-9]{1,12}$/)).map(
  ([item, contentId]): MailAttachment => ({
    ...item,
    contentType: 'image/png',
    disposition: 'inline',
    contentId,
  }),
)
const mail: fc.Arbitrary<ComposedMail> = fc.record({
  from: fc.constantFrom('sender@example.com', "o'brien+x@mail.example.com"),
  fromName: fc.option(line),
  to: fc.constantFrom('ada@example.org', 'a.b@xn--bcher-kva.example'),
  toName: fc.option(line),
  replyTo: fc.option(fc.constant('reply@example.com')),
  subject: line.filter(text => text !== ''),
  html: body,
  text: body,
  headers: fc.constant({}),
  attachments: fc
    .tuple(fc.array(inlineFile, { maxLength: 2 }), fc.array(file, { maxLength: 2 }))
    .map(([inline, files]) => [...inline, ...files]),
  messageId: fc.constant('0190-abc@example.com'),
  date: fc.constant(base.date),
})

describe('against the reference composer', () => {
  test('every reader sees the same mail', async () => {
    await fc.assert(
      fc.asyncProperty(mail, async sample => {
        expect(await seen(buildMime(sample))).toEqual(await seen(await reference(sample)))
      }),
      { numRuns: 400 },
    )
  })

  test('bytes are 7-bit, lines end with CRLF and stay short', () => {
    fc.assert(
      fc.property(mail, sample => {
        const text = Buffer.from(buildMime(sample)).toString('latin1')
        expect(text).toMatch(/^[\t\r\n\x20-\x7e]*$/)
        expect(text).not.toMatch(/[^\r]\n|\r[^\n]/)
        expect(text).toEndWith('\r\n')
        const [head = ''] = text.split('\r\n\r\n', 1)
        for (const part of head.split('\r\n')) expect(part.length).toBeLessThanOrEqual(998)
        for (const part of text.slice(head.length).split('\r\n')) expect(part.length).toBeLessThanOrEqual(140)
      }),
      { numRuns: 400 },
    )
  })
})

describe('the message', () => {
  test('holds each header once, with no Bcc', () => {
    const head = raw({ fromName: 'Ann', toName: 'Ada', replyTo: 'r@example.com' }).split('\r\n\r\n')[0]!
    expect(head.split(/\r\n(?! )/)).toEqual([
      'From: Ann <sender@example.com>',
      'To: Ada <ada@example.org>',
      'Reply-To: r@example.com',
      'Subject: Hello',
      'Message-ID: <0190-abc@example.com>',
      'Date: Sat, 21 Nov 2026 05:08:39 +0000',
      'MIME-Version: 1.0',
      'Content-Type: multipart/alternative;\r\n boundary="=_alternative_0190abcexamplecom"',
    ])
  })

  test('text that looks like an encoded word arrives as it was written', async () => {
    const { subject, from } = await parse(
      buildMime({ ...base, subject: '=?UTF-8?Q?x?=', fromName: '=?UTF-8?Q?x?=' }),
    )
    expect([subject, from?.name]).toEqual(['=?UTF-8?Q?x?=', '=?UTF-8?Q?x?='])
  })

  test('is the same bytes each time', () => expect(raw({})).toBe(raw({})))

  test('nests mixed around related around alternative, text first', () => {
    const inline: MailAttachment = {
      filename: 'l.png',
      contentType: 'image/png',
      content: 'AAAA',
      disposition: 'inline',
      contentId: 'logo',
    }
    const types = [
      ...raw({ attachments: [{ ...inline, disposition: 'attachment' }, inline] }).matchAll(
        /^Content-Type: ([\w/]+)/gm,
      ),
    ]
    expect(types.map(match => match[1])).toEqual([
      'multipart/mixed',
      'multipart/related',
      'multipart/alternative',
      'text/plain',
      'text/html',
      'image/png',
      'image/png',
    ])
  })

  test.each([' a', 'a ', 'a\tb', '\t\ta\t b  ', `${' '.repeat(80)}é`])(
    'the subject %j arrives as it is',
    subject => {
      const [, lines = ''] = /^Subject: (.*(?:\r\n .*)*)/m.exec(raw({ subject })) ?? []
      expect(decodeWords(lines.replaceAll('\r\n', ''))).toBe(subject)
    },
  )

  test('HTML without words has a text of one line: the subject, or who sends it', () => {
    const textOf = (changes: object) =>
      /plain; charset=utf-8\r\n.*?\r\n\r\n(.*?)\r\n--/s.exec(raw({ text: ' \n', ...changes }))?.[1]
    expect(textOf({})).toBe('Hello')
    expect(textOf({ subject: ' ', fromName: 'Acme' })).toBe('Acme')
    expect(textOf({ subject: '', fromName: null })).toBe('sender@example.com')
  })

  test('names the inline file after its content id, or its file name', () => {
    const inline: MailAttachment = {
      filename: 'l.png',
      contentType: 'image/png',
      content: 'AAAA',
      disposition: 'inline',
    }
    expect(raw({ attachments: [{ ...inline, contentId: 'logo' }] })).toContain('Content-ID: <logo>')
    expect(raw({ attachments: [inline] })).toContain('Content-ID: <l.png>')
  })

  test.each(['message/rfc822', 'multipart/mixed', 'nonsense', 'a/b\r\nX: y'])(
    'the type %p can not break a part',
    contentType => {
      const text = raw({
        attachments: [{ filename: 'a', contentType, content: 'AAAA', disposition: 'attachment' }],
      })
      expect(text).toContain('Content-Type: application/octet-stream')
      expect(text).not.toMatch(/^X:/m)
    },
  )

  const attach = (contentType: string, content: string, filename = 'a'): string =>
    raw({
      attachments: [
        {
          ...{ filename, contentType, disposition: 'attachment' as const },
          content: Buffer.from(content).toString('base64'),
        },
      ],
    })

  test.each([
    ['application/pdf', 'application/pdf'],
    ['TEXT/CSV; Charset=ISO-8859-1; header=present', 'text/csv; charset=ISO-8859-1; header=present'],
    [
      'application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m',
      'application/pkcs7-mime; smime-type=enveloped-data',
    ],
    ['text/plain; title="a; b=\\"c\\"";charset=utf-8', 'text/plain; charset=utf-8;\r\n title="a; b=\\"c\\""'],
    [
      'text/plain; name=My File.txt; name*=x; charset=utf-8; charset=other; ; =a; b=; c',
      'text/plain; charset=utf-8',
    ],
    ['text/plain; title="Größe"', "text/plain;\r\n title*=utf-8''Gr%C3%B6%C3%9Fe"],
    ['text/plain;', 'text/plain'],
  ])('the type %p keeps its parameters', (contentType, expected) => {
    expect(attach(contentType, 'x')).toContain(`\r\nContent-Type: ${expected};\r\n name="a"\r\n`)
  })

  test('an invitation is a form of the message as well, behind text and HTML', async () => {
    const calendar = 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n'
    const bytes = attach('text/calendar; method=REQUEST', calendar, 'invite.ics')
    expect([...bytes.matchAll(/^Content-Type: (.*)\r$/gm)].map(([, type]) => type)).toEqual([
      'multipart/mixed;',
      'multipart/alternative;',
      'text/plain; charset=utf-8',
      'text/html; charset=utf-8',
      'text/calendar; charset=utf-8; method=REQUEST',
      'text/calendar; method=REQUEST;',
    ])
    expect(bytes.split(Buffer.from(calendar).toString('base64'))).toHaveLength(3)
    expect(attach('text/calendar', calendar)).not.toContain('charset=utf-8; method')
  })

  test('a file name that looks like an encoded word is none for any reader', () => {
    expect(attach('a/b', 'x', '=?UTF-8?Q?x?= a.txt')).toContain(
      "name*=utf-8''%3D%3FUTF-8%3FQ%3Fx%3F%3D%20a.txt\r\n",
    )
  })

  const attached = 'From: a@b.example\r\nSubject: x\r\n\r\nHi\r\n'

  test.each([
    ['as it is', attached, attached],
    ['with whole lines', attached.replaceAll('\r\n', '\n'), attached],
    ['without an end', attached.trimEnd(), attached.trimEnd()],
  ])('a mail is attached as a mail, %s', (_, content, expected) => {
    const bytes = attach('message/rfc822', content, 'orig.eml')
    expect(bytes).toContain(
      `Content-Type: message/rfc822;\r\n name="orig.eml"\r\nContent-Disposition: attachment;\r\n filename="orig.eml"\r\nContent-Transfer-Encoding: 7bit\r\n\r\n${expected}\r\n--=_mixed`,
    )
  })

  test('a mail with bytes beyond ASCII says so, and so does what it is in', () => {
    const bytes = attach('message/rfc822', attached.replace('Hi', 'Größe'))
    expect(bytes.match(/^Content-Transfer-Encoding: 8bit\r$/gm)).toHaveLength(2)
    expect(bytes.slice(0, bytes.indexOf('\r\n\r\n'))).toContain('Content-Transfer-Encoding: 8bit')
  })

  test.each([
    ['a line that is too long', attached.replace('Hi', 'a'.repeat(999))],
    ['a NUL', attached.replace('Hi', '\0')],
    ['no header', 'hello'],
  ])('a mail with %s is a file', (_, content) => {
    const bytes = attach('message/rfc822', content)
    expect(bytes).toContain('Content-Type: application/octet-stream')
    expect(bytes.replace(/\r\n/g, '')).toContain(Buffer.from(content).toString('base64'))
  })

  test('international domains are written in Punycode', () => {
    expect(raw({ to: 'ada@bücher.example' })).toContain('To: ada@xn--bcher-kva.example\r\n')
  })

  test('custom headers are encoded and folded', async () => {
    const value = `ünï ${'word '.repeat(50)}end`
    const { headers } = await parse(
      buildMime({ ...base, headers: { 'X-Note': value, 'X-Plain': 'a'.repeat(998) } }),
    )
    expect(decodeWords(headers.find(header => header.key === 'x-note')?.value ?? '')).toBe(value)
    expect(decodeWords(headers.find(header => header.key === 'x-plain')?.value ?? '')).toBe('a'.repeat(998))
  })

  test.each([
    ['subject', { subject: 'a\r\nBcc: x@example.com\r\n\r\nbody' }],
    ['sender name', { fromName: 'a\r\nBcc: x@example.com' }],
    ['recipient name', { toName: 'a"\r\nBcc: x@example.com' }],
    ['address', { to: 'a@example.com>\r\nBcc: x@example.com' }],
    ['reply address', { replyTo: 'a@example.com\nBcc: x@example.com' }],
    ['custom header', { headers: { 'X-A': 'a\r\nBcc: x@example.com' } }],
    ['message id', { messageId: 'a@b>\r\nBcc: x@example.com' }],
    [
      'file name',
      {
        attachments: [
          {
            filename: 'a"\r\nBcc: x',
            contentType: 'a/b',
            content: 'AAAA',
            disposition: 'attachment' as const,
            contentId: 'a>\r\nBcc: x',
          },
        ],
      },
    ],
  ])('no header can be forged through the %s', (_name, part) => {
    expect(raw(part)).not.toMatch(/^Bcc/im)
  })

  test('sloppy Base64 arrives as the same file', async () => {
    const content = Buffer.from('hello').toString('base64').replace(/=+$/, '').replace(/(..)/g, '$1\r\n')
    const parsed = await parse(
      buildMime({
        ...base,
        attachments: [{ filename: 'a', contentType: 'a/b', content, disposition: 'attachment' }],
      }),
    )
    expect(Buffer.from(parsed.attachments[0]!.content as ArrayBuffer).toString()).toBe('hello')
  })
})
