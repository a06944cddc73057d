// Which IP addresses are public: unicast only. Everything that leads to this machine, to its network, to many
// at once, or through a tunnel whose end cannot be seen is refused, and so is whatever does not parse. Pure.
import { isIP } from 'node:net'

/** IPv4 ranges that are not the public Internet, as first address and prefix length. */
const privateRanges: ReadonlyArray<[address: string, prefix: number]> = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Looks public, and is the host of Azure's machines: metadata, DNS and health.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  // Relays to IPv6 that are no longer anybody's.
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
]

/** The same for IPv6. Transition ranges carry an IPv4 address to a gateway that is not ours to judge. */
const privateRanges6: ReadonlyArray<[address: string, prefix: number]> = [
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2001:20::', 28],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  // Site-local addresses: deprecated, but still routed inside networks.
  ['fec0::', 10],
  ['ff00::', 8],
]

/** True of public addresses. A scope (`fe80::1%eth0`) or any other text is not one. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !privateRanges.some(range => covers(range, address, bits4))
  if (version !== 6 || address.includes('%')) return false
  const mapped = mappedAddress(bits6(address))
  if (mapped !== undefined) return isPublicAddress(mapped)
  return !privateRanges6.some(range => covers(range, address, bits6))
}

function covers([start, prefix]: [string, number], address: string, bits: (text: string) => string): boolean {
  return bits(address).startsWith(bits(start).slice(0, prefix))
}

function bits4(address: string): string {
  return address
    .split('.')
    .map(part => Number(part).toString(2).padStart(8, '0'))
    .join('')
}

/** The 128 bits as text. `address` is one that the platform took for IPv6. */
function bits6(address: string): string {
  const [head = '', tail] = withoutDots(address).split('::')
  const front = groups(head)
  const back = groups(tail ?? '')
  const gap = new Array<string>(8 - front.length - back.length).fill('0')
  const all = tail === undefined ? front : [...front, ...gap, ...back]
  return all.map(group => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('')
}

function groups(text: string): string[] {
  return text === '' ? [] : text.split(':')
}

/** `::ffff:1.2.3.4` as `::ffff:102:304`. */
function withoutDots(address: string): string {
  const dotted = address.slice(address.lastIndexOf(':') + 1)
  if (!dotted.includes('.')) return address
  const value = bits4(dotted)
  const [high, low] = [value.slice(0, 16), value.slice(16)].map(half => Number.parseInt(half, 2).toString(16))
  return `${address.slice(0, -dotted.length)}${high}:${low}`
}

/** The IPv4 address inside `::ffff:0:0/96`. */
function mappedAddress(bits: string): string | undefined {
  if (!bits.startsWith('0'.repeat(80) + '1'.repeat(16))) return undefined
  return [96, 104, 112, 120].map(at => Number.parseInt(bits.slice(at, at + 8), 2)).join('.')
}
