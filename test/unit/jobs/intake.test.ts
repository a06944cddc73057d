// How much a runner claims ahead, and where it begins to look.
import { describe, expect, test } from 'bun:test'
import { Intake } from '../../../src/platform/jobs/intake'
import type { ClaimRequest, FoundLine, HeldJob } from '../../../src/platform/jobs/queries'
import { until } from '../../support/until'

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

/** What a survey finds: the instance's own jobs, due from the start. */
const own: FoundLine[] = [{ line: 'bulk ~', dueAt: at(0) }]

const bulkOf = (wanted: ClaimRequest[]): ClaimRequest | undefined => wanted.find(want => want.band === 'bulk')

/** Starts and ends everything that lies ready. */
function runAll(intake: Intake, tookMs: number): void {
  for (let job = intake.next(); job; job = intake.next()) intake.ended(job, tookMs)
}

/** A look at the band that found as many jobs as it had places, and their runs. */
function runFull(intake: Intake, jobs: HeldJob[], tookMs: number): void {
  intake.add(jobs, [{ band: 'bulk', places: jobs.length }])
  runAll(intake, tookMs)
  intake.surveyed(intake.toSurvey()!, own, 1)
}

test('before it knows how long jobs take, it claims what can start', () => {
  const intake = new Intake(8)
  expect(intake.wanted().map(({ band, places }) => [band, places])).toEqual([
    ['transactional', 8],
    ['system', 6],
    ['workflow', 6],
    ['bulk', 4],
  ])
})

test.each([
  ['quick jobs are claimed far ahead', 0.01, 404],
  ['jobs of 10 ms as many as start within 200 ms', 10, 84],
  ['slow jobs not at all', 2_000, 4],
])('%s', (_name, tookMs, places) => {
  const intake = new Intake(8)
  runFull(intake, held(4), tookMs)
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
  runFull(intake, held(4).reverse(), 2_000)
  const [first] = intake.wanted(['bulk'])
  expect(first).toEqual({ band: 'bulk', line: 'bulk ~', places: 4, since: at(0) })
  intake.add(held(4), [first!])
  runAll(intake, 2_000)
  const [second] = intake.wanted(['bulk'])
  expect(second?.since).toEqual(at(3))
  intake.add(held(2, 4), [second!])
  runAll(intake, 2_000)
  expect(intake.wanted(['bulk'])).toEqual([{ band: 'bulk', places: 4 }])
})

test('once all who were listed are served, nobody is looked for before there is too much again', () => {
  const intake = new Intake(8)
  runFull(intake, held(4), 2_000)
  intake.add(held(2, 4), intake.wanted(['bulk']))
  runAll(intake, 2_000)
  for (let look = 0; look < 3; look++) {
    expect(intake.toSurvey(['bulk'])).toBeUndefined()
    intake.add(held(3), intake.wanted(['bulk']))
    runAll(intake, 2_000)
    intake.recheckAll()
  }
  intake.add(held(4), intake.wanted(['bulk']))
  runAll(intake, 2_000)
  expect(intake.toSurvey(['bulk'])).toBeDefined()
})

test('a survey leads it back to jobs that were put before those already taken', async () => {
  const intake = new Intake(8)
  runFull(intake, held(4), 2_000)
  const [first] = intake.wanted(['bulk'])
  intake.add(held(4), [first!])
  runAll(intake, 2_000)
  await until('it is time to look again', () => intake.toSurvey(['bulk']) !== undefined)
  intake.surveyed(intake.toSurvey(['bulk'])!, [{ line: 'bulk ~', dueAt: at(-1_000) }], 1)
  expect(intake.wanted(['bulk'])[0]?.since).toEqual(at(-1_000))
})

test('what is quick enough to be claimed ahead does not count as running long', () => {
  const intake = new Intake(8)
  intake.add(held(3), intake.wanted(['bulk']))
  const [first] = [intake.next()!, intake.next()!, intake.next()!]
  expect(intake.longRunning('bulk')).toBe(3)
  intake.ended(first, 10)
  expect(intake.longRunning('bulk')).toBe(0)
})

describe('of projects', () => {
  const ofProject = (projectId: string, count: number): HeldJob[] =>
    held(count).map(job => ({ ...job, id: `${projectId}${job.id}`, projectId, band: 'workflow' }))
  const startAll = (intake: Intake): HeldJob[] => {
    const started: HeldJob[] = []
    for (let job = intake.next(); job; job = intake.next()) started.push(job)
    return started
  }

  test('with fewer places than there are, each has its turn', () => {
    const intake = new Intake(8)
    intake.add([], [{ band: 'workflow', places: 0 }])
    const found = ['a', 'b', 'c'].map(project => ({ line: `workflow ${project}`, dueAt: at(0) }))
    intake.surveyed(intake.toSurvey()!, found, 1)
    intake.boundWorkflows(2)
    const asked = Array.from({ length: 3 }, () =>
      intake.wanted(['workflow']).map(({ line, places }) => `${line} ${places}`),
    )
    expect(asked).toEqual([
      ['workflow a 1', 'workflow b 1'],
      ['workflow c 1', 'workflow a 1'],
      ['workflow b 1', 'workflow c 1'],
    ])
  })

  test('one holds three quarters of the slots at most, two less each, and there is always one left', () => {
    const intake = new Intake(32, () => 1 / 16)
    const counts: number[] = []
    for (const project of ['a', 'b', 'c', 'd']) {
      intake.add(ofProject(project, 400), [{ band: 'workflow', places: 500 }])
      counts.push(startAll(intake).length / 16)
    }
    expect(counts).toEqual([18, 4.5, 1.125, 0.25])
    expect(counts.reduce((sum, count) => sum + count)).toBeLessThan(24)
  })

  test('what hangs leaves a place to each of the others, also where fewer slots are left than it holds', () => {
    const intake = new Intake(32, () => 1 / 16)
    intake.add(ofProject('hangs', 32), [{ band: 'workflow', places: 33 }])
    expect(startAll(intake)).toHaveLength(32)
    intake.boundWorkflows(2)
    intake.recheckAll()
    expect(intake.wanted(['workflow'])).toMatchObject([{ band: 'workflow', places: 1 }])
    intake.add([...ofProject('a', 2), ...ofProject('b', 1)], [{ band: 'workflow', places: 3 }])
    const started = startAll(intake)
    expect(started.map(job => job.projectId)).toEqual(['a', 'b'])
    intake.ended(started[0]!, 1)
    expect(startAll(intake).map(job => job.projectId)).toEqual(['a'])
  })

  test('no more is asked for of one that holds its share, until one of its jobs has ended', () => {
    const intake = new Intake(4)
    intake.add(ofProject('a', 5), [{ band: 'workflow', places: 5 }])
    const [first] = startAll(intake)
    const found = ['a', 'b'].map(project => ({ line: `workflow ${project}`, dueAt: at(0) }))
    intake.surveyed(intake.toSurvey()!, found, 1)
    expect(intake.wanted(['workflow']).map(({ line }) => line)).toEqual(['workflow b'])
    intake.add([], intake.wanted(['workflow']))
    intake.surveyed(intake.toSurvey(['workflow'])!, found.slice(0, 1), 1)
    expect(intake.hasRoom(['workflow'])).toBe(false)
    intake.ended(first!, 1)
    expect(intake.next()?.projectId).toBe('a')
    expect(intake.unstarted()).toHaveLength(2)
  })
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
