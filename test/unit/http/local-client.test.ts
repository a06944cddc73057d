// Who counts as a client on this machine, by the other end of the connection and what the request says.
import { expect, test } from 'bun:test'
import { comesFromHere } from '../../../src/http/local-client'

test.each<[string, string | null, Record<string, string>, boolean]>([
  ['a loopback address', '127.0.0.1', {}, true],
  ['another one of the same network', '127.8.9.10', {}, true],
  ['IPv6', '::1', {}, true],
  ['IPv4 on a socket for both', '::ffff:127.0.0.1', {}, true],
  ['a neighbour', '192.168.1.7', {}, false],
  ['a neighbour on a socket for both', '::ffff:192.168.1.7', {}, false],
  ['a name that looks like one', '127.0.0.1.example.com', {}, false],
  ['a connection that is gone', null, {}, false],
  ['a proxy on this machine', '127.0.0.1', { 'X-Forwarded-For': '203.0.113.7' }, false],
  ['a client that claims to be here', '203.0.113.7', { 'X-Forwarded-For': '127.0.0.1' }, false],
  ['a proxy that says so by the standard', '::1', { Forwarded: 'for=203.0.113.7' }, false],
  ['a page whose name was made to lead here', '127.0.0.1', { Host: 'rebind.evil.example:3000' }, false],
  ['a name that begins like one of this machine', '127.0.0.1', { Host: 'localhost.evil.example' }, false],
  ['an address that begins like one', '127.0.0.1', { Host: '127.0.0.1.evil.example:3000' }, false],
  ['a client that names no host', '127.0.0.1', { Host: '' }, false],
  ['a literal address', '127.0.0.1', { Host: '127.0.0.1:3000' }, true],
  ['a literal address of IPv6', '::1', { Host: '[::1]:3000' }, true],
  ['a name below localhost', '127.0.0.1', { Host: 'waxwing.localhost' }, true],
  ['the host of BASE_URL', '127.0.0.1', { Host: 'Mail.Example.com' }, true],
  ['the host of BASE_URL from elsewhere', '203.0.113.7', { Host: 'mail.example.com' }, false],
  ['a tunnel', '127.0.0.1', { 'CF-Connecting-IP': '203.0.113.7' }, false],
])('%s', (_, peer, headers, expected) => {
  const { Host: host = 'localhost:3000', ...others } = headers
  expect(comesFromHere({ headers: new Headers(others), peer, host }, 'mail.example.com')).toBe(expected)
})
