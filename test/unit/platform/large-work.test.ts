// Large work of one process: pieces for the database one at a time, and a rest after each while requests come.
import { expect, test } from 'bun:test'
import { makeLargeWork } from '../../../src/platform/large-work'

test('pieces for the database are done one at a time, in the order of asking', async () => {
  const { store } = makeLargeWork()
  let underway = 0
  const order: string[] = []
  const piece = (name: string) => async () => {
    expect(++underway).toBe(1)
    await Bun.sleep(1)
    underway--
    order.push(name)
    return name
  }
  const names = ['a', 'b', 'c']
  expect(await Promise.all(names.map(name => store(piece(name))))).toEqual(names)
  expect(order).toEqual(names)
})

test('while requests come, the next one waits as well as others have their turns', async () => {
  let isWaitedFor = false
  const { store } = makeLargeWork(() => isWaitedFor)
  const between = async (): Promise<number> => {
    let [turns, before] = [0, 0]
    const counting = setInterval(() => turns++, 1)
    await store(async () => await Bun.sleep(20))
    await store(async () => {
      before = turns
      await Bun.sleep(1)
    })
    clearInterval(counting)
    return before
  }
  const alone = await between()
  isWaitedFor = true
  expect(await between()).toBeGreaterThan(alone)
})

test('a piece that fails fails alone', async () => {
  const { store } = makeLargeWork()
  const failing = store(async () => {
    throw new Error('broken')
  })
  expect(failing).rejects.toThrow('broken')
  expect(await store(async () => 'fine')).toBe('fine')
})
