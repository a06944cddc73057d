// Signing in by OAuth 2.0, against an independent server (smtp-server) and a token endpoint of our own: a token is asked for once, kept,
// renewed where it is refused, and no secret is in any answer.
import { afterEach, expect, test } from 'bun:test'
import { SMTPServer } from 'smtp-server'
import { smtpTransport } from '../../src/platform/transports/smtp'
import { mail } from '../support/smtp-mail'
import { zooCertificate } from '../support/smtp-zoo'

const open: Array<() => unknown> = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** Gives out `token-1`, `token-2` and so on, for the one refresh token that it knows. */
function tokenEndpoint() {
  const asked: URLSearchParams[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const form = new URLSearchParams(await request.text())
      asked.push(form)
      return form.get('refresh_token') === 'refresh-me'
        ? Response.json({ access_token: `token-${asked.length}`, expires_in: 3600 })
        : Response.json(
            { error: 'invalid_grant', error_description: `${form.get('refresh_token')} is revoked` },
            { status: 400 },
          )
    },
  })
  open.push(() => server.stop(true))
  return { url: `http://127.0.0.1:${server.port}/token`, asked }
}

async function world({ takes = ['token-1'], methods = ['XOAUTH2'], refreshToken = 'refresh-me' } = {}) {
  const endpoint = tokenEndpoint()
  const taken: string[] = []
  const seen: string[] = []
  const server = new SMTPServer({
    logger: false,
    authMethods: methods,
    ...zooCertificate(),
    onAuth({ username, accessToken = '' }, _session, done) {
      seen.push(`${username} ${accessToken}`)
      if (takes.includes(accessToken)) done(null, { user: username })
      else done(null, { data: { status: '401', schemes: 'bearer' } })
    },
    onData(stream, session, done) {
      stream.on('data', () => {})
      stream.on('end', () => {
        taken.push(session.envelope.rcptTo[0]!.address)
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  open.push(() => new Promise<void>(resolve => server.close(resolve)))
  const { port } = server.server.address() as { port: number }
  const query = new URLSearchParams({
    ...{
      auth: 'oauth2',
      clientId: 'app',
      clientSecret: 'hidden-secret',
      refreshToken,
      tokenUrl: endpoint.url,
    },
    ...{ pool: '1', 'tls.rejectUnauthorized': 'false' },
  })
  const relay = smtpTransport({ url: `smtp://me%40acme.example@127.0.0.1:${port}?${query}` })
  open.push(() => relay.close())
  return { relay, taken, seen, asked: endpoint.asked, takes }
}

test('one token serves all messages, and the endpoint is told who asks', async () => {
  const { relay, taken, seen, asked } = await world()
  for (const to of ['a@y.test', 'b@y.test'])
    expect(await relay.send(mail({ to }))).toMatchObject({ outcome: 'accepted', delivered: true })
  expect(taken).toEqual(['a@y.test', 'b@y.test'])
  expect(seen).toEqual(['me@acme.example token-1'])
  expect(asked.map(form => Object.fromEntries(form))).toEqual([
    {
      client_id: 'app',
      client_secret: 'hidden-secret',
      refresh_token: 'refresh-me',
      grant_type: 'refresh_token',
    },
  ])
  expect(await relay.verify()).toContain('signed in as me@acme.example by OAuth 2.0')
})

test('a token that is refused is renewed once, and the message leaves', async () => {
  const { relay, taken, seen } = await world({ takes: ['token-2'] })
  expect((await relay.send(mail({ to: 'a@y.test' }))).outcome).toBe('accepted')
  expect([taken, seen]).toEqual([['a@y.test'], ['me@acme.example token-1', 'me@acme.example token-2']])
})

test('where no token is taken, two tries are enough, and the answer holds none', async () => {
  const { relay, seen } = await world({ takes: [] })
  const result = await relay.send(mail())
  expect(result).toMatchObject({ stage: 'auth', code: 535 })
  expect(seen).toHaveLength(2)
  expect(JSON.stringify(result)).not.toContain('token-')
})

test('a refresh token that was revoked defers the message, and is not shown', async () => {
  const { relay, seen } = await world({ refreshToken: 'hidden-refresh' })
  const result = await relay.send(mail())
  expect(result).toMatchObject({ outcome: 'deferred', stage: 'auth' })
  expect(result.response).toMatch(/^no access token from 127\.0\.0\.1:\d+: invalid_grant: \*\*\* is revoked/)
  expect(seen).toEqual([])
  await expect(relay.verify()).rejects.toThrow('invalid_grant')
})

test('a relay without XOAUTH2 is named as such', async () => {
  const { relay, asked } = await world({ methods: ['PLAIN'] })
  expect((await relay.send(mail())).response).toBe('the relay does not offer AUTH XOAUTH2')
  expect(asked).toEqual([])
})
