// What counts as one client.
import { expect, test } from 'bun:test'
import { clientBlock, clientNetwork, clientSubnet } from '../../../src/lib/client-network'

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

test.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.250', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['unknown', 'unknown'],
])('the subnet of %s is %s', (address, subnet) => {
  expect(clientSubnet(address)).toBe(subnet)
})

test.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.250', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['unknown', 'unknown'],
])('the block of %s is %s', (address, block) => {
  expect(clientBlock(address)).toBe(block)
})
