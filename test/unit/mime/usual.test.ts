// Mail of the usual shape: what is read the short way reads the same with postal-mime, and what programs write is of that shape.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import MailComposer from 'nodemailer/lib/mail-composer'
import type Mail from 'nodemailer/lib/mailer'
import PostalMime, * as readers from 'postal-mime'
import { readUsualMail, type UsualMail } from '../../../src/mime/usual'
import { anyCharacter } from '../../support/any-character'

/** What postal-mime leaves out is empty in ours. */
function comparable(mail: UsualMail) {
  const { headers, from, to = [], cc = [], replyTo = [], subject = '', messageId = '' } = mail
  const { html = '', text = '', attachments } = mail
  return { headers, from, to, cc, replyTo, subject, messageId, html, text, attachments }
}

async function expectSame(raw: Buffer): Promise<boolean> {
  const ours = readUsualMail(raw, readers)
  if (!ours) return false
  expect(comparable(ours)).toEqual(comparable(await PostalMime.parse(raw)))
  return true
}

/** As it arrives by SMTP. */
async function written(mail: Mail.Options): Promise<Buffer> {
  const raw = await new MailComposer(mail).compile().build()
  return Buffer.from(`${raw.toString('latin1').trimEnd()}\n`.replace(/\r?\n/g, '\r\n'), 'latin1')
}

const mailboxes = fc.constantFrom(
  'ada@example.com',
  'Ada <ada@example.com>',
  '"Lovelace, Ada" <ada@example.com>, b.c+d@sub.example.org',
  '=?utf-8?Q?Zo=C3=AB?= <zoe@example.com>',
  'team: ada@example.com, <bob@example.com>;',
  'ada@example.com (Ada)',
  'nobody',
  '-a@example-.com',
  "o'neil@example.com",
  '',
)
const words = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'Your order',
      '=?utf-8?B?w6TDtg==?= =?utf-8?Q?_x?=',
      '=?x',
      '',
      ' two  blanks ',
      'a\r\n b',
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
)
const header = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('From', 'To', 'Cc', 'Reply-To', 'to'), mailboxes)
      .map(([k, v]) => `${k}: ${v}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('Subject', 'Message-ID', 'X-Mine', 'Date', 'From '), words)
      .map(([k, v]) => `${k}:${v}`),
  },
  { weight: 3, arbitrary: fc.constantFrom('MIME-Version: 1.0', 'X-Long: a\r\n\tb\r\n  c') },
  { weight: 1, arbitrary: fc.constantFrom('no colon', ': empty', ' starts blank: x') },
)
const charset = fc.constantFrom(
  '; charset=utf-8',
  ...['', '; charset=utf-8', '; charset=utf-8', '; charset=utf-8'],
  '; charset="UTF-8"',
  ';charset=us-ascii',
  '; charset=iso-8859-1',
  ';\r\n charset=utf-8',
  '; charset=utf-8; format=flowed',
  '; charset=utf-8; charset=latin1',
  '; charset=utf-8;',
  '; charset=(x)utf-8',
)
const encoding = fc.constantFrom(
  ...['', '', '\r\nContent-Transfer-Encoding: 7bit', '\r\nContent-Transfer-Encoding: 8bit'],
  ...['\r\nContent-Transfer-Encoding: quoted-printable', '\r\ncontent-transfer-encoding:  Quoted-Printable'],
  ...['\r\nContent-Transfer-Encoding: base64', '\r\nContent-Disposition: inline'],
)
const line = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      '',
      '.',
      'Thank you.',
      '<p>On its way.</p>',
      '=C3=A4 =',
      '=',
      'a=3Db',
      'ä',
      '\t ',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '--b',
      '--b--',
      '--bb',
      ' --b',
      '=3d',
      '=0D=0A=20',
      '=EF=BB=BFx',
      '\ufeffx',
      'a\rb',
      'a\nb',
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 20, unit: anyCharacter }) },
)
const lines = fc.array(line, { maxLength: 4 }).map(all => all.join('\r\n'))
const leaf = fc
  .tuple(
    fc.constantFrom('text/plain', 'text/plain', 'text/html', 'TEXT/HTML', 'text/csv'),
    charset,
    encoding,
    lines,
  )
  .map(([type, set, how, body]) => `Content-Type: ${type}${set}${how}\r\n\r\n${body}`)
const boundary = fc.constantFrom('b', 'b', '"b"', '"b"; x=y', 'bb', "'b'", '"b "')
const alternative = fc
  .tuple(
    boundary,
    lines,
    fc.array(leaf, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('--b--', '--b--', '--b--', '--b', ''),
    lines,
  )
  .map(([b, before, parts, end, after]) =>
    [
      `Content-Type: multipart/alternative; boundary=${b}\r\n`,
      before,
      ...parts.flatMap(p => ['--b', p]),
      end,
      after,
    ].join('\r\n'),
  )
const message = fc
  .tuple(
    fc.array(header, { maxLength: 5 }),
    fc.oneof(leaf, alternative),
    fc.constantFrom('\r\n', '\r\n', '\r\n', ''),
  )
  .map(([headers, rest, end]) => Buffer.from([...headers, `${rest}${end}`].join('\r\n')))

describe('mail of the usual shape', () => {
  test('reads the same as with a reader of all MIME, or is left to that', async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(message, async raw => {
        if (await expectSame(raw)) count++
      }),
      { numRuns: 3_000 },
    )
    expect(count).toBeGreaterThan(300)
  })

  test('reads the same whatever bytes are changed', async () => {
    const whole = Buffer.from(usual)
    const change = fc.tuple(
      fc.nat(whole.length - 1),
      fc.constantFrom('', '\r', '\n', '\r\n', '--b', ' ', '\t', ';', '"', '=', 'é', '\0', ':', '(', '\r\n '),
      fc.nat(3),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 2 }), async changes => {
        let raw = whole
        for (const [at, put, skip] of changes)
          raw = Buffer.concat([raw.subarray(0, at), Buffer.from(put), raw.subarray(at + skip)])
        await expectSame(raw)
      }),
      { numRuns: 3_000 },
    )
  })

  test.each([
    ['text and HTML', { text: 'Thank you.', html: '<p>Thank you.</p>' }],
    ['text alone', { text: 'Thank you.\n\nBye.' }],
    ['HTML alone', { html: '<p class="a">Thank you.</p>' }],
    [
      'umlauts, quoted',
      { text: 'Schöne Grüße', html: '<p>Schöne Grüße</p>', textEncoding: 'quoted-printable' as const },
    ],
  ])('is what nodemailer writes for %s', async (_name, content) => {
    const mail = { from: 'Ada <ada@example.com>', to: 'bob@example.com', subject: 'Größe', ...content }
    expect(await expectSame(await written(mail))).toBe(true)
  })

  test('is what is written by hand', async () => {
    expect(await expectSame(Buffer.from(usual))).toBe(true)
  })

  test('has no files', async () => {
    const mail = {
      from: 'ada@example.com',
      to: 'bob@example.com',
      text: 'x',
      attachments: [{ content: 'x' }],
    }
    expect(readUsualMail(await written(mail), readers)).toBeUndefined()
  })
})

const usual = [
  'From: Ada <ada@example.com>',
  'To: bob@example.com',
  'Subject: Your order',
  'Message-ID: <1@example.com>',
  'Content-Type: multipart/alternative;',
  ' boundary="b"',
  '',
  ...['--b', 'Content-Type: text/plain; charset=utf-8', '', 'Thänk you.'],
  ...['--b', 'Content-Type: text/html; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable', ''],
  ...['<p class=3D"a">=C3=A4 on its =', 'way</p>', '--b--', ''],
].join('\r\n')
