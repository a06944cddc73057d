// Commands that are sent ahead, behind the message before: what a relay that takes them gains, and that nothing is lost, doubled or blamed by
// one that does not, or in whatever way the message before ends.
import { describe, expect, test } from 'bun:test'
import { parseSmtpUrl } from '../../src/mail/smtp/options'
import { openSmtpSession } from '../../src/mail/smtp/session'
import { mail, plainText, withZoo } from '../support/smtp-mail'
import { startZoo } from '../support/smtp-zoo'
import type { ZooAnswer } from '../support/smtp-zoo-conversation'
import { until } from '../support/until'

const many = (count: number) => Array.from({ length: count }, (_, n) => mail({ to: `u${n}@y.test` }))
const recipients = (count: number) => Array.from({ length: count }, (_, n) => `<u${n}@y.test>`)
const rcpt = (lines: string[]) => lines.filter(line => line.startsWith('RCPT')).map(line => line.slice(8))
const outcomes = (results: Array<{ outcome: string }>) => results.map(({ outcome }) => outcome)
const all = (count: number, outcome = 'accepted') => Array(count).fill(outcome)
const arrived = (messages: ReadonlyArray<{ to: string[] }>) => messages.flatMap(({ to }) => to)
const held = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { answer: { text: '250 ok', when: promise }, release: resolve }
}

describe('a relay that takes them', () => {
  test('gets them behind each message that another one waits for, from the second on a connection', () =>
    withZoo({}, async ({ zoo, relay }) => {
      expect(outcomes(await Promise.all(many(6).map(relay.send)))).toEqual(all(6))
      expect(rcpt(zoo.ahead)).toEqual(recipients(6).slice(2))
      expect(arrived(zoo.messages)).toEqual(recipients(6))
      expect(zoo.messages.every(({ raw }) => raw === plainText)).toBe(true)
      expect([zoo.connections(), zoo.commands.includes('RSET')]).toEqual([1, false])
      // Nothing is left over: one more is as before.
      expect((await relay.send(mail())).outcome).toBe('accepted')
      expect([zoo.connections(), zoo.ahead.length]).toEqual([1, 12])
    }))

  test('where nobody waits, nothing is sent ahead', () =>
    withZoo({}, async ({ zoo, relay }) => {
      for (const message of many(4)) await relay.send(message)
      expect([zoo.messages.length, zoo.ahead.length]).toEqual([4, 0])
    }))

  test.each<[string, string[], string]>([
    ['without PIPELINING', ['ENHANCEDSTATUSCODES'], plainText],
    ['behind a message that is written in pieces', ['PIPELINING'], `${'y'.repeat(70)}\r\n`.repeat(4_000)],
  ])('nothing is sent ahead %s', (_, extensions, raw) =>
    withZoo({ extensions }, async ({ zoo, relay }) => {
      const sends = many(5).map(({ envelope: { to } }) => relay.send(mail({ to, raw })))
      expect(outcomes(await Promise.all(sends))).toEqual(all(5))
      expect([zoo.messages.length, zoo.ahead.length, zoo.connections()]).toEqual([5, 0, 1])
    }),
  )

  test('parameters and further recipients go along, more of them than there is room for too', () =>
    withZoo({ answers: { rcpt: Array(4).fill('250 ok').concat('550 5.1.1 no') } }, async ({ zoo, relay }) => {
      const also = Array.from({ length: 20 }, (_, n) => `${'long'.repeat(10)}${n}@y.test`)
      const raw = 'Subject: é\r\n\r\nü\r\n'
      const sends = [mail(), mail(), mail({ to: 'jörg@y.test', also, raw }), mail({ to: 'last@y.test' })]
      const results = await Promise.all(sends.map(relay.send))
      expect(outcomes(results)).toEqual(all(4))
      expect(results[2]).toMatchObject({ untaken: [{ address: also[1], code: 550 }] })
      expect(results[3]).not.toHaveProperty('untaken')
      expect(zoo.ahead[0]).toBe(
        `MAIL FROM:<a@x.test> SIZE=${Buffer.byteLength(raw) + 3} BODY=8BITMIME SMTPUTF8`,
      )
      const [, , third] = zoo.messages
      expect(third!.to.length).toBe(20)
      expect(Buffer.from(third!.raw, 'latin1').toString()).toBe(raw)
      expect(rcpt(zoo.ahead).length).toBe(22)
    }))

  test('a message that this relay cannot take is not sent ahead, and harms nobody', () =>
    withZoo({ extensions: ['PIPELINING'] }, async ({ zoo, relay }) => {
      const sends = [mail(), mail(), mail({ to: 'jörg@y.test' }), mail({ to: 'last@y.test' })]
      const results = outcomes(await Promise.all(sends.map(relay.send)))
      expect(results).toEqual(['accepted', 'accepted', 'refused', 'accepted'])
      expect([zoo.messages.length, zoo.connections(), zoo.ahead.length]).toEqual([3, 1, 0])
    }))

  test('a message that this relay cannot take has its answer, even if the connection is given up meanwhile', () =>
    withZoo(
      { extensions: ['PIPELINING'], answers: { final: ['250 ok', '250 ok\r\n250 2.0.0 did you hear?'] } },
      async ({ relay }) => {
        const sends = [mail(), mail(), mail({ to: 'jörg@y.test' }), mail()]
        const results = outcomes(await Promise.all(sends.map(relay.send)))
        expect(results).toEqual(['accepted', 'accepted', 'refused', 'accepted'])
      },
    ))

  test('a connection carries no more messages than it may', () =>
    withZoo(
      {},
      async ({ zoo, relay }) => {
        expect(outcomes(await Promise.all(many(9).map(relay.send)))).toEqual(all(9))
        expect(zoo.messages.map(({ connection }) => connection)).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3])
        expect(rcpt(zoo.ahead)).toEqual(['<u2@y.test>', '<u5@y.test>', '<u8@y.test>'])
      },
      { query: 'pool=1&maxMessages=3' },
    ))

  const refusals: Array<[string, Partial<Record<'mail' | 'rcpt' | 'data', ZooAnswer[]>>, string, string]> = [
    ['its sender', { mail: ['250 ok', '250 ok', '550 5.7.1 no'] }, 'mail', 'other'],
    ['its recipient', { rcpt: ['250 ok', '250 ok', '550 5.1.1 no'] }, 'rcpt', 'address'],
    ['it at DATA', { data: ['354 go', '354 go', '554 5.5.1 no'] }, 'data', 'other'],
    [
      'its recipient, and still asks for data,',
      { rcpt: ['250 ok', '250 ok', '550 5.1.1 no'], data: ['354 go', '354 go', '354 go'] },
      ...(['rcpt', 'address'] as const),
    ],
  ]
  for (const [what, answers, stage, blame] of refusals) {
    test(`a relay that refuses ${what} is believed, and the connection is used again`, () =>
      withZoo({ answers }, async ({ zoo, relay }) => {
        const results = await Promise.all(many(6).map(relay.send))
        expect(results[2]).toMatchObject({ outcome: 'refused', blame, stage })
        expect(outcomes(results.toSpliced(2, 1))).toEqual(all(5))
        expect(arrived(zoo.messages)).toEqual(recipients(6).toSpliced(2, 1))
        expect(zoo.messages.filter(({ to }) => to.length === 0).every(({ raw }) => raw === '')).toBe(true)
        expect(zoo.connections()).toBe(1)
        // Then it is as before: the one after the next is sent ahead again.
        expect(rcpt(zoo.ahead)).toEqual(['<u2@y.test>', '<u4@y.test>', '<u5@y.test>'])
      }))
  }
})

describe('however the message before ends, the one that was sent ahead arrives once', () => {
  const ends: Array<[string, ZooAnswer, string]> = [
    ['the connection breaks', { drop: true }, 'deferred'],
    ['421', '421 4.3.2 down', 'deferred'],
    ['nonsense', 'HTTP/1.1 400 Bad Request', 'deferred'],
    ['put off', '451 4.3.0 later', 'deferred'],
    ['refused', '554 5.7.1 spam', 'refused'],
    ['taken, and the connection ends', { text: '250 ok', thenDrop: true }, 'accepted'],
    ['no answer', { silent: true }, 'deferred'],
  ]
  for (const [what, final, outcome] of ends) {
    test(what, () =>
      withZoo(
        { answers: { final: ['250 ok', final] } },
        async ({ zoo, relay }) => {
          const results = outcomes(await Promise.all(many(6).map(relay.send)))
          expect(results).toEqual(['accepted', outcome, ...all(4)])
          expect(rcpt(zoo.ahead)[0]).toBe('<u2@y.test>')
          const others = arrived(zoo.messages).filter(to => to !== '<u1@y.test>')
          expect(others.toSorted()).toEqual(recipients(6).toSpliced(1, 1))
        },
        { limits: { finalMs: 300 } },
      ),
    )
  }
})

describe('a relay that does not take them', () => {
  const commands = 'MAIL FROM:<a@x.test> SIZE=79\r\nRCPT TO:<u2@y.test>\r\nDATA\r\n'
  const manners: Array<[string, Parameters<typeof withZoo>[0]]> = [
    ['says 503', { answers: { mail: ['250 ok', '250 ok', '503 5.5.1 nested MAIL'] } }],
    ['throws them away', { discardsBehind: commands.length }],
    ['throws the first of them away', { discardsBehind: 30 }],
    ['throws some bytes away', { discardsBehind: 7 }],
    ['drops the connection at them', { answers: { mail: ['250 ok', '250 ok', { drop: true }] } }],
    ['says nothing', { answers: { mail: ['250 ok', '250 ok', { silent: true }] } }],
    [
      'refuses the message before them',
      { answers: { final: ['250 ok', '554 SMTP synchronization error', '250 ok'] } },
    ],
    [
      'refuses the message before them, and drops the connection',
      { answers: { final: ['250 ok', { text: '554 5.5.0 Error: improper pipelining', thenDrop: true }] } },
    ],
  ]
  for (const [what, script] of manners) {
    test(`and ${what} is noticed once: every message arrives once, and nothing is sent ahead any more`, () =>
      withZoo(
        script,
        async ({ zoo, relay }) => {
          const startedAt = performance.now()
          expect(outcomes(await Promise.all(many(12).map(relay.send)))).toEqual(all(12))
          expect(performance.now() - startedAt).toBeLessThan(10_000)
          expect(arrived(zoo.messages).toSorted()).toEqual(recipients(12).toSorted())
          expect(zoo.messages.every(({ raw }) => raw === plainText)).toBe(true)
          expect(zoo.connections()).toBe(2)
          expect(rcpt(zoo.ahead).length).toBeLessThanOrEqual(1)
        },
        { limits: { aheadMs: 200 } },
      ))
  }

  test('or says 503 to a further recipient gets the message once, in the usual way', () =>
    withZoo(
      { answers: { rcpt: ['250 ok', '250 ok', '250 ok', '503 5.5.1 one at a time'] } },
      async ({ zoo, relay }) => {
        const sends = [mail(), mail(), mail({ to: 'c@y.test', also: ['d@y.test'] }), mail()]
        expect(outcomes(await Promise.all(sends.map(relay.send)))).toEqual(all(4))
        expect(zoo.messages.filter(({ to }) => to.includes('<c@y.test>')).map(({ to }) => to)).toEqual([
          ['<c@y.test>', '<d@y.test>'],
        ])
      },
      { limits: { aheadMs: 200 } },
    ))

  for (const words of ['550 5.1.1 for whom?', '250 2.0.0 did you hear?']) {
    test(`or says "${words}" in addition blames nobody for it`, () =>
      withZoo({ answers: { final: ['250 ok', `250 ok\r\n${words}`] } }, async ({ zoo, relay }) => {
        expect(outcomes(await Promise.all(many(6).map(relay.send)))).toEqual(all(6))
        expect(arrived(zoo.messages).toSorted()).toEqual(recipients(6))
        expect(zoo.messages.every(({ raw }) => raw === plainText)).toBe(true)
      }))
  }
})

test('a connection that has been told of one message takes no other in its place', async () => {
  const zoo = await startZoo()
  const options = { ...parseSmtpUrl(`smtp://127.0.0.1:${zoo.port}`), clientName: 'x.test' }
  const opened = await openSmtpSession(options)
  if ('fault' in opened) throw new Error(opened.fault.response)
  const { session } = opened
  const [first, second, told, another] = many(4)
  await session.transact(first!)
  await session.transact(second!, () => told)
  expect([session.isUsable(), session.isUsable(another), session.isUsable(told)]).toEqual([
    false,
    false,
    true,
  ])
  expect(await session.transact(another!)).toMatchObject({ stale: true, result: { outcome: 'deferred' } })
  expect(arrived(zoo.messages)).toEqual(recipients(2))
  await zoo.close()
})

describe('an answer that takes long', () => {
  type Sent = Promise<{ outcome: string; response: string }>

  /**
   * Two connections that have carried a message, two messages whose answers are kept back, and a third that is sent ahead behind the first of
   * them.
   */
  async function withTwoSlow(
    limits: NonNullable<Parameters<typeof withZoo>[2]>['limits'],
    work: (
      world: Parameters<Parameters<typeof withZoo>[1]>[0] & {
        one: { release(): void; sent: Sent }
        other: { release(): void; sent: Sent }
        next: Sent
      },
    ) => Promise<void>,
    otherAnswer?: ZooAnswer,
  ): Promise<void> {
    const [one, other] = [held(), held()]
    const final = ['250 ok', '250 ok', one.answer, otherAnswer ?? other.answer]
    await withZoo(
      { answers: { final } },
      async ({ zoo, relay }) => {
        const send = (to: string): Sent => relay.send(mail({ to: `${to}@y.test` }))
        await Promise.all([send('warm'), send('up')])
        const [first, second, next] = [send('one'), send('other'), send('next')]
        await until('both messages are there', () => final.length === 0)
        expect(rcpt(zoo.ahead)).toEqual(['<next@y.test>'])
        const world = { one: { ...one, sent: first }, other: { ...other, sent: second }, next }
        await work({ zoo, relay, ...world })
      },
      { query: 'pool=2', limits },
    )
  }

  const copies = (messages: ReadonlyArray<{ to: string[]; raw: string }>, to: string): number =>
    messages.filter(message => message.to[0] === `<${to}@y.test>` && message.raw === plainText).length

  test('what was sent ahead behind it leaves for a connection that is free, and the first one is closed without a word', () =>
    withTwoSlow({ patienceMs: 100 }, async ({ zoo, one, other, next }) => {
      await Bun.sleep(150)
      other.release()
      expect((await next).outcome).toBe('accepted')
      one.release()
      expect(outcomes(await Promise.all([one.sent, other.sent]))).toEqual(all(2))
      await until('the connection is closed', () => zoo.openNow() === 1)
      // A goodbye would be taken for a part of the message that does not come.
      expect(zoo.cutOff).toEqual([''])
      expect(['one', 'other', 'next'].map(to => copies(zoo.messages, to))).toEqual([1, 1, 1])
      expect([zoo.messages.length, zoo.connections(), zoo.commands.includes('QUIT')]).toEqual([5, 2, false])
    }))

  test('what was sent ahead leaves for one that became free before, and idles', () =>
    withTwoSlow({ patienceMs: 100 }, async ({ zoo, one, other, next }) => {
      other.release()
      expect((await next).outcome).toBe('accepted')
      one.release()
      expect((await one.sent).outcome).toBe('accepted')
      expect([zoo.messages.length, zoo.connections(), copies(zoo.messages, 'next')]).toEqual([5, 2, 1])
    }))

  test('what was sent ahead leaves for a new one, where there is room', () =>
    withTwoSlow(
      { patienceMs: 100 },
      async ({ zoo, one, other, next }) => {
        expect([(await other.sent).outcome, (await next).outcome]).toEqual(['deferred', 'accepted'])
        one.release()
        expect((await one.sent).outcome).toBe('accepted')
        expect([zoo.messages.length, zoo.connections(), copies(zoo.messages, 'next')]).toEqual([4, 3, 1])
      },
      { drop: true },
    ))

  test('once it is overdue, what was sent ahead goes by the connection that takes its place', () =>
    withTwoSlow({ overdueMs: 100 }, async ({ zoo, one, other, next }) => {
      expect((await next).outcome).toBe('accepted')
      one.release()
      other.release()
      expect(outcomes(await Promise.all([one.sent, other.sent]))).toEqual(all(2))
      await until('both connections are closed', () => zoo.openNow() <= 1)
      expect([zoo.messages.length, copies(zoo.messages, 'next')]).toEqual([5, 1])
    }))

  test('where it comes before another connection is free, the next message goes on behind it', () =>
    withTwoSlow({ patienceMs: 50 }, async ({ zoo, relay, one, other, next }) => {
      await Bun.sleep(100)
      one.release()
      expect(outcomes(await Promise.all([one.sent, next]))).toEqual(all(2))
      other.release()
      await other.sent
      expect([zoo.messages.length, zoo.connections(), zoo.openNow()]).toEqual([5, 2, 2])
      // Neither is still lent to somebody.
      await relay.close()
      await until('both are closed', () => zoo.openNow() === 0)
    }))

  test('where it comes in time, the next message goes on behind it, whatever is free meanwhile', () =>
    withTwoSlow({}, async ({ zoo, one, other, next }) => {
      other.release()
      await other.sent
      one.release()
      expect(outcomes(await Promise.all([one.sent, next]))).toEqual(all(2))
      expect([zoo.messages.length, zoo.connections(), zoo.openNow()]).toEqual([5, 2, 2])
    }))

  test('close answers for what was sent ahead, and nothing of it arrives', () =>
    withTwoSlow({}, async ({ zoo, relay, one, other, next }) => {
      await relay.close()
      expect(await next).toMatchObject({ outcome: 'deferred', response: 'the transport is closed' })
      one.release()
      other.release()
      expect(outcomes(await Promise.all([one.sent, other.sent]))).toEqual(all(2))
      await until('all is closed', () => zoo.openNow() === 0)
      expect([zoo.messages.length, copies(zoo.messages, 'next')]).toEqual([4, 0])
    }))

  test('nothing is sent ahead where answers take longer than a message waits for one', () =>
    withZoo(
      { answers: { final: Array.from({ length: 5 }, () => ({ text: '250 ok', afterMs: 60 })) } },
      async ({ zoo, relay }) => {
        expect(outcomes(await Promise.all(many(5).map(relay.send)))).toEqual(all(5))
        expect([zoo.messages.length, zoo.ahead.length, zoo.connections()]).toEqual([5, 0, 1])
      },
      { limits: { patienceMs: 80 } },
    ))
})
