// The pure rules of campaigns: counts, progress, names of copies, and what is kept of a contact's data.
import { describe, expect, test } from 'bun:test'
import { keptVariables } from '../../../src/modules/features/campaigns/authoring/compose'
import { countsOfSettled, percent, sumChanges } from '../../../src/modules/features/campaigns/results/counts'
import { progressOf } from '../../../src/modules/features/campaigns/results/progress'
import { copyName } from '../../../src/modules/sending/templates/model'
import type { EmailReason } from '../../../src/platform/transports/reason'

const at = new Date('2026-03-01T12:00:00Z')
const nothing = { sentAt: null, deliveredAt: null, bouncedAt: null, reason: null as EmailReason | null }

describe('counts', () => {
  test.each([
    [
      'a delivered one',
      { ...nothing, status: 'DELIVERED' as const, sentAt: at, deliveredAt: at },
      { settled: 1, sent: 1, delivered: 1, bounced: 0, failed: 0, skipped: 0 },
    ],
    [
      'one that the provider has',
      { ...nothing, status: 'SENT' as const, sentAt: at },
      { settled: 1, sent: 1, delivered: 0, bounced: 0, failed: 0, skipped: 0 },
    ],
    [
      'a bounced one',
      { ...nothing, status: 'BOUNCED' as const, bouncedAt: at },
      { settled: 1, sent: 0, delivered: 0, bounced: 1, failed: 0, skipped: 0 },
    ],
    [
      'a failed one',
      { ...nothing, status: 'FAILED' as const },
      { settled: 1, sent: 0, delivered: 0, bounced: 0, failed: 1, skipped: 0 },
    ],
    [
      'one left out',
      { ...nothing, status: 'SKIPPED' as const },
      { settled: 1, sent: 0, delivered: 0, bounced: 0, failed: 0, skipped: 1 },
    ],
    [
      'one that is tried again',
      { ...nothing, status: 'PENDING' as const },
      { settled: 0, sent: 0, delivered: 0, bounced: 0, failed: 0, skipped: 0 },
    ],
    [
      'one that a rule holds',
      { ...nothing, status: 'PENDING' as const, reason: 'cap' as const },
      { settled: 0, sent: 0, delivered: 0, bounced: 0, failed: 0, skipped: 0, held: 1 },
    ],
    [
      'one that a rule goes on holding',
      { ...nothing, status: 'PENDING' as const, reason: 'cap' as const, wasHeld: true },
      { settled: 0, sent: 0, delivered: 0, bounced: 0, failed: 0, skipped: 0 },
    ],
    [
      'one that a rule had held, and skips',
      { ...nothing, status: 'SKIPPED' as const, reason: 'cap' as const, wasHeld: true },
      { settled: 1, sent: 0, delivered: 0, bounced: 0, failed: 0, skipped: 1, held: -1, capped: 1 },
    ],
  ])('%s', (_, settled, expected) => {
    expect(countsOfSettled(settled)).toEqual({ held: 0, capped: 0, ...expected })
  })

  test('changes are one a campaign, and those that come to nothing vanish', () => {
    const change = (campaignId: string, sent: number) => ({ projectId: 'p', campaignId, sent })
    const sums = sumChanges([change('a', 1), change('b', 1), change('a', 2), change('b', -1)])
    expect(sums.map(sum => [sum.campaignId, sum.sent, sum.opened])).toEqual([['a', 3, 0]])
  })

  test.each([
    [1, 3, 33.33],
    [0, 0, 0],
    [5, 0, 0],
    [2, 2, 100],
  ])('%d of %d is %d percent', (part, sent, expected) => {
    expect(percent(part, sent)).toBe(expected)
  })
})

describe('progress', () => {
  const facts = {
    status: 'SENDING' as const,
    pausedAt: null,
    totalRecipients: 1_000,
    settled: 400,
    measuredFrom: at,
    measuredBase: 100,
  }
  const later = new Date(at.getTime() + 30_000)

  test('counts from when it was taken up last', () => {
    expect(progressOf(facts, later)).toEqual({
      processed: 400,
      remaining: 600,
      ratePerSecond: 10,
      secondsLeft: 60,
    })
  })

  test.each([
    ['paused', { pausedAt: at }],
    ['sent', { status: 'SENT' as const }],
    ['not begun', { measuredFrom: null }],
  ])('has no rate while it is %s', (_, change) => {
    expect(progressOf({ ...facts, ...change }, later)).toMatchObject({
      ratePerSecond: null,
      secondsLeft: null,
    })
  })

  test('never promises an end before anything is sent', () => {
    expect(progressOf({ ...facts, settled: 100 }, later)).toMatchObject({
      ratePerSecond: 0,
      secondsLeft: null,
    })
  })
})

describe('what is kept of the data', () => {
  const data = { name: 'Ada', plan: 'pro', 'a.b': 1, locale: 'de', other: 'x' }
  const keep = (body: string) =>
    keptVariables({ subject: '{{name}}', body })({ contactId: '', email: '', subscribed: true, data })
  test.each<[string, Record<string, unknown>]>([
    ['x', { name: 'Ada', locale: 'de' }],
    ['{{plan | upcase}}', { name: 'Ada', plan: 'pro', locale: 'de' }],
    ['{{a.b}}', { name: 'Ada', 'a.b': 1, locale: 'de' }],
    ['{% if other %}{% endif %}', { name: 'Ada', locale: 'de', other: 'x' }],
    ['{{data.plan}}', data],
  ])('%s', (body, expected) => {
    expect(keep(body)).toEqual(expected)
  })
})

test.each([
  ['News', 'News (Copy)'],
  ['News (Copy)', 'News (Copy) (Copy)'],
  ['x'.repeat(100), `${'x'.repeat(93)} (Copy)`],
])('a copy of %s', (name, expected) => {
  expect(copyName(name, 100)).toBe(expected)
})
