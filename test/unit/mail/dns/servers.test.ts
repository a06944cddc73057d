// Reading name servers from DNS_SERVERS and resolv.conf, and the resolver of the tests themselves.
import { describe, expect, test } from 'bun:test'
import { memoryResolver } from '../../../../src/mail/dns/memory'
import { parseResolvConf, parseServer } from '../../../../src/mail/dns/servers'

describe('a server is written as', () => {
  test.each([
    ['192.0.2.1', { host: '192.0.2.1', port: 53 }],
    ['192.0.2.1:5353', { host: '192.0.2.1', port: 5353 }],
    ['2001:db8::1', { host: '2001:db8::1', port: 53 }],
    ['[2001:db8::1]:5353', { host: '2001:db8::1', port: 5353 }],
    ['[2001:db8::1]', { host: '2001:db8::1', port: 53 }],
    ['dns.example', undefined],
    ['192.0.2.1:0', undefined],
    ['192.0.2.1:70000', undefined],
    ['300.0.2.1', undefined],
    ['', undefined],
  ])('%p', (text, expected) => {
    expect(parseServer(text)).toEqual(expected)
  })
})

describe('resolv.conf', () => {
  test('the first three servers are taken, comments and rubbish are not', () => {
    const text =
      '# nameserver 9.9.9.9\nsearch example\nnameserver 192.0.2.1\n nameserver\t::1\nnameserver x\n'
    const servers = parseResolvConf(`${text}nameserver 192.0.2.3 # third\nnameserver 192.0.2.4\n`)
    expect(servers.map(server => server.host)).toEqual(['192.0.2.1', '::1', '192.0.2.3'])
  })

  test('without servers this machine is asked', () => {
    expect(parseResolvConf('')).toEqual([{ host: '127.0.0.1', port: 53 }])
  })
})

describe('the resolver in memory', () => {
  test('tells the four kinds of answer apart and follows aliases', async () => {
    const dns = memoryResolver()
    dns.set('key.example', 'txt', 'one', 'two')
    dns.set('alias.example', 'cname', 'KEY.example')
    expect(await dns.txt('alias.example')).toEqual({ status: 'found', records: ['one', 'two'] })
    expect(await dns.a('key.example')).toEqual({ status: 'nodata' })
    expect(await dns.a('example')).toEqual({ status: 'nodata' })
    expect(await dns.a('other.example')).toEqual({ status: 'nxdomain' })
    dns.fail('key.example', 'SERVFAIL')
    expect(await dns.txt('alias.example')).toEqual({ status: 'failed', reason: 'SERVFAIL' })
    dns.fail('key.example', undefined)
    dns.failAll('timeout')
    expect(await dns.a('other.example')).toEqual({ status: 'failed', reason: 'timeout' })
  })
})
