// Turns of a key: one after the other, so many of all at once, and what comes beyond the bound is refused at once.
import { expect, test } from 'bun:test'
import { boundedQueue, semaphore } from '../../../src/lib/semaphore'

class Full extends Error {}

interface Work {
  name: string
  end(): void
}

/** Runs work that ends when the test says so; tells what has begun. */
function setting(places?: number) {
  const turns = boundedQueue<string>({ ...(places && { places }), maxPerKey: 3, full: () => new Full() })
  const begun: Work[] = []
  const run = (key: string, name: string): Promise<string> =>
    turns(key, async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      begun.push({ name, end: resolve })
      await promise
      return name
    })
  return { run, begun, names: () => begun.map(({ name }) => name) }
}

const settle = () => new Promise(resolve => setImmediate(resolve))

test('one key waits for itself and for nobody else', async () => {
  const { run, begun, names } = setting()
  const all = [run('a', 'a1'), run('a', 'a2'), run('b', 'b1')]
  await settle()
  expect(names()).toEqual(['a1', 'b1'])
  for (let n = 0; n < 3; n++) {
    begun[n]!.end()
    await settle()
  }
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1'])
})

test('all keys together have so many places', async () => {
  const { run, begun, names } = setting(1)
  const all = [run('a', 'a1'), run('b', 'b1')]
  await settle()
  expect(names()).toEqual(['a1'])
  begun[0]!.end()
  await settle()
  begun[1]!.end()
  expect(await Promise.all(all)).toEqual(['a1', 'b1'])
})

test('beyond the bound of a key there is no waiting, and a place is free again when work has ended or failed', async () => {
  const { run, begun } = setting()
  const all = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3')]
  await expect(run('a', 'a4')).rejects.toBeInstanceOf(Full)
  await settle()
  begun[0]!.end()
  await all[0]
  const fourth = run('a', 'a4')
  for (let n = 1; n < 4; n++) {
    await settle()
    begun[n]!.end()
  }
  expect(await fourth).toBe('a4')
  await Promise.all(all)
})

test('where the number of places changes, work that runs goes on, and as much begins as there is room for', async () => {
  let places = 3
  const inTurn = semaphore(() => places)
  const begun: Work[] = []
  const run = (name: string) =>
    inTurn(() => new Promise<void>(end => void begun.push({ name, end: () => end() })))
  const all = ['a', 'b', 'c', 'd', 'e', 'f'].map(run)
  const names = () => begun.map(({ name }) => name).join('')
  await settle()
  expect(names()).toBe('abc')
  places = 1
  begun[0]!.end()
  begun[1]!.end()
  await settle()
  expect(names()).toBe('abc')
  begun[2]!.end()
  await settle()
  expect(names()).toBe('abcd')
  places = 3
  all.push(run('g'))
  await settle()
  // Nobody overtakes those who wait.
  expect(names()).toBe('abcd')
  begun[3]!.end()
  await settle()
  expect(names()).toBe('abcdefg')
  for (const { end } of begun) end()
  await Promise.all(all)
})
