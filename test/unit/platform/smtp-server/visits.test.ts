// Who may be connected, and for how long without a message. The clock is in the test's hand.
import { beforeEach, describe, expect, test } from 'bun:test'
import { type Visit, Visits } from '../../../../src/platform/smtp-server/visits'
import { manualClock } from '../../../support/context'

const limits = {
  ...{ connections: 10, silent: 2 },
  ...{ introductionMs: 30_000, mailMs: 60_000, idleMs: 300_000, envelopeMs: 120_000 },
}
let clock: ReturnType<typeof manualClock>
let visits: Visits
let ended: string[]
beforeEach(() => {
  clock = manualClock()
  visits = new Visits(limits, clock.now)
  ended = []
})

interface Line {
  isGone: boolean
}

function arrive(address: string, line: Line = { isGone: false }): Visit | undefined {
  return visits.arrive(address, { isGone: () => line.isGone, end: reason => void ended.push(reason) })
}

function arriveAll(count: number, address: string): Array<Visit | undefined> {
  return Array.from({ length: count }, () => arrive(address))
}

const arrived = (found: Array<Visit | undefined>): number => found.filter(visit => visit !== undefined).length

describe('the places', () => {
  test('of one network are half of all, and another network has its own', () => {
    expect(arrived(arriveAll(8, '203.0.113.7'))).toBe(5)
    expect(arrive('203.0.113.200')).toBeUndefined()
    expect(arrive('203.0.114.7')).toBeDefined()
    expect(arrived(arriveAll(8, '2001:db8::1'))).toBe(5)
    expect(arrive('2001:db8::ffff:1')).toBeUndefined()
  })

  test('are free again when somebody leaves, however often that is heard', () => {
    const [first] = arriveAll(5, '203.0.113.7')
    visits.leave(first!)
    visits.leave(first!)
    expect(arrived(arriveAll(5, '203.0.113.7'))).toBe(1)
  })

  test('of those who went without a word are free after a look', () => {
    const line = { isGone: false }
    for (let count = 0; count < 5; count++) arrive('203.0.113.7', line)
    line.isGone = true
    visits.endStale()
    expect(arrived(arriveAll(5, '203.0.113.7'))).toBe(5)
    expect(ended).toEqual([])
  })

  test('of one project are half of all, wherever it comes from; its network has them back', () => {
    const signIn = (address: string): boolean => visits.signIn(arrive(address)!, 'project')
    const answers = Array.from({ length: 6 }, (_, at) => signIn(`203.0.${at}.7`))
    expect(answers).toEqual([true, true, true, true, true, false])
    expect(visits.signIn(arrive('203.0.0.8')!, 'other')).toBe(true)
    expect(arrived(arriveAll(8, '203.0.0.9'))).toBe(5)
  })
})

describe('without a message', () => {
  const half = (visit: Visit): void => {
    visit.hasEnvelope = () => true
  }
  const hello = (): void => {}
  const auth = (visit: Visit): void => void visits.signIn(visit, 'project')
  const message = (visit: Visit): void => {
    visits.beginMessage(visit)
    visits.endMessage(visit)
  }
  test.each<[string, (visit: Visit) => void, number]>([
    ['nobody stays longer than the time to sign in', hello, 30_000],
    ['who has signed in has longer', auth, 60_000],
    ['who has sent one has longest', message, 300_000],
    ['who has begun an envelope has the time of envelopes', half, 120_000],
    [
      'an envelope that is begun after a message too',
      visit => {
        message(visit)
        half(visit)
      },
      120_000,
    ],
  ])('%s', (_, say, ms) => {
    say(arrive('203.0.113.7')!)
    clock.advance(ms - 1)
    visits.endStale()
    expect(ended).toEqual([])
    clock.advance(1)
    visits.endStale()
    expect(ended).toEqual(['You took too long'])
  })

  test('looks win no time', () => {
    arrive('203.0.113.7')
    for (let second = 0; second < 30; second++) {
      visits.endStale()
      clock.advance(1_000)
    }
    visits.endStale()
    expect(ended).toHaveLength(1)
  })

  test('does not mean: while one is worked on', () => {
    const visit = arrive('203.0.113.7')!
    visits.beginMessage(visit)
    clock.advance(3_600_000)
    visits.endStale()
    expect(ended).toEqual([])
    visits.endMessage(visit)
    clock.advance(299_999)
    visits.endStale()
    expect(ended).toEqual([])
    clock.advance(1)
    visits.endStale()
    expect(ended).toHaveLength(1)
  })
})

describe('of a network that says nothing', () => {
  test('the oldest are ended beyond the number, once they had time to sign in', () => {
    arriveAll(4, '203.0.113.7')
    arriveAll(2, '198.51.100.7')
    clock.advance(4_999)
    visits.endStale()
    expect(ended).toEqual([])
    clock.advance(1)
    visits.endStale()
    expect(ended).toEqual(Array(2).fill('Too many connections of your network say nothing'))
    visits.endStale()
    expect(ended).toHaveLength(2)
  })

  test('those who signed in, sent or are sending are not meant', () => {
    const [first, second, third] = arriveAll(5, '203.0.113.7')
    visits.signIn(first!, 'project')
    visits.beginMessage(second!)
    visits.beginMessage(third!)
    visits.endMessage(third!)
    clock.advance(5_000)
    visits.endStale()
    expect(ended).toEqual([])
  })
})
