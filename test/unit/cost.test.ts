// The judge of costs itself: it tells linear work from what grows with the square.
import { expect, test } from 'bun:test'
import { expectLinear } from '../support/cost'

let sink = 0
const spend = (turns: number) => {
  for (let turn = 0; turn < turns; turn++) sink = (sink * 31 + turn) | 0
}

test('work in proportion to its size passes', () => {
  expectLinear(size => spend(size * 1_000), 100_000)
})

test('work that grows with the square fails', () => {
  expect(() => expectLinear(size => spend(size * size), 30_000)).toThrow('toBeLessThan')
})
