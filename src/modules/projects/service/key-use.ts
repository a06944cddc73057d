// When a key besides the pair was last used, to the minute: written alongside the request, which does not wait for it. While the database
// is away a use is not recorded; the next one is.
import { batcher, type Settled } from '../../../lib/batcher'
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
  const write = batcher<UsedKey, void>(keys => writeUses(ctx, keys), { maxItems: 100, slots: 1 })
  const underway = new Set<string>()
  return {
    note(key) {
      const { keyId, lastUsedAt } = key
      if (underway.has(keyId) || (lastUsedAt !== null && lastUsedAt > aMinuteAgo(ctx))) return
      underway.add(keyId)
      void write(key).finally(() => underway.delete(keyId))
    },
  }
})

function aMinuteAgo(ctx: Context): Date {
  return after(ctx.clock.now(), -minute)
}

/** Never rejects: nobody waits for it. */
async function writeUses(ctx: Context, keys: UsedKey[]): Promise<Settled<void>[]> {
  try {
    const used = keys.map(({ id, keyId }) => ({ projectId: id, id: keyId }))
    await noteKeyUses(ctx, used, aMinuteAgo(ctx))
  } catch (error) {
    ctx.log.warn({ keys: keys.length, error: String(error) }, 'the last use of keys could not be written')
  }
  return keys.map(() => ({ value: undefined }))
}
