// Who comes after whom: the order of those who wait for a connection, with some whose commands have been sent ahead.
import { describe, expect, test } from 'bun:test'
import type { FinishedMessage } from '../../../../src/mail/message'
import { makeLine, type Waiter } from '../../../../src/mail/smtp/line'
import { makePool } from '../../../../src/mail/smtp/pool'
import type { SmtpSession } from '../../../../src/mail/smtp/session'

const messageOf = (number: number): FinishedMessage => ({
  ...{ id: `${number}`, envelope: { from: 'a@x.test', to: 'b@y.test' }, raw: Buffer.from('') },
})
const session = () => ({}) as SmtpSession
const waiter = (number: number): Waiter => ({ number, message: messageOf(number), resolve() {} })

function lineOf(count: number, patienceMs = 60_000, onImpatient = () => {}) {
  const line = makeLine(patienceMs, onImpatient)
  for (let number = 1; number <= count; number++) line.stand(waiter(number))
  return line
}
const inOrder = (line: ReturnType<typeof lineOf>) =>
  Array.from({ length: 9 }, () => line.next()?.number).filter(number => number !== undefined)

describe('the line', () => {
  test('is in order, whenever somebody stands in it again', () => {
    const line = lineOf(3)
    line.stand(waiter(0))
    line.stand({ ...waiter(0), message: undefined })
    const second = { number: 1.5, message: undefined, resolve() {} }
    line.stand(second)
    expect(inOrder(line)).toEqual([0, 0, 1, 1.5, 2, 3])
  })

  test('gives its first to the connection that asks, the next to the next one', () => {
    const line = lineOf(3)
    const [one, other] = [session(), session()]
    expect([line.follow(one, true)?.id, line.follow(other, true)?.id]).toEqual(['1', '2'])
    expect([line.takeFollower(other)?.number, line.takeFollower(one)?.number]).toEqual([2, 1])
    expect(line.takeFollower(one)).toBeUndefined()
    expect(inOrder(line)).toEqual([3])
  })

  test('keeps the first for connections that wait with nobody behind them, as they are free earlier', () => {
    const line = lineOf(3)
    const [alone, other, third, last] = [session(), session(), session(), session()]
    expect(line.follow(alone, false)).toBeUndefined()
    expect(line.follow(other, true)?.id).toBe('2')
    expect(line.follow(third, true)?.id).toBe('3')
    // Now nobody is left for another one.
    expect(line.follow(last, true)).toBeUndefined()
    expect(line.takeFollower(alone)).toBeUndefined()
    expect(line.next()?.number).toBe(1)
  })

  test('sends nothing ahead for one that is not to be risked again, nor for another in its place', () => {
    const line = lineOf(2)
    line.stand({ number: 0, message: undefined, resolve() {} })
    expect(line.follow(session(), true)).toBeUndefined()
    expect(inOrder(line)).toEqual([0, 1, 2])
  })

  test('has one who follows in it again after a while, and what comes first counts', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const line = lineOf(2, 1, resolve)
    const [slow, other] = [session(), session()]
    expect(line.follow(slow, true)?.id).toBe('1')
    await promise
    // It is sent ahead nowhere else.
    expect(line.follow(other, true)?.id).toBe('2')
    expect(line.next()?.number).toBe(1)
    expect(line.takeFollower(slow)).toBeUndefined()
    expect(line.takeFollower(other)?.number).toBe(2)
    expect(inOrder(line)).toEqual([])
  })

  test('is left by those who follow only where it is for good', () => {
    const line = lineOf(3)
    const [one, other] = [session(), session()]
    line.follow(one, true)
    line.follow(other, true)
    expect(line.clear(false).map(({ number }) => number)).toEqual([3])
    line.takeFollower(one)
    expect(line.clear(true).map(({ number }) => number)).toEqual([2])
    expect(line.takeFollower(other)).toBeUndefined()
  })
})

test('nobody follows on a connection that is lost', async () => {
  const connection = { isAlive: () => false, onEnd() {} }
  const lost = { connection, carried: 1, sendsAhead: true } as unknown as SmtpSession
  const opened = Promise.withResolvers<{ session: SmtpSession }>()
  const options = { size: 1, maxMessages: 100, idleMs: 1_000, patienceMs: 60_000 }
  const pool = makePool(() => opened.promise, options)
  const first = pool.take(messageOf(1))
  void pool.take(messageOf(2))
  opened.resolve({ session: lost })
  await first
  expect(pool.follower(lost)).toBeUndefined()
})
