// Instants as RFC 3339 writes them, and what the platform's parser would have made of everything else.
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readInstant } from '../../../src/lib/time'

test.each([
  ['2030-01-31T09:00:00Z', '2030-01-31T09:00:00.000Z'],
  ['2030-01-31T09:00Z', '2030-01-31T09:00:00.000Z'],
  ['2030-01-31t09:00:00z', '2030-01-31T09:00:00.000Z'],
  ['2030-01-31T09:00:00.25+02:00', '2030-01-31T07:00:00.250Z'],
  ['2030-01-31T00:30-01:00', '2030-01-31T01:30:00.000Z'],
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
])('%j is read', (text, instant) => {
  expect(readInstant(text)?.toISOString()).toBe(instant)
})

test.each([
  ...['', ' ', '1', '2026', '05/12/2026', 'Nov 27', 'tomorrow', '2030-01-31', '2030-01-31T09:00:00'],
  ...['2030-01-31 09:00:00Z', '2030-02-30T00:00:00Z', '2030-13-01T00:00:00Z', '2030-01-31T24:00:00Z'],
  ...[
    '2030-01-31T09:60:00Z',
    '2030-01-31T09:00:60Z',
    '2030-01-31T09:00:00+0100',
    '2030-01-31T09:00:00+24:00',
  ],
  ...['2030-01-31T09:00:00Z ', '+02030-01-31T09:00:00Z', '2030-01-31T09:00:00Zfoo'],
])('%j is not', text => {
  expect(readInstant(text)).toBeUndefined()
})

test('every instant is read as Temporal reads it', () => {
  const offset = fc.constantFrom('Z', '+00:00', '-03:30', '+14:00')
  const at = fc.date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9998-12-30T00:00:00Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(at, offset, (date, zone) => {
      const text = date.toISOString().replace('Z', zone)
      expect(readInstant(text)?.getTime()).toBe(Temporal.Instant.from(text).epochMilliseconds)
    }),
  )
})
