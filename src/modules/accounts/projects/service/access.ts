// Who a request acts for: the project behind a key, or a user's membership in the project that a path or header names.
import { batchedLookup } from '../../../../lib/batcher'
import { isUuid } from '../../../../lib/ids'
import type { Context } from '../../../../platform/context'
import { perContext } from '../../../../platform/per-context'
import { lacksSecondFactor } from '../../users'
import { hashKey, kindOfKey, type ProjectKeyKind } from '../keys'
import {
  type ProjectAccessRow,
  type StoredKey,
  selectMembership,
  selectProjectsByKeyHash,
  selectStoredKeys,
} from '../queries'
import type { Role } from '../roles'
import { noteUse } from './api-keys'
import { turnedAway } from './settings'

/** Nothing is remembered. */
const keyLookups = perContext(ctx => ({
  public: keyLookup(hashes => selectProjectsByKeyHash(ctx, 'public', hashes)),
  secret: keyLookup(hashes => selectProjectsByKeyHash(ctx, 'secret', hashes)),
  stored: keyLookup(hashes => selectStoredKeys(ctx, hashes)),
}))

function keyLookup<T extends { keyHash: string }>(select: (hashes: string[]) => Promise<T[]>) {
  return batchedLookup<string, T>(select, of => (typeof of === 'string' ? of : of.keyHash))
}

/** What a key with scopes may do. */
export type NamedKey = Pick<StoredKey, 'keyId' | 'scopes' | 'domains'>

export interface KeyHolder {
  project: ProjectAccessRow
  /** Of a key with scopes; one of a pair may do what its kind may. */
  named?: NamedKey
  hasExpired?: true
}

const storedKindOf = { named: 'NAMED', secret: 'SECRET', public: 'PUBLIC' } as const

/**
 * The project of a key where one of the pair's `kind` is asked for, in whose place one with scopes will do. Nothing is cached, so a
 * key that is replaced or revoked is dead with the commit that did it, for every process. Keys are found by their hash alone:
 * how long that takes reveals nothing about a key.
 */
export async function findKeyHolder(
  ctx: Context,
  kind: ProjectKeyKind,
  key: string,
): Promise<KeyHolder | undefined> {
  const given = kindOfKey(key)
  if (given !== 'named' && given !== kind) return undefined
  const hash = hashKey(key)
  const lookups = keyLookups(ctx)
  const project = given === 'named' ? undefined : await lookups[given](hash)
  if (project) return { project: projectOf(project) }
  const stored = await lookups.stored(hash)
  return stored?.kind === storedKindOf[given] ? holderOf(ctx, stored) : undefined
}

function holderOf(ctx: Context, stored: StoredKey): KeyHolder {
  const { keyId, scopes, domains, expiresAt, kind } = stored
  const project = projectOf(stored)
  if (expiresAt !== null && expiresAt <= ctx.clock.now()) return { project, hasExpired: true }
  noteUse(ctx).note(stored)
  return kind === 'NAMED' ? { project, named: { keyId, scopes, domains } } : { project }
}

/** Without anything of the key. */
function projectOf(row: ProjectAccessRow): ProjectAccessRow {
  const { id, name, disabled, resetting, language, tracking, keepsOptOuts, keepsClients } = row
  return { id, name, disabled, resetting, language, tracking, keepsOptOuts, keepsClients }
}

/**
 * The project and the user's role in it; undefined for a stranger, an unknown id and a text that is not an id alike. Throws 403 where
 * the project asks for a second factor that the user lacks.
 */
export async function findMembership(
  ctx: Context,
  userId: string,
  projectId: string,
): Promise<{ project: ProjectAccessRow; role: Role } | undefined> {
  if (!isUuid(projectId)) return undefined
  const row = await selectMembership(ctx, userId, projectId)
  if (!row) return undefined
  const { role, secondFactorRequired, ...project } = row
  if (secondFactorRequired && (await lacksSecondFactor(ctx, userId))) throw turnedAway(ctx)
  return { project, role }
}

/** What a change asks its caller's rule. */
export interface LiveQuestion {
  /** Whether what is changed will reach people without anyone doing something more. */
  isLive: (tx: Context) => Promise<boolean>
  /** Whether the change may make something live, or have something live name something else. */
  turnsOn?: boolean
}

/** Called first in the transaction of a change; throws 403 if the caller may not make it. */
export type LiveRule = (tx: Context, question: LiveQuestion) => Promise<void>

/** For changes that the program makes itself. */
export const anyChange: LiveRule = async () => {}
