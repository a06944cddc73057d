// When garbage is collected: as soon as enough has gathered, and once nothing happens any more.
import { expect, test } from 'bun:test'
import { makeCollecting } from '../../../src/platform/memory'

const megabyte = 1024 * 1024

/** A process with 60 MB that can't be collected away and what is `young` and `old` garbage. */
function fake(young = 0, old = 0) {
  const state = { young, old, done: [] as string[] }
  const tick = makeCollecting({
    resident: () => (60 + state.young + state.old) * megabyte,
    collectYoung() {
      state.young = 0
      state.done.push('young')
    },
    collectAll() {
      state.young = state.old = 0
      state.done.push('all')
    },
  })
  const seconds = (count: number, youngEach = 0): number => {
    let most = 0
    for (let second = 0; second < count; second++) {
      state.young += youngEach
      most = Math.max(most, state.young + state.old)
      tick()
    }
    return most
  }
  return { state, seconds }
}

test('garbage does not gather, however long the work takes', () => {
  const { state, seconds } = fake()
  seconds(1)
  state.done.length = 0
  expect(seconds(1_000, 30)).toBeLessThan(100)
  expect(state.done).not.toContain('all')
})

test('a little garbage is not worth a collection while the instance works', () => {
  const { state, seconds } = fake()
  seconds(1)
  state.done.length = 0
  seconds(10, 4)
  expect(state.done).toEqual([])
})

test('everything is collected once nothing has changed for a while, and only once', () => {
  const { state, seconds } = fake(20, 10)
  seconds(10)
  state.done.length = 0
  state.old += 10
  seconds(60)
  expect(state.done).toEqual(['all'])
  expect(state.young + state.old).toBe(0)
})

test('what starting left behind is collected at the first look', () => {
  const { state, seconds } = fake(20, 10)
  seconds(1)
  expect(state.done).toEqual(['all'])
  seconds(60)
  expect(state.done).toEqual(['all'])
})

test('what grew old between collections of young objects is collected at rest', () => {
  const { state, seconds } = fake()
  seconds(1)
  state.old += 10
  seconds(10, 30)
  state.young = 0
  seconds(60)
  expect(state.done.filter(kind => kind === 'all')).toHaveLength(2)
  expect(state.young + state.old).toBe(0)
})
