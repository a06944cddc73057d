// When bounces and complaints are too many, row by row.
import { expect, test } from 'bun:test'
import { assessReputation, type Counted, type Measures } from '../../../src/modules/oversight/security/rules'

const none: Counted = { total: 0, bounces: 0, complaints: 0 }
const of = (total: number, bounces: number, complaints = 0): Counted => ({ total, bounces, complaints })
/** The same in every window of a project that is old enough for rates alone. */
const old = (counted: Counted): Measures => ({
  twentyFourHour: counted,
  sevenDay: counted,
  allTime: counted,
  isNewProject: false,
})
const young = (counted: Counted): Measures => ({ ...old(counted), isNewProject: true })

const rows: [what: string, measures: Measures, verdict: 'healthy' | 'warning' | 'critical'][] = [
  ['nothing was sent', old(none), 'healthy'],
  ['2.5 % bounces of 200', old(of(200, 5)), 'healthy'],
  ['6 % bounces of 100', old(of(100, 6)), 'warning'],
  ['11 % bounces of 100', old(of(100, 11)), 'critical'],
  ['20 % bounces of 50 say nothing yet', old(of(50, 10)), 'healthy'],
  ['one bounce of five', old(of(5, 1)), 'healthy'],
  ['99 messages are too few', old(of(99, 50)), 'healthy'],
  ['exactly 4 % of 125 ever, exactly five', old(of(125, 5)), 'warning'],
  ['exactly 8 % ever', { ...old(of(250, 20)), sevenDay: none }, 'critical'],
  ['just under 8 % ever', { ...old(of(1_000, 79)), sevenDay: none }, 'warning'],
  [
    '10 % within a week, hidden in a long history',
    { ...old(of(100_000, 20)), sevenDay: of(100, 10) },
    'critical',
  ],
  ['nine bounces are no suspension, whatever their share', old(of(100, 9)), 'warning'],
  ['200 bounces of 20,000 in an old project', old(of(20_000, 200)), 'healthy'],
  ['30 complaints of 40,000 in an old project', old(of(40_000, 0, 30)), 'warning'],
  ['26 bounces of 10,000 in a new project', young(of(10_000, 26)), 'critical'],
  ['26 bounces of 10,000 in an old project', old(of(10_000, 26)), 'healthy'],
  ['ten bounces in a day of a new project', young(of(10_000, 10)), 'warning'],
  ['nine bounces in a day of a new project', young(of(10_000, 9)), 'healthy'],
  [
    'fifty bounces in a week of a new project',
    { ...young(of(100_000, 50)), twentyFourHour: none },
    'critical',
  ],
  ['seven complaints in a day of a new project', young(of(100_000, 0, 7)), 'critical'],
  [
    'twenty complaints in a week of a new project',
    { ...young(of(100_000, 0, 20)), twentyFourHour: none },
    'critical',
  ],
  ['three complaints in a day of a new project', young(of(100_000, 0, 3)), 'warning'],
  ['complaints of 0.15 %, but only four', old(of(2_000, 0, 4)), 'warning'],
  ['five complaints of 3,333', old(of(3_333, 0, 5)), 'critical'],
  ['0.12 % complaints ever', { ...old(of(5_000, 0, 6)), sevenDay: none }, 'critical'],
]

test.each(rows)('%s', (_, measures, expected) => {
  const { violations, warnings } = assessReputation(measures)
  expect(violations.length > 0 ? 'critical' : warnings.length > 0 ? 'warning' : 'healthy').toBe(expected)
})

test('levels are told one by one, and each has its sentence with the figures and the threshold', () => {
  const verdict = assessReputation({ ...old(of(1_000, 60)), sevenDay: of(200, 22, 3) })
  expect(verdict).toEqual({
    levels: {
      bounce7Day: 'critical',
      bounceAllTime: 'warning',
      complaint7Day: 'warning',
      complaintAllTime: 'healthy',
    },
    violations: ['Bounces of the last 7 days: 11 % (22 of 200); critical from 10 % on'],
    warnings: [
      'Bounces of all time: 6 % (60 of 1000); warning from 4 % on',
      'Complaints of the last 7 days: 1.5 % (3 of 200); warning from 0.075 % on',
    ],
  })
})

test('ceilings have their sentence, too', () => {
  expect(assessReputation(young(of(10_000, 26))).violations).toEqual([
    'Bounces of the last 24 hours: 26; critical from 25 on in a new project',
  ])
})
