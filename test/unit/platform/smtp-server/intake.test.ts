// The bytes of messages on their way in: what all hold together, what one sender may hold of it, and how slowly a message may arrive.
import { beforeEach, describe, expect, test } from 'bun:test'
import { PassThrough, Readable } from 'node:stream'
import {
  type MessageIntake,
  type MessageSource,
  makeIntake,
} from '../../../../src/platform/smtp-server/intake'
import { manualClock } from '../../../support/context'
import { until } from '../../../support/until'

const megabyte = 1_000_000
let clock: ReturnType<typeof manualClock>
let intake: MessageIntake
beforeEach(() => {
  clock = manualClock()
  const bounds = { messageBytes: megabyte, totalBytes: 1.5 * megabyte, timeLimitMs: 60_000 }
  intake = makeIntake({ ...bounds, clock, lookMs: 1, throttle: async work => work() })
})

const whole = (name: string): MessageSource => ({ owners: [{ name, part: 1 }] })
const half = (name: string): MessageSource => ({ owners: [{ name, part: 1 / 2 }] })
const streamOf = (bytes: number): Readable => Readable.from([Buffer.alloc(bytes)])
const lengthOf = (raw: Buffer): Promise<number> => Promise.resolve(raw.length)

/** A message that goes on arriving. */
function arriving(source: MessageSource): { stream: PassThrough; answer: Promise<number | Error> } {
  const stream = new PassThrough()
  const answer = intake.receive(stream, source, lengthOf).catch((error: Error) => error)
  return { stream, answer }
}

async function holding(bytes: number, source: MessageSource) {
  const held = arriving(source)
  held.stream.write(Buffer.alloc(bytes))
  await until('it is held', () => intake.held >= bytes)
  return held
}

const take = (bytes: number, source: MessageSource): Promise<number> =>
  intake.receive(streamOf(bytes), source, lengthOf)

describe('the bytes', () => {
  test('that all hold together are bounded, and who comes too late is asked to come again', async () => {
    const first = await holding(megabyte, whole('a'))
    await expect(take(600_000, whole('b'))).rejects.toMatchObject({ status: 503 })
    expect(intake.held).toBe(megabyte)
    first.stream.end()
    expect(await first.answer).toBe(megabyte)
    expect(intake.held).toBe(0)
    expect(await take(600_000, whole('b'))).toBe(600_000)
  })

  test('of one message are bounded, and a source may have less', async () => {
    await expect(take(megabyte + 1, whole('a'))).rejects.toThrow('larger than 1000000 bytes')
    await expect(take(1_001, { ...whole('a'), messageBytes: 1_000 })).rejects.toMatchObject({ status: 413 })
    expect(await take(1_000, { ...whole('a'), messageBytes: 1_000 })).toBe(1_000)
    expect(intake.held).toBe(0)
  })

  test('of one sender are a part of all, so that others get through', async () => {
    const first = await holding(700_000, half('a'))
    await expect(take(100_000, half('a'))).rejects.toThrow('from this sender')
    expect(await take(700_000, half('b'))).toBe(700_000)
    first.stream.destroy()
    expect(await first.answer).toMatchObject({ status: 408 })
    expect(await take(700_000, half('a'))).toBe(700_000)
  })

  test('count for each that the message counts for', async () => {
    const network = { name: 'network', part: 3 / 4 }
    const of = (project: string): MessageSource => ({ owners: [{ name: project, part: 1 / 2 }, network] })
    const first = await holding(600_000, of('a'))
    const second = await holding(500_000, of('b'))
    await expect(take(100_000, of('c'))).rejects.toThrow('from this sender')
    expect(await take(100_000, half('d'))).toBe(100_000)
    for (const { stream } of [first, second]) stream.end()
    expect(await Promise.all([first.answer, second.answer])).toEqual([600_000, 500_000])
  })

  test('are held until the work with them is done', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const done = intake.receive(streamOf(1_000), whole('a'), () => promise)
    await until('the work has begun', () => intake.held === 1_000)
    resolve()
    await done
    expect(intake.held).toBe(0)
  })

  test('are let go where the work fails', async () => {
    const failing = intake.receive(streamOf(1_000), whole('a'), () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(intake.held).toBe(0)
  })
})

describe('a message', () => {
  const tooSlow = { status: 408, message: 'The message took too long to arrive' }

  test('that stands still is ended after 30 seconds, with what it held', async () => {
    const { answer } = await holding(megabyte, whole('a'))
    clock.advance(29_000)
    await Bun.sleep(5)
    expect(intake.held).toBe(megabyte)
    clock.advance(2_000)
    expect(await answer).toMatchObject(tooSlow)
    expect(intake.held).toBe(0)
  })

  test('may take its time as long as it keeps the lowest speed, but no longer than its time', async () => {
    const { stream, answer } = arriving(whole('a'))
    const goOn = async (): Promise<void> => {
      const before = intake.held
      stream.write(Buffer.alloc(10_000))
      await until('it has arrived', () => intake.held > before)
      clock.advance(1_000)
      await Bun.sleep(2)
    }
    for (let second = 0; second < 60; second++) await goOn()
    expect(intake.held).toBe(600_000)
    stream.write(Buffer.alloc(10_000))
    clock.advance(1_000)
    expect(await answer).toMatchObject(tooSlow)
  })

  test('of some bytes now and then is too slow', async () => {
    const { stream, answer } = arriving(whole('a'))
    let isOver = false
    void answer.then(() => {
      isOver = true
    })
    for (let seconds = 0; seconds < 40 && !isOver; seconds += 2) {
      stream.write('abc')
      clock.advance(2_000)
      await Bun.sleep(4)
    }
    expect(await answer).toMatchObject(tooSlow)
  })

  test('that breaks off is not handed to the work', async () => {
    const { stream, answer } = await holding(1_000, whole('a'))
    stream.destroy()
    expect(await answer).toMatchObject({ status: 408, message: 'The message ended too soon' })
    expect(intake.held).toBe(0)
  })
})
