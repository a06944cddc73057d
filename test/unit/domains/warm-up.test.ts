// The arithmetic of a warm-up: what a day allows, which day counts, and on which days so many messages leave.
import { expect, test } from 'bun:test'
import { forecastOf } from '../../../src/modules/sending/domains/forecast'
import {
  allowanceAt,
  nextDay,
  roomOn,
  targetDate,
  type WarmUpDay,
  type WarmUpPlan,
} from '../../../src/modules/sending/domains/warm-up'

const plan = { firstDay: 50, factor: 1.5, target: 500 }
const today = '2026-02-27'
const dayOf = (changes: Partial<WarmUpDay> = {}): WarmUpDay => ({
  ...{ date: today, step: 0, allowance: 50, sent: 0, transactional: 0, reserved: 0 },
  ...changes,
})

test('grows by its factor, in whole messages, up to the target', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 100].map(step => allowanceAt(plan, step))).toEqual([
    ...[50, 75, 112, 168, 253, 379, 500, 500],
  ])
})

test.each([
  ['the first day', undefined, { step: 0, allowance: 50, reserved: 0 }],
  ['after a full day', dayOf({ sent: 50 }), { step: 1, allowance: 75, reserved: 0 }],
  ['after half a day', dayOf({ sent: 25 }), { step: 1, allowance: 75 }],
  ['after less than that', dayOf({ sent: 24 }), { step: 0, allowance: 50 }],
  ['with as much room for other mail as it took', dayOf({ sent: 50, transactional: 20 }), { reserved: 20 }],
  ['but half of the day at most', dayOf({ sent: 90, transactional: 90 }), { allowance: 75, reserved: 37 }],
  [
    'at the target, where too little was sent',
    dayOf({ step: 9, allowance: 500, sent: 9 }),
    { step: 9, allowance: 500 },
  ],
])('%s', (_, last, expected) => {
  expect(nextDay(plan, last, '2026-02-28')).toMatchObject({ date: '2026-02-28', sent: 0, ...expected })
})

test('is over when enough of the target was sent', () => {
  expect(nextDay(plan, dayOf({ step: 9, allowance: 500, sent: 250 }), '2026-02-28')).toBeUndefined()
})

test.each([
  [dayOf(), 50],
  [dayOf({ sent: 20 }), 30],
  [dayOf({ sent: 20, transactional: 5, reserved: 15 }), 20],
  [dayOf({ sent: 20, transactional: 15, reserved: 10 }), 30],
  [dayOf({ sent: 70, transactional: 70 }), 0],
])('%j has room for %d', (day, room) => {
  expect(roomOn(day)).toBe(room)
})

const messagesOf = (days: ReadonlyArray<{ date: string; messages: number }>) =>
  days.map(({ date, messages }) => `${date} ${messages}`)

const gateOf = (plan: WarmUpPlan, last?: WarmUpDay, ahead = 0) => ({ plans: [{ plan, last }], ahead })
const atOnce = (messages: number) => new Map([[today, messages]])

test('a forecast goes on over the end of the month, and all of the rest leaves when the plan is over', () => {
  const small = { firstDay: 10, factor: 2, target: 20 }
  expect(messagesOf(forecastOf([gateOf(small)], today, atOnce(1_000)))).toEqual([
    ...['2026-02-27 10', '2026-02-28 20', '2026-03-01 970'],
  ])
})

test('a forecast begins with what is left of today, and leaves room for other mail', () => {
  const begun = dayOf({ sent: 40, transactional: 10, reserved: 0 })
  expect(messagesOf(forecastOf([gateOf(plan, begun)], today, atOnce(100)))).toEqual([
    ...['2026-02-27 10', '2026-02-28 65', '2026-03-01 25'],
  ])
  expect(messagesOf(forecastOf([gateOf(plan, dayOf({ sent: 50 }))], today, atOnce(5)))).toEqual([
    '2026-02-28 5',
  ])
  expect(forecastOf([gateOf(plan)], today, atOnce(0))).toEqual([])
})

test('of two gates the narrower one counts, each with those that go first there, and several plans of one add up', () => {
  const wide = { firstDay: 100, factor: 2, target: 800 }
  const narrow = { firstDay: 20, factor: 2, target: 40 }
  // The wide one grows only on days on which half of it was used.
  expect(messagesOf(forecastOf([gateOf(wide), gateOf(narrow, undefined, 15)], today, atOnce(250)))).toEqual([
    ...['2026-02-27 5', '2026-02-28 40', '2026-03-01 100', '2026-03-02 105'],
  ])
  const both = { plans: [wide, narrow].map(each => ({ plan: each, last: undefined })), ahead: 0 }
  expect(messagesOf(forecastOf([both], today, atOnce(400)))).toEqual([
    ...['2026-02-27 120', '2026-02-28 240', '2026-03-01 40'],
  ])
})

test("what is due later is in nobody's way before, and does not leave sooner", () => {
  const small = { firstDay: 10, factor: 2, target: 20 }
  const arrivals = new Map([
    [today, 15],
    ['2026-03-03', 30],
  ])
  expect(messagesOf(forecastOf([gateOf(small)], today, arrivals))).toEqual([
    ...['2026-02-27 10', '2026-02-28 5', '2026-03-03 20', '2026-03-04 10'],
  ])
})

test('the longest plan ends', () => {
  const longest = { firstDay: 1, factor: 1.1, target: 10_000_000 }
  const days = forecastOf([gateOf(longest)], today, atOnce(2_000_000_000))
  expect(days.length).toBeWithin(100, 200)
  expect(days.reduce((sum, { messages }) => sum + messages, 0)).toBe(2_000_000_000)
})

test('the day of the target', () => {
  expect(targetDate(plan, undefined, today)).toBe('2026-03-05')
  expect(targetDate(plan, dayOf({ step: 6, allowance: 500 }), today)).toBe(today)
  expect(targetDate(plan, dayOf({ sent: 50 }), '2026-02-28')).toBe('2026-03-05')
})
