import { expect, test } from 'bun:test'
import { type BatcherOptions, batcher } from '../../../src/lib/batcher'

/** A collector whose batches finish only when released, and a record of what each batch held. */
function gated(slots: number, maxItems: number, more: Partial<BatcherOptions> = {}) {
  const batches: number[][] = []
  const gates: Array<() => void> = []
  const submit = batcher<number, number>(
    async items => {
      batches.push(items)
      await new Promise<void>(resolve => void gates.push(resolve))
      return items.map(item => (item < 0 ? { error: new Error(`bad ${item}`) } : { value: item * 2 }))
    },
    { slots, maxItems, ...more },
  )
  return { submit, batches, release: () => gates.shift()?.() }
}

test('the first call starts alone at once, those that come meanwhile share the next batch', async () => {
  const { submit, batches, release } = gated(1, 10)
  const results = [1, 2, 3].map(item => submit(item))
  expect(batches).toEqual([[1]])
  release()
  expect(await results[0]!).toBe(2)
  await Promise.resolve()
  expect(batches).toEqual([[1], [2, 3]])
  release()
  expect(await Promise.all(results)).toEqual([2, 4, 6])
})

test('an item that fails by itself fails only its own caller', async () => {
  const { submit, release } = gated(1, 10)
  const first = submit(0)
  const bad = submit(-1).catch((error: Error) => error.message)
  const good = submit(5)
  release()
  await first
  await Promise.resolve()
  release()
  expect(await bad).toBe('bad -1')
  expect(await good).toBe(10)
})

test('a batch that fails as a whole is run again one by one', async () => {
  const submit = batcher<number, number>(
    async items => {
      if (items.length > 1 || items[0] === 13) throw new Error('no')
      return items.map(value => ({ value }))
    },
    { slots: 1, maxItems: 10 },
  )
  const results = await Promise.allSettled([1, 2, 13, 4].map(item => submit(item)))
  expect(results.map(result => result.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})

test('a batch stops at its weight, but a single heavy item still runs', async () => {
  const sizes: number[] = []
  const submit = batcher<string, number>(
    async items => {
      sizes.push(items.length)
      return items.map(item => ({ value: item.length }))
    },
    { slots: 1, maxItems: 10, maxWeight: 5 },
  )
  await Promise.all([submit('a', 1), submit('b', 3), submit('c', 2), submit('d', 9), submit('e', 1)])
  expect(sizes).toEqual([1, 2, 1, 1])
})

test('a second batch waits for a crowd as long as the first one is fresh', async () => {
  const { submit, batches, release } = gated(3, 10, { crowd: 3, freshMs: 60_000 })
  const results = [1, 2, 3].map(item => submit(item))
  expect(batches).toEqual([[1]])
  results.push(submit(4), submit(5))
  expect(batches).toEqual([[1], [2, 3, 4]])
  release()
  expect(await results[0]!).toBe(2)
  await Promise.resolve()
  expect(batches).toEqual([[1], [2, 3, 4]])
  release()
  await results[1]!
  await Promise.resolve()
  expect(batches).toEqual([[1], [2, 3, 4], [5]])
  release()
  expect(await Promise.all(results)).toEqual([2, 4, 6, 8, 10])
})

test('a batch that is held up does not hold up those who come after it', async () => {
  const { submit, batches, release } = gated(2, 10, { crowd: 3, freshMs: 1 })
  const [held, other] = [submit(1), submit(2)]
  expect(batches).toEqual([[1]])
  while (batches.length < 2) await Bun.sleep(1)
  expect(batches).toEqual([[1], [2]])
  release()
  release()
  expect(await Promise.all([held, other])).toEqual([2, 4])
})

test('a batch that stays fresh has those who come after it wait for a crowd, or for its time', async () => {
  const { submit, batches, release } = gated(2, 10, { crowd: 3, freshMs: 60_000, staysFresh: true })
  const first = submit(1)
  release()
  expect(await first).toBe(2)
  const few = [submit(2), submit(3)]
  await Promise.resolve()
  expect(batches).toEqual([[1]])
  const crowd = [...few, submit(4)]
  expect(batches).toEqual([[1], [2, 3, 4]])
  release()
  expect(await Promise.all(crowd)).toEqual([4, 6, 8])

  const quick = gated(2, 10, { crowd: 3, freshMs: 1, staysFresh: true })
  const both = [quick.submit(1)]
  quick.release()
  await both[0]
  both.push(quick.submit(2))
  while (quick.batches.length < 2) await Bun.sleep(1)
  quick.release()
  expect(await Promise.all(both)).toEqual([2, 4])
})

test('whether a crowd is waited for may change', async () => {
  let crowd = 1
  const { submit, batches, release } = gated(2, 10, { crowd: () => crowd, freshMs: 60_000, staysFresh: true })
  const all = [submit(1), submit(2)]
  release()
  release()
  await Promise.all(all)
  crowd = 2
  all.push(submit(3))
  release()
  await all[2]
  all.push(submit(4))
  expect(batches).toEqual([[1], [2], [3]])
  all.push(submit(5))
  expect(batches.at(-1)).toEqual([4, 5])
  release()
  await Promise.all(all)
  crowd = 1
  all.push(submit(6))
  expect(batches.at(-1)).toEqual([6])
  release()
  expect(await Promise.all(all)).toEqual([2, 4, 6, 8, 10, 12])
})

test('where a batch begins after the turn, those who come in one turn of the event loop share it', async () => {
  const { submit, batches, release } = gated(1, 10, { afterTurn: true })
  const results = [1, 2].map(item => submit(item))
  await Promise.resolve()
  results.push(submit(3))
  expect(batches).toEqual([])
  await new Promise(setImmediate)
  expect(batches).toEqual([[1, 2, 3]])
  results.push(submit(4))
  release()
  expect(await Promise.all(results.slice(0, 3))).toEqual([2, 4, 6])
  while (batches.length < 2) await new Promise(setImmediate)
  release()
  expect(await results[3]!).toBe(8)
})
