// What the answers of the DNS mean for a domain, and how many questions they cost.
import { describe, expect, test } from 'bun:test'
import { type MemoryResolver, memoryResolver } from '../../../src/mail/dns/memory'
import { type DomainFacts, isCertain, lookUpDomain } from '../../../src/modules/audience/verify/facts'

type Publish = (dns: MemoryResolver) => void

const accepts = { exists: true, mail: 'accepted', website: false } as const
const absent = { exists: false, mail: 'none', website: false } as const
const unknown = { exists: undefined, mail: undefined, website: undefined }

const table: Array<[name: string, domain: string, publish: Publish, expected: DomainFacts]> = [
  [
    'name servers, mail and a website',
    'shop.com',
    dns => {
      dns.set('shop.com', 'ns', 'ns.host.net')
      dns.set('shop.com', 'mx', { exchange: 'mx.host.net', priority: 10 })
      dns.set('shop.com', 'a', '192.0.2.1')
    },
    { ...accepts, website: true },
  ],
  [
    'a website over IPv6 only',
    'shop.com',
    dns => {
      dns.set('shop.com', 'ns', 'ns.host.net')
      dns.set('shop.com', 'aaaa', '2001:db8::1')
    },
    { exists: true, mail: 'none', website: true },
  ],
  [
    'name servers only',
    'shop.com',
    dns => dns.set('shop.com', 'ns', 'ns.host.net'),
    { exists: true, mail: 'none', website: false },
  ],
  [
    'a null MX',
    'shop.com',
    dns => {
      dns.set('shop.com', 'ns', 'ns.host.net')
      dns.set('shop.com', 'mx', { exchange: '', priority: 0 })
    },
    { exists: true, mail: 'refused', website: false },
  ],
  [
    'a null MX beside a real one, which breaks the standard and still takes mail',
    'shop.com',
    dns =>
      dns.set('shop.com', 'mx', { exchange: '', priority: 0 }, { exchange: 'mx.host.net', priority: 10 }),
    accepts,
  ],
  ['no such name', 'nowhere.com', () => {}, absent],
  [
    'a sub-domain with mail and no zone of its own',
    'mail.shop.com',
    dns => {
      dns.set('shop.com', 'ns', 'ns.host.net')
      dns.set('mail.shop.com', 'mx', { exchange: 'mx.host.net', priority: 10 })
    },
    accepts,
  ],
  [
    'a sub-domain with nothing but text, below a domain with name servers',
    'mail.shop.co.uk',
    dns => {
      dns.set('shop.co.uk', 'ns', 'ns.host.net')
      dns.set('mail.shop.co.uk', 'txt', 'hello')
    },
    { exists: true, mail: 'none', website: false },
  ],
  [
    'a sub-domain that does not exist, below a domain that does',
    'nothing.shop.com',
    dns => {
      dns.set('shop.com', 'ns', 'ns.host.net')
      dns.set('shop.com', 'mx', { exchange: 'mx.host.net', priority: 10 })
    },
    absent,
  ],
  ['a name without name servers or records', 'shop.com', dns => dns.set('x.shop.com', 'txt', 'x'), absent],
  [
    'mail without a delegation, as some registries offer',
    'shop.de',
    dns => dns.set('shop.de', 'mx', { exchange: 'mx.host.net', priority: 10 }),
    accepts,
  ],
  ['nobody answers', 'shop.com', dns => dns.failAll('SERVFAIL'), unknown],
  [
    'nobody answers for a sub-domain below a domain with name servers',
    'mail.shop.com',
    dns => {
      dns.set('shop.com', 'ns', 'ns.host.net')
      dns.fail('mail.shop.com', 'timeout')
    },
    unknown,
  ],
]

describe('a domain', () => {
  test.each(table)('%s', async (_, domain, publish, expected) => {
    const dns = memoryResolver()
    publish(dns)
    const facts = await lookUpDomain(dns, domain, 1000)
    expect(facts).toEqual(expected)
    expect(isCertain(facts)).toBe(expected !== unknown)
  })

  test('costs four questions, a sub-domain five', async () => {
    const dns = memoryResolver()
    await lookUpDomain(dns, 'shop.com', 1000)
    expect([...dns.asked].sort()).toEqual(['A shop.com', 'AAAA shop.com', 'MX shop.com', 'NS shop.com'])
    await lookUpDomain(dns, 'a.b.c.d.shop.com', 1000)
    expect(dns.asked).toHaveLength(9)
    expect(dns.asked).toContain('NS shop.com')
  })

  test('keeps what was answered when one question stays open until the limit', async () => {
    const dns = memoryResolver()
    dns.set('shop.com', 'ns', 'ns.host.net')
    dns.set('shop.com', 'a', '192.0.2.1')
    const stuck = { ...dns, mx: () => new Promise<never>(() => {}) }
    const facts = await lookUpDomain(stuck, 'shop.com', 20)
    expect(facts).toEqual({ exists: true, mail: undefined, website: true })
    expect(isCertain(facts)).toBe(false)
  })
})
