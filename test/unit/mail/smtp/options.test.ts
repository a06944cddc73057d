// SMTP_URL: what its parts mean, and faults that never show the password.
import { describe, expect, test } from 'bun:test'
import { parseSmtpUrl } from '../../../../src/mail/smtp/options'

describe('parts', () => {
  test('a plain address has a pool of five, port 587 and opportunistic TLS', () => {
    const options = parseSmtpUrl('smtp://relay.test')
    expect(options).toMatchObject({ host: 'relay.test', port: 587, pool: 5, security: 'opportunistic' })
    expect(options.credentials).toBeUndefined()
    expect(options.tls.rejectUnauthorized).toBe(false)
  })

  test('smtps is TLS from the first byte, on 465, with a checked certificate', () => {
    expect(parseSmtpUrl('smtps://relay.test')).toMatchObject({
      port: 465,
      security: 'implicit',
      tls: { rejectUnauthorized: true, servername: 'relay.test' },
    })
  })

  test('user and password are percent-decoded', () => {
    const { credentials } = parseSmtpUrl('smtp://me%40relay.test:p%40ss%3A%2F%25@relay.test:25')
    expect(credentials).toEqual({ user: 'me@relay.test', password: 'p@ss:/%' })
  })

  test('an IPv6 host loses its brackets', () => {
    expect(parseSmtpUrl('smtp://[::1]:2525')).toMatchObject({ host: '::1', port: 2525 })
  })

  const security: Array<[string, string, boolean]> = [
    ['smtp://relay.test?requireTLS=true', 'required', true],
    ['smtp://relay.test?ignoreTLS=true', 'off', false],
    ['smtp://u:pass@relay.test', 'required', true],
    ['smtp://u:pass@relay.test?requireTLS=false', 'opportunistic', false],
    ['smtp://u:pass@relay.test?ignoreTLS=true', 'off', false],
    ['smtp://u:pass@127.0.0.1:25', 'opportunistic', false],
    ['smtp://u:pass@localhost:25', 'opportunistic', false],
    ['smtp://u:pass@localhost.evil.test', 'required', true],
    ['smtp://u:pass@relay.test?tls.rejectUnauthorized=false', 'required', false],
    ['smtps://relay.test?tls.rejectUnauthorized=false', 'implicit', false],
    ['smtp://relay.test?secure=true', 'implicit', true],
  ]
  for (const [url, expected, checked] of security) {
    test(`${url} -> TLS ${expected}, certificate ${checked ? 'checked' : 'not checked'}`, () => {
      const options = parseSmtpUrl(url)
      expect([options.security, options.tls.rejectUnauthorized]).toEqual([
        expected as typeof options.security,
        checked,
      ])
    })
  }

  const pools: Array<[string, number]> = [
    ['pool=1', 1],
    ['pool=20', 20],
    ['pool=true', 5],
    ['pool=false', 1],
    ['pool=true&maxConnections=7', 7],
  ]
  for (const [query, size] of pools) {
    test(`${query} -> ${size} connections`, () => {
      expect(parseSmtpUrl(`smtp://relay.test?${query}`).pool).toBe(size)
    })
  }

  test('time limits, names and files are read', () => {
    const query =
      'socketTimeout=1000&connectionTimeout=2000&greetingTimeout=3000&name=me.test&tls.ca=/x.pem&tls.servername=r&tls.minVersion=TLSv1.3&authMethod=login&maxMessages=9'
    expect(parseSmtpUrl(`smtp://relay.test?${query}`)).toMatchObject({
      limits: { connectMs: 2_000, greetingMs: 3_000, commandMs: 1_000, bodyMs: 1_000, finalMs: 1_000 },
      clientName: 'me.test',
      tls: { caFile: '/x.pem', servername: 'r', minVersion: 'TLSv1.3' },
      authMethod: 'LOGIN',
      maxMessages: 9,
    })
  })
})

describe('faults', () => {
  const faults: Array<[string, string]> = [
    ['http://u:geheim@relay.test', 'must be smtp://host:port'],
    ['smtp://', 'must be smtp://host:port'],
    ['not a url geheim', 'must be smtp://host:port'],
    ['smtp://u:geheim@relay.test?pol=5', 'unknown option "pol"'],
    ['smtp://u:geheim@relay.test?pool=0', 'pool must be a whole number from 1 to 500'],
    ['smtp://u:geheim@relay.test?pool=many', 'pool must be a whole number from 1 to 500'],
    ['smtp://u:geheim@relay.test?requireTLS=yes', 'requireTLS must be true or false'],
    ['smtp://u:geheim@relay.test?requireTLS=true&ignoreTLS=true', 'contradict'],
    ['smtp://u:geheim%zz@relay.test', 'not percent-encoded correctly'],
    ['smtp://u:geheim%00@relay.test', 'not percent-encoded correctly'],
    ['smtp://u:geheim@relay.test?name=a%0d%0aMAIL', 'name must be a host name'],
    ['smtp://u:geheim@relay.test?socketTimeout=-1', 'socketTimeout must be'],
    ['smtp://u:geheim@relay.test?tls.minVersion=SSLv3', 'tls.minVersion must be TLSv1.2 or TLSv1.3'],
  ]
  for (const [url, message] of faults) {
    test(`${url} is refused without its password`, () => {
      let said = ''
      try {
        parseSmtpUrl(url)
      } catch (error) {
        said = String(error)
      }
      expect(said).toContain(`SMTP_URL: `)
      expect(said).toContain(message)
      expect(said).not.toContain('geheim')
    })
  }
})

describe('a provider by its name', () => {
  test.each([
    ['smtp://u:p@service?service=Gmail', 'smtp.gmail.com', 465, 'implicit'],
    ['smtp://x?service=outlook365', 'smtp.office365.com', 587, 'opportunistic'],
    ['smtp://u:p@smtp?service=Outlook365', 'smtp.office365.com', 587, 'required'],
    ['smtp://u:p@x:2525?service=Outlook365', 'smtp.office365.com', 2525, 'required'],
  ] as const)('%s', (url, host, port, security) => {
    expect(parseSmtpUrl(url)).toMatchObject({ host, port, security, tls: { servername: host } })
  })

  test('one that nobody knows is a fault', () => {
    expect(() => parseSmtpUrl('smtp://u:hidden@x?service=nobody')).toThrow('service "nobody" is not known')
  })
})

describe('signing in by OAuth 2.0', () => {
  const given = 'smtp://me%40acme.test@relay.test?auth=oauth2&clientId=app&refreshToken=r%2B1'

  test('the parts, and the token address of those that are known', () => {
    const { oauth, credentials, security } = parseSmtpUrl(
      `${given}&tokenUrl=https://login.test/token&clientSecret=s`,
    )
    expect(oauth).toEqual({
      ...{ user: 'me@acme.test', clientId: 'app', clientSecret: 's', refreshToken: 'r+1' },
      tokenUrl: 'https://login.test/token',
    })
    expect([credentials, security]).toEqual([undefined, 'required'])
    expect(parseSmtpUrl(given.replace('relay.test', 'smtp.office365.com')).oauth!.tokenUrl).toContain(
      'microsoftonline',
    )
    expect(parseSmtpUrl(`${given}&service=Gmail`).oauth!.tokenUrl).toContain('googleapis')
  })

  test.each([
    [given, 'needs tokenUrl'],
    [`${given}&tokenUrl=http://login.test/token`, 'tokenUrl must be an https'],
    [`${given.replace('me%40acme.test@', '')}&tokenUrl=https://login.test`, 'takes user@host'],
    [`${given.replace('me%40acme.test@', 'me:hidden@')}&tokenUrl=https://login.test`, 'no password'],
    [`${given.replace('clientId=app', 'clientId=')}&tokenUrl=https://login.test`, 'needs clientId'],
    ['smtp://u:p@relay.test?clientId=app', 'clientId belongs to auth=oauth2'],
    ['smtp://u:p@relay.test?auth=ntlm', 'auth must be oauth2'],
  ])('%s: %s', (url, fault) => {
    expect(() => parseSmtpUrl(url)).toThrow(fault)
  })
})
