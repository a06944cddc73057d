// The bounded memory of answers.
import { expect, test } from 'bun:test'
import { minute } from '../../../src/lib/time'
import { makeMemory } from '../../../src/modules/audience/verify/service'
import { manualClock } from '../../support/context'

function world(maxEntries = 10) {
  const clock = manualClock()
  const asked: string[] = []
  const memory = makeMemory<string>({
    clock,
    keepMs: 5 * minute,
    maxEntries,
    keeps: value => value !== 'unknown',
  })
  const get = (key: string, value = `answer to ${key}`): Promise<string> =>
    memory.get(key, async () => {
      asked.push(key)
      return value
    })
  return { clock, asked, memory, get }
}

test('an answer is asked once and kept until its time is over', async () => {
  const { clock, asked, get } = world()
  expect(await get('a')).toBe('answer to a')
  clock.advance(5 * minute - 1)
  expect(await get('a', 'another')).toBe('answer to a')
  clock.advance(1)
  expect(await get('a', 'another')).toBe('another')
  expect(asked).toEqual(['a', 'a'])
})

test('who asks while the answer is on its way waits for that one', async () => {
  const { asked, get } = world()
  expect(await Promise.all([get('a', 'first'), get('a', 'second')])).toEqual(['first', 'first'])
  expect(asked).toEqual(['a'])
})

test('an answer that is not worth keeping is asked again', async () => {
  const { asked, get } = world()
  expect(await get('a', 'unknown')).toBe('unknown')
  expect(await get('a', 'known')).toBe('known')
  expect(asked).toEqual(['a', 'a'])
})

test('a rejection reaches everybody who waits and is asked again', async () => {
  const { memory, get } = world()
  const broken = (): Promise<string> => Promise.reject(new Error('broken'))
  const both = await Promise.allSettled([memory.get('a', broken), memory.get('a', broken)])
  expect(both.map(each => each.status)).toEqual(['rejected', 'rejected'])
  expect(await get('a')).toBe('answer to a')
})

test('the oldest answer makes room for the one too many', async () => {
  const { asked, get } = world(2)
  for (const key of ['a', 'b', 'c']) await get(key)
  for (const key of ['b', 'c', 'a']) await get(key)
  expect(asked).toEqual(['a', 'b', 'c', 'a'])
})
