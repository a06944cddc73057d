// Which host names mean this very machine. Pure; no name is looked up.
import { isIP } from 'node:net'

/** `localhost`, the names below it, and loopback addresses, in brackets or not. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true
  return isIP(name) === 4 && name.startsWith('127.')
}
