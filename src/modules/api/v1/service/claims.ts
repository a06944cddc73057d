// Idempotency keys of requests that share a transaction: which may proceed, and what the others are answered.
import type { Context } from '../../../../platform/context'
import { fingerprintOf } from '../fingerprint'
import { keyReused } from '../idempotency'
import { type Claim, type ClaimName, claimKeys, findClaim } from '../queries'

/** A claim that a request would make; without a key it needs none. */
export interface OptionalClaim extends Omit<Claim, 'key' | 'requestHash'> {
  key: string | undefined
  /** What the request says; it is looked at where there is a key. */
  said: unknown
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
    const { key } = claim
    if (key === undefined) free.add(request)
    else if (!first.has(nameOf({ ...claim, key }))) {
      const { said, ...named } = claim
      first.set(nameOf({ ...claim, key }), {
        request,
        claim: { ...named, key, requestHash: fingerprintOf(said) },
      })
    }
  }
  if (first.size === 0) return free
  const claims = [...first.values()].map(({ claim }) => claim)
  for (const claimed of await claimKeys(tx, claims, tx.config.idempotencyKeyTtlMs))
    free.add(first.get(nameOf(claimed))!.request)
  return free
}

function nameOf({ projectId, byPublicKey, key }: ClaimName): string {
  return `${projectId} ${byPublicKey} ${key}`
}

/** The 409 for a request whose key is taken. Whoever holds the public key is not told what the earlier request created. */
export async function refusal(
  tx: Context,
  { projectId, byPublicKey, key, said }: Omit<OptionalClaim, 'path' | 'result'>,
): Promise<unknown> {
  const earlier = await findClaim(tx, { projectId, byPublicKey, key: key! })
  if (!earlier) return keyReused(key!, undefined)
  const { requestHash, result, ...details } = earlier
  if (byPublicKey) return keyReused(key!, details)
  const isSame = requestHash === null ? undefined : requestHash === fingerprintOf(said)
  return keyReused(key!, { ...details, result, isSame })
}
