// Messages as programs write them, with parts of every kind, for the submission server.
import { sender } from '../world'
import { type Chance, lineOf, phrase } from './chance'
import type { Expected } from './requests'

/** A header with encoded words, in lines that may leave. */
function words(text: string): string {
  const pieces = text.match(/.{1,12}/gsu) ?? ['']
  return pieces
    .map(piece => `=?UTF-8?B?${Buffer.from(piece.toWellFormed()).toString('base64')}?=`)
    .join('\r\n ')
}

const encoded = (bytes: Buffer): string => bytes.toString('base64').replace(/.{76}(?=.)/g, '$&\r\n')

function quoted(text: string): string {
  const bytes = Buffer.from(text).toString('latin1')
  const escaped = bytes
    .replace(/[^\n -<>-~]/g, byte => `=${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
    .replace(/ $/gm, '=20')
  return escaped
    .split('\n')
    .map(line => (line.match(/(?:=[0-9A-F]{2}|[^=]){1,24}/g) ?? ['']).join('=\r\n'))
    .join('\r\n')
}

type Maker = (chance: Chance, depth: number) => string

/** A part: its header, an empty line, its body, bytes as latin1 characters. */
const leaves: readonly Maker[] = [
  chance =>
    `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${bytesOf(`${phrase(chance, 9)}\r\n.\r\n..\r\n  two  \r\n`)}`,
  chance =>
    `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${quoted(`${phrase(chance, 40)}\n.\n`)}`,
  chance =>
    `Content-Type: text/html; charset="utf-8"\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded(Buffer.from(`<p>${phrase(chance, 30)} <a href="https://acme.example/">x</a></p>`))}`,
  () =>
    'Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\ncaf\xe9 \xfc\r\n',
  chance =>
    `Content-Type: application/pdf; name="a.pdf"\r\nContent-Disposition: attachment;\r\n filename*0*=utf-8''Gr%C3%B6;\r\n filename*1*=%C3%9Fe.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded(chance.bytes(chance.pick([1, 100, 5_000])))}`,
  () =>
    'Content-Type: text/csv; name=a.csv\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\na,b\r\nc,d\r\n',
  () =>
    'Content-Type: text/calendar; charset=utf-8; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n',
  () => 'Content-Type: text/x-amp-html; charset=utf-8\r\n\r\n<html amp4email></html>',
  chance =>
    `Content-Type: image/png\r\nContent-ID: <p@x.example>\r\nContent-Disposition: inline; filename="log.png"\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded(chance.bytes(300))}`,
  chance =>
    `Content-Type: text/plain; charset=us-ascii\r\n\r\n${'a sentence of some words '.repeat(chance.pick([1, 3, 30, 60]))}\r\n`,
]

/** None begins with another one (RFC 2046, 5.1.1). */
let boundaries = 0
const nextNumber = (): string => String(++boundaries).padStart(6, '0')
const partOf: Maker = (chance, depth) => {
  if (depth > 3 || !chance.once(3)) return chance.pick(leaves)(chance, depth)
  if (chance.once(4))
    return `Content-Type: message/rfc822\r\nContent-Transfer-Encoding: 8bit\r\nContent-Disposition: attachment; filename="orig.eml"\r\n\r\n${nested(chance, depth + 1)}`
  return multipart(chance, depth)
}

function multipart(chance: Chance, depth: number): string {
  const boundary = chance.pick([
    `b_${nextNumber()}`,
    `----=_Part ${nextNumber()}'()+_,-./:=?`,
    `_${'0'.repeat(50)}${nextNumber()}`,
  ])
  const type = chance.pick(['mixed', 'alternative', 'related', 'mixed; x-own="a; b"'])
  const parts = Array.from(
    { length: chance.below(3) + 1 },
    () => `--${boundary}\r\n${partOf(chance, depth + 1)}`,
  )
  const preamble = chance.once(2) ? 'preamble\r\n' : ''
  return `Content-Type: multipart/${type};\r\n boundary="${boundary}"\r\n\r\n${preamble}${parts.join('\r\n')}\r\n--${boundary}--\r\n${chance.once(3) ? 'epilogue\r\n' : ''}`
}

/** Without a line that no server has to take: what is a message itself must not be changed, and is refused with one. */
function nested(chance: Chance, depth: number): string {
  for (;;) {
    const head = `From: eve@example.org\r\nTo: ada@example.com\r\nSubject: ${words(lineOf(chance, 80))}\r\nDate: Thu, 26 Nov 2026 10:00:00 +0100\r\nMIME-Version: 1.0\r\n`
    const message = `${head}${partOf(chance, depth)}`
    if (message.split('\r\n').every(line => line.length <= 998)) return message
  }
}

const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')

/** A mail that somebody attaches: with whole line ends or with those of Unix. */
export function nestedMail(chance: Chance): Buffer {
  const text = nested(chance, 2)
  return Buffer.from(chance.once(2) ? text.replaceAll('\r\n', '\n') : text, 'latin1')
}

/** A whole message that a program hands in. */
export function submittedOf(chance: Chance, n: number): { raw: Buffer; to: string; expected: Expected } {
  const [fromName, toName] = [lineOf(chance, 60), lineOf(chance, 60)]
  const isTracked = chance.once(6)
  // As scripts write it: bytes that no header may have, and fields missing.
  const isRaw = chance.once(4)
  const line = lineOf(chance, 300)
  const subject = isRaw ? line.replaceAll('=?', '') : line
  const to = `smtp-${n}@example.com`
  const head = [
    `From: ${words(fromName)} <${sender}>`,
    `To: ${words(toName)}\r\n <${to}>`,
    `Subject: ${isRaw ? bytesOf(subject) : words(subject)}`,
    `Message-ID: <order-${n}@shop.example>`,
    ...(isRaw ? [`X-Shop: ${bytesOf(phrase(chance, 3))}`] : ['Date: Thu, 26 Nov 2026 10:00:00 +0100']),
    ...(chance.once(3) ? ['X-Tag: one', 'X-Tag: two', `X-Customer: ${words(phrase(chance, 4))}`] : []),
    ...(chance.once(3)
      ? [`References:${Array.from({ length: 30 }, (_, at) => ` <${at}.thread@x.example>`).join('\r\n')}`]
      : []),
    ...(chance.once(4)
      ? [
          'Reply-To: A <a@acme.example>,\r\n B <b@acme.example>',
          'List-ID: =?UTF-8?Q?Gr=C3=B6=C3=9Fe?= <news.acme.example>',
        ]
      : []),
    ...(isTracked ? ['X-Waxwing-Track: opens, clicks'] : []),
    ...(chance.once(4) ? ['X-Waxwing-Tag: a', 'Bcc: nobody@example.com'] : []),
    'MIME-Version: 1.0',
  ].join('\r\n')
  const body = chance.once(2) ? multipart(chance, 0) : partOf(chance, 0)
  // By SMTP the last line always ends.
  const raw = Buffer.from(`${head}\r\n${body}${body.endsWith('\r\n') ? '' : '\r\n'}`, 'latin1')
  return { raw, to, expected: { what: `submission ${n}`, subject, fromName, toName, raw, isTracked } }
}
