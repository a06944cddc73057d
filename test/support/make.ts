// Factories: people and projects made the way the product makes them, so that no test builds on rows that could not exist.

import { projectCreated } from '../../src/modules/accounts/projects/hooks'
import { insertMembership } from '../../src/modules/accounts/projects/queries'
import type { Role } from '../../src/modules/accounts/projects/roles'
import { createProject } from '../../src/modules/accounts/projects/service'
import { createUser } from '../../src/modules/accounts/users/service'
import type { Context } from '../../src/platform/context'
import { type Listener, on } from '../../src/platform/hooks'
import { withHooks } from './hooks'

/** Whatever a test holds, as long as it has a Context. */
export interface World {
  ctx: Context
}

export interface MadeUser {
  id: string
  email: string
  password: string
  sessionVersion: number
}

export interface MadeProject {
  id: string
  publicKey: string
  secretKey: string
  /** Id of its owner. */
  ownerId: string
}

let counter = 0

/** Somebody with an account and a password, whose address is verified. */
export async function makeUser(
  world: World,
  given: { email?: string; password?: string } = {},
): Promise<MadeUser> {
  counter++
  const email = given.email ?? `user-${counter}-${world.ctx.random.uuid(world.ctx.clock.now())}@example.com`
  const password = given.password ?? `password of ${email}`
  const user = await createUser(world.ctx, { email, password })
  return { ...user, password }
}

/** A project with its keys; makes its owner as well where none is given. */
export async function makeProject(
  world: World,
  given: { ownerId?: string; name?: string; onCreated?: Listener<{ id: string; name: string }>[] } = {},
): Promise<MadeProject> {
  const ownerId = given.ownerId ?? (await makeUser(world)).id
  const name = given.name ?? 'Test project'
  const ctx = withHooks(world.ctx, on(projectCreated, ...(given.onCreated ?? [])))
  const project = await createProject(ctx, { userId: ownerId, name })
  return { id: project.id, publicKey: project.public, secretKey: project.secret!, ownerId }
}

/** Lets somebody into a project; makes the user as well where none is given. */
export async function makeMember(
  world: World,
  projectId: string,
  role: Exclude<Role, 'OWNER'>,
  given?: MadeUser,
): Promise<MadeUser> {
  const user = given ?? (await makeUser(world))
  await insertMembership(world.ctx, { projectId, userId: user.id, role })
  return user
}
