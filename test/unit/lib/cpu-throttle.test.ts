// Work that takes long leaves room for others between its pieces.
import { expect, test } from 'bun:test'
import { makeCpuThrottle } from '../../../src/lib/cpu-throttle'

function busy(ms: number): void {
  for (const from = performance.now(); performance.now() - from < ms; );
}

test('who waits for the process gets a turn between pieces that take long', async () => {
  const throttle = makeCpuThrottle(5)
  const order: string[] = []
  const piece = (name: string) => () => {
    busy(10)
    order.push(name)
  }
  const pieces = ['a', 'b', 'c', 'd'].map(name => throttle(piece(name)))
  const turns = (async () => {
    for (let turn = 1; turn <= 2; turn++) {
      await new Promise<void>(resolve => void setTimeout(resolve, 0))
      order.push(`turn ${turn}`)
    }
  })()
  await Promise.all([...pieces, turns])
  expect(order.indexOf('turn 1')).toBeLessThan(order.indexOf('c'))
  expect(order.indexOf('turn 2')).toBeLessThan(order.indexOf('d'))
  expect(order.filter(name => !name.startsWith('turn'))).toEqual(['a', 'b', 'c', 'd'])
})

test('what is done behind a piece counts as well: the next one has a turn of its own', async () => {
  const throttle = makeCpuThrottle(5)
  const order: string[] = []
  const first = throttle(() => {}, 10).then(() => void order.push('a'))
  setTimeout(() => order.push('turn'), 0)
  const second = throttle(() => {}).then(() => void order.push('b'))
  await Promise.all([first, second])
  expect(order.indexOf('a')).toBe(0)
  expect(order.at(-1)).toBe('b')
})

test('quick pieces run at once, in the order in which they come', async () => {
  const throttle = makeCpuThrottle(1_000)
  const order: number[] = []
  const pieces = [1, 2, 3].map(n => throttle(() => order.push(n)))
  expect(order).toEqual([1, 2, 3])
  expect(await Promise.all(pieces)).toEqual([1, 2, 3])
})

test('a piece that fails fails alone', async () => {
  const throttle = makeCpuThrottle(0)
  const failing = throttle(() => {
    throw new Error('broken')
  })
  expect(failing).rejects.toThrow('broken')
  expect(await throttle(() => 'fine')).toBe('fine')
})

test('while somebody is waited for it rests four times as long as it works', async () => {
  let isAsked = true
  const throttle = makeCpuThrottle(1_000, () => isAsked)
  const began: number[] = []
  const piece = () => {
    began.push(performance.now())
    busy(10)
  }
  await Promise.all([throttle(piece), throttle(piece)])
  expect(began[1]! - began[0]!).toBeGreaterThanOrEqual(49)
  isAsked = false
  await Promise.all([throttle(piece), throttle(piece)])
  const order: string[] = []
  setTimeout(() => order.push('turn'), 0)
  await Promise.all([throttle(() => order.push('a')), throttle(() => order.push('b'))])
  expect(order).toEqual(['a', 'b'])
})
