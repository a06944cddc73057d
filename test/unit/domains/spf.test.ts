// SPF: reading a record, what receivers make of it, and what is said about it. Rows name sections of RFC 7208.
import { describe, expect, test } from 'bun:test'
import { type MemoryResolver, memoryResolver } from '../../../src/mail/dns/memory'
import type { SendingRoute } from '../../../src/modules/sending/domains/health/finding'
import { spfFinding } from '../../../src/modules/sending/domains/health/spf'
import { checkSpf, noAddress } from '../../../src/modules/sending/domains/health/spf-check'
import { parseSpf, withMechanisms } from '../../../src/modules/sending/domains/health/spf-record'
import { includeOf } from '../../../src/modules/sending/domains/well-known-relays'

const domain = 'example.com'

function published(records: Record<string, string | string[]>): MemoryResolver {
  const dns = memoryResolver()
  for (const [name, texts] of Object.entries(records)) dns.set(name, 'txt', ...[texts].flat())
  return dns
}

describe('a record is read', () => {
  test.each([
    ['v=spf1', []],
    ['v=spf1 -all', [['-', 'all', '', 32, 128]]],
    [
      'v=spf1  mx   ?ALL',
      [
        ['+', 'mx', '', 32, 128],
        ['?', 'all', '', 32, 128],
      ],
    ],
    [
      'v=spf1 a/24 a:x.example/20//64',
      [
        ['+', 'a', '', 24, 128],
        ['+', 'a', 'x.example', 20, 64],
      ],
    ],
    [
      'v=spf1 ip4:192.0.2.0/24 ~ip6:2001:db8::/32',
      [
        ['+', 'ip4', '192.0.2.0', 24, 128],
        ['~', 'ip6', '2001:db8::', 32, 32],
      ],
    ],
    [
      'v=spf1 include:_spf.x.example exists:%{i}.x',
      [
        ['+', 'include', '_spf.x.example', 32, 128],
        ['+', 'exists', '%{i}.x', 32, 128],
      ],
    ],
    ['v=spf1 exp=why.example unknown=1', []],
  ])('%s', (text, mechanisms) => {
    const record = parseSpf(text)
    if (typeof record === 'string') throw new Error(record)
    expect(record.mechanisms.map(one => [one.qualifier, one.name, one.value, one.four, one.six])).toEqual(
      mechanisms as never,
    )
  })

  test.each([
    'v=spf1 ip4:300.0.0.1',
    'v=spf1 ip4:192.0.2.0/33',
    'v=spf1 ip4:2001:db8::1',
    'v=spf1 ip6:192.0.2.1',
    'v=spf1 ip4',
    'v=spf1 include:',
    'v=spf1 include',
    'v=spf1 all:x',
    'v=spf1 a:x/24/64',
    'v=spf1 mx all.',
    'v=spf1 nonsense',
    `v=spf1 ${'a '.repeat(201)}`,
    `v=spf1 ${'x'.repeat(5_000)}`,
  ])('or not: %s', text => {
    expect(parseSpf(text)).toBeString()
  })
})

describe('a receiver says', () => {
  const base = {
    'all.example': 'v=spf1 +all',
    'none.example': 'something else',
    'inner.example': 'v=spf1 ip4:198.51.100.0/24 -all',
  }
  test.each<[string, string, string, string]>([
    ['4.7: neutral at the end', 'v=spf1 ip4:192.0.2.1', '192.0.2.2', 'neutral'],
    ['5.1: all', 'v=spf1 ~all', '192.0.2.1', 'softfail'],
    ['5.6: a network', 'v=spf1 ip4:192.0.2.0/24 -all', '192.0.2.77', 'pass'],
    ['5.6: the other family', 'v=spf1 ip4:192.0.2.0/24 -all', '2001:db8::1', 'fail'],
    ['5.6: IPv6', 'v=spf1 ip6:2001:db8::/32 -all', '2001:db8:1::9', 'pass'],
    ['5.3: the own address', 'v=spf1 a -all', '203.0.113.5', 'pass'],
    ['5.3: a wider one', 'v=spf1 a/24 -all', '203.0.113.99', 'pass'],
    ['5.4: its mail servers', 'v=spf1 mx -all', '203.0.113.6', 'pass'],
    ['5.2: an include that passes', 'v=spf1 include:inner.example -all', '198.51.100.9', 'pass'],
    ['5.2: an include that fails is no match', 'v=spf1 include:inner.example ?all', '192.0.2.1', 'neutral'],
    ['5.2: an include of nothing', 'v=spf1 include:none.example -all', '192.0.2.1', 'permerror'],
    ['6.1: redirect', 'v=spf1 redirect=inner.example', '198.51.100.9', 'pass'],
    [
      '6.1: redirect counts for nothing beside all',
      'v=spf1 ~all redirect=inner.example',
      '198.51.100.9',
      'softfail',
    ],
    ['6.1: redirect to nothing', 'v=spf1 redirect=none.example', '192.0.2.1', 'permerror'],
    ['4.6: a fault', 'v=spf1 ip4:x -all', '192.0.2.1', 'permerror'],
    [
      '4.6.4: three names that are not there',
      'v=spf1 a:x.none a:y.none a:z.none ip4:192.0.2.1',
      '192.0.2.1',
      'permerror',
    ],
    ['4.6.4: two of them', 'v=spf1 a:x.none a:y.none ip4:192.0.2.1', '192.0.2.1', 'pass'],
    ['7: macros are no match', 'v=spf1 exists:%{i}.x.example -all', '192.0.2.1', 'fail'],
  ])('%s', async (_, text, address, result) => {
    const dns = published({ ...base, [domain]: ['google-site-verification=x', text] })
    dns.set(domain, 'a', '203.0.113.5')
    dns.set(domain, 'mx', { exchange: 'mx.example.com', priority: 10 })
    dns.set('mx.example.com', 'a', '203.0.113.6')
    expect((await checkSpf(dns, domain, address)).result).toBe(result as never)
  })

  test('temperror where a server does not answer', async () => {
    const dns = published({ [domain]: 'v=spf1 include:away.example -all' })
    dns.fail('away.example', 'timeout')
    expect((await checkSpf(dns, domain, '192.0.2.1')).result).toBe('temperror')
  })

  test('an address that comes before a fault is let through, as a receiver does', async () => {
    const dns = published({ [domain]: 'v=spf1 ip4:192.0.2.1 include:none.example' })
    expect((await checkSpf(dns, domain, '192.0.2.1')).result).toBe('pass')
    expect((await checkSpf(dns, domain, noAddress)).result).toBe('permerror')
  })
})

describe('what is published to do harm is bounded', () => {
  const questions = async (dns: MemoryResolver, address = noAddress) => {
    const verdict = await checkSpf(dns, domain, address)
    return { ...verdict, questions: dns.asked.length }
  }

  test('a record that includes itself, and two that include each other', async () => {
    const one = await questions(published({ [domain]: `v=spf1 include:${domain} -all` }))
    expect([one.result, one.fault, one.questions]).toEqual(['permerror', 'loop', 1])
    const two = await questions(
      published({ [domain]: 'v=spf1 include:b.example -all', 'b.example': `v=spf1 redirect=${domain}` }),
    )
    expect([two.result, two.fault, two.questions]).toEqual(['permerror', 'loop', 2])
  })

  test('a chain without end, and a tree that doubles', async () => {
    const chain: Record<string, string> = { [domain]: 'v=spf1 include:l0.example' }
    for (let n = 0; n < 1_000; n++) chain[`l${n}.example`] = `v=spf1 include:l${n + 1}.example`
    const deep = await questions(published(chain))
    expect([deep.result, deep.fault, deep.lookups]).toEqual(['permerror', 'lookups', 11])
    const tree: Record<string, string> = { [domain]: 'v=spf1 include:t1.example include:t1.example' }
    for (let n = 1; n < 30; n++)
      tree[`t${n}.example`] = `v=spf1 include:t${n + 1}.example include:t${n + 1}.example`
    tree['t30.example'] = 'v=spf1 -all'
    expect((await questions(published(tree))).questions).toBeLessThan(15)
  })

  test('thousands of records, of mail servers and of addresses', async () => {
    const many = published({ [domain]: Array.from({ length: 5_000 }, () => 'v=spf1 a -all') })
    expect((await questions(many)).fault).toBe('several')
    const hosts = published({ [domain]: 'v=spf1 mx -all' })
    const names = Array.from({ length: 5_000 }, (_, n) => ({ exchange: `m${n}.example`, priority: n }))
    hosts.set(domain, 'mx', ...names)
    const wide = await questions(hosts)
    expect([wide.fault, wide.questions]).toEqual(['hosts', 2])
    const addresses = published({ [domain]: 'v=spf1 a -all' })
    addresses.set(
      domain,
      'a',
      ...Array.from({ length: 50_000 }, (_, n) =>
        `10.${n >> 8}.${n & 255}.1`.replace(/^10\.(\d+)/, (_all, high) => `10.${Number(high) % 256}`),
      ),
    )
    expect((await checkSpf(addresses, domain, '192.0.2.1')).result).toBe('fail')
  })
})

describe('what is said about it', () => {
  const relay: SendingRoute = { relayHost: 'relay.example', addresses: ['192.0.2.10', '2001:db8::10'] }
  const known: SendingRoute = { relayHost: 'smtp.mailgun.org', include: 'mailgun.org', addresses: [] }
  const find = async (route: SendingRoute, records: Record<string, string | string[]>) => {
    const dns = published({ 'mailgun.org': 'v=spf1 ip4:198.51.100.0/24 -all', ...records })
    dns.set('relay.example', 'a', '192.0.2.10')
    dns.set('relay.example', 'aaaa', '2001:db8::10')
    const byAddress = []
    for (const address of route.addresses)
      byAddress.push({ address, verdict: await checkSpf(dns, domain, address) })
    const facts = { texts: await dns.txt(domain), whole: await checkSpf(dns, domain, noAddress), byAddress }
    const { level, code, record } = spfFinding(domain, route, facts)
    return [level, code, ...(record ? [record.value] : [])]
  }

  test.each<[string, SendingRoute, string | string[] | undefined, string[]]>([
    ['covered by name', relay, 'v=spf1 a:relay.example -all', ['ok', 'spf.covers']],
    [
      'one family only',
      relay,
      'v=spf1 ip4:192.0.2.10 -all',
      ['fail', 'spf.notCovered', 'v=spf1 ip4:192.0.2.10 a:relay.example -all'],
    ],
    ['none', relay, undefined, ['warn', 'spf.missing', 'v=spf1 mx a:relay.example ~all']],
    [
      'two',
      relay,
      ['v=spf1 mx ~all', 'v=spf1 a:relay.example -all'],
      ['fail', 'spf.several', 'v=spf1 mx a:relay.example ~all'],
    ],
    ['everybody', relay, 'v=spf1 mx +all', ['fail', 'spf.open', 'v=spf1 mx ~all']],
    [
      'too many',
      relay,
      `v=spf1 ${Array.from({ length: 11 }, (_, n) => `a:h${n}.relay.example`).join(' ')} -all`,
      ['fail', 'spf.invalid'],
    ],
    ['a known relay', known, 'v=spf1 include:mailgun.org ~all', ['ok', 'spf.covers']],
    [
      'a known relay, by way of another record',
      known,
      'v=spf1 include:ours.example ~all',
      ['ok', 'spf.covers'],
    ],
    [
      'a known relay that is not there',
      known,
      'v=spf1 mx ~all',
      ['fail', 'spf.notCovered', 'v=spf1 mx include:mailgun.org ~all'],
    ],
    ['no way known', { addresses: [] }, 'v=spf1 mx ~all', ['ok', 'spf.unchecked']],
    [
      'the provider’s own',
      { addresses: [], envelopeDomain: 'amazonses.com' },
      undefined,
      ['ok', 'spf.provider'],
    ],
  ])('%s', async (_, route, text, said) => {
    const records = { 'ours.example': 'v=spf1 include:mailgun.org ?all', 'mx.example': 'x' }
    expect(await find(route, text === undefined ? records : { ...records, [domain]: text })).toEqual(said)
  })

  test('more than ten look-ups, though each is there', async () => {
    const includes = Array.from({ length: 11 }, (_, n) => `i${n}.example`)
    const all = Object.fromEntries(includes.map(name => [name, 'v=spf1 ip4:198.51.100.1 -all']))
    const text = `v=spf1 a:relay.example ${includes.map(name => `include:${name}`).join(' ')} -all`
    expect(await find(relay, { ...all, [domain]: text })).toEqual(['fail', 'spf.lookups'])
  })

  test('a mechanism comes before what ends a record, and once', () => {
    expect(withMechanisms('v=spf1 mx redirect=x.example', ['a:y'])).toBe('v=spf1 mx a:y redirect=x.example')
    expect(withMechanisms('v=spf1 a:y', ['a:y', 'a:z'])).toBe('v=spf1 a:y a:z')
    expect(withMechanisms(undefined, ['a:y'])).toBe('v=spf1 a:y ~all')
  })

  test.each([
    ['email-smtp.eu-central-1.amazonaws.com', 'amazonses.com'],
    ['SMTP.SendGrid.net.', 'sendgrid.net'],
    ['notsendgrid.net', undefined],
    ['sendgrid.net.evil.example', undefined],
  ])('the relay %s asks for %p', (host, include) => {
    expect(includeOf(host)).toBe(include as never)
  })
})
