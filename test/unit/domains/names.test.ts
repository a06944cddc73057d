// Spelling of sender domains, the sandbox rule, and the records to publish.
import { describe, expect, test } from 'bun:test'
import { canonicalDomain } from '../../../src/lib/domain-name'
import {
  isSandboxName,
  sandboxNameFor,
  senderDomain,
  verifiesAtOnce,
} from '../../../src/modules/sending/domains/names'
import { inheritedDmarcName, nothingKnown, recordsFor } from '../../../src/modules/sending/domains/records'

describe('a domain is stored as', () => {
  test.each([
    ['example.com', 'example.com'],
    ['  Mail.EXAMPLE.com. ', 'mail.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['a-b.co', 'a-b.co'],
    ['a.bc', 'a.bc'],
    ['x--y.example', 'x--y.example'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
    [`${'a'.repeat(64)}.example`, undefined],
    [`${'abcdefghi.'.repeat(25)}com`, `${'abcdefghi.'.repeat(25)}com`],
    [`${'abcdefghi.'.repeat(25)}come`, undefined],
    ['localhost', undefined],
    ['a.b', undefined],
    ['-a.example', undefined],
    ['a-.example', undefined],
    ['a..example', undefined],
    ['.example.com', undefined],
    ['under_score.example', undefined],
    ['has space.example', undefined],
    ['user@example.com', undefined],
    ['http://example.com', undefined],
    ['example.com/path', undefined],
    ['bü/cher.example', undefined],
    ['bü%2ecom', undefined],
    ['192.0.2.1', undefined],
    ['*.example.com', undefined],
    ['', undefined],
    ['..', undefined],
    ['é'.repeat(10_000), undefined],
  ])('%p', (text, expected) => {
    expect(canonicalDomain(text)).toBe(expected as never)
  })
})

describe('the domain of a sender', () => {
  test.each([
    ['me@shop.test', 'shop.test'],
    ['me+news@Shop.TEST', 'shop.test'],
    ['me@bücher.example', 'xn--bcher-kva.example'],
    ['shop.test', undefined],
    ['me@you@shop.test', undefined],
    ['@shop.test', undefined],
    ['me@', undefined],
    ['me@localhost', undefined],
  ])('%p', (address, expected) => {
    expect(senderDomain(address)).toBe(expected as never)
  })
})

describe('the sandbox', () => {
  test.each([
    ['shop.test', true],
    ['mail.shop.test', true],
    ['shop.example', true],
    ['a.localhost', true],
    ['example.com', true],
    ['example.net', true],
    ['example.org', true],
    ['www.example.com', false],
    ['example.de', false],
    ['test.com', false],
    ['myexample.com', false],
    ['shop.contest', false],
  ])('%p', (domain, expected) => {
    expect(isSandboxName(domain)).toBe(expected)
    expect(verifiesAtOnce(domain, true)).toBe(expected)
    expect(verifiesAtOnce(domain, false)).toBe(false)
  })

  test.each([
    ['My Shop', 'my-shop.example'],
    ['  Crème & Brûlée GmbH ', 'creme-brulee-gmbh.example'],
    ['日本', 'project.example'],
    ['---', 'project.example'],
    [`${'a'.repeat(39)} b`, `${'a'.repeat(39)}.example`],
    ['x'.repeat(100), `${'x'.repeat(40)}.example`],
  ])('a project named %p starts with', (name, expected) => {
    expect(sandboxNameFor(name)).toBe(expected)
    expect(canonicalDomain(expected)).toBe(expected)
  })
})

describe('the records to publish', () => {
  const published = { domain: 'mail.shop.test', selector: 'wx1', publicKey: 'KEY=' }

  test('DKIM is required, SPF and DMARC are advice', () => {
    expect(recordsFor(published, { ...nothingKnown, dkim: 'verified', spf: 'failed' })).toEqual([
      {
        type: 'TXT',
        name: 'wx1._domainkey.mail.shop.test',
        value: 'v=DKIM1; k=rsa; p=KEY=',
        purpose: 'dkim',
        required: true,
        status: 'verified',
      },
      {
        type: 'TXT',
        name: 'mail.shop.test',
        value: 'v=spf1 mx ~all',
        purpose: 'spf',
        required: false,
        status: 'failed',
      },
      {
        type: 'TXT',
        name: '_dmarc.mail.shop.test',
        value: 'v=DMARC1; p=none',
        purpose: 'dmarc',
        required: false,
        status: 'pending',
      },
    ])
  })

  test.each([
    [undefined, 'v=spf1 mx ~all'],
    ['relay.provider.test', 'v=spf1 mx a:relay.provider.test ~all'],
    ['192.0.2.7', 'v=spf1 mx ip4:192.0.2.7 ~all'],
    ['[2001:db8::7]', 'v=spf1 mx ip6:2001:db8::7 ~all'],
    ['127.0.0.1', 'v=spf1 mx ~all'],
    ['[::1]', 'v=spf1 mx ~all'],
    ['localhost', 'v=spf1 mx ~all'],
  ])('with the relay %p, SPF names it where others can use it', (relay, expected) => {
    expect(recordsFor(published, nothingKnown, relay).find(record => record.purpose === 'spf')?.value).toBe(
      expected,
    )
  })

  test.each([
    ['shop.com', undefined],
    ['mail.shop.com', '_dmarc.shop.com'],
    ['a.b.shop.co.uk', '_dmarc.shop.co.uk'],
    ['co.uk', undefined],
  ])('%p inherits the policy at', (domain, expected) => {
    expect(inheritedDmarcName(domain)).toBe(expected as never)
  })
})
