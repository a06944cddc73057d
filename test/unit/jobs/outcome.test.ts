// What a thrown value means for a job, as a table.
import { describe, expect, test } from 'bun:test'
import { retryDelayMs, retrySteps } from '../../../src/lib/backoff'
import type { Random } from '../../../src/lib/ids'
import { hour, minute, second } from '../../../src/lib/time'
import { type JobOutcome, outcomeOf, type RunFacts, Snooze } from '../../../src/platform/jobs/outcome'

const now = new Date('2026-03-01T12:00:00.000Z')
const at = (ms: number): Date => new Date(now.getTime() + ms)
const chance = (fraction: number): Random => ({
  fraction: () => fraction,
  bytes: () => new Uint8Array(),
  uuid: () => '',
})
const facts = (changes: Partial<RunFacts> = {}): RunFacts => ({
  attempt: 1,
  maxAttempts: 3,
  backoffMs: [10 * second],
  now,
  random: chance(0.5),
  ...changes,
})

const connectionLost = Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' })

describe('what is thrown', () => {
  const cases: Array<[string, unknown, Partial<RunFacts>, JobOutcome]> = [
    ['a snooze for a while', new Snooze(5_000), {}, { type: 'snoozed', at: at(5_000) }],
    ['a snooze until a moment', new Snooze(at(9_000)), {}, { type: 'snoozed', at: at(9_000) }],
    ['a snooze in the last attempt', new Snooze(1), { attempt: 3 }, { type: 'snoozed', at: at(1) }],
    ['any error', new TypeError('odd'), {}, { type: 'retried', at: at(10_000), error: 'TypeError: odd' }],
    ['something that is no error', 'text', {}, { type: 'retried', at: at(10_000), error: 'text' }],
    ['an error in the last attempt', new Error('no'), { attempt: 3 }, { type: 'failed', error: 'Error: no' }],
    ['an attempt beyond the last', new Error('no'), { attempt: 5 }, { type: 'failed', error: 'Error: no' }],
    [
      'a database that went away, in an attempt with a long wait',
      connectionLost,
      { attempt: 2, backoffMs: [5 * second, 30 * second] },
      { type: 'retried', at: at(2_000), error: 'Error: gone' },
    ],
    [
      'a database that went away, where waits are shorter anyway',
      connectionLost,
      { backoffMs: [500] },
      { type: 'retried', at: at(500), error: 'Error: gone' },
    ],
    [
      'a database that went away in the last attempt',
      connectionLost,
      { attempt: 3 },
      { type: 'retried', at: at(10_000), error: 'Error: gone' },
    ],
    [
      'another server that cannot be reached, in the last attempt',
      Object.assign(new Error('no'), { code: 'ECONNREFUSED', syscall: 'connect' }),
      { attempt: 3 },
      { type: 'failed', error: 'Error: no' },
    ],
    [
      'text that PostgreSQL cannot store',
      new Error('a\0b'),
      { attempt: 3 },
      { type: 'failed', error: 'Error: ab' },
    ],
  ]
  test.each(cases)('%s', (_name, thrown, changes, expected) => {
    expect(outcomeOf(thrown, facts(changes))).toEqual(expected)
  })

  test('an endless message is cut', () => {
    const outcome = outcomeOf(new Error('x'.repeat(100_000)), facts({ attempt: 3 }))
    expect(outcome.type === 'failed' && outcome.error.length).toBe(2_000)
  })

  test('and not within a character, which PostgreSQL could not store', () => {
    const outcome = outcomeOf('\u{1F4E7}'.repeat(2_000).slice(1), facts({ attempt: 3 }))
    expect(outcome.type === 'failed' && outcome.error.isWellFormed()).toBe(true)
  })
})

describe('waits between tries', () => {
  const cases: Array<[number, number]> = [
    [1, 5 * second],
    [2, 30 * second],
    [3, 2 * minute],
    [4, 10 * minute],
    [5, 30 * minute],
    [6, hour],
    [7, 2 * hour],
    [18, 2 * hour],
    [0, 5 * second],
  ]
  test.each(cases)('after attempt %d about %d ms', (attempt, expected) => {
    expect(retryDelayMs(attempt, 0.5)).toBe(expected)
    expect(retryDelayMs(attempt, 0)).toBe(expected * 0.8)
    expect(retryDelayMs(attempt, 0.999_999_9)).toBeCloseTo(expected * 1.2, -1)
  })

  test('seventeen waits reach 24 hours', () => {
    let total = 0
    for (let attempt = 1; attempt < 18; attempt++) total += retryDelayMs(attempt, 0.5, retrySteps)
    expect(total).toBeGreaterThan(23.5 * hour)
  })
})
