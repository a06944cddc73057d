// Calls endpoints over the network. Names are looked up by us, every address is checked, and the connection is made to an address
// that was checked: the name is not looked up a second time. Redirects are followed by hand, each as guarded as the first.
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { storable } from '../../lib/storable'
import { type WebhookCaller, type WebhookRequest, type WebhookResult, webhookLimits } from './caller'
import { resolveTarget, type TargetRules } from './target'

export interface NetworkOptions extends TargetRules {
  timeoutMs?: number
  /** Certificates to trust beside the system's, for tests. */
  ca?: string
}

export function networkWebhooks(options: NetworkOptions): WebhookCaller {
  return { call: (request, signal) => follow(request, options, signal) }
}

/** An answer of one hop; `location` where it sends the request on. */
type Hop = WebhookResult & { location?: string }

async function follow(
  request: WebhookRequest,
  options: NetworkOptions,
  signal?: AbortSignal,
): Promise<WebhookResult> {
  let current = request
  for (let hop = 0; ; hop++) {
    const { location, ...result } = await oneHop(current, options, signal)
    if (location === undefined) return result
    const { redirects } = request.limits ?? webhookLimits
    if (hop === redirects) return refused(current.url, `redirected more than ${redirects} times`)
    const next = redirect(current, location)
    if ('outcome' in next) return next
    current = next
  }
}

/** The same request at the new address. What the author wrote into its headers stays with the host that it was meant for. */
function redirect(request: WebhookRequest, location: string): WebhookRequest | WebhookResult {
  const from = new URL(request.url)
  if (!URL.canParse(location, from)) return refused(request.url, 'redirected to an invalid address')
  const to = new URL(location, from)
  if (from.protocol === 'https:' && to.protocol === 'http:')
    return refused(request.url, 'redirected from https to http')
  const headers = to.origin === from.origin ? request.headers : {}
  return { ...request, url: to.href, headers }
}

function refused(url: string, error: string): WebhookResult {
  return { outcome: 'refused', error, url }
}

async function oneHop(request: WebhookRequest, options: NetworkOptions, signal?: AbortSignal): Promise<Hop> {
  const { url } = request
  if (!URL.canParse(url)) return refused(url, 'the address is not a URL')
  const timeoutMs = options.timeoutMs ?? webhookLimits.timeoutMs
  const limit = AbortSignal.timeout(timeoutMs)
  const stop = signal ? AbortSignal.any([limit, signal]) : limit
  try {
    const target = await orAborted(resolveTarget(new URL(url), options), stop)
    if ('refused' in target) return refused(url, target.refused)
    if ('unreachable' in target) return { outcome: 'unreachable', error: target.unreachable, url }
    // A connection that dies without a word, whatever the client makes of it, must not hold a job for ever.
    return await orAborted(exchange(request, target.addresses, options, stop), stop)
  } catch (error) {
    const reason = limit.aborted ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error)
    return { outcome: 'unreachable', error: reason, url }
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  return [code, message].filter(Boolean).join(': ').slice(0, 500) || String(error).slice(0, 500)
}

async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (stop) signal.removeEventListener('abort', stop)
  }
}

function exchange(
  { url, method, headers, ownHeaders, body, limits = webhookLimits }: WebhookRequest,
  addresses: string[],
  { ca }: NetworkOptions,
  signal: AbortSignal,
): Promise<Hop> {
  const target = new URL(url)
  const client = target.protocol === 'https:' ? https : http
  const length: Record<string, string> =
    body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const outgoing = client.request(target, {
      method,
      headers: { 'User-Agent': 'Waxwing-Webhook/1', ...headers, ...ownHeaders, ...length },
      lookup: fixedLookup(addresses),
      // A connection of its own: a pooled one would have been made to an address that was checked for another call.
      agent: false,
      signal,
      ...(ca ? { ca } : {}),
    })
    outgoing.on('error', reject)
    outgoing.on('response', response =>
      readAnswer(response, url, outgoing, limits.responseBytes).then(resolve, reject),
    )
    outgoing.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy()
      resolve({ outcome: 'answered', statusCode, response: '', url })
    })
    outgoing.end(body ?? undefined)
  })
}

/** Returns the checked addresses whatever is asked; a literal address in the URL is not looked up at all. */
function fixedLookup(addresses: string[]): LookupFunction {
  const all = addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
  return (_host, options, done) => {
    if (options.all) done(null, all)
    else done(null, all[0]!.address, all[0]!.family)
  }
}

const redirects = new Set([301, 302, 303, 307, 308])

/** Reads as much of the body as is kept, and hangs up. */
async function readAnswer(
  response: http.IncomingMessage,
  url: string,
  outgoing: http.ClientRequest,
  limit: number,
): Promise<Hop> {
  const statusCode = response.statusCode ?? 0
  const { location } = response.headers
  const chunks: Buffer[] = []
  let size = 0
  if (!(redirects.has(statusCode) && location))
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= limit) break
    }
  outgoing.destroy()
  const text = Buffer.concat(chunks).subarray(0, limit).toString('utf8')
  const answer: Hop = { outcome: 'answered', statusCode, response: storable(text), url }
  return redirects.has(statusCode) && location ? { ...answer, location } : answer
}
