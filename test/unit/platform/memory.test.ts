// When garbage is collected: as soon as enough has gathered, never all the time.
import { expect, test } from 'bun:test'
import { type MemoryMeter, makeCollecting, nextPause, youngFirst } from '../../../src/platform/memory'

const megabyte = 1024 * 1024

/** A process of which `used` can't be collected away, nor what the allocator `kept`; a collection takes 20 ms. It has started. */
function fake(used: number) {
  const state = { used, kept: 0, garbage: 0, at: 0, collections: 0, threads: 0 }
  const meter: MemoryMeter = {
    resident: () => (state.used + state.kept + state.garbage) * megabyte,
    collect() {
      state.garbage = 0
      state.at += 20
      state.collections++
      // The program itself is no part of its heap.
      return Math.max(0, state.used - 80) * megabyte
    },
    now: () => state.at,
    threads: () => state.threads,
  }
  const look = makeCollecting(meter)
  look()
  state.collections = 0
  /** So many megabytes of garbage, a look every 100 ms; answers the most that was resident. */
  const work = (looks: number, garbageEach: number): number => {
    let most = 0
    for (let count = 0; count < looks; count++) {
      state.at += 100
      state.garbage += garbageEach
      most = Math.max(most, state.used + state.garbage)
      look()
    }
    return most
  }
  return { state, work }
}

test('what the start left behind is collected, however little', () => {
  let collections = 0
  const look = makeCollecting({
    resident: () => megabyte,
    collect: () => ++collections,
    now: () => 0,
    threads: () => 0,
  })
  for (let count = 0; count < 10; count++) look()
  expect(collections).toBe(1)
})

test('what the allocator keeps is not collected again and again', () => {
  const { state, work } = fake(100)
  state.kept = 150
  work(600, 0)
  expect(state.collections).toBeLessThanOrEqual(7)
})

test('a little garbage is not worth a collection', () => {
  const { state, work } = fake(100)
  state.kept = 150
  work(20, 1)
  expect(state.collections).toBe(1)
})

test('a small process is left alone', () => {
  const { state, work } = fake(80)
  work(60, 1)
  expect(state.collections).toBe(0)
})

test('garbage does not gather, however long the work takes', () => {
  const { work } = fake(120)
  expect(work(1_000, 10)).toBeLessThan(200)
})

test('what is in use is not collected again and again', () => {
  const { state, work } = fake(400)
  work(50, 0)
  expect(state.collections).toBe(0)
})

test('a fifth of the time at most goes into it', () => {
  const { state, work } = fake(400)
  const from = state.at
  work(1_000, 2_000)
  expect((state.collections * 20) / (state.at - from)).toBeLessThanOrEqual(0.2)
  expect(state.collections).toBeGreaterThan(100)
})

test('when what was in use has gone, it is as small as before', () => {
  const { state, work } = fake(400)
  work(10, 20)
  state.used = 100
  work(100, 20)
  expect(work(100, 20)).toBeLessThan(225)
})

test('an idle process is looked at once a second, and one that grows again at once', () => {
  const pauses: number[] = []
  for (const [before, now] of [
    [0, 90],
    [90, 91],
    [91, 91],
    [91, 90],
    [90, 90],
    [90, 90],
    [90, 90],
    [90, 93],
    [93, 93],
  ])
    pauses.push(nextPause(pauses.at(-1) ?? 50, before! * megabyte, now! * megabyte))
  expect(pauses).toEqual([50, 100, 200, 400, 800, 1_000, 1_000, 50, 100])
})

test('while threads are at work nothing is collected: what is resident is theirs', () => {
  const { state, work } = fake(300)
  state.threads = 1
  work(100, 40)
  expect(state.collections).toBe(0)
  state.threads = 0
  work(1, 0)
  expect(state.collections).toBe(1)
})

test('what is young is collected first, and everything once half as much again is in use', () => {
  const done: string[] = []
  let [inUse, old] = [30, 30]
  const collect = youngFirst(
    () => {
      done.push('young')
      return inUse
    },
    () => {
      done.push('all')
      inUse = old
      return inUse
    },
  )
  const after = (used: number): [number, string] => {
    inUse = used
    done.length = 0
    return [collect(), done.join(' and ')]
  }
  expect(after(90)).toEqual([30, 'all'])
  expect(after(31)).toEqual([31, 'young'])
  expect(after(45)).toEqual([45, 'young'])
  expect(after(46)).toEqual([30, 'young and all'])
  old = 50
  expect(after(60)).toEqual([50, 'young and all'])
  expect(after(70)).toEqual([70, 'young'])
})

test('while somebody waits for answers, everything is collected once three times as much is in use', () => {
  let [inUse, isAsked, collections] = [30, true, 0]
  const collect = youngFirst(
    () => inUse,
    () => {
      collections++
      return 30
    },
    () => isAsked,
  )
  expect(collect()).toBe(30)
  inUse = 90
  expect([collect(), collections]).toEqual([90, 1])
  inUse = 91
  expect([collect(), collections]).toEqual([30, 2])
  inUse = 46
  expect([collect(), collections]).toEqual([46, 2])
  isAsked = false
  expect([collect(), collections]).toEqual([30, 3])
})
