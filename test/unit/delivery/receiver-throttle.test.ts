// How a receiver's answers lower its pace, and how that rises again.
import { expect, test } from 'bun:test'
import { minute, second } from '../../../src/lib/time'
import type { SendResult } from '../../../src/mail/message'
import { makeThrottle } from '../../../src/modules/sending/delivery/receiver-throttle'
import { manualClock } from '../../support/context'

const tooFast: SendResult = {
  outcome: 'deferred',
  stage: 'rcpt',
  code: 450,
  enhanced: '4.7.28',
  response: '450',
}
const setUp = () => {
  const clock = manualClock()
  return { clock, throttle: makeThrottle(clock) }
}

test.each<[what: string, answer: SendResult, lowers: boolean]>([
  ['4.7.x', tooFast, true],
  ['421 after the message', { outcome: 'deferred', stage: 'final', code: 421, response: '421' }, true],
  ['421 to a new connection', { outcome: 'deferred', stage: 'greeting', code: 421, response: '421' }, false],
  [
    'a full mailbox',
    { outcome: 'deferred', stage: 'rcpt', code: 452, enhanced: '4.2.2', response: '452' },
    false,
  ],
  [
    'a refusal',
    { outcome: 'refused', blame: 'other', stage: 'final', code: 550, enhanced: '5.7.1', response: '550' },
    false,
  ],
  ['nothing against it', { outcome: 'accepted', delivered: true, response: '250' }, false],
])('%s: the pace', (_, answer, lowers) => {
  const { throttle } = setUp()
  expect(throttle.learn('gmail', answer)).toBe(lowers)
  expect(throttle.rateOf('gmail', 20)).toBe(lowers ? 10 : 20)
  expect(throttle.rateOf('outlook', 20)).toBe(20)
})

test('answers to what was under way together count once, later ones again, down to a thirty-second', () => {
  const { clock, throttle } = setUp()
  for (let n = 0; n < 10; n++) throttle.learn('gmail', tooFast)
  expect(throttle.rateOf('gmail', 32)).toBe(16)
  for (let n = 0; n < 10; n++) {
    clock.advance(30 * second)
    throttle.learn('gmail', tooFast)
  }
  expect(throttle.rateOf('gmail', 32)).toBe(1)
})

test('doubles for every five quiet minutes, up to what it was', () => {
  const { clock, throttle } = setUp()
  throttle.learn('gmail', tooFast)
  clock.advance(30 * second)
  throttle.learn('gmail', tooFast)
  const seen = [1, 2, 3, 4].map(() => {
    const rate = throttle.rateOf('gmail', 20)
    clock.advance(5 * minute)
    return rate
  })
  expect(seen).toEqual([5, 10, 20, 20])
})

test('what asks again although it gets less gets nothing for a while, each time twice as long', () => {
  const { clock, throttle } = setUp()
  const seen = [1, 2, 3, 4, 5, 6, 7].map(() => {
    throttle.learn('gmail', tooFast)
    const until = throttle.restsUntil('gmail')
    clock.advance(30 * second)
    return until ? (until.getTime() - clock.now().getTime()) / second + 30 : 0
  })
  expect(seen).toEqual([0, 30, 60, 120, 240, 240, 240])
  expect(throttle.restsUntil('outlook')).toBeUndefined()
  clock.advance(4 * minute)
  expect(throttle.restsUntil('gmail')).toBeUndefined()
})
