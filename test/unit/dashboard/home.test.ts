// What home works out by itself: which rates are usual, opens by hour, and what comes up.
import { describe, expect, test } from 'bun:test'
import type { CampaignRow } from '../../../src/dashboard/pages/home/data'
import { dueOf, lastOf, opensByHour, usualOf } from '../../../src/dashboard/pages/home/figures'

const campaign = (id: number, openedCount: number, more: Partial<CampaignRow> = {}): CampaignRow =>
  ({
    ...{ id: String(id), sentAt: new Date(Date.UTC(2026, 10, id)).toISOString(), topicId: null },
    ...{ sentCount: 100, openedCount, ...more },
  }) as CampaignRow

describe('what is usual', () => {
  const last = campaign(20, 50)
  const usual = (...before: CampaignRow[]) => usualOf(last, [last, ...before], 'opened')

  test('is unknown until three campaigns were sent before', () => {
    expect(usual(campaign(1, 10), campaign(2, 20))).toBeUndefined()
    expect(usual(campaign(1, 10), campaign(2, 20), campaign(3, 0, { sentCount: 0 }))).toBeUndefined()
    expect(usual(campaign(1, 10), campaign(2, 90), campaign(3, 20))).toBe(0.2)
  })

  test('is the median of the last ten', () => {
    const many = Array.from({ length: 12 }, (_, n) => campaign(n + 1, n < 2 ? 99 : n))
    expect(usual(...many)).toBeCloseTo(0.065)
  })

  test('is that of the same topic where there is enough of it', () => {
    const others = [1, 2, 3].map(n => campaign(n, 90, { topicId: 'other' }))
    expect(usual(...others, campaign(4, 10), campaign(5, 20))).toBe(0.9)
    expect(usual(...others, campaign(4, 10), campaign(5, 20), campaign(6, 30))).toBe(0.2)
  })
})

test('the last campaign is the one whose sending began last', () => {
  expect(lastOf([campaign(1, 0), campaign(3, 0), campaign(2, 0)])?.id).toBe('3')
  expect(lastOf([])).toBeUndefined()
})

test('opens are counted by the hours since sending began', () => {
  const hour = (at: string, opened: number) => ({ at: `2026-11-01T${at}:00.000Z`, opened, clicked: 0 })
  const hours = [hour('08:00', 1), hour('09:00', 2), hour('10:00', 4), hour('23:00', 8)]
  expect(opensByHour({ hours }, '2026-11-01T08:30:00.000Z', 3)).toEqual([3, 4, 0])
})

test('runs of one workflow within an hour are one thing that comes up', () => {
  const run = (id: string, workflowId: string, at: string) => ({
    ...{
      id,
      type: 'workflow.scheduled',
      timestamp: `2026-11-01T${at}:00.000Z`,
      contactEmail: `${id}@mail.example`,
    },
    metadata: { workflowId, workflowName: workflowId },
  })
  const due = dueOf([
    run('a', 'w', '08:00'),
    run('b', 'w', '08:50'),
    run('c', 'v', '08:51'),
    run('d', 'w', '09:00'),
  ])
  expect(due.map(({ name, count, contactEmail }) => [name, count, contactEmail])).toEqual([
    ['w', 2, 'a@mail.example'],
    ['v', 1, 'c@mail.example'],
    ['w', 1, 'd@mail.example'],
  ])
})
