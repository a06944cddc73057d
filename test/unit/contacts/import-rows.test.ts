// What the header and the cells of an import mean.
import { describe, expect, test } from 'bun:test'
import { coerce, readHeader, readRow } from '../../../src/modules/contacts/import-rows'

describe('the header', () => {
  test('finds the address anywhere in any case, keeps the spelling of other names, drops what can not be set', () => {
    const header = [' First Name ', 'EMAIL', 'id', 'createdAt', 'UpdatedAt', 'snoozedUntil', 'Subscribed', '']
    expect(
      readHeader([...header, 'svc_id', 'unsubscribeUrl', 'data.plan', "'=x", '__proto__', 'data.']),
    ).toEqual({
      email: 1,
      subscribed: 6,
      optedOutAt: undefined,
      fields: [
        { index: 0, name: 'First Name' },
        { index: 10, name: 'plan' },
        { index: 11, name: '=x' },
      ],
      topics: [],
    })
  })

  test('knows columns about topics, which are no fields', () => {
    expect(readHeader(['email', 'topic: Product news', 'topics', 'Topic:x'])).toMatchObject({
      fields: [
        { index: 2, name: 'topics' },
        { index: 3, name: 'Topic:x' },
      ],
      topics: [{ index: 1, heading: 'topic: Product news', topic: 'Product news' }],
    })
  })

  test.each<[string, string[]]>([
    ['without an address', ['name', 'e-mail']],
    ['with 501 fields', ['email', ...Array.from({ length: 501 }, (_, index) => `f${index}`)]],
    ['with a name that is too long', ['email', 'x'.repeat(256)]],
  ])('%s is refused', (_, cells) => {
    expect(readHeader(cells)).toEqual({ fault: expect.any(String) })
  })
})

describe('a cell', () => {
  test.each<[string, boolean, unknown]>([
    ['true', false, true],
    ['FALSE', false, false],
    ['yes', false, 'yes'],
    ['No', false, 'No'],
    ['yes', true, true],
    ['No', true, false],
    ['0', false, 0],
    ['-12.50', false, -12.5],
    ['007', false, '007'],
    ['+42', false, '+42'],
    ['1e5', false, '1e5'],
    ['1.2.3', false, '1.2.3'],
    ['-', false, '-'],
    ['1234567890123456', false, '1234567890123456'],
    ["'=SUM(1)", false, '=SUM(1)'],
  ])('%j (known as boolean: %p) is %j', (text, isBoolean, value) => {
    expect(coerce(text, isBoolean)).toBe(value as string)
  })
})

describe('a row', () => {
  const columns = {
    email: 0,
    subscribed: 1,
    optedOutAt: 5,
    fields: [
      { index: 2, name: 'plan' },
      { index: 3, name: 'ok' },
    ],
    topics: [{ index: 6, heading: 'topic:News', topic: 'News' }],
  }
  const about = (word: string) => ['ada@x.test', '', '', '', '', '', word] as const
  const read = (...cells: string[]) => readRow(cells, columns, name => name === 'ok')

  test('says yes, no or nothing about a topic, and nothing else', () => {
    expect(read(...about('ja'))).toMatchObject({ topics: [{ topic: 'News', subscribed: true }] })
    expect(read(...about('No'))).toMatchObject({ topics: [{ topic: 'News', subscribed: false }] })
    expect(read(...about(''))).toMatchObject({ topics: [] })
    expect(read(...about('perhaps'))).toEqual({
      email: 'ada@x.test',
      error: 'topic:News: subscribed: "perhaps" is neither yes nor no',
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
