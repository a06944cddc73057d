// What the header and the cells of an import mean.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { guardCell, unguardCell } from '../../../src/lib/csv'
import { makeColumnTypes, readCell } from '../../../src/modules/audience/contacts/import-cells'
import {
  headingOf,
  meaningOf,
  needsSuffix,
  readHeader,
} from '../../../src/modules/audience/contacts/import-columns'
import { readRow } from '../../../src/modules/audience/contacts/import-rows'
import type { FieldType } from '../../../src/modules/audience/contacts/schema'

describe('the header', () => {
  test('finds the address anywhere in any case, keeps the spelling of other names, drops what can not be set', () => {
    const header = [' First Name ', 'EMAIL', 'id', 'createdAt', 'UpdatedAt', 'snoozedUntil', 'Subscribed', '']
    expect(
      readHeader([...header, 'svc_id', 'unsubscribeUrl', 'data.plan', "'=x", '__proto__', 'data.']),
    ).toEqual({
      email: 1,
      subscribed: 6,
      optedOutAt: undefined,
      suppressed: undefined,
      snoozedUntil: 5,
      fields: [
        { index: 0, name: 'First Name', isJson: false },
        { index: 10, name: 'plan', isJson: false },
        { index: 11, name: '=x', isJson: false },
      ],
      topics: [],
    })
  })

  test('knows columns about topics, which are no fields', () => {
    expect(readHeader(['email', 'topic: Product news', 'topics', 'Topic:x'])).toMatchObject({
      fields: [
        { index: 2, name: 'topics', isJson: false },
        { index: 3, name: 'Topic:x', isJson: false },
      ],
      topics: [{ index: 1, heading: 'topic: Product news', topic: 'Product news' }],
    })
  })

  test.each<[string, string[]]>([
    ['without an address', ['name', 'e-mail']],
    ['with 5,001 fields', ['email', ...Array.from({ length: 5_001 }, (_, index) => `f${index}`)]],
    ['with a name that is too long', ['email', 'x'.repeat(256)]],
  ])('%s is refused', (_, cells) => {
    expect(readHeader(cells)).toEqual({ fault: expect.any(String) })
  })
})

describe('the same column twice', () => {
  test.each<[string, string[], string]>([
    [
      'a field',
      ['email', 'name', 'x', 'name'],
      'The first row has "name" in column 2 and again in column 4: rename or remove one of them',
    ],
    [
      'the address',
      ['Email', 'EMAIL'],
      'The first row has "Email" in column 1 and again in column 2 (there as "EMAIL"): rename or remove one of them',
    ],
    [
      'a field with its prefix',
      ['email', 'a', 'data.a'],
      'The first row has "a" in column 2 and again in column 3 (there as "data.a"): rename or remove one of them',
    ],
    [
      'a field as JSON',
      ['email', 'a:json', 'a'],
      'The first row has "a:json" in column 2 and again in column 3 (there as "a"): rename or remove one of them',
    ],
    [
      'a topic',
      ['email', 'topic:News', 'topic: News'],
      'The first row has "topic:News" in column 2 and again in column 3 (there as "topic: News"): rename or remove one of them',
    ],
  ])('%s is refused and named', (_, cells, fault) => {
    expect(readHeader(cells)).toEqual({ fault })
  })

  test('is no fault where nothing is read from it', () => {
    expect(readHeader(['email', 'id', 'id', '', '', 'svc_id', 'svc_id'])).toMatchObject({
      email: 0,
      fields: [],
    })
  })
})

test('a heading is read back as the field that it was written for, whatever its name', () => {
  const part = fc.constantFrom(
    'a',
    ' ',
    'data.',
    'topic:',
    ':json',
    'email',
    'Id',
    '=',
    "'",
    '\n',
    '\u2028',
    '"',
    ',',
    '.',
  )
  const names = fc.array(part, { minLength: 1, maxLength: 5 }).map(parts => parts.join(''))
  fc.assert(
    fc.property(names, fc.boolean(), (name, isJson) => {
      fc.pre(!['email', 'id'].includes(name))
      const heading = guardCell(headingOf(name, isJson || needsSuffix(name)))
      expect(meaningOf(unguardCell(heading.trim()))).toMatchObject({ kind: 'field', name })
    }),
    { numRuns: 2_000 },
  )
})

describe('a cell', () => {
  test.each<[string, FieldType, unknown]>([
    ['true', 'boolean', true],
    ['FALSE', 'boolean', false],
    ['true', 'string', 'true'],
    ['yes', 'string', 'yes'],
    ['yes', 'boolean', true],
    ['No', 'boolean', false],
    ['1', 'boolean', true],
    ['perhaps', 'boolean', 'perhaps'],
    ['0', 'number', 0],
    ['-12.50', 'number', -12.5],
    ['007', 'number', '007'],
    ['+42', 'number', '+42'],
    ['1e5', 'number', '1e5'],
    ['1e+21', 'number', 1e21],
    ['0.30000000000000004', 'number', 0.1 + 0.2],
    ['NaN', 'number', 'NaN'],
    ['Infinity', 'number', 'Infinity'],
    ['1.2.3', 'number', '1.2.3'],
    ['-', 'number', '-'],
    ['1234567890123456', 'number', 1234567890123456],
    ['12345678901234567', 'number', '12345678901234567'],
    ['90210', 'string', '90210'],
    ['2026-01-31', 'date', '2026-01-31'],
    ["'=SUM(1)", 'string', '=SUM(1)'],
    ["'=SUM(1)", 'number', '=SUM(1)'],
  ])('%j of a %s is %j', (text, type, value) => {
    expect(readCell(text, type)).toBe(value as string)
  })

  test.each<[FieldType | undefined, string[]]>([
    ['number', ['90210', '', '-1.5']],
    ['string', ['90210', '01730']],
    ['string', ['01730', '90210']],
    ['string', ['12', 'n/a']],
    ['string', ['true', '1']],
    ['boolean', ['TRUE', 'false', '']],
    ['string', ['yes', 'no']],
    ['string', ['1234567890123456']],
    [undefined, ['', '']],
  ])('makes a column %s where it has %j', (type, cells) => {
    const types = makeColumnTypes()
    for (const cell of cells) types.add('x', cell)
    expect(types.of('x')).toBe(type!)
  })
})

describe('a row', () => {
  const columns = {
    email: 0,
    subscribed: 1,
    optedOutAt: 5,
    suppressed: undefined,
    snoozedUntil: undefined,
    fields: [
      { index: 2, name: 'plan', isJson: false },
      { index: 3, name: 'ok', isJson: false },
      { index: 7, name: 'more', isJson: true },
    ],
    topics: [{ index: 6, heading: 'topic:News', topic: 'News' }],
  }
  const about = (word: string) => ['ada@x.test', '', '', '', '', '', word] as const
  const read = (...cells: string[]) => readRow(cells, columns, name => (name === 'ok' ? 'boolean' : 'string'))

  test('says yes, no or nothing about a topic, and nothing else', () => {
    expect(read(...about('ja'))).toMatchObject({ topics: [{ topic: 'News', subscribed: true }] })
    expect(read(...about('No'))).toMatchObject({ topics: [{ topic: 'News', subscribed: false }] })
    expect(read(...about(''))).toMatchObject({ topics: [] })
    expect(read(...about('perhaps'))).toEqual({
      email: 'ada@x.test',
      error: 'topic:News: subscribed: "perhaps" is neither yes nor no',
    })
  })

  test.each<[string, unknown]>([
    ['["a",1]', ['a', 1]],
    ['{"a":{"b":null}}', { a: { b: null } }],
    ['"42"', '42'],
    ['" x "', ' x '],
  ])('has what the JSON %s of its cell is', (text, more) => {
    expect(read('ada@x.test', '', '', '', '', '', '', text)).toMatchObject({
      entry: { patch: { set: { more } } },
    })
  })

  test('with a cell that should hold JSON and does not is refused; null removes nothing', () => {
    expect(read('ada@x.test', '', '', '', '', '', '', 'a,b')).toEqual({
      email: 'ada@x.test',
      error: 'more: the cell must hold JSON, as the heading says',
    })
    expect(read('ada@x.test', '', '', '', '', '', '', 'null')).toMatchObject({
      entry: { patch: { set: {}, remove: [] } },
    })
  })

  test('is an entry with its data; empty cells and missing ones say nothing', () => {
    expect(read('Ada@x.test', '', 'pro', 'yes')).toMatchObject({
      entry: {
        email: 'ada@x.test',
        subscribed: undefined,
        patch: { set: { plan: 'pro', ok: true }, remove: [] },
      },
    })
    expect(read('ada@x.test')).toMatchObject({ entry: { patch: { set: {} } } })
    expect(read('ada@x.test', '', '', '', 'extra')).toMatchObject({ entry: { patch: { set: {} } } })
  })

  test.each<[string, boolean | undefined]>([
    ['true', true],
    ['1', true],
    ['YES', true],
    ['false', false],
    ['no', false],
    ['', undefined],
  ])('subscribed %j is %p', (text, subscribed) => {
    expect(read('a@x.test', text)).toMatchObject({ entry: { subscribed } })
  })

  test.each<[string, string[]]>([
    ['no address', ['', 'true']],
    ['no valid address', ['nobody']],
    ['a NUL', ['a@x.test', '', 'x\0y']],
    ['too much data', ['a@x.test', '', 'x'.repeat(70_000)]],
  ])('with %s is refused and told in storable words', (_, cells) => {
    const row = read(...cells)
    expect(row).toEqual({ email: expect.any(String), error: expect.any(String) })
    expect(JSON.stringify(row)).not.toContain('\\u0000')
  })
})
