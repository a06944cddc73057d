// What an answer means for a message: the plan of retries, when it is given up, and what a refusal does.
import { describe, expect, test } from 'bun:test'
import { retryDelayMs } from '../../../src/lib/backoff'
import { hour, minute, second } from '../../../src/lib/time'
import { isServerFault } from '../../../src/mail/bounces'
import type { SendResult } from '../../../src/mail/message'
import { asAnswer } from '../../../src/mail/smtp/reply'
import { failed, outcomeOfResult } from '../../../src/platform/transports/outcome'
import { because, noReason, sentenceOf } from '../../../src/platform/transports/reason'

const createdAt = new Date('2026-03-01T12:00:00.000Z')
const at = (ms: number): Date => new Date(createdAt.getTime() + ms)
const first = { attempts: 1, since: createdAt, retryForMs: 24 * hour }
const deferred: SendResult = { outcome: 'deferred', response: '451 4.7.1 later', code: 451 }
/** Without jitter: halfway between 80 % and 120 %. */
const even = 0.5

describe('the pause after a temporary failure', () => {
  const rows: Array<[number, number]> = [
    [1, 5 * second],
    [2, 30 * second],
    [3, 2 * minute],
    [4, 10 * minute],
    [5, 30 * minute],
    [6, hour],
    [7, 2 * hour],
    [8, 2 * hour],
    [40, 2 * hour],
  ]
  for (const [attempt, pause] of rows)
    test(`number ${attempt} is ${pause / second} seconds, give or take a fifth`, () => {
      expect(retryDelayMs(attempt, even)).toBe(pause)
      expect(retryDelayMs(attempt, 0)).toBe(pause * 0.8)
      expect(retryDelayMs(attempt, 0.999999)).toBeLessThanOrEqual(pause * 1.2)
    })
})

describe('a message that could not be handed over for now', () => {
  test('waits for its next try', () => {
    expect(outcomeOfResult(deferred, first, at(second), even)).toEqual({
      status: 'PENDING',
      ...because('deferred', { words: '451 4.7.1 later', code: '451' }),
      providerId: null,
      sentAt: null,
      deliveredAt: null,
      bouncedAt: null,
      nextAttemptAt: at(6 * second),
      suppress: false,
      gaveUp: false,
    })
  })

  for (const [retryForMs, last] of [
    [24 * hour, 22 * hour],
    [6 * hour, 4 * hour],
  ] as const)
    test(`${retryForMs / hour} hours: is tried as long as the next try lies within its time, then it is BOUNCED softly`, () => {
      const tried = { attempts: 9, since: createdAt, retryForMs }
      expect(outcomeOfResult(deferred, tried, at(last), even).status).toBe('PENDING')
      const outcome = outcomeOfResult(deferred, tried, at(last + 1), even)
      expect(outcome).toMatchObject({
        status: 'BOUNCED',
        nextAttemptAt: null,
        bouncedAt: null,
        suppress: false,
        gaveUp: true,
      })
      expect(sentenceOf(outcome)).toBe('gave up after 9 tries: 451 4.7.1 later')
    })

  describe('says why it was given up, which decides whether it counts against the address', () => {
    const rows: Array<[string, SendResult, object]> = [
      [
        'a full mailbox',
        { ...deferred, code: 452, enhanced: '4.2.2', response: '452 4.2.2 full' },
        because('full', { words: '452 4.2.2 full', code: '4.2.2', attempts: 9 }),
      ],
      [
        'no reason',
        { ...deferred, stage: 'rcpt', code: 451, response: '451 not now' },
        because('expired', { words: '451 not now', code: '451', attempts: 9 }),
      ],
      [
        'the sender',
        { ...deferred, stage: 'rcpt', code: 451, enhanced: '4.7.1', response: '451 4.7.1 blocked for spam' },
        { reason: 'refused' },
      ],
      [
        'a relay that nobody reaches',
        { outcome: 'deferred', stage: 'connect', response: 'connection refused' },
        { reason: 'transport' },
      ],
    ]
    for (const [name, result, expected] of rows)
      test(name, () => {
        const tried = { attempts: 9, since: createdAt, retryForMs: hour }
        const outcome = outcomeOfResult(result, tried, at(2 * hour), even)
        expect(outcome).toMatchObject({ status: 'BOUNCED', gaveUp: true, ...expected })
      })
  })

  test('the plan as a whole: how often transactional and bulk mail is tried', () => {
    const tries = (retryForMs: number): number => {
      let now = createdAt
      for (let attempts = 1; ; attempts++) {
        const { nextAttemptAt } = outcomeOfResult(
          deferred,
          { attempts, since: createdAt, retryForMs: retryForMs },
          now,
          even,
        )
        if (!nextAttemptAt) return attempts
        now = nextAttemptAt
      }
    }
    expect([tries(24 * hour), tries(6 * hour)]).toEqual([18, 9])
  })
})

describe('an answer that settles a message', () => {
  const now = at(minute)
  const rows: Array<[string, SendResult, object]> = [
    [
      'taken for good: DELIVERED',
      { outcome: 'accepted', delivered: true, response: '250 ok' },
      { status: 'DELIVERED', sentAt: now, deliveredAt: now, ...noReason },
    ],
    [
      'taken by a relay that reports later: SENT',
      { outcome: 'accepted', delivered: false, response: '250 ok', providerId: 'p1' },
      { status: 'SENT', sentAt: now, deliveredAt: null, providerId: 'p1' },
    ],
    [
      'the address is refused: BOUNCED, and suppressed',
      { outcome: 'refused', blame: 'address', response: '550 5.1.1 no such user' },
      {
        status: 'BOUNCED',
        sentAt: null,
        bouncedAt: now,
        suppress: true,
        ...because('dead', { words: '550 5.1.1 no such user' }),
      },
    ],
    [
      'anything else is refused: FAILED, and not suppressed',
      { outcome: 'refused', blame: 'other', response: '554 5.7.1 policy' },
      {
        status: 'FAILED',
        sentAt: null,
        bouncedAt: null,
        suppress: false,
        ...because('unknown', { words: '554 5.7.1 policy' }),
      },
    ],
    [
      'the mailbox is full for good: BOUNCED softly, and not tried again',
      { outcome: 'refused', blame: 'other', meaning: 'full', response: '552 5.2.2 full', enhanced: '5.2.2' },
      {
        status: 'BOUNCED',
        bouncedAt: null,
        nextAttemptAt: null,
        suppress: false,
        gaveUp: true,
        ...because('full', { words: '552 5.2.2 full', code: '5.2.2' }),
      },
    ],
    [
      'an empty answer has no words',
      { outcome: 'refused', blame: 'other', response: '' },
      { status: 'FAILED', ...because('unknown', {}) },
    ],
  ]
  for (const [name, result, expected] of rows)
    test(name, () => {
      expect(outcomeOfResult(result, first, now, even)).toMatchObject({
        nextAttemptAt: null,
        gaveUp: false,
        ...expected,
      })
    })

  test('a message that may not leave has FAILED with the reason', () => {
    expect(failed('projectDisabled')).toMatchObject({
      status: 'FAILED',
      ...because('projectDisabled'),
      suppress: false,
    })
  })
})

describe('a fault of the server', () => {
  const rows: Array<[string, SendResult, boolean]> = [
    ['a broken connection', { outcome: 'deferred', response: 'reset', stage: 'rcpt' }, true],
    ['a server that closes', { outcome: 'deferred', response: '421', code: 421, stage: 'data' }, true],
    ['no sign-in', { outcome: 'deferred', response: '454', code: 454, stage: 'auth' }, true],
    ['a provider that names no stage', { outcome: 'deferred', response: '503', code: 503 }, true],
    ['greylisting is none', { outcome: 'deferred', response: '450', code: 450, stage: 'rcpt' }, false],
    ['a refusal is none', { outcome: 'refused', blame: 'other', response: '554', code: 554 }, false],
  ]
  for (const [name, result, expected] of rows)
    test(name, () => {
      expect(isServerFault(asAnswer(result))).toBe(expected)
    })
})
