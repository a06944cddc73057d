// The relaxed form of a body, compared with the definition of RFC 6376 (3.4.4), written down as plainly as it is worded there.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { relaxedBody } from '../../../../src/mail/dkim/canonical'

function byDefinition(body: string): string {
  const lines = body.split('\r\n').map(line => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''))
  while (lines.at(-1) === '') lines.pop()
  return lines.map(line => `${line}\r\n`).join('')
}

const relaxed = (body: string): string =>
  Buffer.from(relaxedBody(Buffer.from(body, 'latin1'))).toString('latin1')

test.each([
  ['', ''],
  ['\r\n\r\n', ''],
  [' ', ''],
  [' \t \r\n \r\n', ''],
  ['a', 'a\r\n'],
  ['a ', 'a\r\n'],
  ['a \r\n', 'a\r\n'],
  ['a\t b  c \r\n\r\n d\r\n\r\n\r\n', 'a b c\r\n\r\n d\r\n'],
  [' a', ' a\r\n'],
  ['a\r\n ', 'a\r\n'],
  ['a\rb\n c\r\n', 'a\rb\n c\r\n'],
])('%j becomes %j', (body, expected) => {
  expect(relaxed(body)).toBe(expected)
})

test('any body comes out as it is defined', () => {
  const part = fc.constantFrom(' ', '\t', '\r\n', 'a', '=', '\r', '\n', 'word', '  ', ' \r\n')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), parts => {
      const body = parts.join('')
      expect(relaxed(body)).toBe(byDefinition(body))
    }),
    { numRuns: 5_000 },
  )
})
