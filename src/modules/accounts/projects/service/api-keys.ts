// Keys besides the pair: made with a name and scopes, shown once, revoked one by one.
import { conflict, notFound } from '../../../../lib/errors'
import { isUuid } from '../../../../lib/ids'
import { after, minute } from '../../../../lib/time'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { perContext } from '../../../../platform/per-context'
import { actorOfKey } from '../audit'
import { type ApiKeyBody, readApiKey } from '../key-model'
import { hashKey, makeKey } from '../keys'
import {
  type ApiKeyRow,
  deleteApiKey,
  insertApiKeys,
  lockProjectKeys,
  noteKeyUses,
  selectApiKeys,
} from '../queries'
import { recordAudit } from './audit'
import type { ProjectActor } from './settings'

/** Those of a replaced pair count too. */
const maxKeysPerProject = 100

/** Locks the keys of the project: of two that ask at once, the second counts what the first has made. */
export async function requireRoomForKeys(tx: Context, projectId: string, more: number): Promise<void> {
  const { length } = await selectApiKeys(tx, projectId)
  if (length + more <= maxKeysPerProject) return
  throw conflict(`A project has at most ${maxKeysPerProject} keys besides its pair`, {
    suggestion: 'Revoke one that is not needed any more.',
  })
}

/** Oldest first, without the keys themselves: nobody has them. */
export async function listApiKeys(ctx: Context, actor: ProjectActor): Promise<ApiKeyRow[]> {
  return await selectApiKeys(ctx, actor.projectId)
}

/** Returns the key, only this once. */
export async function createApiKey(
  ctx: Context,
  { projectId, by }: ProjectActor,
  body: ApiKeyBody,
): Promise<{ row: ApiKeyRow; key: string }> {
  const asked = readApiKey(body, ctx.clock.now())
  const key = makeKey('named', ctx.random)
  return await inTransaction(ctx, async tx => {
    if (!(await lockProjectKeys(tx, projectId))) throw notFound('Project', projectId)
    await requireRoomForKeys(tx, projectId, 1)
    const row: ApiKeyRow = {
      ...asked,
      id: newId(tx),
      projectId,
      kind: 'NAMED',
      hash: hashKey(key),
      start: actorOfKey(key),
      lastUsedAt: null,
      createdAt: tx.clock.now(),
    }
    await insertApiKeys(tx, [row])
    await recordAudit(tx, {
      projectId,
      actor: by,
      action: 'key.created',
      subject: row.start,
      details: {
        name: row.name,
        scopes: row.scopes.join(' '),
        domains: row.domains?.join(' ') ?? null,
        expiresAt: row.expiresAt?.toISOString() ?? null,
      },
    })
    return { row, key }
  })
}

/** Takes effect with the commit: no process remembers keys. */
export async function revokeApiKey(ctx: Context, { projectId, by }: ProjectActor, id: string): Promise<void> {
  await inTransaction(ctx, async tx => {
    const row = isUuid(id) ? await deleteApiKey(tx, projectId, id) : undefined
    if (!row) throw notFound('Key', id)
    await recordAudit(tx, {
      projectId,
      actor: by,
      action: 'key.revoked',
      subject: row.start,
      details: { name: row.name },
    })
  })
}

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
