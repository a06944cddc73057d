// How much a runner claims ahead, and where it begins to look.
import { expect, test } from 'bun:test'
import { Intake } from '../../../src/platform/jobs/intake'
import type { ClaimRequest, HeldJob } from '../../../src/platform/jobs/queries'

const at = (ms: number): Date => new Date(1_770_000_000_000 + ms)

function held(count: number, from = 0): HeldJob[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `id-${String(from + index).padStart(6, '0')}`,
    kind: 'test',
    args: {},
    band: 'bulk' as const,
    attempt: 1,
    maxAttempts: 1,
    projectId: null,
    createdAt: at(0),
    runAt: at(from + index),
    lockedBy: 'me',
  }))
}

const bulkOf = (wanted: ClaimRequest[]): ClaimRequest | undefined => wanted.find(want => want.band === 'bulk')

/** Starts and ends everything that lies ready. */
function runAll(intake: Intake, tookMs: number): void {
  for (let job = intake.next(); job; job = intake.next()) intake.ended(job, tookMs)
}

test('before it knows how long jobs take, it claims what can start', () => {
  const intake = new Intake(8)
  expect(intake.wanted().map(({ band, places }) => [band, places])).toEqual([
    ['transactional', 8],
    ['system', 6],
    ['workflow', 6],
    ['bulk', 5],
  ])
})

test.each([
  ['quick jobs are claimed far ahead', 0.01, 405],
  ['jobs of 10 ms as many as start within 200 ms', 10, 105],
  ['slow jobs not at all', 2_000, 5],
])('%s', (_name, tookMs, places) => {
  const intake = new Intake(8)
  intake.add(held(5), [{ band: 'bulk', places: 5 }])
  runAll(intake, tookMs)
  expect(bulkOf(intake.wanted())?.places).toBe(places)
})

test('a band that had nothing is left alone until there may be something', () => {
  const intake = new Intake(8)
  intake.add([], intake.wanted())
  expect(intake.wanted()).toEqual([])
  intake.recheckAll()
  expect(intake.wanted()).toHaveLength(4)
})

test('while there is more it goes on behind what it took, and when there is less it starts over', () => {
  const intake = new Intake(8)
  intake.add(held(5).reverse(), [{ band: 'bulk', places: 5 }])
  runAll(intake, 2_000)
  expect(bulkOf(intake.wanted())?.since).toEqual(at(4))
  intake.add(held(2, 5), [{ band: 'bulk', places: 5 }])
  runAll(intake, 2_000)
  intake.recheckAll()
  expect(bulkOf(intake.wanted())).toMatchObject({ since: undefined })
})

test('now and then it looks from the start, for jobs put before those already taken', () => {
  const intake = new Intake(8)
  const looks: boolean[] = []
  for (let round = 0; round < 32; round++) {
    intake.add(held(5, round * 5), [{ band: 'bulk', places: 5 }])
    runAll(intake, 2_000)
    looks.push(bulkOf(intake.wanted())?.since === undefined)
  }
  expect(looks.filter(fromStart => fromStart)).toHaveLength(2)
})

test('runs that take an eighth of a slot are eight to a slot', () => {
  const started = (place: number): number => {
    const intake = new Intake(8, () => place)
    intake.add(held(100), intake.wanted())
    let count = 0
    while (intake.next()) count++
    return count
  }
  expect(started(1 / 8)).toBe(started(1) * 8)
  const intake = new Intake(8, () => 1 / 8)
  intake.add(held(100), intake.wanted())
  const jobs = Array.from({ length: 16 }, () => intake.next()!)
  for (const job of jobs) intake.ended(job, 1)
  const others: HeldJob[] = []
  for (let job = intake.next(); job; job = intake.next()) others.push(job)
  expect(others).toHaveLength(started(1) * 8)
})
