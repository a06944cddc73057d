// What a project may still make, by table.
import { describe, expect, test } from 'bun:test'
import { monthOf, startOfNextMonth } from '../../../src/lib/time'
import {
  allowancesOf,
  excessOf,
  noticesOf,
  type PerCategory,
  shareOf,
  type UsageState,
} from '../../../src/modules/oversight/billing/allowance'
import { usageEmail } from '../../../src/modules/oversight/billing/emails'
import { limitReached } from '../../../src/modules/sending/emails/allowance'

const none = { workflows: null, campaigns: null, transactional: null, inbound: null }
const noUse = { workflows: 0, campaigns: 0, transactional: 0, inbound: 0 }

function standing(
  isSubscribed: boolean,
  limits: Partial<PerCategory<number>> = {},
  used: Partial<PerCategory<number>> = {},
): UsageState {
  return { isSubscribed, limits: { ...none, ...limits }, used: { ...noUse, ...used } }
}

const subscriber = (limits?: Partial<PerCategory<number>>, used?: Partial<PerCategory<number>>) =>
  standing(true, limits, used)
const free = (used?: Partial<PerCategory<number>>) => standing(false, {}, used)

test('a category is blocked at its limit, whatever the others have used', () => {
  const state = subscriber(
    { campaigns: 10, transactional: 10 },
    { campaigns: 10, transactional: 9, inbound: 99 },
  )
  expect(excessOf(state, 'campaigns', 1)).toEqual({
    category: 'campaigns',
    limit: 10,
    usage: 10,
    requested: 1,
  })
  expect(excessOf(state, 'transactional', 1)).toBeUndefined()
  expect(excessOf(state, 'transactional', 2)).toMatchObject({ usage: 9, requested: 2 })
  expect(excessOf(state, 'workflows', 1_000_000)).toBeUndefined()
})

test('a subscriber without limits may make as much as it likes', () => {
  expect(excessOf(subscriber({}, { transactional: 10_000_000 }), 'transactional', 1_000_000)).toBeUndefined()
})

test('the free tier is a thousand of all categories together, shown in each', () => {
  const state = free({ workflows: 300, campaigns: 300, transactional: 300, inbound: 99 })
  expect(new Set(Object.values(allowancesOf(state)).map(each => JSON.stringify(each)))).toEqual(
    new Set([JSON.stringify({ limit: 1000, usage: 999 })]),
  )
  expect(excessOf(state, 'inbound', 1)).toBeUndefined()
  expect(excessOf(state, 'inbound', 2)).toBeDefined()
})

test('limits of its own switch the free tier off, also without a subscription', () => {
  const state = standing(false, { campaigns: 5_000 }, { campaigns: 2_000, transactional: 2_000 })
  expect(allowancesOf(state).campaigns).toEqual({ limit: 5_000, usage: 2_000 })
  expect(excessOf(state, 'transactional', 1)).toBeUndefined()
})

test.each([
  [0, 10, 0, false, false],
  [7, 10, 70, false, false],
  [799, 1000, 79.9, false, false],
  [8, 10, 80, true, false],
  [9, 10, 90, true, false],
  [10, 10, 100, true, true],
  [11, 10, 110, true, true],
  [1, 3, 33.33, false, false],
  [1, 1, 100, true, true],
])('%i of %i are %d %%; warning: %p, blocked: %p', (usage, limit, percentage, isWarning, isBlocked) => {
  expect(shareOf({ limit, usage })).toEqual({ limit, usage, percentage, isWarning, isBlocked })
})

test('what is refused names category, limit and what is left', () => {
  const error = limitReached({ category: 'campaigns', limit: 10, usage: 8, requested: 5 })
  expect([error.status, error.code]).toEqual([429, 'BILLING_LIMIT_EXCEEDED'])
  expect(error.message).toBe(
    'Billing limit reached: 8 of 10 messages of this month are used (campaigns); 2 of the 5 messages asked for are left',
  )
})

describe('members are told', () => {
  test.each<[string, UsageState, unknown[]]>([
    ['nothing without a limit', subscriber({}, { campaigns: 1_000_000 }), []],
    ['nothing below 80 %', subscriber({ campaigns: 100 }, { campaigns: 79 }), []],
    [
      'from 80 % on, for each category by itself',
      subscriber({ campaigns: 100, inbound: 10 }, { campaigns: 80, inbound: 10 }),
      [
        { topic: 'campaigns', kind: 'warning', limit: 100, usage: 80 },
        { topic: 'inbound', kind: 'limit', limit: 10, usage: 10 },
      ],
    ],
    [
      'once about the free tier',
      free({ campaigns: 400, inbound: 400 }),
      [{ topic: 'all', kind: 'warning', limit: 1000, usage: 800 }],
    ],
  ])('%s', (_, state, notices) => {
    expect(noticesOf(state)).toEqual(notices as ReturnType<typeof noticesOf>)
  })

  test('in words that say what happens at the limit', () => {
    const letter = usageEmail('Acme', { topic: 'campaigns', kind: 'warning', limit: 300, usage: 250 })
    expect(letter.subject).toBe('The project "Acme" has used 83 % of its messages of campaigns')
    expect(letter.text).toContain('250 of 300 messages of campaigns of this month are used')
    expect(letter.text).toContain('no campaign can be sent')
  })
})

test('months are those of UTC', () => {
  expect(monthOf(new Date('2026-03-31T23:59:59.999Z'))).toBe('2026-03-01')
  expect(monthOf(new Date('2026-04-01T00:30:00.000+02:00'))).toBe('2026-03-01')
  expect(startOfNextMonth(new Date('2026-12-15T00:00:00Z')).toISOString()).toBe('2027-01-01T00:00:00.000Z')
})
