// Long work leaves room for requests, all of it together.
import { describe, expect, test } from 'bun:test'
import { liveRequests, longWorkQueue, slotsBeside, throttleLongWork } from '../../../src/platform/requests'
import { until } from '../../support/until'

/** Works for that long while a request comes, or none; answers how long it was held up afterwards. */
async function rested(
  requests: ReturnType<typeof liveRequests>,
  ms: number,
  { isAsked = true, ...options }: { isAsked?: boolean; rests?: number } = {},
) {
  let ended = 0
  const work = async (): Promise<void> => {
    if (isAsked) requests.begin({ startedAt: performance.now() })
    await Bun.sleep(ms)
    ended = performance.now()
  }
  await throttleLongWork(requests, work, options)
  return performance.now() - ended
}

test('requests keep an instance busy while more than twenty-five a second come, whatever their answers take', () => {
  let now = 0
  const requests = liveRequests(() => now)
  /** For ten seconds; answers whether it was busy, each time just before and just after one. */
  const come = (perSecond: number): boolean[] =>
    Array.from({ length: 10 * perSecond }, () => {
      now += 1_000 / perSecond
      const before = requests.isBusy()
      requests.begin({ startedAt: now })
      return [before, requests.isBusy()]
    }).flat()
  expect(come(24)).not.toContain(true)
  expect(come(27).slice(-200)).not.toContain(false)
  expect(slotsBeside({ requests }, 3)).toBe(1)
  now += 2_000
  expect(requests.isBusy()).toBe(false)
  expect(slotsBeside({ requests }, 3)).toBe(3)
  expect(requests.underway()).toHaveLength(510)
})

test('work rests four times as long as it took where requests came', async () => {
  const requests = liveRequests()
  expect(await rested(requests, 30)).toBeGreaterThan(100)
  expect(await rested(requests, 30, { isAsked: false })).toBeLessThan(100)
})

test('work that asks for a shorter rest gets it', async () => {
  const each = [{ rests: 1 }, {}].map(options => rested(liveRequests(), 100, options))
  const [short, usual] = await Promise.all(each)
  expect(short).toBeGreaterThan(90)
  expect(usual).toBeGreaterThan(2 * short!)
})

test('pieces of work at the same time rest for each other too', async () => {
  const requests = liveRequests()
  const three = await Promise.all(Array.from({ length: 3 }, () => rested(requests, 30)))
  for (const ms of three) expect(ms).toBeGreaterThan(300)
  await expect(throttleLongWork(requests, () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  )
})

describe('long work that a request asked for', () => {
  const turns = () => longWorkQueue<string>({ maxPerKey: 2, full: key => new Error(`${key} is full`) })
  /** Takes 30 ms, in which another request comes; returns when it began. */
  const piece = (requests: ReturnType<typeof liveRequests>) => async (): Promise<number> => {
    const began = performance.now()
    requests.begin({ startedAt: began })
    await Bun.sleep(30)
    return began
  }

  test('is answered before the rest, for which only the next piece of its key waits', async () => {
    const requests = liveRequests()
    const inTurn = turns()
    const began = performance.now()
    const first = inTurn(requests, 'a', piece(requests))
    const second = inTurn(requests, 'a', piece(requests))
    await first
    const other = await inTurn(requests, 'b', async () => performance.now())
    expect(other).toBeLessThan(await second)
    expect((await second) - began).toBeGreaterThan(5 * 30 - 2)
  })

  test('fails by itself, and is refused where too much of its key waits', async () => {
    const requests = liveRequests()
    const inTurn = turns()
    const asked = [() => Promise.reject(new Error('broken')), piece(requests), piece(requests)]
    const ended = await Promise.allSettled(asked.map(work => inTurn<unknown>(requests, 'a', work)))
    expect(ended.map(each => (each.status === 'rejected' ? String(each.reason) : 'done'))).toEqual([
      'Error: broken',
      'done',
      'Error: a is full',
    ])
  })

  test('leaves its place to another key while it rests', async () => {
    const requests = liveRequests()
    const inTurn = longWorkQueue<string>({ places: 1, maxPerKey: 2, full: key => new Error(key) })
    await inTurn(requests, 'a', piece(requests))
    const next = inTurn(requests, 'a', piece(requests))
    expect(await inTurn(requests, 'b', piece(requests))).toBeLessThan(await next)
  })

  test('does not rest for others that rest and have no next piece', async () => {
    const requests = liveRequests()
    const inTurn = turns()
    for (let n = 0; n < 6; n++) await inTurn(requests, `other ${n}`, piece(requests))
    const first = await inTurn(requests, 'a', piece(requests))
    const second = await inTurn(requests, 'a', piece(requests))
    expect(second - first).toBeLessThan(2 * 5 * 30)
    // Two that both go on share the room.
    const b = await inTurn(requests, 'b', piece(requests))
    const next = [inTurn(requests, 'b', piece(requests)), inTurn(requests, 'c', piece(requests))]
    const hasNext = inTurn(requests, 'c', piece(requests))
    expect((await next[0]!) - b).toBeGreaterThan(5 * 30 - 2)
    expect((await hasNext) - (await next[1]!)).toBeGreaterThan(2 * 4 * 30)
  })

  test('is told to come back where its turn does not come in time, and is not done then', async () => {
    const requests = liveRequests()
    const inTurn = longWorkQueue<string>({ maxPerKey: 3, full: key => new Error(`${key} is full`) }, 40)
    const done: string[] = []
    const asked = ['first', 'second', 'third'].map(name =>
      inTurn(requests, 'a', async () => {
        done.push(name)
        return await piece(requests)()
      }),
    )
    const ended = await Promise.allSettled(asked)
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    // Whose turn comes after theirs would have come.
    await until('another has its turn', () => inTurn(requests, 'a', async () => true).catch(() => false))
    expect(done).toEqual(['first'])
  })
})
