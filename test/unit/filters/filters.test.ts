// What a filter tree may say, sentence by sentence, and what it then means.
import { describe, expect, test } from 'bun:test'
import { matches } from '../../../src/filters/match'
import { filterLimits, operators, readFilter, storedPredicate } from '../../../src/filters/read'
import { fieldReferenceName, filterReferences } from '../../../src/filters/references'

const now = new Date('2026-03-01T12:00:00.000Z')
const id = '01900000-0000-7000-8000-00000000000a'

const tree = (...filters: unknown[]) => ({ logic: 'AND', groups: [{ filters }] })

function faultsOf(input: unknown): string[] {
  const reading = readFilter(input)
  return 'faults' in reading ? reading.faults.map(fault => `${fault.field}: ${fault.message}`) : []
}

describe('shape', () => {
  test.each<[unknown, string]>([
    [undefined, 'condition: Condition must be an object'],
    [null, 'condition: Condition must be an object'],
    ['x', 'condition: Condition must be an object'],
    [[], 'condition: Condition must be an object'],
    [{}, 'condition.logic: Condition logic must be either "AND" or "OR"'],
    [{ logic: 'and' }, 'condition.logic: Condition logic must be either "AND" or "OR"'],
    [{ logic: 'AND' }, 'condition.groups: Condition must have at least one group'],
    [{ logic: 'AND', groups: [] }, 'condition.groups: Condition must have at least one group'],
    [{ logic: 'AND', groups: {} }, 'condition.groups: Condition must have at least one group'],
    [{ logic: 'OR', groups: [null] }, 'condition.groups.0: Group must be an object'],
    [{ logic: 'OR', groups: [{}] }, 'condition.groups.0.filters: Group filters must be an array'],
    [
      { logic: 'OR', groups: [{ filters: [] }] },
      'condition.groups.0.filters: Group must have at least one filter or nested condition',
    ],
    [
      { logic: 'OR', groups: [{ filters: [], conditions: null }] },
      'condition.groups.0.filters: Group must have at least one filter or nested condition',
    ],
    [
      { logic: 'OR', groups: [{ filters: [], conditions: 5 }] },
      'condition.groups.0.conditions: Condition must be an object',
    ],
    [tree(null), 'condition.groups.0.filters.0: Filter must be an object'],
    [tree({ operator: 'equals', value: 1 }), 'condition.groups.0.filters.0.field: Filter field is required'],
    [tree({ field: '', operator: 'equals' }), 'condition.groups.0.filters.0.field: Filter field is required'],
    [tree({ field: 5, operator: 'equals' }), 'condition.groups.0.filters.0.field: Filter field is required'],
    [tree({ field: 'email' }), 'condition.groups.0.filters.0.operator: Filter operator is required'],
    [
      tree({ field: 'email', operator: 'is' }),
      `condition.groups.0.filters.0.operator: Invalid operator: is; use one of ${operators.join(', ')}`,
    ],
    [
      tree({ field: 'email', operator: 'toString', value: 1 }),
      `condition.groups.0.filters.0.operator: Invalid operator: toString; use one of ${operators.join(', ')}`,
    ],
    [
      tree({ field: 'x'.repeat(501), operator: 'exists' }),
      'condition.groups.0.filters.0.field: Must be at most 500 characters long',
    ],
    [
      tree({ field: 'data.x', operator: 'equals', value: 'x'.repeat(2_001) }),
      'condition.groups.0.filters.0.value: Must be at most 2000 characters long',
    ],
    [
      tree({ field: 'data.\0', operator: 'exists' }),
      'condition.groups.0.filters.0.field: Must not contain NUL characters or broken Unicode',
    ],
    [
      tree({ field: 'data.x', operator: 'equals', value: '\ud800' }),
      'condition.groups.0.filters.0.value: Must not contain NUL characters or broken Unicode',
    ],
  ])('%j is refused', (input, message) => {
    expect(faultsOf(input)).toEqual([message])
  })

  test('every faulty filter is told, one sentence each', () => {
    const faulty = {
      logic: 'OR',
      groups: [
        {
          filters: [
            { field: 'nope', operator: 'equals', value: 1 },
            { field: 'email', operator: 'exists' },
          ],
        },
        { filters: [] },
      ],
    }
    expect(faultsOf(faulty)).toEqual([
      'condition.groups.0.filters.0.field: Unsupported filter field: nope',
      'condition.groups.0.filters.1.operator: Unsupported operator for string field: exists',
      'condition.groups.1.filters: Group must have at least one filter or nested condition',
    ])
  })

  const deep = (depth: number): unknown =>
    depth === 1
      ? tree({ field: 'email', operator: 'equals', value: 'a' })
      : { logic: 'AND', groups: [{ filters: [], conditions: deep(depth - 1) }] }

  test('ten levels and a hundred filters are enough, and no more', () => {
    const one = { field: 'email', operator: 'equals', value: 'a' }
    expect(faultsOf(deep(filterLimits.depth))).toEqual([])
    expect(faultsOf(deep(filterLimits.depth + 1))[0]).toEndWith(
      'Conditions must be nested at most 10 levels deep',
    )
    expect(faultsOf(tree(...Array(100).fill(one)))).toEqual([])
    expect(faultsOf(tree(...Array(101).fill(one)))).toEqual([
      'condition.groups.0.filters.100: A condition must have at most 100 filters in all',
    ])
    const spread = { logic: 'AND', groups: Array(51).fill({ filters: [one, one] }) }
    expect(faultsOf(spread)[0]).toEndWith('at most 100 filters in all')
    expect(faultsOf({ logic: 'AND', groups: Array(100_000).fill({ filters: [] }) })).toHaveLength(20)
  })

  test('a tree comes back as it was sent, without what it does not know', () => {
    const sent = {
      logic: 'OR',
      groups: [
        { filters: [{ field: 'contact.data.x', operator: 'exists', value: true }] },
        {
          filters: [],
          conditions: tree({ field: 'purchase', operator: 'triggeredWithin', value: 30, unit: 'days' }),
        },
        { filters: [{ field: 'data.n', operator: 'notEquals', value: null }] },
      ],
    }
    const reading = readFilter({ ...sent, extra: 1 })
    expect(reading).toMatchObject({ condition: sent })
    expect(JSON.stringify(reading)).not.toContain('extra')
  })
})

describe('operators and fields', () => {
  const stringly = ['equals', 'notEquals', 'contains', 'notContains']
  const ordered = ['greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual']
  const dated = ['equals', 'notEquals', ...ordered, 'within', 'olderThan']
  const activity = [
    'triggered',
    'triggeredWithin',
    'triggeredOlderThan',
    'notTriggered',
    'notTriggeredWithin',
  ]
  const allowed: Array<[string, string[], unknown]> = [
    ['email', stringly, 'a'],
    ['contact.email', stringly, 'a'],
    ['subscribed', ['equals', 'notEquals'], true],
    ['createdAt', dated, '2026-01-01'],
    ['updatedAt', dated, '2026-01-01'],
    ['snoozedUntil', [...dated, 'exists', 'notExists'], '2026-01-01'],
    ['optedOutAt', [...dated, 'exists', 'notExists'], '2026-01-01'],
    ['data.plan', [...stringly, ...dated, 'exists', 'notExists'], '5'],
    ['contact.data.plan', [...stringly, ...dated, 'exists', 'notExists'], '5'],
    ['event.order', activity, 5],
    ['email.opened', activity, 5],
    [`segment.${id}`, ['memberOfSegment', 'notMemberOfSegment'], true],
    // For an event, whatever begins with `topic.` is its name.
    [`topic.${id}`, ['equals', 'notEquals', ...activity], true],
  ]

  test.each(allowed)('%s takes its operators and no others', (field, mine, value) => {
    for (const operator of operators) {
      const isWindow = /within|olderthan/i.test(operator)
      const filter = { field, operator, value: isWindow ? 5 : value, unit: 'days' }
      const faults = faultsOf(tree(filter))
      expect(`${operator}: ${faults.length === 0}`).toBe(`${operator}: ${mine.includes(operator)}`)
    }
  })

  test.each<[object, string]>([
    [{ field: 'email', operator: 'exists' }, 'Unsupported operator for string field: exists'],
    [
      { field: 'subscribed', operator: 'contains', value: 'x' },
      'Unsupported operator for boolean field: contains',
    ],
    [
      { field: 'createdAt', operator: 'contains', value: 'x' },
      'Unsupported operator for date field: contains',
    ],
    [{ field: 'event.x', operator: 'equals', value: 'x' }, 'Unsupported operator for event field: equals'],
    [
      { field: 'email.open', operator: 'equals', value: 'x' },
      'Unsupported operator for email activity field: equals',
    ],
    [{ field: 'data.x', operator: 'triggered' }, 'Unsupported operator for JSON field: triggered'],
    [{ field: `segment.${id}`, operator: 'triggered' }, 'Unsupported operator for segment field: triggered'],
    [
      { field: 'email.forwarded', operator: 'triggered' },
      expect.stringMatching(/^Unsupported email activity: forwarded\. .*email\.delivery/),
    ],
    [
      { field: 'email.constructor', operator: 'triggered' },
      expect.stringMatching(/^Unsupported email activity: constructor/),
    ],
    [
      { field: 'email', operator: 'memberOfSegment' },
      'memberOfSegment/notMemberOfSegment operators require a segment field (segment.<id>)',
    ],
    [{ field: `topic.${id}`, operator: 'equals', value: 'yes' }, 'The value must be true or false'],
    [{ field: 'topic.', operator: 'equals', value: true }, 'Unsupported filter field: topic.'],
    [{ field: 'id', operator: 'equals', value: 'x' }, 'Unsupported filter field: id'],
    [{ field: 'constructor', operator: 'equals', value: 'x' }, 'Unsupported filter field: constructor'],
    [{ field: 'data.', operator: 'exists' }, 'Unsupported filter field: data.'],
    [{ field: 'data.x', operator: 'equals' }, 'Operator "equals" requires a value'],
    [{ field: 'data.x', operator: 'within', unit: 'days' }, 'Operator "within" requires a value'],
    [
      { field: 'data.x', operator: 'within', value: 5 },
      '"within" operator requires a unit (days, hours, or minutes)',
    ],
    [
      { field: 'order', operator: 'triggeredWithin', value: 5 },
      '"triggeredWithin" operator requires a unit (days, hours, or minutes)',
    ],
    [{ field: 'data.x', operator: 'within', value: 5, unit: 'weeks' }, 'Unsupported time unit: weeks'],
    [{ field: 'data.x', operator: 'within', value: 5, unit: { a: 1 } }, 'Unsupported time unit: object'],
    [{ field: 'data.x', operator: 'within', value: -1, unit: 'days' }, 'The value must be a number from 0'],
    [
      { field: 'data.x', operator: 'within', value: 'soon', unit: 'days' },
      'The value must be a number from 0',
    ],
    [{ field: 'data.x', operator: 'within', value: null, unit: 'days' }, 'The value must be a number from 0'],
    [
      { field: 'data.x', operator: 'within', value: 1e9, unit: 'days' },
      'The value must stand for at most 100 years',
    ],
    [
      { field: 'data.x', operator: 'equals', value: {} },
      'The value must be a text, a number, true, false or null',
    ],
    [
      { field: 'data.x', operator: 'contains', value: [] },
      'The value must be a text, a number, true or false',
    ],
    [
      { field: 'data.x', operator: 'greaterThan', value: true },
      'The value must be a number, a text or a date',
    ],
    [{ field: 'email', operator: 'equals', value: {} }, 'The value must be a text, a number, true or false'],
    [{ field: 'subscribed', operator: 'equals', value: 'yes' }, 'The value must be true or false'],
    [{ field: 'createdAt', operator: 'equals', value: '2026-02-30' }, 'The value must be a date (ISO 8601)'],
    [
      { field: 'createdAt', operator: 'lessThan', value: '2026-02-30' },
      'The value must be a date (ISO 8601)',
    ],
    [
      { field: 'createdAt', operator: 'greaterThan', value: '2025-02-29T10:00:00Z' },
      'The value must be a date (ISO 8601)',
    ],
    [
      { field: 'createdAt', operator: 'greaterThan', value: 'garbage' },
      'The value must be a date (ISO 8601)',
    ],
    [{ field: 'createdAt', operator: 'greaterThan', value: 8.64e15 }, 'The value must be a date (ISO 8601)'],
    [
      { field: 'createdAt', operator: 'greaterThan', value: '-009999-01-01T00:00:00Z' },
      'The value must be a date (ISO 8601)',
    ],
    [{ field: 'createdAt', operator: 'greaterThan', value: true }, 'The value must be a date (ISO 8601)'],
  ])('%j: %s', (filter, message) => {
    expect(faultsOf(tree(filter)).map(fault => fault.split(': ').slice(1).join(': '))).toEqual([message])
  })
})

describe('meaning', () => {
  const contact = {
    email: 'ada@company.test',
    subscribed: true,
    snoozedUntil: null,
    optedOutAt: new Date('2026-01-05T00:00:00Z'),
    createdAt: new Date('2026-02-28T23:59:59.999Z'),
    updatedAt: now,
    data: {
      plan: 'pro',
      n: 5,
      five: '5',
      yes: true,
      'a.b': 'literal',
      a: { b: 'nested', c: { d: 1 } },
      nothing: null,
      empty: '',
      list: ['pro'],
      day: '2026-05-06',
      moment: '2026-05-06T10:00:00.500Z',
      seconds: '2026-05-06T10:00:00Z',
      european: '05/06/2026',
      offset: '2026-05-06T10:00:00+02:00',
    },
  }
  const facts = {
    now,
    events: new Map([['order', new Date(now.getTime() - 86_400_000)]]),
    emails: new Map([['open' as const, now]]),
    memberOf: new Set([id]),
    inTopics: new Set([id]),
    campaigns: new Map([[id, { opened: false, clicked: true }]]),
    segments: new Map([[id, { type: 'STATIC' as const }]]),
  }

  const table: Array<[string, string, unknown, boolean, string?]> = [
    ['data.plan', 'equals', 'pro', true],
    ['data.plan', 'equals', 'Pro', false],
    ['data.n', 'equals', 5, true],
    ['data.n', 'equals', '5', false],
    ['data.five', 'equals', 5, false],
    ['data.five', 'greaterThan', 4, false],
    ['data.n', 'greaterThan', '4', false],
    ['data.yes', 'equals', true, true],
    ['data.yes', 'equals', 'true', false],
    ['data.missing', 'notEquals', 'x', false],
    ['data.missing', 'notContains', 'x', false],
    ['data.nothing', 'notEquals', 'x', false],
    ['data.nothing', 'exists', undefined, false],
    ['data.nothing', 'notExists', undefined, true],
    ['data.nothing', 'equals', null, false],
    ['data.plan', 'notEquals', null, true],
    ['data.empty', 'exists', undefined, true],
    ['data.list', 'contains', 'pro', true],
    ['data.list', 'notContains', 'pro', false],
    ['data.list', 'equals', 'pro', false],
    ['data.list.0', 'exists', undefined, false],
    ['data.plan', 'contains', 'r', true],
    ['data.plan', 'contains', 'R', false],
    ['data.five', 'contains', 5, true],
    ['data.n', 'contains', 5, false],
    ['data.a.b', 'equals', 'literal', true],
    ['data.a.b', 'equals', 'nested', false],
    ['data.a.c.d', 'equals', 1, true],
    ['contact.data.a.c.d', 'lessThan', 2, true],
    ['data.plan', 'greaterThan', 'prn', true],
    ['data.day', 'equals', '2026-05-06', true],
    ['data.day', 'equals', '2026-05-06T23:00:00Z', true],
    ['data.moment', 'equals', '2026-05-06', true],
    ['data.moment', 'notEquals', '2026-05-06', false],
    ['data.moment', 'notEquals', '2026-05-07', true],
    ['data.european', 'equals', '2026-05-06', false],
    ['data.day', 'lessThan', '2026-05-06T00:00:00.001Z', true],
    ['data.day', 'greaterThanOrEqual', '2026-05-06', true],
    ['data.moment', 'greaterThan', '2026-05-06T10:00:00Z', true],
    ['data.seconds', 'lessThan', '2026-05-06T10:00:00.500Z', true],
    ['data.seconds', 'equals', '2026-05-06T10:00:00+02:00', true],
    ['data.seconds', 'lessThan', '2026-05-06T13:00:00+02:00', true],
    ['data.moment', 'within', 1, true, 'days'],
    ['data.european', 'within', 36_000, false, 'days'],
    ['data.offset', 'within', 36_000, false, 'days'],
    ['data.european', 'olderThan', 0, false, 'days'],
    ['email', 'equals', 'ADA@Company.test', true],
    ['email', 'contains', 'COMPANY', true],
    ['email', 'notContains', 'company', false],
    ['subscribed', 'equals', 'true', true],
    ['subscribed', 'notEquals', true, false],
    ['createdAt', 'equals', '2026-02-28T01:00:00Z', true],
    ['createdAt', 'notEquals', '2026-02-28', false],
    ['createdAt', 'greaterThan', '2026-02-28T23:59:59.999Z', false],
    ['createdAt', 'lessThanOrEqual', '2026-02-28T23:59:59.999', true],
    ['createdAt', 'equals', Date.parse('2026-02-28T23:59:59.999Z'), true],
    ['updatedAt', 'within', 0, true, 'minutes'],
    ['updatedAt', 'olderThan', 0, false, 'minutes'],
    ['snoozedUntil', 'notExists', undefined, true],
    ['optedOutAt', 'exists', undefined, true],
    ['optedOutAt', 'lessThan', '2026-01-06', true],
    ['snoozedUntil', 'notEquals', '2026-01-01', false],
    ['event.order', 'triggered', undefined, true],
    ['event.order', 'triggeredWithin', 1, true, 'days'],
    ['event.order', 'triggeredWithin', 23, false, 'hours'],
    ['event.order', 'triggeredOlderThan', '23', true, 'hours'],
    ['event.order', 'triggeredOlderThan', 1, false, 'days'],
    ['order', 'notTriggered', undefined, false],
    ['event.never', 'notTriggeredWithin', 1, true, 'days'],
    ['event.never', 'triggeredOlderThan', 1, false, 'days'],
    ['email.opened', 'triggered', undefined, true],
    ['email.click', 'triggered', undefined, false],
    [`segment.${id.toUpperCase()}`, 'memberOfSegment', undefined, true],
    [`segment.${id}`, 'notMemberOfSegment', undefined, false],
    [`topic.${id.toUpperCase()}`, 'equals', true, true],
    [`topic.${id}`, 'equals', 'false', false],
    [`topic.${id}`, 'notEquals', true, false],
    ['topic.019f0000-0000-7000-8000-000000000000', 'equals', false, true],
    ['topic.order', 'notTriggered', undefined, true],
  ]
  // A missing last argument would be taken for a callback.
  test.each(table.map(row => [...row, ...(row.length < 5 ? [undefined] : [])] as Required<typeof row>))(
    '%s %s %p is %p',
    (field, operator, value, expected, unit) => {
      const reading = readFilter(tree({ field, operator, value, unit }))
      if ('faults' in reading) throw new Error(JSON.stringify(reading.faults))
      expect(matches(reading.predicate, contact, facts)).toBe(expected)
      expect(storedPredicate(reading.condition)).toEqual(reading.predicate)
    },
  )

  test('groups are joined by the logic, and everything in a group must hold', () => {
    const yes = { field: 'data.plan', operator: 'equals', value: 'pro' }
    const no = { field: 'data.plan', operator: 'equals', value: 'free' }
    const holds = (input: unknown): boolean => {
      const reading = readFilter(input)
      return 'predicate' in reading && matches(reading.predicate, contact, facts)
    }
    expect(holds({ logic: 'OR', groups: [{ filters: [no] }, { filters: [yes] }] })).toBe(true)
    expect(holds({ logic: 'AND', groups: [{ filters: [no] }, { filters: [yes] }] })).toBe(false)
    expect(holds({ logic: 'OR', groups: [{ filters: [yes, no] }] })).toBe(false)
    expect(holds({ logic: 'OR', groups: [{ filters: [yes], conditions: tree(no) }] })).toBe(false)
    expect(holds({ logic: 'OR', groups: [{ filters: [], conditions: tree(yes) }] })).toBe(true)
  })
})

describe('references', () => {
  test('are each named once, at any depth', () => {
    const reading = readFilter({
      logic: 'OR',
      groups: [
        {
          filters: [
            { field: 'data.a.b', operator: 'exists' },
            { field: 'contact.data.a.b', operator: 'exists' },
          ],
        },
        {
          filters: [{ field: 'subscribed', operator: 'equals', value: true }],
          conditions: tree(
            { field: 'x.y', operator: 'triggered' },
            { field: 'email.opened', operator: 'triggered' },
            { field: `segment.${id}`, operator: 'memberOfSegment' },
            { field: `topic.${id}`, operator: 'equals', value: true },
          ),
        },
      ],
    })
    if ('faults' in reading) throw new Error('faulty')
    expect(filterReferences(reading.predicate)).toEqual([
      { kind: 'field', name: 'data.a.b' },
      { kind: 'field', name: 'data.a' },
      { kind: 'field', name: 'subscribed' },
      { kind: 'event', name: 'x.y' },
      { kind: 'event', name: 'email.open' },
      { kind: 'segment', name: id },
      { kind: 'topic', name: id },
    ])
  })

  test.each([
    ['plan', 'data.plan'],
    ['data.plan', 'data.plan'],
    ['contact.data.plan', 'data.plan'],
    ['email', 'email'],
    ['contact.email', 'email'],
    ['contact.shoe', 'data.contact.shoe'],
  ])('%s is referenced as %s', (field, name) => {
    expect(fieldReferenceName(field)).toBe(name)
  })
})
