// The normal form of a request to track: who, what, and which part of the data goes where.
import { describe, expect, test } from 'bun:test'
import { parseTrack, parseTrackBy } from '../../../src/modules/api/v1/model/track'

const good = { email: 'a@example.com', event: 'e' }
const contactId = '018f4f3e-0000-7000-8000-000000000000'

test('the address is normalised, and what was not sent stays open', () => {
  expect(parseTrack({ email: ' A@Example.COM ', event: ' E ' })).toEqual({
    who: { email: 'a@example.com' },
    event: ' E ',
    subscribed: undefined,
    patch: { set: {}, remove: [], transient: {} },
    data: null,
  })
})

describe('data', () => {
  const rows: Array<[string, Record<string, unknown> | null | undefined, unknown]> = [
    ['left out', undefined, null],
    ['null', null, null],
    ['empty', {}, {}],
    ['plain', { a: 1, b: 'x', c: false }, { a: 1, b: 'x', c: false }],
    [
      'with a removal and an empty text, which the event keeps as sent',
      { a: null, b: '' },
      { a: null, b: '' },
    ],
    ['with reserved keys', { id: 1, email: 2, a: 3 }, { a: 3 }],
    ['for this event only', { code: { value: 1, persistent: false } }, {}],
    [
      'with wrappers that store',
      { a: { value: 1, persistent: true } },
      { a: { value: 1, persistent: true } },
    ],
    ['with names that objects have', { constructor: 1, toString: 2 }, { constructor: 1, toString: 2 }],
  ]
  for (const [name, data, expected] of rows)
    test(`${name} is kept with the event as ${JSON.stringify(expected)}`, () => {
      expect(parseTrack({ ...good, data })).toHaveProperty('data', expected)
    })

  test('for this event only is unwrapped and neither set nor removed', () => {
    const data = {
      a: { value: { deep: [1] }, persistent: false },
      b: { value: null, persistent: false },
      c: 1,
    }
    expect(parseTrack({ ...good, data })).toMatchObject({
      patch: { set: { c: 1 }, remove: [], transient: { a: { deep: [1] }, b: null } },
    })
  })
})

describe('the form of the alias', () => {
  const rows: Array<[string, Parameters<typeof parseTrackBy>[0], object]> = [
    ['the body of track', good, { who: { email: 'a@example.com' }, event: 'e' }],
    ['a name', { email: 'a@example.com', name: 'n' }, { event: 'n' }],
    ['both: event counts', { ...good, name: 'n' }, { event: 'e' }],
    ['a contact', { contactId, name: 'n' }, { who: { contactId }, event: 'n' }],
    [
      'a contact and an address: the address counts',
      { ...good, contactId },
      { who: { email: 'a@example.com' } },
    ],
  ]
  for (const [name, body, expected] of rows)
    test(name, () => expect(parseTrackBy(body)).toMatchObject(expected))

  const faults: Array<[string, Parameters<typeof parseTrackBy>[0], string[]]> = [
    ['nothing', {}, ['email invalid_type', 'event invalid_type']],
    ['no event', { email: 'a@example.com' }, ['event invalid_type']],
    ['nobody', { name: 'n' }, ['email invalid_type']],
    ['a reserved name', { contactId, name: 'email.sent' }, ['name reserved_event']],
    ['a bad address beside a contact', { contactId, name: 'n', email: 'x' }, ['email invalid_string']],
  ]
  for (const [name, body, expected] of faults)
    test(`is faulty with ${name}`, () => {
      const parsed = parseTrackBy(body)
      expect(Array.isArray(parsed) && parsed.map(fault => `${fault.field} ${fault.code}`)).toEqual(expected)
    })
})
