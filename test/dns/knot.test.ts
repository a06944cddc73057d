// The resolver against a real name server.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import type { Random } from '../../src/lib/ids'
import { networkResolver } from '../../src/mail/dns/client'
import type { Resolver } from '../../src/mail/dns/resolver'
import { type Knot, knotInstalled, startKnot } from './knot'

const random: Random = {
  bytes: length => crypto.getRandomValues(new Uint8Array(length)),
  fraction: () => 0.5,
  uuid: () => crypto.randomUUID(),
}
const key = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .publicKey.export({ type: 'spki', format: 'der' })
  .toString('base64')
const dkim = `v=DKIM1; k=rsa; p=${key}`
const split = (text: string, size: number): string =>
  text
    .match(new RegExp(`.{1,${size}}`, 'g'))!
    .map(part => `"${part}"`)
    .join(' ')
const long = Array.from(
  { length: 40 },
  (_, index) => `record number ${index} of a set that fits in no datagram`,
)

const zone = `
@            MX    10 mx1
@            MX    20 mx2.provider.test.
@            TXT   "v=spf1 include:_spf.provider.test " "~all"
@            TXT   "some-site-verification=abc"
@            A     192.0.2.10
@            AAAA  2001:db8::10
www          CNAME web
web          CNAME host
host         A     192.0.2.11
away         CNAME elsewhere.provider.test.
wx1._domainkey  TXT ${split(dkim, 200)}
tiny._domainkey TXT ${split(dkim, 40)}
s2._domainkey   CNAME wx1._domainkey
_dmarc       TXT   "v=DMARC1; p=reject"
deep.below.leaf A  192.0.2.12
${long.map(text => `long TXT "${text}"`).join('\n')}
`
let knot: Knot
let dns: Resolver

describe.skipIf(!knotInstalled)('against Knot', () => {
  beforeAll(async () => {
    knot = await startKnot({ 'shop.test': zone, 'xn--bcher-kva.test': '@ MX 10 mx' })
    dns = networkResolver({ servers: [knot.address], timeoutMs: 2000, tries: 2, random })
  })

  afterAll(async () => {
    await knot.stop()
  })

  test('a DKIM key in several strings comes back whole', async () => {
    expect(dkim.length).toBeGreaterThan(400)
    expect(await dns.txt('wx1._domainkey.shop.test')).toEqual({ status: 'found', records: [dkim] })
    expect(await dns.txt('tiny._domainkey.shop.test')).toEqual({ status: 'found', records: [dkim] })
  })

  test('an alias leads to the key', async () => {
    expect(await dns.txt('s2._domainkey.shop.test')).toEqual({ status: 'found', records: [dkim] })
    expect(await dns.cname('s2._domainkey.shop.test')).toEqual({
      status: 'found',
      records: ['wx1._domainkey.shop.test'],
    })
    expect(await dns.a('www.shop.test')).toEqual({ status: 'found', records: ['192.0.2.11'] })
  })

  test('an alias out of its zones is not taken for "no record"', async () => {
    expect(await dns.a('away.shop.test')).toEqual({
      status: 'failed',
      reason: 'the server only refers to others',
    })
  })

  test('each type has its own form', async () => {
    const mx = await dns.mx('shop.test')
    expect(mx.status === 'found' && mx.records.toSorted((a, b) => a.priority - b.priority)).toEqual([
      { exchange: 'mx1.shop.test', priority: 10 },
      { exchange: 'mx2.provider.test', priority: 20 },
    ])
    expect(await dns.ns('shop.test')).toEqual({ status: 'found', records: ['ns.shop.test'] })
    expect(await dns.a('SHOP.test.')).toEqual({ status: 'found', records: ['192.0.2.10'] })
    expect(await dns.aaaa('shop.test')).toEqual({ status: 'found', records: ['2001:db8::10'] })
    expect(await dns.mx('bücher.test')).toEqual({
      status: 'found',
      records: [{ exchange: 'mx.xn--bcher-kva.test', priority: 10 }],
    })
  })

  test('several TXT records stay apart while their strings are joined', async () => {
    const answer = await dns.txt('shop.test')
    expect(answer.status === 'found' && answer.records.toSorted()).toEqual([
      'some-site-verification=abc',
      'v=spf1 include:_spf.provider.test ~all',
    ])
  })

  test('an answer that fits in no datagram comes over TCP', async () => {
    const answer = await dns.txt('long.shop.test')
    expect(answer.status === 'found' && answer.records.toSorted()).toEqual(long.toSorted())
  })

  test('"no such name" and "no such record" differ, and a name above another exists', async () => {
    expect(await dns.a('nobody.shop.test')).toEqual({ status: 'nxdomain' })
    expect(await dns.mx('host.shop.test')).toEqual({ status: 'nodata' })
    expect(await dns.txt('_domainkey.shop.test')).toEqual({ status: 'nodata' })
    expect(await dns.a('below.leaf.shop.test')).toEqual({ status: 'nodata' })
    expect(await dns.mx('www.shop.test')).toEqual({ status: 'nodata' })
  })

  test('a zone that the server does not have is a failure, not an absence', async () => {
    expect(await dns.a('other.test')).toEqual({ status: 'failed', reason: 'REFUSED' })
  })
})
