// Memory that is used again: never by two at once, and never where somebody may still be reading.
import { expect, test } from 'bun:test'
import { type Allocate, inArena, joinBytes } from '../../../src/lib/arena'

const over = (): boolean => true
const size = 128 * 1024

/** The address of what is allocated first. */
async function firstPlace(isOver: () => boolean, meanwhile: () => Promise<unknown> = async () => {}) {
  return await inArena(async allocate => {
    const { buffer } = allocate(10)
    await meanwhile()
    return buffer
  }, isOver)
}

test('memory is used again when the work is over, and not before', async () => {
  const places: ArrayBufferLike[] = []
  const first = await firstPlace(over, async () => places.push(await firstPlace(over)))
  expect(places[0]).not.toBe(first)
  expect([await firstPlace(over), await firstPlace(over)]).toEqual([first, first])
})

test('it is not where the work is not over, or was broken off', async () => {
  const unfinished = await firstPlace(() => false)
  expect(await firstPlace(over)).not.toBe(unfinished)
  let broken: ArrayBufferLike | undefined
  const fails = inArena(async allocate => {
    broken = allocate(10).buffer
    throw new Error('broken off')
  }, over)
  expect(fails).rejects.toThrow('broken off')
  expect(await firstPlace(over)).not.toBe(broken!)
})

test('what is allocated does not overlap, and what does not fit gets memory of its own', () =>
  inArena(async allocate => {
    const parts = [
      allocate(size / 2).fill(1),
      allocate(size / 2).fill(2),
      allocate(1).fill(3),
      allocate(size + 1),
    ]
    expect(parts.slice(0, 3).map(part => [...new Set(part)])).toEqual([[1], [2], [3]])
    expect(new Set(parts.map(part => part.buffer)).size).toBeGreaterThan(1)
  }, over))

test('bytes are joined as by Buffer.concat', async () => {
  const parts = ['a', '', 'bc', 'd'.repeat(size)].map(text => Buffer.from(text))
  const both = (allocate: Allocate) => [joinBytes(parts, allocate), joinBytes([], allocate)]
  expect(both(Buffer.allocUnsafe)).toEqual([Buffer.concat(parts), Buffer.alloc(0)])
  await inArena(async allocate => {
    expect(both(allocate)).toEqual([Buffer.concat(parts), Buffer.alloc(0)])
  }, over)
})
