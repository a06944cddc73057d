// What receivers make of a domain's mail, as the API tells it: by what the DNS says at this moment, and nothing is written.
import { expect, test } from 'bun:test'
import { domainChecks } from '../../src/server/checks/domains'
import { add, call, dkimOf, domainsWorld, key, publish, realName } from '../support/domains'
import { makeProject } from '../support/make'

const world = domainsWorld()

/** Mail leaves by this relay. */
function through(smtpUrl: string) {
  const { ctx } = world
  return { ...ctx, config: { ...ctx.config, mailTransport: 'smtp' as const, smtpUrl } }
}

async function healthOf(id: string, ctx = through('smtp://relay.fastmail-like.net')) {
  const { status, body } = await call(world, 'GET', `/domains/${id}/health`, { ctx })
  expect(status).toBe(200)
  return body as { domain: string; findings: Array<Record<string, never>> }
}

const codes = (findings: Array<Record<string, unknown>>): string[] =>
  findings.map(({ level, code }) => `${level} ${code}`)

test('a domain with nothing published is told what to publish', async () => {
  const ctx = through('smtp://relay.acme.net')
  const domain = await add(world, realName(), { ctx })
  const { findings } = await healthOf(domain.id, ctx)
  expect(findings).toEqual([
    expect.objectContaining({
      code: 'spf.missing',
      record: { type: 'TXT', name: domain.domain, value: 'v=spf1 mx a:relay.acme.net ~all' },
    }),
    expect.objectContaining({
      code: 'dkim.missing',
      record: { type: 'TXT', name: dkimOf(domain).name, value: dkimOf(domain).value },
    }),
    expect.objectContaining({
      code: 'dmarc.missing',
      record: { type: 'TXT', name: `_dmarc.${domain.domain}`, value: 'v=DMARC1; p=none' },
    }),
  ] as never)
})

test('one that covers its relay is well, and a relay without a name is not', async () => {
  const ctx = through('smtp://relay.acme.net')
  const domain = await add(world, realName(), { ctx })
  publish(world, domain)
  world.dns.set(domain.domain, 'txt', 'v=spf1 ip4:192.0.2.0/24 -all')
  world.dns.set(`_dmarc.${domain.domain}`, 'txt', 'v=DMARC1; p=reject; aspf=s')
  world.dns.set('relay.acme.net', 'a', '192.0.2.10')
  world.dns.set('10.2.0.192.in-addr.arpa', 'ptr', 'relay.acme.net')
  const well = ['ok spf.covers', 'ok dkim.strong', 'ok dmarc.aligned']
  expect(codes((await healthOf(domain.id, ctx)).findings)).toEqual([...well, 'ok reverse.confirmed'])
  world.dns.set('relay.acme.net', 'a', '192.0.2.10', '198.51.100.7')
  const { findings } = await healthOf(domain.id, ctx)
  expect(codes(findings)).toEqual([
    'fail spf.notCovered',
    ...well.slice(1),
    'ok reverse.confirmed',
    'warn reverse.missing',
  ])
  expect(findings[0]).toMatchObject({
    message: 'The SPF record does not cover what mail leaves from: 198.51.100.7',
    record: { value: 'v=spf1 ip4:192.0.2.0/24 a:relay.acme.net -all' },
  } as never)
})

test('a relay that many use is covered by its include, and its own addresses say nothing', async () => {
  const ctx = through('smtp://smtp.mailgun.org')
  const domain = await add(world, realName(), { ctx })
  expect(domain.records.find(record => record.purpose === 'spf')!.value).toBe(
    'v=spf1 mx include:mailgun.org ~all',
  )
  publish(world, domain)
  world.dns.set('smtp.mailgun.org', 'a', '192.0.2.99')
  world.dns.set('mailgun.org', 'txt', 'v=spf1 ip4:198.51.100.0/24 -all')
  world.dns.set(domain.domain, 'txt', 'v=spf1 include:mailgun.org ~all')
  const { findings } = await healthOf(domain.id, ctx)
  expect(codes(findings)).toEqual(['ok spf.covers', 'ok dkim.strong', 'warn dmarc.missing'])
})

test('a name server that does not answer is told as such', async () => {
  const ctx = through('smtp://relay.acme.net')
  const domain = await add(world, realName(), { ctx })
  world.dns.failAll('timeout')
  expect(codes((await healthOf(domain.id, ctx)).findings)).toEqual([
    'warn spf.unknown',
    'warn dkim.unknown',
    'warn dmarc.unknown',
  ])
})

test('while mail stays in the outbox, no address of the machine is judged', async () => {
  const domain = await add(world, realName())
  publish(world, domain)
  world.dns.set(domain.domain, 'txt', 'v=spf1 mx ~all')
  const { findings } = await healthOf(domain.id, world.ctx as never)
  expect(codes(findings)).toEqual(['ok spf.unchecked', 'ok dkim.strong', 'warn dmarc.missing'])
})

test('a domain of the sandbox has none; another project’s is not found', async () => {
  const domain = await add(world, 'acme.example')
  expect((await healthOf(domain.id, world.ctx as never)).findings).toEqual([])
  const other = await makeProject(world)
  const { status } = await call(world, 'GET', `/domains/${domain.id}/health`, { as: key(other) })
  expect(status).toBe(404)
})

test('doctor says it below the line of the domain, and does not fail for it', async () => {
  const ctx = through('smtp://relay.acme.net')
  const domain = await add(world, realName(), { ctx })
  publish(world, domain)
  world.dns.set(domain.domain, 'txt', 'v=spf1 include:far.example -all')
  world.dns.set('far.example', 'txt', `v=spf1 include:${domain.domain} -all`)
  world.dns.set(`_dmarc.${domain.domain}`, 'txt', 'v=DMARC1; p=none')
  await call(world, 'GET', `/domains/${domain.id}/verify`, { ctx })
  expect(await domainChecks(ctx)).toEqual([
    { level: 'ok', about: `domain ${domain.domain}`, words: 'verified, all records are there' },
    {
      level: 'warn',
      about: `domain ${domain.domain}`,
      words: 'The SPF record is not valid: it includes itself',
    },
  ])
})
