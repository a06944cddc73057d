// Use cases of projects: who a request acts for, making a project, changing its settings, and replacing its secrets.
import { collector, type Settled } from '../../lib/collect'
import { AppError, notFound } from '../../lib/errors'
import { isUuid } from '../../lib/ids'
import { type Context, inTransaction, newId } from '../../platform/context'
import { perContext } from '../../platform/per-context'
import { hashKey, type KeyKind, kindOfKey, makeKey, makeWebhookSecret } from './keys'
import { type ProjectAnswer, toProjectAnswer, type UpdateBody } from './model'
import { requireName } from './name'
import {
  hasDisabledProject,
  insertMembership,
  insertProject,
  type ProjectAccessRow,
  type ProjectChanges,
  selectMembership,
  selectProjectsByKeyHash,
  selectProjectsOfUser,
  updateProject,
} from './queries'
import { type Role, requireRight } from './roles'

export type { ProjectAccessRow }

/** What else belongs to a new project; runs in the transaction that makes it. Given by the modules above through app.ts. */
export type ProjectCreated = (tx: Context, project: { id: string; name: string }) => Promise<void>

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
  return collector(run, { maxItems: 100, slots: 2 })
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

/** Every project the user belongs to, as the user's role there may see it. */
export async function listProjects(ctx: Context, userId: string): Promise<ProjectAnswer[]> {
  const rows = await selectProjectsOfUser(ctx, userId)
  return rows.map(({ project, role }) => toProjectAnswer(ctx.vault, project, role))
}

/** Makes a project with fresh secrets and its owner; `onCreated` adds what other modules want it to start with. */
export async function createProject(
  ctx: Context,
  input: { userId: string; name: string },
  onCreated: readonly ProjectCreated[] = [],
): Promise<ProjectAnswer> {
  requireName(input.name)
  return await inTransaction(ctx, async tx => {
    if (await hasDisabledProject(tx, input.userId)) throw disabledElsewhere()
    const now = tx.clock.now()
    const project = await insertProject(tx, {
      id: newId(tx),
      name: input.name,
      ...newKeys(tx),
      ...newWebhookSecret(tx),
      createdAt: now,
      updatedAt: now,
    })
    await insertMembership(tx, { projectId: project.id, userId: input.userId, role: 'OWNER' })
    for (const hook of onCreated) await hook(tx, { id: project.id, name: project.name })
    return toProjectAnswer(tx.vault, project, 'OWNER')
  })
}

/** Who asks for a change: the project comes from a guard, so it exists and the role is the caller's. */
export interface ProjectActor {
  projectId: string
  role: Role
}

/** Changes name, tracking or language; what the body leaves out stays. */
export async function updateSettings(
  ctx: Context,
  actor: ProjectActor,
  body: UpdateBody,
): Promise<ProjectAnswer> {
  requireRight(actor.role, 'project.settings')
  if (body.name !== undefined) requireName(body.name)
  return await change(ctx, actor, { name: body.name, tracking: body.tracking, language: body.language })
}

/** Replaces both keys; the old ones stop with the commit. */
export async function regenerateKeys(ctx: Context, actor: ProjectActor): Promise<ProjectAnswer> {
  requireRight(actor.role, 'secrets.rotate')
  return await change(ctx, actor, newKeys(ctx))
}

/** Replaces the secret that signs webhook steps. */
export async function rotateWebhookSecret(ctx: Context, actor: ProjectActor): Promise<ProjectAnswer> {
  requireRight(actor.role, 'secrets.rotate')
  return await change(ctx, actor, newWebhookSecret(ctx))
}

async function change(ctx: Context, actor: ProjectActor, changes: ProjectChanges): Promise<ProjectAnswer> {
  const project = await updateProject(ctx, actor.projectId, changes)
  if (!project) throw notFound('Project', actor.projectId)
  return toProjectAnswer(ctx.vault, project, actor.role)
}

function newKeys(
  ctx: Context,
): Record<'publicKeyHash' | 'secretKeyHash' | 'publicKeySealed' | 'secretKeySealed', string> {
  const publicKey = makeKey('public', ctx.random)
  const secretKey = makeKey('secret', ctx.random)
  return {
    publicKeyHash: hashKey(publicKey),
    secretKeyHash: hashKey(secretKey),
    publicKeySealed: ctx.vault.seal('api-key', publicKey),
    secretKeySealed: ctx.vault.seal('api-key', secretKey),
  }
}

function newWebhookSecret(ctx: Context): { webhookSecretSealed: string } {
  return { webhookSecretSealed: ctx.vault.seal('webhook-secret', makeWebhookSecret(ctx.random)) }
}

function disabledElsewhere(): AppError {
  return new AppError(403, 'PROJECT_DISABLED', 'You are a member of a disabled project', {
    suggestion: 'Settle why that project was disabled before you create another one.',
  })
}
