// Audiences of several segments, topics and recipients: what is chosen is what the API gets, and what is read is what was chosen.
import { describe, expect, test } from 'bun:test'
import {
  audienceOf,
  type Chosen,
  chosenOf,
  unfinishedWithout,
} from '../../../src/dashboard/pages/campaigns/audience-choices'

const all: readonly Chosen[] = [
  { include: [], exclude: [] },
  { include: ['segment.a'], exclude: [] },
  { include: ['segment.a', 'segment.b'], exclude: [] },
  { include: [], exclude: ['segment.c'] },
  { include: ['segment.a'], exclude: ['segment.c'] },
  { include: ['segment.a', 'segment.b'], exclude: ['segment.c', 'segment.d'] },
  { include: ['topic.t'], exclude: [] },
  { include: ['segment.a', 'topic.t'], exclude: ['topic.u'] },
  { include: ['campaign.k.notOpened'], exclude: [] },
  { include: ['campaign.k.notOpened', 'segment.a'], exclude: ['segment.c'] },
]

describe('what is chosen', () => {
  test.each(all)('%j is read again as it is', chosen => {
    expect(chosenOf(audienceOf(chosen))).toEqual(chosen)
  })

  test.each([
    [all[0]!, 'ALL', null],
    [all[1]!, 'SEGMENT', 'a'],
    [all[2]!, 'FILTERED', null],
    [all[3]!, 'FILTERED', null],
    [all[4]!, 'FILTERED', null],
    [all[6]!, 'FILTERED', null],
    [all[8]!, 'FILTERED', null],
  ] as const)('%j is the shortest that says so', (chosen, audienceType, segmentId) => {
    expect(audienceOf(chosen)).toMatchObject({ audienceType, segmentId })
  })

  test('is anybody of the included who is none of the excluded', () => {
    expect(
      audienceOf({ include: ['segment.a', 'segment.b'], exclude: ['segment.c', 'segment.d'] })
        .audienceCondition as unknown,
    ).toEqual({
      logic: 'AND',
      groups: [
        {
          filters: [
            { field: 'segment.c', operator: 'notMemberOfSegment' },
            { field: 'segment.d', operator: 'notMemberOfSegment' },
          ],
          conditions: {
            logic: 'OR',
            groups: [
              { filters: [{ field: 'segment.a', operator: 'memberOfSegment' }] },
              { filters: [{ field: 'segment.b', operator: 'memberOfSegment' }] },
            ],
          },
        },
      ],
    })
  })
})

test.each([[[]], [['segment.c']], [['segment.c', 'topic.t']]])(
  'without a segment it reaches nobody, and keeps %j as left out',
  exclude => {
    const audience = unfinishedWithout(exclude)
    expect(audience).toMatchObject({ audienceType: 'SEGMENT', segmentId: null })
    expect(chosenOf(audience)).toEqual({ include: [], exclude })
  },
)

const isMember = { field: 'segment.a', operator: 'memberOfSegment' }
const isNot = { field: 'segment.c', operator: 'notMemberOfSegment' }
const isPro = { field: 'data.plan', operator: 'equals', value: 'pro' }
const left = { field: 'topic.t', operator: 'equals', value: false }
const any = { logic: 'OR', groups: [{ filters: [isMember] }, { filters: [isMember] }] }

test.each([
  ['another condition', { logic: 'AND', groups: [{ filters: [isPro] }] }],
  ['another condition beside one', { logic: 'AND', groups: [{ filters: [isNot, isPro] }] }],
  [
    'another condition among the included',
    { logic: 'OR', groups: [{ filters: [isMember] }, { filters: [isPro] }] },
  ],
  [
    'two conditions in one group',
    { logic: 'OR', groups: [{ filters: [isMember, isPro] }, { filters: [isMember] }] },
  ],
  ['all segments at once', { logic: 'AND', groups: [{ filters: [isMember] }] }],
  [
    'one of those who are not in a segment',
    { logic: 'OR', groups: [{ filters: [isNot] }, { filters: [isMember] }] },
  ],
  ['two groups', { logic: 'AND', groups: [{ filters: [isNot] }, { filters: [isNot] }] }],
  [
    'all of the included',
    { logic: 'AND', groups: [{ filters: [isNot], conditions: { ...any, logic: 'AND' } }] },
  ],
  [
    'who is not in a topic, among the included',
    { logic: 'OR', groups: [{ filters: [isMember] }, { filters: [left] }] },
  ],
  [
    'what they did with no campaign',
    { logic: 'AND', groups: [{ filters: [{ ...left, field: 'campaign.k' }] }] },
  ],
  ['nothing', { logic: 'AND', groups: [] }],
])('a filter of %s stays a filter', (_, tree) => {
  const audience = { audienceType: 'FILTERED', segmentId: null, audienceCondition: tree as never } as const
  expect(chosenOf(audience)).toBeUndefined()
})
