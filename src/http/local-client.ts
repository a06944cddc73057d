// Whether a request was made on this machine itself: such a client may do some things without a password. A loopback
// address alone is not trusted, because a reverse proxy on this machine has one too.
import { isLoopbackAddress, isLoopbackHost } from '../lib/loopback'
import { isPublicAddress } from '../lib/public-address'

/** Headers in which proxies and tunnels name their client; any of them means that the request comes from somebody else. */
const forwardingHeaders = [
  'cf-connecting-ip',
  'cf-ray',
  'client-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'forwarded',
  'true-client-ip',
  'via',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'x-forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-original-forwarded-for',
  'x-original-host',
  'x-real-ip',
]

/** Whether a proxy passed the request on: a peer of a private network that names another client. */
export function comesThroughProxy(headers: Headers, peer: string | null): boolean {
  return peer !== null && headers.has('x-forwarded-for') && !isPublicAddress(peer)
}

export interface CallerPlace {
  headers: Headers
  /** The other end of the connection; null if it is gone already, which proves nothing. */
  peer: string | null
  /** The Host header. */
  host: string
}

/**
 * `ownHost` is that of BASE_URL. The host that the request names counts as well: a page in a browser on this machine may have had its own
 * name lead here (DNS rebinding), and then its requests come from here and name the page's host.
 */
export function comesFromHere({ headers, peer, host }: CallerPlace, ownHost: string): boolean {
  if (peer === null || !isLoopbackAddress(peer)) return false
  if (forwardingHeaders.some(name => headers.has(name))) return false
  const name = withoutPort(host)
  return isLoopbackHost(name) || name === withoutPort(ownHost)
}

function withoutPort(host: string): string {
  return host.toLowerCase().replace(/:\d{0,5}$/, '')
}
