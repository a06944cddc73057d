// What counts as one client, and what a refused one is told.
import { expect, test } from 'bun:test'
import { clientNetwork } from '../../../src/lib/client-network'
import { attemptSubject, retryAfterSeconds } from '../../../src/modules/users/limits'

test.each([
  ['an IPv4 address is itself', '203.0.113.7', '203.0.113.7'],
  ['IPv4 in IPv6 spelling is the IPv4 address', '::ffff:203.0.113.7', '203.0.113.7'],
  ['IPv6 counts by its /64', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['a shortened one too', '2001:db8::6', '2001:db8:0:0::/64'],
  ['loopback', '::1', '0:0:0:0::/64'],
  ['brackets and zone are left out', '[fe80::1%eth0]', 'fe80:0:0:0::/64'],
  ['leading zeros make no difference', '2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['without a server there is a word', 'unknown', 'unknown'],
])('%s', (_, address, network) => {
  expect(clientNetwork(address)).toBe(network)
})

test('neighbours in one /64 are one client, neighbours in one /63 are not', () => {
  expect(clientNetwork('2001:db8:0:2::1')).toBe(clientNetwork('2001:db8::2:ffff:0:0:1'))
  expect(clientNetwork('2001:db8:0:2::1')).not.toBe(clientNetwork('2001:db8:0:3::1'))
})

test('an address and a client of the same text are counted apart', () => {
  expect(attemptSubject('address', 'x')).not.toBe(attemptSubject('client', 'x'))
})

test.each([
  [900_000, 900],
  [1_001, 2],
  [1, 1],
  [0, 1],
  [-5_000, 1],
])('a window that ends in %p ms says %p s', (ms, seconds) => {
  const now = new Date('2026-03-01T12:00:00Z')
  expect(retryAfterSeconds(new Date(now.getTime() + ms), now)).toBe(seconds)
})
