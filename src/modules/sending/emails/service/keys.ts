// Remembers signing keys for a few seconds, so that a burst of messages from one domain asks the database once.

import { second } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { type DkimKey, dkimKeyFor } from '../../domains'

export type KeyRing = (projectId: string, domain: string) => Promise<DkimKey | undefined>

/** Long enough for a burst, short enough that a deleted domain stops signing before anybody looks. */
const rememberMs = 5 * second
const maxKeys = 1_000

export function makeKeyRing(ctx: Context): KeyRing {
  const known = new Map<string, { key: Promise<DkimKey | undefined>; until: number }>()
  return (projectId, domain) => {
    const name = `${projectId} ${domain}`
    const now = ctx.clock.now().getTime()
    const entry = known.get(name)
    if (entry && entry.until > now) return entry.key
    if (known.size >= maxKeys) known.clear()
    const key = dkimKeyFor(ctx, projectId, domain)
    known.set(name, { key, until: now + rememberMs })
    // A failed look-up is not worth remembering.
    key.catch(() => known.delete(name))
    return key
  }
}
