// Awkward relays: whatever they say or don't say, each message gets one right answer in time and the next message is unharmed.
import { describe, expect, test } from 'bun:test'
import { mail, plainText, shortLimits, withZoo } from '../support/smtp-mail'
import type { ZooStage } from '../support/smtp-zoo-conversation'

const stages: ZooStage[] = ['greeting', 'ehlo', 'mail', 'rcpt', 'data', 'final']
/** Which time limit an answer at this stage has. */
const limitOf = (stage: ZooStage) =>
  stage === 'greeting' ? 'greetingMs' : stage === 'final' ? 'finalMs' : 'commandMs'
const pipelining = ['PIPELINING', 'ENHANCEDSTATUSCODES']
const plain = ['ENHANCEDSTATUSCODES']

for (const [kind, extensions] of [
  ['with PIPELINING', pipelining],
  ['without PIPELINING', plain],
] as const) {
  describe(kind, () => {
    for (const stage of stages) {
      test(`421 at ${stage} is deferred and the next message goes over a new connection`, () =>
        withZoo({ extensions, answers: { [stage]: ['421 4.3.2 going down'] } }, async ({ zoo, relay }) => {
          const first = await relay.send(mail())
          expect(first).toMatchObject({ outcome: 'deferred', code: 421, enhanced: '4.3.2', stage })
          expect(await relay.send(mail())).toMatchObject({ outcome: 'accepted', delivered: true })
          expect([zoo.messages.length, zoo.connections()]).toEqual([1, 2])
        }))

      test(`a connection dropped at ${stage} is deferred and the next message goes over a new one`, () =>
        withZoo({ extensions, answers: { [stage]: [{ drop: true }] } }, async ({ zoo, relay }) => {
          const first = await relay.send(mail())
          expect(first).toMatchObject({ outcome: 'deferred', stage })
          expect(first).not.toHaveProperty('code')
          expect((await relay.send(mail())).outcome).toBe('accepted')
          expect([zoo.messages.length, zoo.connections()]).toEqual([1, 2])
        }))

      test(`silence at ${stage} ends with the time limit`, () =>
        withZoo(
          { extensions, answers: { [stage]: [{ silent: true }] } },
          async ({ zoo, relay }) => {
            const result = await relay.send(mail())
            expect(result).toMatchObject({ outcome: 'deferred', stage, response: 'no answer within 500 ms' })
            expect((await relay.send(mail())).outcome).toBe('accepted')
            expect(zoo.messages.length).toBe(1)
          },
          { limits: { [limitOf(stage)]: 500 } },
        ))
    }

    const refusals: Array<[ZooStage, string, 'deferred' | 'address' | 'other']> = [
      ['mail', '451 4.3.0 later', 'deferred'],
      ['mail', '550 5.7.1 sender refused', 'other'],
      ['rcpt', '450 4.2.0 greylisted', 'deferred'],
      ['rcpt', '550 5.1.1 no such user', 'address'],
      ['rcpt', '550 5.7.1 policy', 'other'],
      ['rcpt', '553 no such user', 'address'],
      ['data', '451 4.3.0 later', 'deferred'],
      ['data', '554 5.5.1 no', 'other'],
      ['final', '451 4.3.0 later', 'deferred'],
      ['final', '554 5.7.1 spam', 'other'],
      ['final', '550-5.1.1 no\r\n550 5.1.1 such user', 'address'],
    ]
    for (const [stage, answer, meaning] of refusals) {
      test(`${JSON.stringify(answer)} at ${stage} -> ${meaning}, and the connection is used again`, () =>
        withZoo({ extensions, answers: { [stage]: [answer] } }, async ({ zoo, relay }) => {
          const result = await relay.send(mail())
          expect(result.outcome === 'refused' ? result.blame : result.outcome).toBe(meaning)
          expect(result).toMatchObject({ stage, code: Number(answer.slice(0, 3)) })
          expect(await relay.send(mail({ to: 'next@y.test' }))).toMatchObject({ outcome: 'accepted' })
          expect(zoo.messages.map(message => message.to)).toEqual([['<next@y.test>']])
          expect(zoo.connections()).toBe(1)
        }))
    }

    const also = ['c@y.test', 'd@y.test', 'e@y.test']

    test('of several recipients, those that are refused are told apart, and the others get the message', () =>
      withZoo(
        { extensions, answers: { rcpt: ['250 ok', '550 5.1.1 no', '250 ok', '452 4.2.2 full'] } },
        async ({ zoo, relay }) => {
          expect(await relay.send(mail({ also }))).toMatchObject({
            outcome: 'accepted',
            untaken: [
              { address: 'c@y.test', outcome: 'refused', blame: 'address', code: 550 },
              { address: 'e@y.test', outcome: 'deferred', code: 452 },
            ],
          })
          expect(zoo.messages.map(({ to }) => to)).toEqual([['<b@y.test>', '<d@y.test>']])
          expect(await relay.send(mail({ also }))).not.toHaveProperty('untaken')
          expect([zoo.messages.length, zoo.connections()]).toEqual([2, 1])
        },
      ))

    test('where the first recipient is refused, the others get nothing', () =>
      withZoo({ extensions, answers: { rcpt: ['550 5.1.1 no'] } }, async ({ zoo, relay }) => {
        expect(await relay.send(mail({ also }))).toMatchObject({ outcome: 'refused', blame: 'address' })
        expect((await relay.send(mail())).outcome).toBe('accepted')
        const written = zoo.messages.filter(({ raw }) => raw !== '')
        expect(written.map(({ to }) => to)).toEqual([['<b@y.test>']])
      }))

    test('421 to a later recipient puts all of it off', () =>
      withZoo({ extensions, answers: { rcpt: ['250 ok', '421 4.3.2 down'] } }, async ({ zoo, relay }) => {
        expect(await relay.send(mail({ also }))).toMatchObject({ outcome: 'deferred', code: 421 })
        expect(zoo.messages).toHaveLength(0)
      }))
  })
}

describe('odd manners', () => {
  test('a greeting of many lines, and all answers byte by byte', () =>
    withZoo(
      { byteDelayMs: 1, answers: { greeting: '220-hello\r\n220-please behave\r\n220 zoo' } },
      async ({ zoo, relay }) => {
        expect((await relay.send(mail())).outcome).toBe('accepted')
        expect(zoo.messages[0]!.raw).toBe(plainText)
      },
    ))

  test('a server that knows no EHLO is spoken to with HELO', () =>
    withZoo({ answers: { ehlo: ['502 5.5.1 what?', '250 old'] } }, async ({ zoo, relay }) => {
      expect((await relay.send(mail())).outcome).toBe('accepted')
      expect(zoo.commands[1]).toStartWith('HELO ')
      expect(zoo.groups).toContainEqual(['MAIL FROM:<a@x.test>'])
    }))

  test('a server that refuses the recipient and still asks for data gets an empty message', () =>
    withZoo({ answers: { rcpt: ['550 5.1.1 no'], data: ['354 go on'] } }, async ({ zoo, relay }) => {
      expect(await relay.send(mail())).toMatchObject({ outcome: 'refused', blame: 'address', stage: 'rcpt' })
      expect((await relay.send(mail({ to: 'next@y.test' }))).outcome).toBe('accepted')
      expect(zoo.messages.map(({ to, raw }) => [to, raw])).toEqual([
        [[], ''],
        [['<next@y.test>'], plainText],
      ])
    }))

  for (const greeting of [
    'HTTP/1.1 400 Bad Request',
    'SSH-2.0-OpenSSH',
    '\u0000\u0001',
    'x'.repeat(70_000),
  ]) {
    test(`a server that says ${JSON.stringify(greeting.slice(0, 24))} is no relay`, () =>
      withZoo({ answers: { greeting } }, async ({ relay }) => {
        const result = await relay.send(mail())
        expect(result).toMatchObject({ outcome: 'deferred', stage: 'greeting' })
        expect(result.response.length).toBeLessThanOrEqual(1_000)
      }))
  }

  test('nobody listens', async () => {
    await withZoo({}, async ({ zoo, relay }) => {
      await zoo.close()
      expect(await relay.send(mail())).toMatchObject({ outcome: 'deferred', stage: 'connect' })
      await expect(relay.verify()).rejects.toThrow('cannot connect to 127.0.0.1')
    })
  })

  test('two answers to one command do not shift later answers', () =>
    withZoo({ answers: { final: ['250 ok\r\n550 5.1.1 for whom?'] } }, async ({ zoo, relay }) => {
      expect((await relay.send(mail())).outcome).toBe('accepted')
      expect((await relay.send(mail())).outcome).toBe('accepted')
      expect(zoo.connections()).toBe(2)
    }))
})

describe('bodies', () => {
  test('MAIL, RCPT and DATA go in one piece where the server pipelines, else one by one', async () => {
    await withZoo({ extensions: pipelining }, async ({ zoo, relay }) => {
      await relay.send(mail())
      expect(zoo.groups).toContainEqual(['MAIL FROM:<a@x.test>', 'RCPT TO:<b@y.test>', 'DATA'])
    })
    await withZoo({ extensions: plain }, async ({ zoo, relay }) => {
      await relay.send(mail())
      expect(zoo.groups.slice(1)).toEqual([['MAIL FROM:<a@x.test>'], ['RCPT TO:<b@y.test>'], ['DATA']])
    })
  })

  const bodies: Array<[string, string]> = [
    ['dots everywhere', '.\r\n..\r\na.\r\n...b\r\n.\r\n'],
    ['a line of 998 octets', `Subject: x\r\n\r\n${'x'.repeat(998)}\r\n`],
    ['a line of dots of 998 octets', `Subject: x\r\n\r\n${'.'.repeat(998)}\r\n`],
    [
      'every octet',
      `Subject: x\r\n\r\n${Array.from({ length: 256 }, (_, n) => (n === 10 || n === 13 ? '' : String.fromCharCode(n))).join('')}\r\n`,
    ],
    [
      'a second message inside',
      'Subject: x\r\n\r\n.\r\nMAIL FROM:<evil@z.test>\r\nRCPT TO:<c@y.test>\r\nDATA\r\n',
    ],
    ['a megabyte, written in pieces', `Subject: x\r\n\r\n${`.${'y'.repeat(70)}\r\n`.repeat(15_000)}`],
  ]
  for (const [name, raw] of bodies) {
    test(`${name} arrives unchanged`, () =>
      withZoo({}, async ({ zoo, relay }) => {
        expect((await relay.send(mail({ raw: Buffer.from(raw, 'latin1') }))).outcome).toBe('accepted')
        expect(zoo.messages.length).toBe(1)
        expect(zoo.messages[0]!.raw === raw).toBe(true)
        expect(zoo.messages[0]!.to).toEqual(['<b@y.test>'])
      }))
  }

  const long = `Subject: x\r\n\r\n${`${'y'.repeat(70)}\r\n`.repeat(200_000)}`

  test('a server that stops reading within the message runs into the time limit', () =>
    withZoo(
      { stallInBody: true },
      async ({ relay }) => {
        expect(await relay.send(mail({ raw: long }))).toMatchObject({ outcome: 'deferred', stage: 'body' })
      },
      { limits: shortLimits },
    ))

  test('a connection lost within the message is deferred', () =>
    withZoo({ dropInBodyAfter: 5_000 }, async ({ zoo, relay }) => {
      expect(await relay.send(mail({ raw: long }))).toMatchObject({ outcome: 'deferred' })
      expect(zoo.messages).toEqual([])
    }))

  test('8-bit octets and UTF-8 addresses stay here where the server lacks the extension, and blame nobody', () =>
    withZoo({ extensions: pipelining }, async ({ zoo, relay }) => {
      const results = [await relay.send(mail({ raw: 'é' })), await relay.send(mail({ to: 'jörg@y.test' }))]
      for (const result of results) expect(result).toMatchObject({ outcome: 'refused', blame: 'other' })
      expect((await relay.send(mail({ to: 'b@bücher.test' }))).outcome).toBe('accepted')
      expect(zoo.messages.map(message => message.to)).toEqual([['<b@xn--bcher-kva.test>']])
    }))

  test('an address with a line break never reaches the wire', () =>
    withZoo({}, async ({ zoo, relay }) => {
      const result = await relay.send(mail({ to: 'b@y.test>\r\nRCPT TO:<evil@z.test' }))
      expect(result).toMatchObject({ outcome: 'refused', blame: 'other' })
      expect(zoo.commands.filter(line => line.includes('evil'))).toEqual([])
    }))
})
