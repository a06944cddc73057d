// So many messages on their way to a receiver at a time, and when those that find no room come back.
import { expect, test } from 'bun:test'
import { second } from '../../../src/lib/time'
import { type LeaveLane, makeReceiverLanes } from '../../../src/modules/sending/delivery/receiver-lanes'
import { manualClock } from '../../support/context'

const setUp = () => {
  const clock = manualClock()
  const lanes = makeReceiverLanes(clock)
  /** A way out, or how many milliseconds from now to ask again. */
  const enter = (name: string, places: number): LeaveLane | number => {
    const entered = lanes.enter(name, places)
    return entered instanceof Date ? entered.getTime() - clock.now().getTime() : entered
  }
  return { clock, enter }
}

test('each receiver has its places, and whoever leaves makes room', () => {
  const { enter } = setUp()
  const first = enter('gmail', 2)
  expect([typeof first, typeof enter('gmail', 2)]).toEqual(['function', 'function'])
  expect(enter('gmail', 2)).toBeNumber()
  expect(enter('outlook', 1)).toBeFunction()
  if (typeof first === 'function') first(true)
  expect(enter('gmail', 2)).toBeFunction()
})

test('those that find no room come back one after the other, as fast as the others leave', () => {
  const { clock, enter } = setUp()
  for (let n = 0; n < 40; n++) {
    const leave = enter('gmail', 2)
    clock.advance(second / 10)
    if (typeof leave === 'function') leave(true)
  }
  enter('gmail', 2)
  enter('gmail', 2)
  const [first, ...others] = [1, 2, 3, 4].map(() => Number(enter('gmail', 2)))
  expect(first).toBeWithin(100, 102)
  expect(others.map((turn, index) => turn - [first!, ...others][index]!)).toEqual([50, 50, 50])
})

test('a place that was not used says nothing about the time', () => {
  const { clock, enter } = setUp()
  for (let n = 0; n < 100; n++) {
    const leave = enter('gmail', 1)
    clock.advance(1)
    if (typeof leave === 'function') leave(false)
  }
  enter('gmail', 1)
  expect(enter('gmail', 1)).toBe(second)
})
