// Whether a request was made on this machine itself: such a client may do some things without a password. A loopback
// address alone is not trusted, because a reverse proxy on this machine has one too.
import { isLoopbackAddress } from '../lib/loopback'
import { isPublicAddress } from '../platform/webhook/address'

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

/** `peer` is the other end of the connection; null if it is gone already, which proves nothing. */
export function comesFromHere(headers: Headers, peer: string | null): boolean {
  return peer !== null && isLoopbackAddress(peer) && !forwardingHeaders.some(name => headers.has(name))
}
