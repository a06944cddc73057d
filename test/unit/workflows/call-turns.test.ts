// How many calls of a project are under way at once, and when the others come back.
import { expect, test } from 'bun:test'
import { makeCallTurns, maxAtOnce } from '../../../src/modules/features/workflows/runs/service/call-turns'
import { Snooze } from '../../../src/platform/jobs/outcome'

function setting() {
  let now = 0
  const ends: Array<() => void> = []
  const turns = makeCallTurns(() => now)
  const hang = (): Promise<void> => new Promise(resolve => void ends.push(resolve))
  const begin = (project: string): Promise<unknown> =>
    turns.take(project, hang).then(
      () => 'done',
      error => error,
    )
  return {
    begin,
    fill: (project: string) => Array.from({ length: maxAtOnce }, () => begin(project)),
    at: (ms: number) => {
      now = ms
    },
    end: (count = ends.length) => {
      for (const end of ends.splice(0, count)) end()
    },
    turns,
  }
}

const turnOf = (answer: unknown): number => {
  expect(answer).toBeInstanceOf(Snooze)
  return ((answer as Snooze).until as Date).getTime()
}

test('a project has so many calls under way, and another one its own', async () => {
  const { begin, fill, end } = setting()
  const first = fill('a')
  turnOf(await begin('a'))
  const other = begin('b')
  end()
  expect(await other).toBe('done')
  expect(new Set(await Promise.all(first))).toEqual(new Set(['done']))
  const later = begin('a')
  end()
  expect(await later).toBe('done')
})

test('who finds no place comes back as fast as calls end, one behind the other', async () => {
  const { begin, fill, at, end } = setting()
  const first = fill('a')
  at(6_400)
  end(1)
  await first[0]
  begin('a')
  const turns = [turnOf(await begin('a')), turnOf(await begin('a')), turnOf(await begin('a'))]
  expect(turns.map(Math.round)).toEqual([6_510, 6_620, 6_730])
})

test('while none has ended the oldest tells how long they take', async () => {
  const { begin, fill, at } = setting()
  fill('a')
  expect(turnOf(await begin('a'))).toBe(100)
  at(6_400)
  expect(Math.round(turnOf(await begin('a')))).toBe(6_510)
})

test('an endpoint that is well again soon has its pace back', async () => {
  const { begin, fill, at, end } = setting()
  const slow = fill('a')
  at(10_000)
  end(maxAtOnce - 1)
  await Promise.all(slow.slice(0, -1))
  const full = fill('a')
  for (let index = 0; index < 5_000; index++) await begin('a')
  expect(turnOf(await begin('a'))).toBe(70_000)
  at(10_001)
  end()
  await Promise.all(full)
  fill('a')
  expect(turnOf(await begin('a'))).toBeLessThan(13_000)
})

test('a call that fails leaves its place', async () => {
  const { begin, end, turns } = setting()
  for (let index = 0; index < maxAtOnce; index++)
    await turns.take('a', () => Promise.reject(new Error('broken'))).catch(() => {})
  const next = begin('a')
  end()
  expect(await next).toBe('done')
})
