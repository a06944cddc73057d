// Which job starts next, and how many more are claimed.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { HeldJob } from '../../../src/platform/jobs/queries'
import { type Band, bands } from '../../../src/platform/jobs/schema'
import { Slots } from '../../../src/platform/jobs/slots'

const at = (ms: number): Date => new Date(1_770_000_000_000 + ms)
let made = 0

function held(band: Band, count: number, projectId: string | null = null): HeldJob[] {
  return Array.from({ length: count }, () => ({
    ...{
      id: `id-${String(++made).padStart(9, '0')}`,
      kind: 'test',
      args: {},
      band,
      projectId,
      lockedBy: 'me',
    },
    ...{ attempt: 1, maxAttempts: 1, createdAt: at(0), runAt: at(made) },
  }))
}

function startAll(slots: Slots): HeldJob[] {
  const started: HeldJob[] = []
  for (let job = slots.next(); job; job = slots.next()) started.push(job)
  return started
}

const placesOf = (slots: Slots) => slots.wanted().map(({ band, places }) => [band, places])
const bandsOf = (jobs: HeldJob[]) => jobs.map(({ band }) => band)

test.each<[number, [Band, number][]]>([
  [1, bands.map(band => [band, 1])],
  [
    2,
    [
      ['transactional', 2],
      ['system', 1],
      ['workflow', 1],
      ['bulk', 1],
    ],
  ],
  [
    8,
    [
      ['transactional', 8],
      ['system', 6],
      ['workflow', 6],
      ['bulk', 4],
    ],
  ],
  [
    48,
    [
      ['transactional', 48],
      ['system', 36],
      ['workflow', 36],
      ['bulk', 4],
    ],
  ],
])('of %d slots some are kept for the bands above', (count, expected) => {
  expect(placesOf(new Slots(count))).toEqual(expected)
})

test('whatever waits and however it ends, urgent jobs find a slot, and no band starves', () => {
  const scenario = fc.array(fc.nat(1_000), { minLength: 60, maxLength: 300 })
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 40 }), scenario, (count, ends) => {
      const slots = new Slots(count)
      const running: HeldJob[] = []
      const served = new Set<Band>()
      for (const end of ends) {
        // Some of each band are always waiting.
        slots.add(
          bands.flatMap(band => held(band, 2)),
          [],
        )
        running.push(...startAll(slots))
        for (const band of bandsOf(running)) served.add(band)
        expect(running.length).toBeLessThanOrEqual(count)
        const lower = running.filter(({ band }) => band !== 'transactional').length
        expect(lower).toBeLessThanOrEqual(count - Math.floor(count / 4))
        const [ended] = running.splice(end % running.length, 1)
        slots.ended(ended!, 10)
      }
      expect(served.size).toBe(bands.length)
    }),
    { numRuns: 40 },
  )
})

test.each([
  ['quick jobs are claimed far ahead', 0.01, 404],
  ['jobs of 10 ms as many as start within 200 ms', 10, 84],
  ['slow jobs not at all', 2_000, 4],
])('%s', (_name, tookMs, places) => {
  const slots = new Slots(8)
  slots.add(held('bulk', 4), [{ band: 'bulk', places: 4 }])
  for (const job of startAll(slots)) slots.ended(job, tookMs)
  expect(slots.wanted(['bulk'])[0]?.places).toBe(places)
})

test('a band that had nothing is left alone until there may be something', () => {
  const slots = new Slots(8)
  expect(slots.add([], slots.wanted())).toBe(false)
  expect(slots.wanted()).toEqual([])
  slots.recheckAll()
  expect(slots.wanted()).toHaveLength(4)
})

describe('projects', () => {
  test('take turns once a band has more than was asked for, until a round finds nothing', () => {
    const slots = new Slots(8)
    const claim = (found: number, reached: string | null = null) => {
      const wanted = slots.wanted(['bulk'])
      const jobs = held('bulk', found).map(job => ({ ...job, reached }))
      const isMore = slots.add(jobs, wanted)
      for (const job of startAll(slots)) slots.ended(job, 2_000)
      return [wanted[0]?.turn, isMore]
    }
    expect(claim(4)).toEqual([undefined, true])
    expect(claim(4, 'bulk b')).toEqual(['', true])
    expect(claim(1)).toEqual(['bulk b', true])
    expect(claim(2)).toEqual(['', false])
    expect(claim(0)).toEqual(['', false])
    expect(claim(0)).toEqual([undefined, false])
    expect(slots.wanted(['bulk'])).toEqual([])
  })

  test('hold three quarters of the slots at most, less each the more there are, and one is always left', () => {
    const slots = new Slots(32, () => 1 / 16)
    const shares = ['a', 'b', 'c', 'd'].map(project => {
      slots.add(held('workflow', 400, project), [{ band: 'workflow', places: 500 }])
      return startAll(slots).length / 16
    })
    expect(shares).toEqual([18, 4.5, 1.125, 0.25])
  })

  test('whose jobs hang leave places to others, and none of theirs is claimed until one has ended', () => {
    const slots = new Slots(4)
    slots.add(held('workflow', 5, 'hangs'), [{ band: 'workflow', places: 5 }])
    const [first] = startAll(slots)
    expect(slots.wanted(['workflow'])[0]).toMatchObject({ turn: '', except: ['workflow hangs'] })
    slots.add(held('workflow', 1, 'other'), slots.wanted(['workflow']))
    const others = startAll(slots)
    expect(others.map(job => job.projectId)).toEqual(['other'])
    slots.ended(others[0]!, 1)
    slots.add([], slots.wanted(['workflow']))
    slots.ended(first!, 1)
    expect(startAll(slots).map(job => job.projectId)).toEqual(['hangs'])
  })
})
