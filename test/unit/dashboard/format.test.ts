// Times as people say them: minutes and hours while they are few, days by the calendar, and the date beyond a week.
import { describe, expect, test } from 'bun:test'
import { formatRelative } from '../../../src/dashboard/ui/format'

/** In the zone of whoever reads; 22 November 2026 is a Sunday. */
const now = new Date(2026, 10, 22, 16, 0)

describe('a moment, seen on 22 November 2026 at 16:00', () => {
  test.each<[when: Date, said: string]>([
    [new Date(2026, 10, 22, 15, 59, 40), 'just now'],
    [new Date(2026, 10, 22, 15, 57), '3 min. ago'],
    [new Date(2026, 10, 22, 15, 0, 20), '1 hr. ago'],
    [new Date(2026, 10, 22, 0, 5), '16 hr. ago'],
    [new Date(2026, 10, 21, 16, 0), 'yesterday'],
    [new Date(2026, 10, 21, 15, 30), 'yesterday'],
    [new Date(2026, 10, 21, 0, 30), 'yesterday'],
    [new Date(2026, 10, 20, 23, 59), '2 days ago'],
    [new Date(2026, 10, 16, 8, 0), '6 days ago'],
    [new Date(2026, 10, 15, 8, 0), 'Nov 15'],
    [new Date(2026, 9, 22, 16, 0), 'Oct 22'],
    [new Date(2025, 11, 31, 16, 0), 'Dec 31, 2025'],
    [new Date(2026, 10, 22, 18, 0), 'in 2 hr.'],
    [new Date(2026, 10, 23, 16, 0), 'tomorrow'],
    [new Date(2026, 10, 25, 9, 0), 'in 3 days'],
  ])('%p is "%s"', (when, said) => {
    expect(formatRelative(when, now.getTime())).toBe(said)
  })

  test('shortly after midnight, what was before is still told in hours', () => {
    const night = new Date(2026, 10, 22, 1, 0).getTime()
    expect(formatRelative(new Date(2026, 10, 21, 23, 0), night)).toBe('2 hr. ago')
  })
})
