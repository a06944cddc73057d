// Which operator receives the mail of a domain, as the DNS says, without anybody waiting for it.
import { expect, test } from 'bun:test'
import { hour, minute } from '../../../src/lib/time'
import { memoryResolver } from '../../../src/mail/dns/memory'
import { makeReceiverGroups } from '../../../src/platform/transports/receiver-groups'
import { manualClock } from '../../support/context'

/** Until what was begun has an answer: the resolver in memory waits for nothing. */
const answered = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

function setUp() {
  const clock = manualClock()
  const dns = memoryResolver()
  const { groupOf } = makeReceiverGroups(clock, dns)
  return { clock, dns, groupOf }
}

test('unknown at first, the operator of the preferred host from then on, asked once', async () => {
  const { dns, groupOf } = setUp()
  dns.set(
    'acme.example',
    'mx',
    { exchange: 'backup.spare.example', priority: 20 },
    { exchange: 'acme-example.mail.protection.outlook.com', priority: 5 },
  )
  expect([groupOf('acme.example'), groupOf('acme.example')]).toEqual([undefined, undefined])
  await answered()
  expect([groupOf('acme.example'), groupOf('acme.example')]).toEqual(['outlook', 'outlook'])
  expect(dns.asked).toEqual(['MX acme.example'])
})

test('no record, no name: nobody, and that is remembered too', async () => {
  const { clock, dns, groupOf } = setUp()
  dns.set('alone.example', 'a', '192.0.2.1')
  for (const domain of ['alone.example', 'nothing.example']) {
    groupOf(domain)
    await answered()
    expect(groupOf(domain)).toBeUndefined()
  }
  clock.advance(hour)
  groupOf('alone.example')
  expect(dns.asked).toHaveLength(2)
})

test('an old answer counts until there is a new one, or where nobody answers', async () => {
  const { clock, dns, groupOf } = setUp()
  dns.set('acme.example', 'mx', { exchange: 'aspmx.l.google.com', priority: 1 })
  groupOf('acme.example')
  await answered()
  clock.advance(7 * hour)
  dns.fail('acme.example', 'timeout')
  expect(groupOf('acme.example')).toBe('gmail')
  await answered()
  expect(groupOf('acme.example')).toBe('gmail')
  dns.fail('acme.example', undefined)
  dns.set('acme.example', 'mx', { exchange: 'mx1.host.example', priority: 1 })
  clock.advance(6 * minute)
  expect(groupOf('acme.example')).toBe('gmail')
  await answered()
  expect(groupOf('acme.example')).toBe('host.example')
})

test('only so many questions at a time, and a resolver that breaks is no answer', async () => {
  let open: Array<() => void> = []
  let asked = 0
  const clock = manualClock()
  const { groupOf } = makeReceiverGroups(clock, {
    mx: () => {
      asked++
      return new Promise((_, reject) => open.push(() => reject(new Error('broken'))))
    },
  })
  for (let n = 0; n < 50; n++) groupOf(`d${n}.example`)
  expect(asked).toBe(20)
  for (const end of open) end()
  open = []
  await answered()
  for (let n = 0; n < 50; n++) groupOf(`d${n}.example`)
  expect(asked).toBe(40)
  expect(groupOf('d0.example')).toBeUndefined()
})
