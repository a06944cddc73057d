// Idempotency keys of requests that share a transaction: who may go on, and what the others are told.
import type { Context } from '../../../platform/context'
import { keyReused } from '../idempotency'
import { type Claim, claimKeys, findClaim } from '../queries'

/** A claim that a request would make; without a key it needs none. */
export interface OptionalClaim extends Omit<Claim, 'key'> {
  key: string | undefined
}

/** The requests that may be performed: those without a key, and the first with each key that is free. */
export async function claimFor<T>(
  tx: Context,
  requests: readonly T[],
  claimOf: (request: T) => OptionalClaim,
): Promise<Set<T>> {
  const free = new Set<T>()
  const first = new Map<string, { request: T; claim: Claim }>()
  for (const request of requests) {
    const claim = claimOf(request)
    const { projectId, key } = claim
    if (key === undefined) free.add(request)
    else if (!first.has(`${projectId} ${key}`))
      first.set(`${projectId} ${key}`, { request, claim: { ...claim, key } })
  }
  if (first.size === 0) return free
  const claims = [...first.values()].map(({ claim }) => claim)
  for (const { projectId, key } of await claimKeys(tx, claims, tx.config.idempotencyKeyTtlMs))
    free.add(first.get(`${projectId} ${key}`)!.request)
  return free
}

/** The 409 for a request whose key is taken. */
export async function refusal(
  tx: Context,
  { projectId, key }: { projectId: string; key?: string | undefined },
): Promise<unknown> {
  return keyReused(key!, await findClaim(tx, projectId, key!))
}
