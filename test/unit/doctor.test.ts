// What doctor says of a relay's addresses, and of the way back to us, case by case.
import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { day } from '../../src/lib/time'
import { memoryResolver } from '../../src/mail/dns/memory'
import { selfSigned } from '../../src/platform/smtp-server/certificate'
import { checkPublicAddress, instanceChecks } from '../../src/server/checks/instance'
import { fileChecks } from '../../src/server/checks/machine'
import { mailChecks, returnedMailChecks } from '../../src/server/checks/mail'
import type { Config } from '../../src/settings/config'
import { testConfig } from '../support/context'

async function reverseOf(smtpUrl: string, dns: ReturnType<typeof memoryResolver>): Promise<string[]> {
  const config = testConfig({ mailTransport: 'smtp', smtpUrl })
  const check = mailChecks(config, dns).find(({ about }) => about === 'reverse DNS')!
  return (await check.run()).map(({ level, words }) => `${level}: ${words}`)
}

const relay = 'smtp://relay.example.net:587'
const reverseName = '10.2.0.192.in-addr.arpa'

test('an address whose name leads back to it is in order', async () => {
  const dns = memoryResolver()
  dns.set('relay.example.net', 'a', '192.0.2.10')
  dns.set(reverseName, 'ptr', 'out.example.net')
  dns.set('out.example.net', 'a', '192.0.2.10')
  expect(await reverseOf(relay, dns)).toEqual([
    'ok: 192.0.2.10 is out.example.net, and out.example.net is 192.0.2.10',
  ])
})

test('an address without a name, with a name that leads elsewhere, or that nobody tells about is a warning', async () => {
  const dns = memoryResolver()
  expect(await reverseOf(relay, dns)).toEqual(['warn: relay.example.net has no address in the DNS'])
  dns.set('relay.example.net', 'a', '192.0.2.10')
  expect(await reverseOf(relay, dns)).toEqual([
    'warn: 192.0.2.10 has no name: whoever runs the relay must publish a PTR record',
  ])
  dns.set(reverseName, 'ptr', 'out.example.net')
  dns.set('out.example.net', 'a', '192.0.2.99')
  expect(await reverseOf(relay, dns)).toEqual([
    'warn: 192.0.2.10 is called out.example.net, but that name has another address',
  ])
  dns.fail(reverseName, 'SERVFAIL')
  expect(await reverseOf(relay, dns)).toEqual(['warn: 192.0.2.10: no name server answers (SERVFAIL)'])
})

test('a relay on this machine is asked nothing', async () => {
  const dns = memoryResolver()
  for (const host of ['localhost', '127.0.0.1', '[::1]'])
    expect((await reverseOf(`smtp://${host}:25`, dns))[0]).toStartWith('ok: ')
  expect(dns.asked).toEqual([])
})

describe('the bounce domain', () => {
  const bounceDomain = 'bounce.acme.example'
  const publish = 'bounce.acme.example. IN MX 10 waxwing.acme.example.'
  const inbound = { listeners: [] }
  const bounceMailbox = { host: 'imap.acme.example', user: 'bounces@acme.example' } as Config['bounceMailbox']

  async function saidOf(dns: ReturnType<typeof memoryResolver>, changes: Partial<Config>): Promise<string[]> {
    const config = testConfig({ baseUrl: 'https://waxwing.acme.example', bounceDomain, ...changes })
    const found = await Promise.all(
      returnedMailChecks(config, dns)
        .filter(({ about }) => about !== 'mailbox')
        .map(({ run }) => run()),
    )
    return found.flat().map(({ level, words }) => `${level}: ${words}`)
  }

  test('has to lead to us, under our name or one of our addresses', async () => {
    const dns = memoryResolver()
    dns.set(bounceDomain, 'mx', { exchange: 'Waxwing.Acme.example.', priority: 10 })
    expect(await saidOf(dns, { inbound })).toEqual([
      'ok: mail to bounce.acme.example comes here (waxwing.acme.example)',
    ])
    dns.set(bounceDomain, 'mx', { exchange: 'mx.acme.example', priority: 10 })
    for (const name of ['mx.acme.example', 'waxwing.acme.example']) dns.set(name, 'aaaa', '2001:db8::25')
    expect(await saidOf(dns, { inbound })).toEqual([
      'ok: mail to bounce.acme.example comes here (mx.acme.example)',
    ])
  })

  test('that leads elsewhere, even in part, is a warning with the record to publish', async () => {
    const dns = memoryResolver()
    dns.set('waxwing.acme.example', 'a', '192.0.2.25')
    dns.set('mx.elsewhere.example', 'a', '192.0.2.99')
    const ours = { exchange: 'waxwing.acme.example', priority: 20 }
    dns.set(bounceDomain, 'mx', ours, { exchange: 'mx.elsewhere.example', priority: 10 })
    expect(await saidOf(dns, { inbound })).toEqual([
      `warn: the MX records of bounce.acme.example lead to mx.elsewhere.example; unless that hands the mail on to us, publish instead\n${publish}`,
    ])
  })

  test('without an MX record gets nothing', async () => {
    const dns = memoryResolver()
    const missing = 'FAIL: nothing comes back, because bounce.acme.example has no MX record; publish\n'
    expect(await saidOf(dns, { inbound })).toEqual([`${missing}${publish}`])
    dns.set(bounceDomain, 'mx', { exchange: '.', priority: 0 })
    expect(await saidOf(dns, { inbound })).toEqual([`${missing}${publish}`])
    expect(await saidOf(dns, { inbound, baseUrl: 'http://localhost:3000' })).toEqual([
      `${missing}bounce.acme.example. IN MX 10 <the name of this machine>.`,
    ])
    expect(await saidOf(dns, { bounceMailbox })).toEqual([
      `${missing}bounce.acme.example. IN MX 10 <the mail server of bounces@acme.example>`,
    ])
  })

  test('without an MX record may have our address itself', async () => {
    const dns = memoryResolver()
    for (const name of [bounceDomain, 'waxwing.acme.example']) dns.set(name, 'a', '192.0.2.25')
    expect(await saidOf(dns, { inbound })).toEqual([
      'ok: mail to bounce.acme.example comes here (bounce.acme.example)',
    ])
    dns.set(bounceDomain, 'a', '192.0.2.99')
    expect((await saidOf(dns, { inbound }))[0]).toEndWith(publish)
  })

  test('whose mail goes to a mailbox may lead anywhere; one that nobody reads is a warning', async () => {
    const dns = memoryResolver()
    dns.set(bounceDomain, 'mx', { exchange: 'mx.elsewhere.example', priority: 10 })
    expect(await saidOf(dns, { bounceMailbox })).toEqual([
      'ok: mail to bounce.acme.example goes to mx.elsewhere.example, and is read from imap.acme.example',
    ])
    expect(await saidOf(dns, {})).toEqual([
      'warn: mail to bounce.acme.example goes to mx.elsewhere.example; set SMTP_INBOUND_LISTEN or BOUNCE_MAILBOX_URL',
    ])
  })

  test('is not judged while no name server answers, and not asked about where there is none', async () => {
    const dns = memoryResolver()
    dns.failAll('SERVFAIL')
    expect(await saidOf(dns, { inbound })).toEqual([
      'warn: no name server answers about bounce.acme.example (SERVFAIL)',
    ])
    const asked = dns.asked.length
    expect(await saidOf(dns, { inbound, bounceDomain: undefined } as Partial<Config>)).toEqual([])
    expect(dns.asked).toHaveLength(asked)
  })
})

describe('files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waxwing-doctor-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const said = async (changes: Partial<Config>): Promise<string[]> => {
    const found = await Promise.all(
      fileChecks(testConfig({ dataDir: folder, ...changes })).map(({ run }) => run()),
    )
    return found.flat().map(({ level, words }) => `${level}: ${words}`)
  }

  test('of secrets that others can read are a warning', async () => {
    const path = join(folder, 'jwt-secret')
    writeFileSync(path, 'a secret of more than sixteen', { mode: 0o600 })
    expect(await said({})).toEqual([])
    chmodSync(path, 0o644)
    expect(await said({})).toEqual([
      `warn: other users of this machine can read ${path}; run "chmod 600 ${path}"`,
    ])
    chmodSync(path, 0o600)
  })

  test('a certificate is told by its name and its end', async () => {
    const asked = async (name: string, madeAt: Date): Promise<string> => {
      const { cert, key } = selfSigned(name, madeAt)
      const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
      writeFileSync(certFile, cert)
      writeFileSync(keyFile, key)
      const submission = { listeners: [], plainOnLoopback: false, certificate: { certFile, keyFile } }
      return (await said({ baseUrl: 'https://mail.acme.example', submission })).join()
    }
    const daysAgo = (days: number): Date => new Date(Date.now() - days * day)
    expect(await asked('mail.acme.example', new Date())).toStartWith(
      'ok: for mail.acme.example, valid until 20',
    )
    expect(await asked('other.example', new Date())).toContain('is not for mail.acme.example')
    expect(await asked('mail.acme.example', daysAgo(3_640))).toStartWith('warn: ')
    expect(await asked('mail.acme.example', daysAgo(3_651))).toStartWith('FAIL: ')
  })
})

describe('what answers at the public address', () => {
  const reached = async (answer: Response, path = ''): Promise<string[]> => {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => answer.clone() })
    const config = testConfig({ baseUrl: 'https://mail.acme.example', mailTransport: 'smtp' })
    try {
      // The name would be looked up elsewhere: the address stands for it.
      const found = await checkPublicAddress(`http://127.0.0.1:${server.port}${path}`)
      expect(instanceChecks(config).map(({ about }) => about)).toEqual(['instance', 'public address'])
      return found.map(({ level, words }) => `${level}: ${words.replace(/:\\d+/, '')}`)
    } finally {
      await server.stop(true)
    }
  }

  test('is Waxwing, something else, or nothing', async () => {
    const health = { status: 'ok', database: 'ok' }
    expect((await reached(Response.json(health)))[0]).toEndWith('leads to Waxwing')
    expect((await reached(Response.json(health, { status: 503 })))[0]).toEndWith('leads to Waxwing')
    expect((await reached(new Response('502 Bad Gateway', { status: 502 })))[0]).toStartWith('FAIL: ')
    expect((await checkPublicAddress('http://127.0.0.1:1'))[0]?.level).toBe('warn')
  })
})
