// Who a request acts for: the project behind a key, or a user's membership in the project that a path or header names.
import { batcher, type Settled } from '../../../lib/batcher'
import { isUuid } from '../../../lib/ids'
import type { Context } from '../../../platform/context'
import { perContext } from '../../../platform/per-context'
import { hashKey, type KeyKind, kindOfKey } from '../keys'
import { type ProjectAccessRow, selectMembership, selectProjectsByKeyHash } from '../queries'
import type { Role } from '../roles'

type KeyLookup = (hash: string) => Promise<ProjectAccessRow | undefined>

/** Requests that arrive while a look-up is under way share the next one; nothing is remembered. */
const keyLookups = perContext<Record<KeyKind, KeyLookup>>(ctx => ({
  public: keyLookup(ctx, 'public'),
  secret: keyLookup(ctx, 'secret'),
}))

function keyLookup(ctx: Context, kind: KeyKind): KeyLookup {
  const run = async (hashes: string[]): Promise<Settled<ProjectAccessRow | undefined>[]> => {
    const rows = await selectProjectsByKeyHash(ctx, kind, [...new Set(hashes)])
    const found = new Map(rows.map(({ keyHash, ...project }) => [keyHash, project]))
    return hashes.map(hash => ({ value: found.get(hash) }))
  }
  return batcher(run, { maxItems: 100, slots: 2, crowd: 8 })
}

/** The project of a key of that kind. Nothing is cached, so a replaced key is dead with the commit that replaced it. */
export async function findProjectByKey(
  ctx: Context,
  kind: KeyKind,
  key: string,
): Promise<ProjectAccessRow | undefined> {
  if (kindOfKey(key) !== kind) return undefined
  return await keyLookups(ctx)[kind](hashKey(key))
}

/** The project and the user's role in it; undefined for a stranger, an unknown id and a text that is no id alike. */
export async function findMembership(
  ctx: Context,
  userId: string,
  projectId: string,
): Promise<{ project: ProjectAccessRow; role: Role } | undefined> {
  if (!isUuid(projectId)) return undefined
  const row = await selectMembership(ctx, userId, projectId)
  if (!row) return undefined
  const { role, ...project } = row
  return { project, role }
}
