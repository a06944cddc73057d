// Gives every request an id of our own and keeps what is known about it until the answer is out. The id is never taken from
// the caller: it is the key by which a line of the log is found again.
import { Elysia } from 'elysia'
import { type Context, newId } from '../platform/context'
import { perInstance } from '../platform/per-context'
import { comesFromHere, comesThroughProxy } from './local-client'

/** What the platform knows about one request, collected on its way. */
export interface RequestInfo {
  readonly id: string
  /** Monotonic milliseconds; for durations only. */
  readonly startedAt: number
  /** The client's address; undefined when the application is called without a server. */
  readonly address?: string
  /** Made on this machine, and not on behalf of somebody else. */
  readonly isLocal: boolean
  projectId?: string
  userId?: string
  errorCode?: string
  /** Whether an error that was thrown is a failure of ours; undefined where none was thrown. */
  failed?: boolean
  /** The page that reports a failure of ours, where a person asked for a page. */
  errorPage?: () => string
}

const known = new WeakMap<Request, RequestInfo>()

/** The facts about a request that has passed the request-id plugin. */
export function requestInfo(request: Request): RequestInfo {
  const info = known.get(request)
  if (!info) throw new Error('the request-id plugin has not seen this request')
  return info
}

/** The client's address for throttling and logs; `X-Forwarded-For` counts only where TRUST_PROXY says so. */
export function clientAddress(request: Request): string {
  return requestInfo(request).address ?? 'unknown'
}

/** Whether the client is on this machine and speaks for itself; whatever TRUST_PROXY says. */
export function isLocalClient(request: Request): boolean {
  return requestInfo(request).isLocal
}

const proxyOf = perInstance(() => ({ isSeen: false }))

/** Whether requests come through a proxy whose word about clients is not trusted: then all of them share one address. */
export function seesUntrustedProxy(ctx: Context): boolean {
  return proxyOf(ctx).isSeen
}

function noteProxy(ctx: Context, headers: Headers, peer: string | null): void {
  const proxy = proxyOf(ctx)
  if (ctx.config.trustProxy || proxy.isSeen || !comesThroughProxy(headers, peer)) return
  proxy.isSeen = true
  ctx.log.warn({ proxy: peer }, untrustedProxy)
}

export const untrustedProxy =
  "requests come through a proxy, but TRUST_PROXY is not set: all clients share the proxy's address in sign-in and form limits"

/** Global, and to be registered first: later hooks and the error mapper read the id. */
export function requestId(ctx: Context) {
  const ownHost = new URL(ctx.config.baseUrl).host
  return new Elysia({ name: 'request-id' }).onRequest(({ request, set, server }) => {
    const id = newId(ctx)
    set.headers['x-request-id'] = id
    // Without a server the application was called inside this process.
    const peer = server ? (server.requestIP(request)?.address ?? null) : '127.0.0.1'
    const address = forwardedAddress(ctx, request) ?? (server ? (peer ?? undefined) : undefined)
    const { headers } = request
    // Called inside this process, a request names its host in its address alone.
    const host = headers.get('host') ?? new URL(request.url).host
    const isLocal = comesFromHere({ headers, peer, host }, ownHost)
    if (server) noteProxy(ctx, headers, peer)
    const info: RequestInfo = { id, startedAt: performance.now(), address, isLocal }
    known.set(request, info)
    ctx.requests.begin(info)
  })
}

/** The last hop is the one our own proxy wrote; the ones before it are the client's own words. */
function forwardedAddress(ctx: Context, request: Request): string | undefined {
  if (!ctx.config.trustProxy) return undefined
  const hops = request.headers.get('x-forwarded-for')?.split(',') ?? []
  return hops.at(-1)?.trim().slice(0, 64) || undefined
}

/** For a request that waits for others to end: from here on it writes nothing that they would have to wait for. */
export function stepAside(ctx: Context, request: Request): void {
  ctx.requests.end(requestInfo(request))
}
