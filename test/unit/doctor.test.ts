// What doctor says of a relay's addresses, case by case.
import { expect, test } from 'bun:test'
import { memoryResolver } from '../../src/platform/dns/memory'
import { mailChecks } from '../../src/server/checks/mail'
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
