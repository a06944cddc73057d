// The short forms of conditions: fields, comparisons, missing values.
import { describe, expect, test } from 'bun:test'
import {
  type ComparisonOperator,
  compares,
  fieldValue,
} from '../../../src/modules/features/workflows/definition/conditions'

const at = {
  contact: {
    email: 'ada@example.com',
    subscribed: true,
    data: { plan: 'pro', 'a.b': 1, a: { b: 2, c: { d: 3 } }, nothing: null, list: [1] },
  },
  context: {
    sum: 5,
    once: { value: 'x', persistent: false },
    deep: { value: { in: 7 }, persistent: false },
    plain: { value: 1 },
  },
}

test.each([
  ['email', 'ada@example.com'],
  ['contact.email', 'ada@example.com'],
  ['subscribed', true],
  ['contact.subscribed', true],
  ['data.plan', 'pro'],
  ['contact.data.plan', 'pro'],
  ['data.a.b', 1],
  ['data.a.c.d', 3],
  ['data.nothing', null],
  ['data.missing', undefined],
  ['data.constructor', undefined],
  ['data.a.__proto__', undefined],
  ['event.sum', 5],
  ['workflow.sum', 5],
  ['event.once', 'x'],
  ['event.deep.in', 7],
  ['event.plain.value', 1],
  ['event.', undefined],
  ['shoe', undefined],
] as const)('%s is %p', (field, expected) => expect(fieldValue(field, at)).toEqual(expected as never))

const table: Array<[unknown, ComparisonOperator, unknown, boolean]> = [
  ['pro', 'equals', 'pro', true],
  ['pro', 'equals', 'Pro', false],
  [5, 'equals', '5', false],
  [true, 'equals', 'true', false],
  [true, 'equals', true, true],
  ['pro', 'notEquals', 'free', true],
  ['pro', 'notEquals', 'pro', false],
  ['hello world', 'contains', 'world', true],
  ['hello', 'contains', 'World', false],
  [12345, 'contains', '34', true],
  ['hello', 'notContains', 'x', true],
  [11, 'greaterThan', 10, true],
  [10, 'greaterThan', 10, false],
  ['3', 'greaterThan', '2', true],
  [4, 'greaterThan', '3', true],
  [-1, 'greaterThan', -2, true],
  [-5, 'lessThan', -2, true],
  [10, 'lessThanOrEqual', 10, true],
  [10, 'greaterThanOrEqual', 10, true],
  ['2026-01-01', 'greaterThan', '2025-01-01', true],
  ['2026-01-01', 'greaterThanOrEqual', '2026-01-01T00:00:00Z', true],
  ['2026-01-01T08:00:00Z', 'lessThan', '2026-01-01T10:00:00+01:00', true],
  ['2026-01-01T09:30:00.000Z', 'lessThan', '2026-01-01T10:00:00+01:00', false],
  ['05/06/2026', 'greaterThan', '2025-01-01', false],
  ['2026-01-01', 'greaterThan', 'yesterday', false],
  ['2026-01-01', 'greaterThan', 5, false],
  ['', 'lessThan', 1, false],
  [{}, 'greaterThan', 1, false],
  ['', 'exists', undefined, true],
  [null, 'exists', undefined, false],
  [null, 'notExists', undefined, true],
  [undefined, 'notExists', undefined, true],
]

test.each(table)('%p %s %p is %p', (actual, operator, value, expected) =>
  expect(compares('data.x', actual, { operator, value })).toBe(expected),
)

describe('a missing value', () => {
  for (const operator of [
    'notEquals',
    'contains',
    'notContains',
    'greaterThan',
    'lessThan',
    'lessThanOrEqual',
  ] as const)
    test(`does not pass ${operator}`, () => {
      for (const actual of [undefined, null])
        expect(compares('data.x', actual, { operator, value: 1 })).toBe(false)
    })
  test('equals null', () => {
    expect(compares('data.x', undefined, { operator: 'equals', value: null })).toBe(true)
    expect(compares('data.x', undefined, { operator: 'equals', value: '' })).toBe(false)
  })
})

test('addresses are compared in their one spelling', () => {
  const email = 'ada@münchen.example'
  for (const value of [
    'Ada@XN--mnchen-3ya.example',
    'ada@mün\u00adchen.example',
    ' ada@mu\u0308nchen.example',
  ]) {
    expect(compares('email', email, { operator: 'equals', value })).toBe(true)
    expect(compares('email', email, { operator: 'notEquals', value })).toBe(false)
  }
  expect(compares('email', email, { operator: 'contains', value: '@xn--mnchen-3ya.example' })).toBe(true)
  for (const field of ['email', 'contact.email']) {
    expect(compares(field, 'ada@example.com', { operator: 'equals', value: 'Ada@Example.com' })).toBe(true)
    expect(compares(field, 'ada@example.com', { operator: 'contains', value: 'EXAMPLE' })).toBe(true)
    expect(compares(field, 'ada@example.com', { operator: 'notEquals', value: 'ADA@example.com' })).toBe(
      false,
    )
  }
})
