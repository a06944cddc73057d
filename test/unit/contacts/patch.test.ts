// The data rules of the interface document, one row a rule.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type DataPatch,
  dataLimits,
  mergePatches,
  parsePatch,
} from '../../../src/modules/audience/contacts/patch'

const rules: Array<[string, Record<string, unknown>, Partial<DataPatch>]> = [
  ['a string is stored', { plan: 'pro' }, { set: { plan: 'pro' } }],
  ['a number is stored', { n: 0 }, { set: { n: 0 } }],
  ['a boolean is stored', { b: false }, { set: { b: false } }],
  ['a plain object is stored whole', { o: { a: { b: null } } }, { set: { o: { a: { b: null } } } }],
  ['an empty object is stored', { o: {} }, { set: { o: {} } }],
  ['an array is stored whole', { a: [1, null, 'x'] }, { set: { a: [1, null, 'x'] } }],
  ['null removes the key', { gone: null }, { remove: ['gone'] }],
  ['an empty string is ignored', { keep: '' }, {}],
  ['a blank string is stored', { s: ' ' }, { set: { s: ' ' } }],
  [
    'a non-persistent value is not stored',
    { code: { value: 7, persistent: false } },
    { transient: { code: 7 } },
  ],
  [
    'a non-persistent null is kept for this send',
    { c: { value: null, persistent: false } },
    { transient: { c: null } },
  ],
  [
    'a non-persistent object may hold more members',
    { c: { value: 1, persistent: false, x: 1 } },
    { transient: { c: 1 } },
  ],
  [
    'a persistent wrapper is stored as it is',
    { c: { value: 1, persistent: true } },
    { set: { c: { value: 1, persistent: true } } },
  ],
  ['a wrapper without persistent is an object', { c: { value: 1 } }, { set: { c: { value: 1 } } }],
  [
    'persistent false without a value is an object',
    { c: { persistent: false } },
    { set: { c: { persistent: false } } },
  ],
  [
    'persistent must be false, not falsy',
    { c: { value: 1, persistent: 0 } },
    { set: { c: { value: 1, persistent: 0 } } },
  ],
  [
    'a nested wrapper is an object',
    { o: { c: { value: 1, persistent: false } } },
    { set: { o: { c: { value: 1, persistent: false } } } },
  ],
  [
    'keys with dots, spaces and dashes are kept',
    { 'a.b': 1, 'first name': 2, 'x-y': 3 },
    { set: { 'a.b': 1, 'first name': 2, 'x-y': 3 } },
  ],
  ['locale is stored like any other field', { locale: 'de' }, { set: { locale: 'de' } }],
  [
    'names of columns are ordinary keys',
    { subscribed: 'x', createdAt: 1 },
    { set: { subscribed: 'x', createdAt: 1 } },
  ],
  [
    'reserved names inside an object are untouched',
    { o: { id: 1, email: 2 } },
    { set: { o: { id: 1, email: 2 } } },
  ],
  [
    'names of the prototype are ordinary keys',
    { constructor: 1, toString: 2 },
    { set: { constructor: 1, toString: 2 } },
  ],
  ['__proto__ is dropped', JSON.parse('{"__proto__": {"polluted": true}, "a": 1}'), { set: { a: 1 } }],
  ...['id', 'svc_id', 'svc_email', 'email', 'unsubscribeUrl', 'subscribeUrl', 'manageUrl'].map(
    (key): [string, Record<string, unknown>, Partial<DataPatch>] => [
      `reserved ${key} is dropped`,
      { [key]: 'x' },
      {},
    ],
  ),
  ['a reserved null removes nothing', { email: null }, {}],
]

const plain = (patch: DataPatch) => ({
  set: { ...patch.set },
  remove: patch.remove,
  transient: { ...patch.transient },
})

function parsed(data: Record<string, unknown>): DataPatch {
  const patch = parsePatch(data)
  if (Array.isArray(patch)) throw new Error(JSON.stringify(patch))
  return patch
}

describe('a patch of data', () => {
  test.each(rules)('%s', (_, data, expected) => {
    expect(plain(parsed(data))).toEqual({ set: {}, remove: [], transient: {}, ...expected })
  })

  test('never touches the prototype of objects', () => {
    parsed(JSON.parse('{"__proto__": {"polluted": true}}'))
    expect('polluted' in {}).toBe(false)
  })
})

const nest = (depth: number): unknown => (depth === 0 ? 1 : { a: nest(depth - 1) })
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))

describe('a patch is refused', () => {
  test.each<[string, Record<string, unknown>, { field: string; code: string }]>([
    ['with too many keys', many(dataLimits.keys + 1), { field: 'data', code: 'too_big' }],
    ['with an empty key', { '': 1 }, { field: 'data.', code: 'too_small' }],
    ['with a key too long', { ['k'.repeat(256)]: 1 }, { field: `data.${'k'.repeat(40)}…`, code: 'too_big' }],
    ['when nested too deep', { a: nest(dataLimits.depth + 1) }, { code: 'too_big' } as never],
    ['when too large as JSON', { a: 'é'.repeat(33_000) }, { field: 'data', code: 'too_big' }],
    ['with NUL in a value', { a: ['x', 'a\0b'] }, { field: 'data.a.1', code: 'invalid_string' }],
    ['with NUL in a key', { 'a\0': 1 }, { field: 'data', code: 'invalid_string' }],
    ['with NUL in a nested key', { a: { 'b\0': 1 } }, { field: 'data.a', code: 'invalid_string' }],
    ['with half a surrogate pair', { a: '\ud800' }, { field: 'data.a', code: 'invalid_string' }],
    [
      'with a number that JSON can not say',
      { a: { b: Number.POSITIVE_INFINITY } },
      { field: 'data.a.b', code: 'too_big' },
    ],
  ])('%s', (_, data, expected) => {
    const faults = parsePatch(data)
    expect(faults).toBeArrayOfSize(1)
    expect(faults).toMatchObject([expected])
  })

  test('with every fault at once', () => {
    expect(parsePatch({ a: 'a\0', b: 1, c: '\udc00' })).toMatchObject([
      { field: 'data.a' },
      { field: 'data.c' },
    ])
  })

  test.each<[string, Record<string, unknown>]>([
    ['keys', many(dataLimits.keys)],
    ['key length', { ['k'.repeat(dataLimits.keyLength)]: 1 }],
    ['depth', { a: nest(dataLimits.depth - 1) }],
    ['size', { a: 'x'.repeat(dataLimits.bytes - '{"a":""}'.length) }],
  ])('only beyond the bound of %s', (_, data) => {
    expect(parsePatch(data)).not.toBeArray()
  })
})

/** What the database does with a patch. */
function applyTo(stored: Record<string, unknown>, patch: DataPatch): Record<string, unknown> {
  const result = { ...stored, ...patch.set }
  for (const key of patch.remove) delete result[key]
  return result
}

const patches = fc
  .dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.oneof(fc.constantFrom<unknown>(null, '', 1), fc.constant({ value: 1, persistent: false })),
  )
  .map(parsed)
const stored = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat())

test('a merged patch has the effect of its parts one after the other', () => {
  fc.assert(
    fc.property(stored, patches, patches, (data, first, second) => {
      const merged = mergePatches(first, second)
      expect(applyTo(data, merged)).toEqual(applyTo(applyTo(data, first), second))
      expect(merged.remove.filter(key => Object.hasOwn(merged.set, key))).toEqual([])
    }),
  )
})
