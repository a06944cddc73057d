// Which addresses a webhook may reach.
import { expect, test } from 'bun:test'
import { isPublicAddress } from '../../../src/lib/public-address'

const refused =
  `0.0.0.0 0.255.255.255 10.0.0.1 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.0.9 169.254.169.254
  172.16.0.1 172.31.255.255 192.168.0.1 192.0.0.8 198.18.0.1 198.19.255.255 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255
  :: ::1 ::7f00:1 ::127.0.0.1 ::8.8.8.8 fe80::1 febf::1 fec0::1 feff:ffff::1 168.63.129.16 ::ffff:168.63.129.16 fc00::1 fdff::1 ff02::1 100::1 2001:db8::1 2001:0:4136:e378::
  2002:7f00:1:: 2002:808:808::1 64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b:1::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.1.2.3
  0:0:0:0:0:ffff:a9fe:a9fe ::ffff:0:127.0.0.1 ::ffff:0:7f00:1 fe80::1%eth0
  192.88.99.0 192.88.99.255 2001:20::1 2001:2f:ffff::1 3fff::1 3fff:fff:ffff::1 5f00::1 5f00:ffff::1`.split(
    /\s+/,
  )

const allowed =
  `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 169.253.0.1 169.255.0.1
  172.15.255.255 172.32.0.0 192.167.0.1 192.169.0.1 198.17.0.1 198.20.0.1 223.255.255.255 2606:4700::1111 fbff::1 168.63.129.15 168.63.129.17
  2001:1::1 2001:db9::1 2003::1 100:0:0:1::1 ::ffff:8.8.8.8 64:ff9c::1
  192.88.98.255 192.88.100.0 2001:1f:ffff::1 2001:30::1 3fff:1000::1 3ffe:ffff::1 5eff::1 5f01::1`.split(
    /\s+/,
  )

test.each(refused)('%s is refused', address => expect(isPublicAddress(address)).toBe(false))
test.each(allowed)('%s is public', address => expect(isPublicAddress(address)).toBe(true))
test.each(['', 'localhost', '127.1', '0x7f.1', '1.2.3', '1.2.3.4.5', '1.2.3.256', ':::', '[::1]', '::g'])(
  '%p is no address',
  text => expect(isPublicAddress(text)).toBe(false),
)
