// The tenants of bench/soak.ts that behave: each sends, tracks and reads at a steady rhythm, however long the answers take, and remembers
// which messages were accepted.
import type { Keys } from '../../test/support/program'

export type Route = 'send' | 'track' | 'list' | 'health'
export const routes: readonly Route[] = ['send', 'track', 'list', 'health']

/** Calls per second of each tenant. */
const rhythm: Record<Route, number> = { send: 1, track: 1, list: 0.5, health: 1 }
/** Nobody waits longer than this. */
const patienceMs = 30_000

/** How long the calls of one part of the run took. */
export class Slice {
  readonly times: Record<Route, number[]> = { send: [], track: [], list: [], health: [] }
  /** Unexpected answers, by what they said. */
  readonly faults = new Map<string, number>()

  add(route: Route, ms: number): void {
    this.times[route].push(ms)
  }

  fault(what: string): void {
    this.faults.set(what, (this.faults.get(what) ?? 0) + 1)
  }
}

export interface Tenant extends Keys {
  /** A verified domain of its own. */
  domain: string
}

export interface TenantLoad {
  /** From now on calls count for this part, by when they begin. */
  measure(slice: Slice): void
  /** Recipients of the messages that were accepted. */
  accepted: Set<string>
  stop(): Promise<void>
}

export function startTenants(url: string, tenants: readonly Tenant[], first: Slice): TenantLoad {
  let slice = first
  let count = 0
  const accepted = new Set<string>()
  const underway = new Set<Promise<void>>()

  const call = async (tenant: Tenant, route: Route): Promise<void> => {
    const own = slice
    const to = `${route}-${++count}@example.org`
    const begun = performance.now()
    try {
      const answer = await ask(url, tenant, route, to)
      await answer.arrayBuffer()
      own.add(route, performance.now() - begun)
      if (!answer.ok) own.fault(`${route} ${answer.status}`)
      else if (route === 'send') accepted.add(to)
    } catch (error) {
      own.add(route, performance.now() - begun)
      own.fault(`${route} ${error instanceof Error ? error.name : 'failed'}`)
    }
  }
  const timers = tenants.flatMap(tenant =>
    routes.map(route =>
      setInterval(() => {
        const one = call(tenant, route).finally(() => underway.delete(one))
        underway.add(one)
      }, 1_000 / rhythm[route]),
    ),
  )
  return {
    measure: next => {
      slice = next
    },
    accepted,
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(underway)
    },
  }
}

function ask(url: string, tenant: Tenant, route: Route, to: string): Promise<Response> {
  const signal = AbortSignal.timeout(patienceMs)
  if (route === 'health') return fetch(`${url}/health`, { signal })
  if (route === 'list')
    return fetch(`${url}/contacts?limit=50`, {
      headers: { authorization: `Bearer ${tenant.secretKey}` },
      signal,
    })
  const [path, key, body] =
    route === 'send'
      ? ['/v1/send', tenant.secretKey, message(tenant, to)]
      : ['/v1/track', tenant.publicKey, { email: to, event: 'order.placed', data: { plan: 'pro' } }]
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })
}

function message({ domain }: Tenant, to: string): object {
  return {
    from: `hello@${domain}`,
    to,
    subject: 'Your order',
    body: '<p>Hello {{name ?? "there"}}, we have your order {{code}}.</p>',
    data: { code: { value: 'A-1', persistent: false } },
  }
}
