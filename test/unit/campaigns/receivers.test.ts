// When a receiver counts as refusing a campaign.
import { describe, expect, test } from 'bun:test'
import { hour, minute } from '../../../src/lib/time'
import {
  joinAnswers,
  refusesCampaign,
  waitBeforeProbe,
  withReportedRefusals,
} from '../../../src/modules/features/campaigns/sending/receiver-rules'

describe('a receiver refuses the campaign', () => {
  const rows: Array<[answers: string, refuses: boolean]> = [
    ['', false],
    ['r'.repeat(9), false],
    ['r'.repeat(10), true],
    ['ar'.repeat(10), false],
    [`${'a'.repeat(9)}${'r'.repeat(11)}`, true],
    [`${'a'.repeat(9)}${'r'.repeat(10)}`, true],
    [`${'r'.repeat(10)}${'a'.repeat(10)}`, false],
  ]
  test.each(rows)('after %s: %p', (answers, refuses) => {
    expect(refusesCampaign(answers)).toBe(refuses)
  })
})

test('only the newest twenty answers are kept', () => {
  expect(joinAnswers('r'.repeat(20), ['other', 'other'])).toBe(`${'r'.repeat(18)}aa`)
  expect(joinAnswers('', ['refused', 'other'])).toBe('ra')
})

test('a refusal that is reported takes the place of an answer that had counted as good', () => {
  expect(withReportedRefusals('aaar', 2)).toBe('arrr')
  expect(withReportedRefusals('a', 2)).toBe('rr')
  expect(withReportedRefusals('a'.repeat(20), 10)).toBe(`${'a'.repeat(10)}${'r'.repeat(10)}`)
})

test('one message tries after half an hour, and ever more rarely, every six hours in the end', () => {
  expect([0, 1, 2, 3, 4, 5, 100].map(waitBeforeProbe)).toEqual([
    ...[30 * minute, hour, 2 * hour, 4 * hour],
    ...[6 * hour, 6 * hour, 6 * hour],
  ])
})
