// Replacing the pair of keys. The previous pair may go on working for a while: then its hashes are among the keys besides the pair, where it
// can be seen and revoked.
import { notFound } from '../../../../lib/errors'
import { after, hour } from '../../../../lib/time'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { actorOfKey } from '../audit'
import { newKeys } from '../keys'
import type { ProjectAnswer } from '../model'
import {
  type ApiKeyRow,
  deleteExpiredPairs,
  deleteFormerPairs,
  insertApiKeys,
  lockProjectKeys,
  type ProjectRow,
} from '../queries'
import { requireRoomForKeys } from './api-keys'
import { change, type ProjectActor } from './settings'

/**
 * Replaces both keys. Without an overlap only the new pair works from the commit on, whatever was replaced before; with one, the pair
 * that is replaced goes on working for that many hours, and an earlier one until its own end.
 */
export async function regenerateKeys(
  ctx: Context,
  actor: ProjectActor,
  overlapHours = 0,
): Promise<ProjectAnswer> {
  const { projectId } = actor
  return await inTransaction(ctx, async tx => {
    const project = await lockProjectKeys(tx, projectId)
    if (!project) throw notFound('Project', projectId)
    if (overlapHours > 0) await keepPair(tx, project, overlapHours)
    else await deleteFormerPairs(tx, projectId)
    const details = overlapHours > 0 ? { overlapHours } : undefined
    return await change(tx, actor, newKeys(tx), { action: 'project.keysRegenerated', details })
  })
}

async function keepPair(tx: Context, project: ProjectRow, overlapHours: number): Promise<void> {
  await requireRoomForKeys(tx, project.id, 2)
  const expiresAt = after(tx.clock.now(), overlapHours * hour)
  const secret = { kind: 'SECRET', hash: project.secretKeyHash, sealed: project.secretKeySealed } as const
  const publicKey = { kind: 'PUBLIC', hash: project.publicKeyHash, sealed: project.publicKeySealed } as const
  const rows = [secret, publicKey].map(
    ({ sealed, ...key }): ApiKeyRow => ({
      ...key,
      id: newId(tx),
      projectId: project.id,
      name: key.kind === 'SECRET' ? 'Former secret key' : 'Former public key',
      start: actorOfKey(tx.vault.open('api-key', sealed)),
      scopes: [],
      domains: null,
      expiresAt,
      lastUsedAt: null,
      createdAt: tx.clock.now(),
    }),
  )
  await insertApiKeys(tx, rows)
}

/** Deletes what is left of pairs whose overlap is over. */
export async function pruneFormerPairs(ctx: Context): Promise<void> {
  await deleteExpiredPairs(ctx)
}
