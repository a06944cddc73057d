// Bodies of POST /v1/send of every shape, and what a reader has to find in what leaves.
import { createHash } from 'node:crypto'
import { renderMail } from '../../../src/dashboard/editor/mail/render'
import { withSamples } from '../../../src/dashboard/editor/samples'
import * as words from '../../../src/dashboard/texts/en/samples'
import { sender } from '../world'
import { type Chance, lineOf, phrase } from './chance'
import { nestedMail } from './submitted'

const { samples } = withSamples(words)

export interface ExpectedFile {
  name: string
  sha: string
}

export interface Expected {
  /** As a sentence about it. */
  what: string
  subject?: string
  fromName?: string
  toName?: string
  files?: ExpectedFile[]
  /** As the ledger shows them; missing where they may differ from what leaves. */
  bodies?: { html: string; text: string }
  /** What was handed in, where its bytes have to be those that leave. */
  raw?: Buffer
  /** Its HTML may differ: it is measured. */
  isTracked?: boolean
}

export const shaOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export interface MadeRequest {
  body: Record<string, unknown>
  expected: Expected
}

const domains = [
  'example.com',
  'bücher.example',
  'xn--bcher-kva.example',
  'пример.example',
  '例え.example',
  'a-b.co.example',
]

export function addressOf(chance: Chance, n: number): string {
  const local = chance.pick(['ada', "o'hara", 'a+b', 'x_y.z', '!#$%&*/=?^`{|}~', 'a'.repeat(50)])
  return `${local}-${n}@${chance.pick(domains)}`
}

const part =
  '<p>Dear <b>{{name ?? "you"}}</b>, see <a href="https://acme.example/a?b=1&amp;c=ü#d">this</a>.</p>'

/** HTML of every shape that people and editors write. */
export function htmlOf(chance: Chance): string {
  const text = phrase(chance, 20).replace(/[<>&"]/g, '')
  const shapes: Array<() => string> = [
    () => `<p>${text}</p>`,
    () =>
      `<html><head><title>x</title><style>p { color: red }</style></head><body>${part}<p>${text}</p></body></html>`,
    () => `<html><body><p>${text}</p></body></html><!-- built with </body> -->`,
    () => `<p>${'x'.repeat(20_000)}</p>`,
    () => `<table><tr>${`<td>${text}</td>`.repeat(80)}</tr></table>`,
    () => `${part}\r\n.\r\n..\n.hidden\r<pre>\ttab  \n two  </pre>   \n\n\n`,
    () => `<p>&Kappa;&alpha;&nbsp;&copy2026 ${text} = =20 =E4 --=_mixed_</p><p>From here</p>`,
    () => '<img src="https://acme.example/a.png">',
    () => `<p>😀${'😀é'.repeat(chance.below(4_000))}</p>`,
    () => `<p>${text}</p><!-- never closed`,
    () => `<p>{% if name %}${text}{% else %}nobody{% endif %}{% for n in (1..9) %} {{ n }}{% endfor %}</p>`,
    () => `${part.repeat(300)}<p>${text}</p>`,
    () => renderMail(chance.pick(samples).document),
    () => text,
    () => `<a href="{{unsubscribeUrl}}">${text}</a><div style="display:none">preview</div>`,
    () => `<p>${`${text} `.repeat(100)}</p>\n${' '.repeat(200)}\n<p>\u00a0\u2028\u0085\f${text}</p>`,
  ]
  return chance.pick(shapes)()
}

function headersOf(chance: Chance): Record<string, string> {
  const all: Array<[string, string]> = [
    ['X-Note', lineOf(chance, 900)],
    ['X-Plain', 'a'.repeat(chance.below(998) + 1)],
    ['List-Id', 'Größe News, "all" <news.acme.example>'],
    [
      'References',
      Array.from({ length: chance.below(20) + 1 }, (_, n) => `<${n}.thread@x.example>`).join(' '),
    ],
    ['In-Reply-To', '<a=?b@x.example>'],
    ['Auto-Submitted', 'auto-generated'],
    ['Sensitivity', 'Private'],
    ['Keywords', phrase(chance, 5)],
    ['List-Unsubscribe', `<https://x.example/${'a'.repeat(chance.below(800))}?k=?>, <mailto:u@x.example>`],
    ['Disposition-Notification-To', '"Jörg, Dr." <j@x.example>'],
    [`X-${'Long-'.repeat(15)}Name`, 'é'.repeat(chance.below(300) + 1)],
    ['Organization', phrase(chance, 4)],
  ]
  return Object.fromEntries(all.filter(() => chance.once(6)))
}

const names = [
  'a.pdf',
  'Rechnung März 2026.pdf',
  "it's (1) 100% *.txt",
  'a;b=c, d.txt',
  'back\\slash.txt',
  '.hidden',
  'no ending',
]

interface MadeFile extends Record<string, unknown> {
  filename: string
  content: string
  contentType: string
}

function fileOf(chance: Chance, n: number): MadeFile {
  const filename = chance.once(3)
    ? `${lineOf(chance, 200).replace(/["\r\n]/g, '')}.txt`
    : `${n} ${chance.pick(names)}`
  const bytes = chance.once(8) ? Buffer.alloc(0) : chance.bytes(chance.pick([1, 56, 57, 58, 3_000, 40_000]))
  const content = bytes.toString('base64')
  const calendar =
    'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nSUMMARY:Größe\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
  const kinds: MadeFile[] = [
    { filename, content, contentType: 'application/pdf' },
    { filename, content, contentType: 'text/plain; charset=iso-8859-1' },
    { filename, content, contentType: 'application/octet-stream; name="other.bin"' },
    {
      filename,
      content,
      contentType: 'application/pkcs7-mime; smime-type=enveloped-data; title="a; \\"b\\""',
    },
    { filename, content, contentType: 'Text/CSV; charset="utf-8"; header=present; bad; =x' },
    {
      filename: `${n} invite.ics`,
      content: Buffer.from(calendar).toString('base64'),
      contentType: 'text/calendar; method=REQUEST',
    },
    {
      filename: `${n} forwarded.eml`,
      content: nestedMail(chance).toString('base64'),
      contentType: 'message/rfc822',
    },
    { filename, content, contentType: 'image/png', disposition: 'inline', contentId: `picture.${n}` },
  ]
  return chance.pick(kinds)
}

/** A whole request, to an address with `n` in it. */
export function requestOf(chance: Chance, n: number): MadeRequest {
  const subject = lineOf(chance, 998).replace(/[{}%]/g, '') || 'x'
  const [fromName, toName] = [lineOf(chance, 200), lineOf(chance, 200)]
  const isTracked = chance.once(2)
  const files = Array.from({ length: chance.pick([0, 0, 1, 2, 4]) }, (_, at) => fileOf(chance, at))
  const inline = files.filter(({ disposition }) => disposition === 'inline')
  const body = `${htmlOf(chance)}${inline.map(({ contentId }) => `<img src="cid:${contentId}">`).join('')}`
  return {
    body: {
      ...(chance.once(12) ? { text: phrase(chance, 30) } : { body }),
      ...(chance.once(5) ? { body, text: `${phrase(chance, 300)}\n.\n-- \nAcme` } : {}),
      from: { email: sender, name: fromName },
      to: { email: addressOf(chance, n), name: toName },
      subject,
      headers: headersOf(chance),
      attachments: files,
      tracking: isTracked,
      ...(chance.once(3)
        ? { reply: `"${phrase(chance, 2).replace(/["\\<>@,;]/g, '')}" <r@example.org>` }
        : {}),
      ...(chance.once(6) ? { cc: [`Zoë <cc-${n}@example.com>`], bcc: [`bcc-${n}@example.com`] } : {}),
      data: { name: phrase(chance, 2) },
    },
    expected: {
      what: `request ${n}`,
      ...{ subject, fromName, toName, isTracked },
      files: files.map(({ filename, content, contentType }) => ({
        name: filename,
        // Of a mail only the line ends may differ.
        sha: shaOf(contentType === 'message/rfc822' ? withCrlf(content) : Buffer.from(content, 'base64')),
      })),
    },
  }
}

function withCrlf(base64: string): Buffer {
  const text = Buffer.from(base64, 'base64').toString('latin1')
  return Buffer.from(text.replace(/\r?\n/g, '\r\n'), 'latin1')
}
