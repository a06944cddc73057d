// Through real relays, Postfix and Exim, with STARTTLS and sign-in, to a sink behind them. Skipped where they are not installed.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { smtpTransport } from '../../src/platform/transports/smtp'
import type { Transport } from '../../src/platform/transports/transport'
import { counterpart } from '../support/counterpart'
import { eximMissing, postfixMissing, type Relay, startExim, startPostfix } from '../support/relays'
import { mail } from '../support/smtp-mail'
import { startZoo, type Zoo } from '../support/smtp-zoo'
import { until } from '../support/until'

// Exim can't be installed beside Postfix, so it may be missing anywhere.
const missingPostfix = postfixMissing()
counterpart('postfix, run as root', missingPostfix === undefined)
const servers = [
  { name: 'Postfix', missing: missingPostfix, start: startPostfix, methods: ['PLAIN'] },
  { name: 'Exim', missing: eximMissing(), start: startExim, methods: ['PLAIN', 'LOGIN'] },
]

for (const { name, missing, start, methods } of servers) {
  if (missing) {
    test.skip(`${name}: ${missing}`, () => {})
    continue
  }
  describe(name, () => {
    let sink: Zoo
    let server: Relay
    const open: Transport[] = []
    const transport = (login: string, query = ''): Transport => {
      const made = smtpTransport({
        url: `smtp://${login}127.0.0.1:${server.port}?tls.rejectUnauthorized=false&${query}`,
      })
      open.push(made)
      return made
    }
    const arrived = async (count: number): Promise<void> => {
      await until(`${count} have arrived`, () => sink.messages.length >= count).catch(async error => {
        throw new Error(`${error.message}: ${sink.messages.length}\n${await server.log()}`)
      })
    }

    beforeAll(async () => {
      sink = await startZoo()
      server = await start(sink.port)
    })
    afterAll(async () => {
      for (const made of open) await made.close()
      await server?.stop()
      await sink?.close()
    })

    for (const method of methods) {
      test(`a message goes through STARTTLS and AUTH ${method} and arrives unchanged below the trace header`, async () => {
        sink.messages.length = 0
        const relay = transport('me:geheim@', `requireTLS=true&authMethod=${method}`)
        expect(await relay.verify()).toContain('TLSv1.3 (certificate not checked), signed in as me')
        const raw =
          'From: a@x.test\r\nMessage-ID: <1@x.test>\r\nDate: Sun, 01 Mar 2026 12:00:00 +0000\r\n\r\n.\r\n..dots\r\nend\r\n'
        expect(await relay.send(mail({ raw }))).toMatchObject({
          outcome: 'accepted',
          delivered: true,
          code: 250,
        })
        await arrived(1)
        const [message] = sink.messages
        expect([message?.from.split(' ')[0], message?.to[0]?.split(' ')[0]]).toEqual([
          '<a@x.test>',
          '<b@y.test>',
        ])
        expect(message?.raw).toMatch(/^Received: /)
        expect(message?.raw).toEndWith(raw)
      })
    }

    test('what it says of addresses, time and sign-in becomes the right result', async () => {
      const relay = transport('me:geheim@')
      const refused = await relay.send(mail({ to: 'no-such-user@y.test' }))
      expect(refused).toMatchObject({ outcome: 'refused', blame: 'address', code: 550, stage: 'rcpt' })
      expect(await relay.send(mail({ to: 'later@y.test' }))).toMatchObject({
        outcome: 'deferred',
        stage: 'rcpt',
      })
      const big = await relay.send(
        mail({ raw: `Subject: x\r\n\r\n${`${'y'.repeat(70)}\r\n`.repeat(20_000)}` }),
      )
      expect(big).toMatchObject({ outcome: 'refused', blame: 'other', code: 552 })
      const stranger = transport('me:wrong@')
      expect(await stranger.send(mail())).toMatchObject({
        outcome: 'deferred',
        code: 535,
        stage: 'auth',
      })
      const nobody = transport('')
      expect(await nobody.send(mail())).toMatchObject({ outcome: 'refused', blame: 'other', stage: 'rcpt' })
    })

    test('a hundred messages over five connections arrive once each', async () => {
      sink.messages.length = 0
      const relay = transport('me:geheim@', 'pool=5')
      const sends = Array.from({ length: 100 }, (_, n) => relay.send(mail({ to: `u${n}@y.test` })))
      expect((await Promise.all(sends)).filter(result => result.outcome !== 'accepted')).toEqual([])
      await arrived(100)
      expect(new Set(sink.messages.map(({ to }) => to[0])).size).toBe(100)
      expect(sink.messages.length).toBe(100)
    })
  })
}
