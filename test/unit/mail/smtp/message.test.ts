// Messages on the wire: addresses that cannot inject, parameters for what the relay offers, bodies that end where they should.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { buildMime } from '../../../../src/mail/mime/message'
import { type Extensions, pieceBytes, prepareMessage } from '../../../../src/mail/smtp/message'
import { anyCharacter } from '../../../support/any-character'

const all: Extensions = new Map([
  ['8BITMIME', ''],
  ['SMTPUTF8', ''],
  ['SIZE', '1000'],
])
const none: Extensions = new Map()
const plain = Buffer.from('Subject: x\r\n\r\nhi\r\n')
const envelope = { from: 'a@x.test', to: 'b@y.test' }

function wire(changes: Partial<typeof envelope>, extensions: Extensions, raw: Uint8Array = plain) {
  const prepared = prepareMessage({ envelope: { ...envelope, ...changes }, raw }, extensions)
  if ('impossible' in prepared) throw new Error(prepared.impossible)
  return { ...prepared.wire, body: textOf(prepared.wire.body) }
}

function textOf(body: Uint8Array | Iterable<Uint8Array>): string {
  return Buffer.concat(body instanceof Uint8Array ? [body] : [...body]).toString('latin1')
}

describe('commands', () => {
  const rows: Array<[string, ReturnType<typeof wire>, string, string]> = [
    ['a relay without extensions', wire({}, none), 'MAIL FROM:<a@x.test>', 'RCPT TO:<b@y.test>'],
    [
      'SIZE counts the bytes',
      wire({}, new Map([['SIZE', '']])),
      'MAIL FROM:<a@x.test> SIZE=21',
      'RCPT TO:<b@y.test>',
    ],
    ['an empty return path', wire({ from: '' }, none), 'MAIL FROM:<>', 'RCPT TO:<b@y.test>'],
    [
      'a UTF-8 domain needs no extension',
      wire({ to: 'b@bücher.test' }, none),
      'MAIL FROM:<a@x.test>',
      'RCPT TO:<b@xn--bcher-kva.test>',
    ],
    [
      'a UTF-8 local part with SMTPUTF8',
      wire({ to: 'jörg@y.test' }, new Map([['SMTPUTF8', '']])),
      'MAIL FROM:<a@x.test> SMTPUTF8',
      'RCPT TO:<jörg@y.test>',
    ],
    [
      '8-bit bytes with 8BITMIME',
      wire({}, new Map([['8BITMIME', '']]), Buffer.from('é\r\n')),
      'MAIL FROM:<a@x.test> BODY=8BITMIME',
      'RCPT TO:<b@y.test>',
    ],
  ]
  for (const [name, { mail, rcpt }, expectedMail, expectedRcpt] of rows) {
    test(name, () => {
      expect([mail, rcpt]).toEqual([`${expectedMail}\r\n`, `${expectedRcpt}\r\n`])
    })
  }
})

describe('what cannot be sent', () => {
  const addresses = [
    'b@y.test>\r\nRCPT TO:<evil@z.test',
    'b@y.test\r\nDATA',
    'b@y.test\n',
    'b@y.test\0',
    'b c@y.test',
    '<b@y.test>',
    'b@y.test> SIZE=1',
    'b\u0085@y.test',
    'b\u2028@y.test',
    'b\u00a0@y.test',
    'no-at-sign',
    '@y.test',
    'b@',
    '',
    `${'b'.repeat(320)}@y.test`,
    'b@\u00ad\u00ad',
  ]
  for (const to of addresses) {
    test(`the recipient ${JSON.stringify(to.slice(0, 40))}`, () => {
      expect(prepareMessage({ envelope: { ...envelope, to }, raw: plain }, all)).toEqual({
        impossible: 'the recipient address cannot be used in SMTP',
      })
    })
  }

  test('a sender with a line break', () => {
    expect(
      prepareMessage({ envelope: { ...envelope, from: 'a@x.test\r\nRSET' }, raw: plain }, all),
    ).toHaveProperty('impossible')
  })

  test('a UTF-8 local part without SMTPUTF8, and 8-bit bytes without 8BITMIME', () => {
    expect(prepareMessage({ envelope: { ...envelope, to: 'jörg@y.test' }, raw: plain }, none)).toHaveProperty(
      'impossible',
      expect.stringContaining('SMTPUTF8'),
    )
    expect(prepareMessage({ envelope, raw: Buffer.from('é') }, none)).toHaveProperty(
      'impossible',
      expect.stringContaining('8BITMIME'),
    )
  })

  test('no address whatever makes a second command', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), (local, domain) => {
        const prepared = prepareMessage({ envelope: { from: '', to: `${local}@${domain}` }, raw: plain }, all)
        if ('impossible' in prepared) return true
        return /^RCPT TO:<[^<>\s]+>\r\n$/.test(prepared.wire.rcpt)
      }),
    )
  })
})

describe('bodies', () => {
  const rows: Array<[string, string, string]> = [
    ['a body that ends with a line', 'a\r\n', 'a\r\n.\r\n'],
    ['a body that ends within a line', 'a', 'a\r\n.\r\n'],
    ['an empty body', '', '.\r\n'],
    ['a dot on the first line', '.a\r\n', '..a\r\n.\r\n'],
    ['dots on later lines', 'a\r\n.\r\n..b\r\n', 'a\r\n..\r\n...b\r\n.\r\n'],
    ['a lone dot at the end', 'a\r\n.', 'a\r\n..\r\n.\r\n'],
    ['dots within lines stay', 'a.b\r\nc.\r\n', 'a.b\r\nc.\r\n.\r\n'],
    ['a bare LF becomes a line end', 'a\n.\nb', 'a\r\n..\r\nb\r\n.\r\n'],
    ['a bare CR becomes a line end', 'a\r.\rb\r', 'a\r\n..\r\nb\r\n.\r\n'],
    ['LF and CR in odd orders', 'a\n\rb\r\r\nc', 'a\r\n\r\nb\r\n\r\nc\r\n.\r\n'],
  ]
  for (const [name, raw, expected] of rows) {
    test(name, () => {
      expect(wire({}, all, Buffer.from(raw)).body).toBe(expected)
    })
  }

  test('line ends are seen wherever they lie in a word, and wherever the message lies in memory', () => {
    const long = Buffer.from(`${'x'.repeat(40)}${'é'.repeat(20)}`)
    for (let lead = 0; lead < 8; lead++)
      for (let at = 0; at < long.length; at++)
        for (const [end, expected] of [
          ['\r\n.', '\r\n..'],
          ['\n', '\r\n'],
          ['\r', '\r\n'],
        ] as const) {
          const raw = Buffer.concat([
            Buffer.alloc(lead),
            long.subarray(0, at),
            Buffer.from(end),
            long.subarray(at),
          ])
          const halves = [long.subarray(0, at), long.subarray(at)].map(half => half.toString('latin1'))
          const isAtEnd = at === long.length && !expected.endsWith('.')
          const tail = isAtEnd ? '.\r\n' : '\r\n.\r\n'
          expect(wire({}, all, raw.subarray(lead)).body).toBe(halves.join(expected) + tail)
        }
  })

  test('whatever the bytes are, the end mark comes once, at the end, and CR LF come in pairs', () => {
    const text = fc
      .array(fc.constantFrom('.', '\r', '\n', '\r\n', 'a', '\r\n.\r\n'))
      .map(parts => parts.join(''))
    fc.assert(
      fc.property(text, raw => {
        const { body } = wire({}, all, Buffer.from(raw))
        expect(`\r\n${body}`.indexOf('\r\n.\r\n')).toBe(body.length + 2 - 5)
        expect(body.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
      }),
    )
  })

  test('dots are found however far they are from each other', () => {
    const line = fc
      .tuple(fc.constantFrom('', '.', '..'), fc.nat(140))
      .map(([dots, length]) => dots + 'a.'.repeat(length))
    fc.assert(
      fc.property(fc.array(line), lines => {
        const raw = Buffer.from(lines.join('\r\n'))
        expect(prepareMessage({ envelope, raw, isComposed: true }, none)).toEqual(
          prepareMessage({ envelope, raw }, none),
        )
      }),
    )
  })

  test.each([undefined, true] as const)('of a long message are made piece by piece', isComposed => {
    // Dots at every offset from the end of a piece, and just behind it.
    const lines = Array.from({ length: 4_000 }, (_, at) => `.${'a'.repeat(at % 250)}`)
    const raw = Buffer.from(`${lines.join('\r\n')}\r\n${'b'.repeat(300_000)}\r\n`)
    const prepared = prepareMessage({ envelope, raw, ...(isComposed && { isComposed }) }, all)
    if ('impossible' in prepared) throw new Error(prepared.impossible)
    const { body, mail } = prepared.wire
    if (body instanceof Uint8Array) throw new Error('it is in one piece')
    const pieces = [...body]
    expect(Buffer.concat(pieces).toString('latin1')).toBe(
      `${raw.toString('latin1').replaceAll(/^\./gm, '..')}.\r\n`,
    )
    expect(pieces.length).toBeGreaterThan(raw.length / pieceBytes)
    // RFC 1870, 3: dots that are added for the way don't count.
    expect(mail).toContain(` SIZE=${raw.length}\r`)
  })

  test('what our composer made of whatever text leaves as if every line had been looked at', () => {
    const part = fc.constantFrom(
      '.',
      '..',
      '\r',
      '\n',
      '\r\n',
      '\r\n.',
      '\u2028',
      '\0',
      '=',
      'é',
      'word ',
      'x'.repeat(75),
    )
    const text = fc.array(part, { maxLength: 12 }).map(parts => parts.join(''))
    const file = fc.record({
      filename: text,
      contentType: text,
      content: fc.constant('Lg=='),
      contentId: text,
    })
    fc.assert(
      fc.property(text, text, text, text, file, (subject, name, html, plainText, attached) => {
        const headers = { 'X-Own': subject, 'List-Id': name }
        const addresses = {
          from: `a${name}@x.test`,
          to: `b${name}@y.test`,
          fromName: name,
          toName: subject,
          messageId: name,
        }
        const attachments = (['inline', 'attachment'] as const).map(disposition => ({
          ...attached,
          disposition,
        }))
        const date = new Date('2026-11-21T05:08:39Z')
        const raw = buildMime({ ...addresses, subject, html, text: plainText, headers, attachments, date })
        const sent = prepareMessage({ envelope, raw, isComposed: true }, none)
        expect(sent).toEqual(prepareMessage({ envelope, raw }, none))
      }),
      { numRuns: 400 },
    )
  })
})
