// When a key besides the pair was last used, to the minute: written alongside the request, which does not wait for it. While the database
// is away a use is not recorded; the next one is.
import { after, minute } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { perContext } from '../../../platform/per-context'
import { noteKeyUses } from '../queries'

interface UsedKey {
  /** Of the project. */
  id: string
  keyId: string
  lastUsedAt: Date | null
}

interface UseRecorder {
  note(key: UsedKey): void
}

/** One for each process. */
export const noteUse = perContext<UseRecorder>(ctx => {
  const underway = new Set<string>()
  return {
    note(key) {
      const { keyId, lastUsedAt } = key
      if (underway.has(keyId) || (lastUsedAt !== null && lastUsedAt > aMinuteAgo(ctx))) return
      underway.add(keyId)
      void writeUse(ctx, key).finally(() => underway.delete(keyId))
    },
  }
})

function aMinuteAgo(ctx: Context): Date {
  return after(ctx.clock.now(), -minute)
}

/** Never rejects: nobody waits for it. */
async function writeUse(ctx: Context, { id, keyId }: UsedKey): Promise<void> {
  try {
    await noteKeyUses(ctx, [{ projectId: id, id: keyId }], aMinuteAgo(ctx))
  } catch (error) {
    ctx.log.warn({ key: keyId, error: String(error) }, 'the last use of a key could not be written')
  }
}
