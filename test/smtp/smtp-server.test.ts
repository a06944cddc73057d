// Against an independent server implementation (smtp-server): STARTTLS, sign-in, exact bytes, refusals, many at once.
import { afterEach, describe, expect, test } from 'bun:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { smtpTransport } from '../../src/platform/transports/smtp'
import { mail } from '../support/smtp-mail'
import { zooCertificate } from '../support/smtp-zoo'

const open: Array<() => unknown> = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

interface Taken {
  from: string
  to: string[]
  raw: string
}

async function world(options: SMTPServerOptions, query = '', login = '') {
  const taken: Taken[] = []
  const server = new SMTPServer({
    logger: false,
    authOptional: true,
    disableReverseLookup: true,
    ...zooCertificate(),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom ? mailFrom.address : ''
        taken.push({
          from,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('latin1'),
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  open.push(() => new Promise<void>(resolve => server.close(resolve)))
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const relay = smtpTransport({ url: `smtp://${login}127.0.0.1:${port}?${query}` })
  open.push(() => relay.close())
  return { taken, relay }
}

const login = (user: string, password: string) => `${user}:${password}@`

describe('smtp-server', () => {
  test('STARTTLS and AUTH, and the very bytes with dots at line starts', async () => {
    const { taken, relay } = await world(
      {
        authOptional: false,
        onAuth: ({ username, password }, _session, done) =>
          username === 'me' && password === 'geheim' ? done(null, { user: 'me' }) : done(new Error('no')),
      },
      'tls.rejectUnauthorized=false&requireTLS=true',
      login('me', 'geheim'),
    )
    expect(await relay.verify()).toContain('signed in as me')
    const raw = 'Subject: x\r\n\r\n.\r\n..\r\n.a\r\nend\r\n'
    expect(await relay.send(mail({ raw }))).toMatchObject({
      outcome: 'accepted',
      delivered: true,
      stage: 'final',
    })
    expect(taken).toEqual([{ from: 'a@x.test', to: ['b@y.test'], raw }])
  })

  test('a wrong password', async () => {
    const { relay, taken } = await world(
      { authOptional: false, onAuth: (_auth, _session, done) => done(new Error('Invalid login')) },
      '',
      login('me', 'geheim'),
    )
    expect(await relay.send(mail())).toMatchObject({ outcome: 'deferred', code: 535 })
    expect(taken).toEqual([])
  })

  const answers: Array<[number, string, string]> = [
    [450, 'deferred', 'greylisted'],
    [550, 'address', 'no such user'],
    [554, 'other', 'policy'],
  ]
  for (const [responseCode, meaning, words] of answers) {
    test(`${responseCode} at RCPT -> ${meaning}`, async () => {
      const { relay } = await world({
        onRcptTo: (_address, _session, done) => done(Object.assign(new Error(words), { responseCode })),
      })
      const result = await relay.send(mail())
      expect(result).toMatchObject({
        code: responseCode,
        response: `${responseCode} ${words}`,
        stage: 'rcpt',
      })
      expect(result.outcome === 'refused' ? result.blame : String(result.outcome)).toBe(meaning)
    })
  }

  test('a message above the size limit is refused and blames nobody', async () => {
    const { relay } = await world({ size: 500 })
    const result = await relay.send(mail({ raw: `Subject: x\r\n\r\n${'y\r\n'.repeat(1_000)}` }))
    expect(result).toMatchObject({ outcome: 'refused', blame: 'other', code: 552 })
  })

  test('three hundred at once arrive once each', async () => {
    const { taken, relay } = await world({}, 'pool=8')
    const sends = Array.from({ length: 300 }, (_, n) => relay.send(mail({ to: `u${n}@y.test` })))
    expect((await Promise.all(sends)).every(result => result.outcome === 'accepted')).toBe(true)
    expect(new Set(taken.map(({ to }) => to[0])).size).toBe(300)
    expect(taken.length).toBe(300)
  })
})
