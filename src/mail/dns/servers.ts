// Where questions are sent: the servers of DNS_SERVERS, or those of the machine.
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

export interface NameServer {
  host: string
  port: number
}

const defaultPort = 53
/** As the C library: further lines of resolv.conf are ignored. */
const maxSystemServers = 3

/** Reads `ip`, `ip:port`, `v6` and `[v6]:port`; undefined for anything else. */
export function parseServer(text: string): NameServer | undefined {
  const match = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(text) ?? /^([^:]+)(?::(\d{1,5}))?$/.exec(text)
  const host = match?.[1] ?? text
  const port = match?.[2] === undefined ? defaultPort : Number(match[2])
  return isIP(host) > 0 && port > 0 && port < 65_536 ? { host, port } : undefined
}

/** The name servers of a resolv.conf; this machine when there are none, as in the C library. */
export function parseResolvConf(text: string): NameServer[] {
  const servers = text
    .split('\n')
    .map(line => /^\s*nameserver\s+(\S+)/.exec(line)?.[1])
    .map(address =>
      address === undefined || isIP(address) === 0 ? undefined : { host: address, port: defaultPort },
    )
    .filter(server => server !== undefined)
    .slice(0, maxSystemServers)
  return servers.length > 0 ? servers : [{ host: '127.0.0.1', port: defaultPort }]
}

/** The machine's name servers now: read each time, because a machine may change its network under a running server. */
export async function systemServers(): Promise<NameServer[]> {
  const text = await readFile('/etc/resolv.conf', 'utf8').catch(() => '')
  return parseResolvConf(text)
}
