// Pooled connections: dead ones are never lent, the relay's own limit is respected, nothing waits for ever.
import { describe, expect, test } from 'bun:test'
import { mail, shortLimits, withZoo } from '../support/smtp-mail'
import type { ZooAnswer, ZooStage } from '../support/smtp-zoo-conversation'
import { until } from '../support/until'

const many = (count: number) => Array.from({ length: count }, (_, n) => mail({ to: `u${n}@y.test` }))
const outcomes = (results: Array<{ outcome: string }>) => [...new Set(results.map(result => result.outcome))]

test('a hundred messages at once share the connections of the pool', () =>
  withZoo(
    {},
    async ({ zoo, relay }) => {
      expect(outcomes(await Promise.all(many(100).map(relay.send)))).toEqual(['accepted'])
      expect(zoo.connections()).toBe(3)
      expect(new Set(zoo.messages.map(message => message.to[0])).size).toBe(100)
    },
    { query: 'pool=3' },
  ))

test('a server that closes after each message costs nothing but new connections', () =>
  withZoo({ closeAfterMessageMs: 0 }, async ({ zoo, relay }) => {
    for (const message of many(5)) {
      expect((await relay.send(message)).outcome).toBe('accepted')
      await Bun.sleep(5)
    }
    expect([zoo.messages.length, zoo.connections()]).toEqual([5, 5])
  }))

for (const stage of ['mail', 'rcpt', 'data'] as const) {
  test(`a reused connection that is lost at ${stage}, before any of the message, is replaced within the same send`, () =>
    withZoo(
      { answers: { [stage]: [stage === 'data' ? '354 go' : '250 ok', { drop: true }] } },
      async ({ zoo, relay }) => {
        expect(outcomes([await relay.send(mail()), await relay.send(mail())])).toEqual(['accepted'])
        expect([zoo.messages.length, zoo.connections()]).toEqual([2, 2])
      },
    ))
}

test('a connection that the server gave up with 421 before MAIL is replaced within the same send', () =>
  withZoo({ answers: { mail: ['250 ok', '421 4.4.2 idle too long'] } }, async ({ zoo, relay }) => {
    const results = [await relay.send(mail()), await relay.send(mail())]
    expect(outcomes(results)).toEqual(['accepted'])
    expect([zoo.messages.length, zoo.connections()]).toEqual([2, 2])
  }))

test('a reused connection that breaks at MAIL is replaced within the same send, a fresh one is not', () =>
  withZoo({ answers: { mail: ['250 ok', { drop: true }, { drop: true }] } }, async ({ zoo, relay }) => {
    expect((await relay.send(mail())).outcome).toBe('accepted')
    expect(await relay.send(mail())).toMatchObject({ outcome: 'deferred', stage: 'mail' })
    expect((await relay.send(mail())).outcome).toBe('accepted')
    expect([zoo.messages.length, zoo.connections()]).toEqual([2, 3])
  }))

test('a reused connection on which no answer comes is replaced within the same send, long before a fresh one is', () =>
  withZoo(
    { answers: { mail: ['250 ok', { silent: true }] } },
    async ({ zoo, relay }) => {
      expect(outcomes([await relay.send(mail()), await relay.send(mail())])).toEqual(['accepted'])
      expect([zoo.messages.length, zoo.connections()]).toEqual([2, 2])
    },
    { limits: { reusedMs: 100 } },
  ))

test('connections whose answer is long due make room for as many others', () =>
  withZoo(
    { answers: { final: Array(4).fill({ silent: true }) } },
    async ({ zoo, relay }) => {
      const results = await Promise.all(many(5).map(relay.send))
      expect(results.map(({ outcome }) => outcome)).toEqual([...Array(4).fill('deferred'), 'accepted'])
      expect(zoo.connections()).toBe(5)
    },
    { query: 'pool=2', limits: { overdueMs: 50, finalMs: 1_500 } },
  ))

test('a connection that cannot be reset is replaced, and the next message is not blamed', () =>
  withZoo({ answers: { rcpt: ['550 5.1.1 no'], rset: '500 5.5.2 what?' } }, async ({ zoo, relay }) => {
    expect((await relay.send(mail())).outcome).toBe('refused')
    expect((await relay.send(mail())).outcome).toBe('accepted')
    expect([zoo.messages.length, zoo.connections()]).toEqual([1, 2])
  }))

test('a reused connection that breaks after the final dot is not tried again: the message may have arrived', () =>
  withZoo({ answers: { final: ['250 ok', { drop: true }] } }, async ({ zoo, relay }) => {
    await relay.send(mail())
    expect(await relay.send(mail())).toMatchObject({ outcome: 'deferred', stage: 'final' })
    expect(zoo.connections()).toBe(1)
  }))

test('an idle connection on which the server speaks up is not used again', () =>
  withZoo({}, async ({ zoo, relay }) => {
    await relay.send(mail())
    zoo.shout('421 4.4.2 idle\r\n')
    await Bun.sleep(20)
    expect((await relay.send(mail())).outcome).toBe('accepted')
    expect(zoo.connections()).toBe(2)
  }))

test('all idle connections broken at once: every message still goes', () =>
  withZoo(
    {},
    async ({ zoo, relay }) => {
      await Promise.all(many(20).map(relay.send))
      zoo.dropAll()
      expect(outcomes(await Promise.all(many(20).map(relay.send)))).toEqual(['accepted'])
      expect(zoo.messages.length).toBe(40)
    },
    { query: 'pool=4' },
  ))

test('a relay that allows two connections serves a pool of six', () =>
  withZoo(
    { maxConnections: 2 },
    async ({ zoo, relay }) => {
      expect(outcomes(await Promise.all(many(40).map(relay.send)))).toEqual(['accepted'])
      expect(zoo.messages.length).toBe(40)
    },
    { query: 'pool=6' },
  ))

test('a relay that is down answers all waiting messages at once, not one time limit after the other', () =>
  withZoo(
    { answers: { greeting: { silent: true } } },
    async ({ zoo, relay }) => {
      expect(outcomes(await Promise.all(many(50).map(relay.send)))).toEqual(['deferred'])
      expect(zoo.connections()).toBeLessThan(10)
    },
    { query: 'pool=2', limits: shortLimits },
  ))

test('a connection is replaced after its number of messages, and an idle one is closed', () =>
  withZoo(
    {},
    async ({ zoo, relay }) => {
      for (const message of many(7)) await relay.send(message)
      expect(zoo.connections()).toBe(3)
      await until('it is closed', () => zoo.openNow() === 0)
      expect(zoo.commands.at(-1)).toBe('QUIT')
      expect((await relay.send(mail())).outcome).toBe('accepted')
    },
    { query: 'pool=1&maxMessages=3', limits: { idleMs: 50 } },
  ))

test('close says goodbye, and a send afterwards is deferred', () =>
  withZoo({}, async ({ zoo, relay }) => {
    await relay.send(mail())
    await relay.close()
    expect(zoo.commands.at(-1)).toBe('QUIT')
    expect(await relay.send(mail())).toMatchObject({
      outcome: 'deferred',
      response: 'the transport is closed',
    })
  }))

test('close answers those who wait for a connection', () =>
  withZoo(
    { answers: { final: { silent: true } } },
    async ({ relay }) => {
      const sends = many(3).map(relay.send)
      await Bun.sleep(30)
      await relay.close()
      expect(outcomes(await Promise.all(sends))).toEqual(['deferred'])
    },
    { limits: { finalMs: 300 } },
  ))

const refusals: Array<[string, Partial<Record<ZooStage, ZooAnswer[]>>, string, string]> = [
  ['its sender', { mail: ['250 ok', '550 5.7.1 no'] }, 'mail', 'other'],
  ['its recipient', { rcpt: ['250 ok', '550 5.1.1 no'] }, 'rcpt', 'address'],
  ['it at DATA', { data: ['354 go', '554 5.5.1 no'] }, 'data', 'other'],
]
for (const [what, answers, stage, blame] of refusals) {
  test(`a relay that refuses ${what} is believed, and the connection carries the next message`, () =>
    withZoo({ answers }, async ({ zoo, relay }) => {
      const results = await Promise.all(many(4).map(relay.send))
      expect(results[1]).toMatchObject({ outcome: 'refused', blame, stage })
      expect(zoo.messages.flatMap(({ to }) => to)).toEqual(['<u0@y.test>', '<u2@y.test>', '<u3@y.test>'])
      expect(zoo.connections()).toBe(1)
    }))
}

describe('however a message ends, those that wait for its connection arrive once', () => {
  const ends: Array<[string, ZooAnswer, string]> = [
    ['the connection breaks', { drop: true }, 'deferred'],
    ['421', '421 4.3.2 down', 'deferred'],
    ['nonsense', 'HTTP/1.1 400 Bad Request', 'deferred'],
    ['put off', '451 4.3.0 later', 'deferred'],
    ['refused', '554 5.7.1 spam', 'refused'],
    ['taken, and the connection ends', { text: '250 ok', thenDrop: true }, 'accepted'],
    ['taken, with words that answer nothing', '250 ok\r\n250 2.0.0 did you hear?', 'accepted'],
    ['no answer', { silent: true }, 'deferred'],
  ]
  for (const [what, final, outcome] of ends) {
    test(what, () =>
      withZoo(
        { answers: { final: ['250 ok', final] } },
        async ({ zoo, relay }) => {
          const results = await Promise.all(many(5).map(relay.send))
          expect(results.map(result => result.outcome as string)).toEqual([
            'accepted',
            outcome,
            ...Array(3).fill('accepted'),
          ])
          const others = zoo.messages.flatMap(({ to }) => to).filter(to => to !== '<u1@y.test>')
          expect(others.toSorted()).toEqual(['<u0@y.test>', '<u2@y.test>', '<u3@y.test>', '<u4@y.test>'])
        },
        { limits: { finalMs: 300 } },
      ),
    )
  }
})
