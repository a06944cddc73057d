import { expect, test } from 'bun:test'
import { type BatcherOptions, batcher } from '../../../src/lib/batcher'
import { until } from '../../support/until'

/** A batcher whose batches finish only when released, and a record of what each batch held. */
function gated(options: BatcherOptions) {
  const batches: number[][] = []
  const gates: Array<() => void> = []
  const submit = batcher<number, number>(async items => {
    batches.push(items)
    await new Promise<void>(resolve => void gates.push(resolve))
    return items.map(item => (item < 0 ? { error: new Error(`bad ${item}`) } : { value: item * 2 }))
  }, options)
  const release = () => void gates.splice(0).forEach(open => void open())
  return { submit, batches, release }
}

const turn = () => new Promise(setImmediate)

test('calls that come in one turn of the event loop share a batch, which starts at once', async () => {
  const { submit, batches, release } = gated({ size: 10, delayMs: 60_000 })
  const results = [1, 2].map(item => submit(item))
  await Promise.resolve()
  results.push(submit(3))
  expect(batches).toEqual([])
  await turn()
  expect(batches).toEqual([[1, 2, 3]])
  release()
  expect(await Promise.all(results)).toEqual([2, 4, 6])
})

test('the next batch starts when it is full', async () => {
  const { submit, batches, release } = gated({ size: 3, delayMs: 60_000 })
  const results = [submit(1)]
  await turn()
  release()
  await results[0]
  results.push(submit(2), submit(3))
  await turn()
  expect(batches).toEqual([[1]])
  results.push(submit(4), submit(5))
  await turn()
  expect(batches).toEqual([[1], [2, 3, 4]])
})

test('or when the delay since the one before is over, whether or not that has ended', async () => {
  const { submit, batches, release } = gated({ size: 3, delayMs: 1 })
  const held = submit(1)
  await turn()
  const other = submit(2)
  await until('the second batch begins', () => batches.length === 2)
  expect(batches).toEqual([[1], [2]])
  release()
  expect(await Promise.all([held, other])).toEqual([2, 4])
})

test('three batches run at most, and what comes meanwhile waits for one of them to end', async () => {
  const { submit, batches, release } = gated({ size: 1, delayMs: 0 })
  const results = [1, 2, 3, 4].map(item => submit(item))
  await turn()
  expect(batches).toEqual([[1], [2], [3]])
  release()
  await Promise.all(results.slice(0, 3))
  await turn()
  expect(batches).toEqual([[1], [2], [3], [4]])
  release()
  expect(await results[3]!).toBe(8)
})

test('an item that fails by itself fails only its own caller', async () => {
  const { submit, release } = gated({ size: 10, delayMs: 0 })
  const bad = submit(-1).catch((error: Error) => error.message)
  const good = submit(5)
  await turn()
  release()
  expect(await bad).toBe('bad -1')
  expect(await good).toBe(10)
})

test('the items of a batch that fails as a whole are run again, each by itself', async () => {
  const submit = batcher<number, number>(
    async items => {
      if (items.length > 1 || items[0] === 13) throw new Error('no')
      return items.map(value => ({ value }))
    },
    { size: 10, delayMs: 0 },
  )
  const results = await Promise.allSettled([1, 2, 13, 4].map(item => submit(item)))
  expect(results.map(result => result.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})
