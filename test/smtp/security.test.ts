// TLS and sign-in: what is secured, what is refused, and that the password shows up nowhere.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { smtpTransport } from '../../src/platform/transports/smtp'
import { mail, shortLimits, withZoo } from '../support/smtp-mail'
import { zooCertificate } from '../support/smtp-zoo'

const login = 'me%40x.test:geheim-%2Fwort@'
const credentials = { user: 'me@x.test', password: 'geheim-/wort' }
const unchecked = 'tls.rejectUnauthorized=false'
let folder: string
let caFile: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waxwing-ca-'))
  caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, zooCertificate().cert)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('TLS', () => {
  test('STARTTLS is used where it is offered, and EHLO is said again inside', () =>
    withZoo({ tls: 'starttls' }, async ({ zoo, relay }) => {
      expect((await relay.send(mail())).outcome).toBe('accepted')
      expect(zoo.commands.slice(0, 3).map(line => line.split(' ')[0])).toEqual(['EHLO', 'STARTTLS', 'EHLO'])
      expect(await relay.verify()).toContain('TLSv1.3 (certificate not checked), no sign-in')
    }))

  test('a certificate of the given authority is accepted by STARTTLS and by smtps', async () => {
    const query = `requireTLS=true&tls.ca=${encodeURIComponent(caFile)}`
    await withZoo(
      { tls: 'starttls' },
      async ({ relay }) => expect((await relay.send(mail())).outcome).toBe('accepted'),
      { query },
    )
    await withZoo(
      { tls: 'implicit' },
      async ({ relay }) => {
        expect((await relay.send(mail())).outcome).toBe('accepted')
        expect(await relay.verify()).toMatch(/^smtp: 127\.0\.0\.1:\d+, TLSv1\.3, no sign-in$/)
      },
      { scheme: 'smtps', query: `tls.ca=${encodeURIComponent(caFile)}` },
    )
  })

  const distrusted: Array<[string, string, 'smtp' | 'smtps', 'starttls' | 'implicit']> = [
    ['an unknown certificate by STARTTLS', 'requireTLS=true', 'smtp', 'starttls'],
    ['an unknown certificate by smtps', '', 'smtps', 'implicit'],
  ]
  for (const [name, query, scheme, tls] of distrusted) {
    test(`${name} is deferred, and nothing is said inside`, () =>
      withZoo(
        { tls },
        async ({ zoo, relay }) => {
          const result = await relay.send(mail())
          expect(result).toMatchObject({
            outcome: 'deferred',
            stage: scheme === 'smtps' ? 'connect' : 'starttls',
          })
          expect(result.response).toContain('certificate')
          expect(zoo.commands.filter(line => line.startsWith('MAIL'))).toEqual([])
        },
        { scheme, query },
      ))
  }

  for (const tls of ['starttls', 'implicit'] as const) {
    test(`a trusted certificate with another name is refused (${tls})`, () =>
      withZoo(
        { tls },
        async ({ zoo, relay }) => {
          expect((await relay.send(mail())).outcome).toBe('deferred')
          expect(zoo.messages).toEqual([])
        },
        {
          scheme: tls === 'implicit' ? 'smtps' : 'smtp',
          query: `requireTLS=true&tls.servername=other.test&tls.ca=${encodeURIComponent(caFile)}`,
        },
      ))
  }

  test('required TLS that is not offered sends nothing', () =>
    withZoo(
      {},
      async ({ zoo, relay }) => {
        expect(await relay.send(mail())).toMatchObject({ outcome: 'deferred', stage: 'starttls' })
        expect(zoo.commands.length).toBe(1)
      },
      { query: 'requireTLS=true' },
    ))

  test('STARTTLS refused: 454 is deferred', () =>
    withZoo({ tls: 'starttls', answers: { starttls: '454 4.7.0 TLS not available' } }, async ({ relay }) => {
      expect(await relay.send(mail())).toMatchObject({ outcome: 'deferred', code: 454, stage: 'starttls' })
    }))

  test('ignoreTLS stays in the clear', () =>
    withZoo(
      { tls: 'starttls' },
      async ({ zoo, relay }) => {
        expect((await relay.send(mail())).outcome).toBe('accepted')
        expect(zoo.commands).not.toContain('STARTTLS')
      },
      { query: 'ignoreTLS=true' },
    ))

  test('answers that were injected before the handshake count for nothing', () =>
    withZoo(
      {
        tls: 'starttls',
        extensions: [],
        injected: '250-evil\r\n250-PIPELINING\r\n250 AUTH PLAIN\r\n535 no\r\n250 x\r\n250 y',
      },
      async ({ zoo, relay }) => {
        expect(await relay.send(mail())).toMatchObject({
          outcome: 'accepted',
          response: '250 2.0.0 queued as zoo',
        })
        expect(zoo.messages.length).toBe(1)
        expect(zoo.groups.filter(group => group.length > 1)).toEqual([])
      },
    ))

  test('a server that hangs up or falls silent in the handshake', async () => {
    const silentTls = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
    const relay = smtpTransport({
      url: `smtps://127.0.0.1:${silentTls.port}`,
      limits: { ...shortLimits, connectMs: 100 },
    })
    expect(await relay.send(mail())).toMatchObject({ outcome: 'deferred', stage: 'connect' })
    silentTls.stop(true)
    await withZoo(
      {},
      async ({ relay: plain }) => expect((await plain.send(mail())).outcome).toBe('deferred'),
      { scheme: 'smtps', limits: shortLimits },
    )
  })

  test('a long message goes through TLS in pieces', () =>
    withZoo({ tls: 'starttls' }, async ({ zoo, relay }) => {
      const raw = `Subject: x\r\n\r\n${`${'y'.repeat(70)}\r\n`.repeat(12_000)}`
      expect((await relay.send(mail({ raw }))).outcome).toBe('accepted')
      expect(zoo.messages[0]!.raw === raw).toBe(true)
    }))

  test('a CA file that is not there is a fault at once', () => {
    expect(() => smtpTransport({ url: 'smtp://u:geheim@relay.test?tls.ca=/nowhere.pem' })).toThrow(
      'SMTP_URL: cannot read the tls.ca file /nowhere.pem',
    )
  })
})

describe('sign-in', () => {
  for (const mechanisms of ['PLAIN', 'LOGIN', 'CRAM-MD5 LOGIN PLAIN']) {
    test(`a relay that offers ${mechanisms}`, () =>
      withZoo(
        { tls: 'starttls', credentials: { ...credentials, mechanisms } },
        async ({ zoo, relay }) => {
          expect((await relay.send(mail())).outcome).toBe('accepted')
          expect(zoo.commands.findIndex(line => line.startsWith('AUTH'))).toBeGreaterThan(
            zoo.commands.indexOf('STARTTLS'),
          )
          expect(await relay.verify()).toContain('signed in as me@x.test')
        },
        { login, query: unchecked },
      ))
  }

  test('authMethod chooses LOGIN over PLAIN', () =>
    withZoo(
      { credentials },
      async ({ zoo, relay }) => {
        expect((await relay.send(mail())).outcome).toBe('accepted')
        expect(zoo.commands).toContain('AUTH LOGIN')
      },
      { login, query: 'authMethod=login' },
    ))

  test('a wrong password keeps the message for later and fails verify', () =>
    withZoo(
      { credentials: { ...credentials, password: 'other' } },
      async ({ relay }) => {
        expect(await relay.send(mail())).toMatchObject({
          outcome: 'deferred',
          code: 535,
          stage: 'auth',
        })
        await expect(relay.verify()).rejects.toThrow('auth: 535 5.7.8 authentication failed')
      },
      { login },
    ))

  test('454 at AUTH is deferred; a relay without PLAIN and LOGIN too', async () => {
    await withZoo(
      { credentials, answers: { auth: '454 4.7.0 later' } },
      async ({ relay }) =>
        expect(await relay.send(mail())).toMatchObject({ outcome: 'deferred', code: 454, stage: 'auth' }),
      { login },
    )
    for (const script of [{}, { credentials: { ...credentials, mechanisms: 'CRAM-MD5' } }]) {
      await withZoo(
        script,
        async ({ relay }) =>
          expect(await relay.send(mail())).toMatchObject({ outcome: 'deferred', stage: 'auth' }),
        { login },
      )
    }
  })

  test('where TLS is required and not offered the password is not sent', () =>
    withZoo(
      { credentials },
      async ({ zoo, relay }) => {
        expect(await relay.send(mail())).toMatchObject({ outcome: 'deferred', stage: 'starttls' })
        expect(zoo.commands.filter(line => line.startsWith('AUTH'))).toEqual([])
      },
      { login, query: 'requireTLS=true' },
    ))

  const encoded = [
    credentials.password,
    Buffer.from(credentials.password).toString('base64'),
    Buffer.from(`\0${credentials.user}\0${credentials.password}`).toString('base64'),
  ]
  test('a relay that repeats the secret does not get it into results and errors', () =>
    withZoo(
      { credentials, answers: { auth: `535 5.7.8 refused: ${encoded.join(' ')}` } },
      async ({ relay }) => {
        const said = JSON.stringify(await relay.send(mail())) + (await relay.verify().catch(String))
        expect(said).toContain('535 5.7.8 refused: *** *** ***')
        for (const secret of encoded) expect(said).not.toContain(secret)
      },
      { login },
    ))
})
