// Which hosts and addresses mean this very machine. Pure; no name is looked up.
import { isIPv4 } from 'node:net'

/** `localhost`, the names below it, and loopback addresses, in brackets or not. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name)
}

/** 127.0.0.0/8 and ::1, also as an IPv4 address in IPv6's spelling, which a socket for both shows. */
export function isLoopbackAddress(address: string): boolean {
  const four = address.replace(/^::ffff:/i, '')
  return address === '::1' || (isIPv4(four) && four.startsWith('127.'))
}
