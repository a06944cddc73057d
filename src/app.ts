// The HTTP application: the platform first, then every module's routes. Types are widened here on purpose, because nobody on
// the server needs the union of more than a hundred routes.
import { type AnyElysia, Elysia } from 'elysia'
import { httpPlatform } from './http/platform'
import { domainRoutes } from './modules/domains/routes'
import { addSandboxDomain } from './modules/domains/service'
import { emailsRoutes } from './modules/emails/routes'
import { projectsRoutes } from './modules/projects/routes'
import { templatesRoutes } from './modules/templates/routes'
import { usersRoutes } from './modules/users/routes'
import { v1Routes } from './modules/v1/routes'
import type { Context } from './platform/context'

/** A module's controller. */
export type RouteFactory = (ctx: Context) => AnyElysia

/** Every module that serves routes: one line each, in the order of the module list. */
const modules: RouteFactory[] = [
  ctx => projectsRoutes(ctx, { onCreated: [addSandboxDomain] }),
  usersRoutes,
  domainRoutes,
  templatesRoutes,
  emailsRoutes,
  v1Routes,
]

/**
 * `normalize: 'typebox'` because the default cleaner turns a list into an object before it is checked, so that `data: [1]` would
 * pass as `{"0": 1}`. It costs a sixth of the validation's speed.
 */
function rootInstance(ctx: Context) {
  return new Elysia({ normalize: 'typebox' }).use(httpPlatform(ctx))
}

export function buildApp(ctx: Context, factories: readonly RouteFactory[] = modules): AnyElysia {
  return factories.reduce<AnyElysia>((app, routes) => app.use(routes(ctx)), rootInstance(ctx))
}
