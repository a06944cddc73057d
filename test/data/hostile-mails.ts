// Mail that is built to hold up whoever parses it. Each is a whole message but for the header lines that say whom it is from.

export interface HostileMail {
  name: string
  raw: () => string
}

const megabyte = 1_000_000
const fill = (piece: string, bytes: number): string => piece.repeat(Math.floor(bytes / piece.length))
const typed = (type: string, body: string): string => `Content-Type: ${type}\r\n\r\n${body}`
const parts = (piece: string, bytes: number): string =>
  typed('multipart/report; boundary=a', `${fill(piece, bytes)}--a--\r\n`)
/** Each level in the one before it. */
const nested = (levels: number, type: (level: number) => string): string =>
  Array.from(
    { length: levels },
    (_, level) => `--b${level - 1}\r\nContent-Type: ${type(level)}\r\n\r\n`,
  ).join('')

/** At most five megabytes, as a report may have. */
export const hostileMails: readonly HostileMail[] = [
  { name: 'line breaks as HTML', raw: () => typed('text/html', fill('\n', 4.9 * megabyte)) },
  { name: 'line breaks as text', raw: () => typed('text/plain', fill('\n', 4.9 * megabyte)) },
  { name: 'line breaks as a file', raw: () => typed('application/octet-stream', fill('\n', 4.9 * megabyte)) },
  {
    name: 'line breaks as a report',
    raw: () => typed('multipart/report; boundary=a', fill('\n', 4.9 * megabyte)),
  },
  {
    name: 'as many lines as are read',
    raw: () => typed('multipart/report; boundary=a', `--a\r\n\r\n${fill('\n', 99_000)}`),
  },
  { name: 'quotes that flow', raw: () => typed('text/plain; format=flowed', fill('> \r\n', 4.4 * megabyte)) },
  {
    name: 'lines that flow',
    raw: () => typed('text/plain; format=flowed; delsp=yes', fill(`${'a'.repeat(47)} \r\n`, 4.9 * megabyte)),
  },
  {
    name: 'quotes of quotes that flow',
    raw: () => typed('text/plain; format=flowed', fill(`${'>'.repeat(900)} \r\n`, 4.9 * megabyte)),
  },
  { name: '9,990 empty parts', raw: () => parts('--a\r\n\r\n', 70_000) },
  { name: 'parts without end', raw: () => parts('--a\r\n\r\n', 4.9 * megabyte) },
  {
    name: 'as many parts as are read',
    raw: () => parts('--a\r\nContent-Type: message/delivery-status\r\n\r\nx: y\r\n', 50_000),
  },
  {
    name: 'reports without end',
    raw: () =>
      parts(
        '--a\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\n\r\n',
        4.9 * megabyte,
      ),
  },
  { name: 'borders without a type', raw: () => fill('\n--', 4.9 * megabyte) },
  { name: 'messages in messages', raw: () => fill('Content-Type: message/rfc822\r\n\r\n', 4.9 * megabyte) },
  { name: 'lists in lists', raw: () => nested(20_000, level => `multipart/mixed; boundary=b${level}`) },
  {
    name: 'a few hundred lists in lists',
    raw: () => nested(900, level => `multipart/report; boundary=b${level}`),
  },
  { name: 'headers without end', raw: () => fill('X-A: 1\r\n', 4.9 * megabyte) },
  { name: 'headers of 256 kB', raw: () => `${fill('X-A: 1\r\n', 250_000)}\r\nx` },
  { name: 'one header without end', raw: () => `Subject: ${fill('a', 4.9 * megabyte)}` },
  { name: 'a folded header', raw: () => `Subject: x\r\n${fill(' x\r\n', 250_000)}\r\nx` },
  { name: 'encoded words', raw: () => `Subject: ${fill('=?utf-8?q?=?=', 250_000)}\r\n\r\nx` },
  {
    name: 'encoded words of a rare charset',
    raw: () => `Subject: ${fill('=?iso-2022-jp?b?GyRC?= ', 250_000)}\r\n\r\nx`,
  },
  { name: 'groups of addresses', raw: () => `To: ${fill('a:', 200_000)}\r\n\r\nx` },
  { name: 'comments in addresses', raw: () => `To: ${fill('(', 250_000)}\r\n\r\nx` },
  { name: 'addresses without end', raw: () => `To: ${fill('"a" <a@b>,', 250_000)}\r\n\r\nx` },
  { name: 'quotes in addresses', raw: () => `To: ${fill('"\\"', 250_000)}\r\n\r\nx` },
  { name: 'parameters without end', raw: () => `Content-Type: text/plain${fill('; a=b', 250_000)}\r\n\r\nx` },
  {
    name: 'pieces of a parameter',
    raw: () =>
      `Content-Type: text/plain${Array.from({ length: 10_000 }, (_, at) => `; a*${at}*=b`).join('')}\r\n\r\nx`,
  },
  {
    name: 'a long border',
    raw: () =>
      `Content-Type: multipart/report; boundary="${fill('a', 200_000)}"\r\n\r\n${fill('--a\r\n', 4_000)}`,
  },
  {
    name: 'references without end',
    raw: () =>
      `References: ${fill('<a@b> ', 250_000)}\r\nContent-Type: multipart/report; boundary=a\r\n\r\n--a--`,
  },
  {
    name: 'fields of a report',
    raw: () =>
      parts(`--a\r\nContent-Type: message/delivery-status\r\n\r\n${fill('a: b\r\n', 250_000)}`, 260_000),
  },
  {
    name: 'recipients of a report',
    raw: () =>
      parts(
        `--a\r\nContent-Type: message/delivery-status\r\n\r\n${fill('a: b\r\n\r\n', 4 * megabyte)}`,
        4.1 * megabyte,
      ),
  },
  {
    name: 'a returned header of lines',
    raw: () =>
      parts(`--a\r\nContent-Type: text/rfc822-headers\r\n\r\n${fill('\r', 4 * megabyte)}`, 4.1 * megabyte),
  },
  {
    name: 'Base64 of nothing',
    raw: () => `Content-Transfer-Encoding: base64\r\n${typed('application/pdf', fill('=', 4.9 * megabyte))}`,
  },
  {
    name: 'Base64 in short lines',
    raw: () =>
      `Content-Transfer-Encoding: base64\r\n${typed('application/pdf', fill('QQ\r\n', 4.9 * megabyte))}`,
  },
  {
    name: 'quoted-printable',
    raw: () =>
      `Content-Transfer-Encoding: quoted-printable\r\n${typed('text/html', fill(`${'=41'.repeat(25)}=\r\n`, 4.9 * megabyte))}`,
  },
  {
    name: 'quoted-printable without end',
    raw: () =>
      `Content-Transfer-Encoding: quoted-printable\r\n${typed('text/html', fill('=', 4.9 * megabyte))}`,
  },
  {
    name: 'a charset of shifts',
    raw: () => typed('text/plain; charset=iso-2022-jp', fill('\x1b$B\x1b(B', 4.9 * megabyte)),
  },
  {
    name: 'tags without end',
    raw: () => typed('text/html', fill(`${'<p><a href=x>'.repeat(70)}\r\n`, 4.5 * megabyte)),
  },
  { name: 'tags in one line', raw: () => typed('text/html', fill('<div>', 4.5 * megabyte)) },
  { name: 'entities', raw: () => typed('text/html', fill('&amp;', 4.5 * megabyte)) },
  { name: 'open comments', raw: () => typed('text/html', fill('<!--', 4.5 * megabyte)) },
  { name: 'open tags', raw: () => typed('text/html', fill('<', 4.5 * megabyte)) },
  { name: 'nothing but zeros', raw: () => fill('\0', 4.9 * megabyte) },
  { name: 'dots', raw: () => typed('text/plain', fill('.\r\n', 4.5 * megabyte)) },
]

/** Beyond what a report may have, as somebody with a key may submit it. */
export const hostileSubmissions: readonly HostileMail[] = [
  { name: '39 MB of line breaks', raw: () => typed('text/html', fill('\n', 39 * megabyte)) },
  { name: '39 MB of tags in one line', raw: () => typed('text/html', fill('<p>', 39 * megabyte)) },
  {
    name: '39 MB of a file',
    raw: () =>
      `Content-Transfer-Encoding: base64\r\n${typed('application/pdf', fill(`${'QUFB'.repeat(19)}\r\n`, 39 * megabyte))}`,
  },
  { name: '39 MB of dots', raw: () => typed('text/plain', fill('..\r\n', 39 * megabyte)) },
]
