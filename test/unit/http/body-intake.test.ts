// The room for bodies on their way in: shares of it, what gives it back, and the lowest speed.
import { describe, expect, test } from 'bun:test'
import { type BodyShare, type LowestSpeed, makeBodyIntake, receiveBody } from '../../../src/http/body-intake'
import type { CpuThrottle } from '../../../src/lib/cpu-throttle'

const total: BodyShare = { name: 'all', bytes: 100 }
const share = (name: string, bytes = 50): BodyShare[] => [total, { name, bytes }]
const atOnce: CpuThrottle = async work => work()
const full = { status: 503, headers: { 'Retry-After': '5' } }

describe('room', () => {
  test('is for all together, and nobody has more than a share of it', () => {
    const intake = makeBodyIntake()
    intake.hold(share('a')).add(50)
    expect(() => intake.hold(share('a')).add(1)).toThrow(expect.objectContaining(full))
    intake.hold(share('b')).add(50)
    expect(() => intake.hold(share('c')).add(1)).toThrow(expect.objectContaining(full))
    expect([intake.held('all'), intake.held('a'), intake.held('c')]).toEqual([100, 50, 0])
  })

  test('is given back once, however often that is said', () => {
    const intake = makeBodyIntake()
    const held = intake.hold(share('a'))
    held.add(30)
    held.add(20)
    held.release()
    held.release()
    expect([intake.held('all'), intake.held('a')]).toEqual([0, 0])
  })

  test('that is refused takes nothing', () => {
    const intake = makeBodyIntake()
    const held = intake.hold(share('a'))
    expect(() => held.add(51)).toThrow()
    expect(intake.held('all')).toBe(0)
  })
})

describe('a body', () => {
  const speed: LowestSpeed = { graceMs: 60_000, bytesPerSecond: 1 }
  const options = (given: object) => ({
    held: makeBodyIntake().hold(share('a', 1_000_000)),
    check: () => {},
    declared: undefined,
    speed,
    throttle: atOnce,
    ...given,
  })
  const request = (pieces: string[], isOver = true) => {
    const cancelled: unknown[] = []
    const left = pieces.map(piece => new TextEncoder().encode(piece))
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const next = left.shift()
          if (next) controller.enqueue(next)
          else if (isOver) controller.close()
          else return new Promise<void>(() => {})
        },
        cancel: reason => void cancelled.push(reason),
      },
      { highWaterMark: 0 },
    )
    return { cancelled, request: new Request('http://localhost/', { method: 'POST', body }) }
  }

  test('is what came, with and without a length', async () => {
    const text = async (declared?: number) =>
      new TextDecoder().decode(await receiveBody(request(['ab', 'c']).request, options({ declared })))
    expect([await text(), await text(3)]).toEqual(['abc', 'abc'])
  })

  test.each([undefined, 600_000])(
    'is put together in pieces, between which others have their turn',
    async declared => {
      let pieces = 0
      const throttle: CpuThrottle = async work => {
        pieces++
        await Bun.sleep(0)
        return work()
      }
      const parts = ['a', 'b'].map(letter => letter.repeat(300_000))
      const held = makeBodyIntake().hold([{ name: 'all', bytes: 1_000_000 }])
      const body = await receiveBody(request([...parts]).request, options({ declared, throttle, held }))
      expect(Buffer.from(body).toString('latin1')).toBe(parts.join(''))
      expect(pieces).toBeGreaterThanOrEqual(600_000 / (128 * 1024))
    },
  )

  test('without a length counts as it comes, and ends where there is no room for more', async () => {
    const intake = makeBodyIntake()
    const { request: sent, cancelled } = request(['x'.repeat(60), 'y'.repeat(60)])
    const held = intake.hold(share('a', 100))
    expect(receiveBody(sent, options({ held }))).rejects.toMatchObject(full)
    await Bun.sleep(0)
    expect(cancelled.length).toBe(0)
    expect(intake.held('all')).toBe(60)
  })

  test('with a length has its room before anything is read', async () => {
    const intake = makeBodyIntake()
    const { request: sent } = request([], false)
    const held = intake.hold(share('a', 100))
    expect(receiveBody(sent, options({ held, declared: 101 }))).rejects.toMatchObject(full)
    void receiveBody(sent, options({ held, declared: 70 })).catch(() => {})
    expect(intake.held('a')).toBe(70)
  })

  test.each([
    ['nothing comes', [], undefined],
    ['it stalls', ['abc'], undefined],
    ['a small one of known length stalls', [], 10],
  ] as const)('that is too slow is 408: %s', async (_, pieces, declared) => {
    const slow = options({ declared, speed: { graceMs: 1, bytesPerSecond: 1_000_000 } })
    expect(receiveBody(request([...pieces], false).request, slow)).rejects.toMatchObject({ status: 408 })
  })

  test('that is too slow is not read on', async () => {
    const { request: sent, cancelled } = request(['abc'], false)
    await receiveBody(sent, options({ speed: { graceMs: 1, bytesPerSecond: 1_000_000 } })).catch(() => {})
    expect(cancelled).toMatchObject([{ status: 408 }])
  })
})
