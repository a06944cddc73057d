import { describe, expect, test } from 'bun:test'
import { createTemplateCache } from '../../../src/liquid/cache'
import { compileTemplate } from '../../../src/liquid/template'
import { buildScope, type ScopeInput } from '../../../src/modules/sending/templates/variables'

const links = { unsubscribeUrl: 'https://x/u', subscribeUrl: 'https://x/s', manageUrl: 'https://x/m' }
const contact = { id: 'c1', email: 'ada@example.com', subscribed: true, data: { plan: 'free', name: 'Ada' } }

function render(source: string, input: Partial<ScopeInput>): string {
  return compileTemplate(source).render(buildScope({ contact, links, ...input }))
}

type Row = [name: string, source: string, input: Partial<ScopeInput>, expected: string]
const rows: Row[] = [
  ['stored data, flat and under data', '{{plan}} {{data.plan}}', {}, 'free free'],
  ['the request overlays stored data', '{{plan}} {{data.plan}}', { data: { plan: 'pro' } }, 'pro pro'],
  [
    'id, address and links',
    '{{id}} {{email}} {{unsubscribeUrl}} {{subscribeUrl}} {{manageUrl}}',
    {},
    'c1 ada@example.com https://x/u https://x/s https://x/m',
  ],
  ['the neutral spellings', '{{svc_id}} {{svc_email}}', {}, 'c1 ada@example.com'],
  ['the subscription state', '{{subscribed}}', {}, 'true'],
  ['the locale, null when unset', "[{{locale}}]{{locale ?? 'en'}}", {}, '[]en'],
  ['a stored locale', '{{locale}}', { data: { locale: 'de' } }, 'de'],
  [
    'reserved keys of a request are ignored',
    '{{email}} {{id}} {{unsubscribeUrl}} {{svc_id}} {{data.email}}',
    { data: { email: 'x', id: 'x', unsubscribeUrl: 'x', svc_id: 'x' } },
    'ada@example.com c1 https://x/u c1 ada@example.com',
  ],
  [
    'a non-persistent value is unwrapped',
    '{{code}}',
    { data: { code: { value: 42, persistent: false } } },
    '42',
  ],
  [
    'a non-persistent object is reached into',
    '{{o.a}}',
    { data: { o: { value: { a: 1 }, persistent: false } } },
    '1',
  ],
  ['a persistent wrapper is an object', '{{o.value}}', { data: { o: { value: 1, persistent: true } } }, '1'],
  ['an empty string keeps the stored value', '{{plan}}', { data: { plan: '' } }, 'free'],
  [
    'an empty value for this mail alone is a value',
    '[{{plan ?? none}}]',
    { data: { plan: { value: '', persistent: false } } },
    '[]',
  ],
  ['null blanks the stored value', '{{plan ?? none}}', { data: { plan: null } }, 'none'],
  ["the recipient's name beats the stored one", '{{name}}', { recipientName: 'Bob' }, 'Bob'],
  [
    "the request's data beats the recipient's name",
    '{{name}}',
    { recipientName: 'Bob', data: { name: 'Eve' } },
    'Eve',
  ],
  ['a key called data stays below data', '{{data.data}}', { data: { data: 'x' } }, 'x'],
  [
    'an event is flat and under event',
    '{{plan}} {{event.plan}} {{event.code}}',
    { event: { plan: 'gold', code: { value: 7, persistent: false } } },
    'gold gold 7',
  ],
  ['no event, nothing under event', '[{{event.plan}}]', {}, '[]'],
  ['a key with dots', '{{a.b.c}} {{data.a.b.c}}', { data: { 'a.b.c': 1 } }, '1 1'],
  [
    'a key with dots beats the path, and leaves its neighbours',
    '{{a.b}} {{a.x}}',
    { data: { a: { b: 'path', x: 'x' }, 'a.b': 'literal' } },
    'literal x',
  ],
  ['a scalar in the way of a dotted key stays', '{{a}}', { data: { a: 1, 'a.b': 2 } }, '1'],
  [
    'a key called __proto__ is a key',
    '[{{polluted}}{{x.polluted}}]',
    { data: JSON.parse('{"__proto__": {"polluted": 1}, "__proto__.polluted": 1}') },
    '[]',
  ],
]

describe('the render scope', () => {
  test.each(rows)('%s', (_name, source, input, expected) => expect(render(source, input)).toBe(expected))

  test("the contact's own objects are never changed", () => {
    const data = { a: { b: 1 }, 'a.b': 2 }
    buildScope({ contact: { ...contact, data }, links })
    expect(data).toEqual({ a: { b: 1 }, 'a.b': 2 })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('the cache of compiled templates', () => {
  test('gives the same compiled template again, one per mode', () => {
    const cache = createTemplateCache()
    const first = cache.get('{{a}}', 'html')
    expect(cache.get('{{a}}', 'html')).toBe(first)
    expect(cache.get('{{a}}', 'line')).not.toBe(first)
  })

  test('stays under its bound and drops the least recently used', () => {
    const size = compileTemplate('{{a}}1').bytes
    const cache = createTemplateCache(size * 2)
    const one = cache.get('{{a}}1', 'html')
    cache.get('{{a}}2', 'html')
    expect(cache.get('{{a}}1', 'html')).toBe(one)
    const two = cache.get('{{a}}3', 'html')
    expect(cache.bytes).toBe(size * 2)
    expect(cache.get('{{a}}1', 'html')).toBe(one)
    expect(cache.get('{{a}}3', 'html')).toBe(two)
  })

  test('a template larger than the whole bound is compiled and not kept', () => {
    const cache = createTemplateCache(100)
    expect(cache.get('{{a}}', 'html').render({ a: 1 })).toBe('1')
    expect(cache.bytes).toBe(0)
  })
})
