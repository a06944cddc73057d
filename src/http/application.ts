// Joins the platform and any set of controllers into one application. Types are widened here on purpose, because nobody on the
// server needs the union of more than a hundred routes.
import { type AnyElysia, Elysia } from 'elysia'
import type { Context } from '../platform/context'
import { httpPlatform } from './platform'
import { declarations } from './route'

/** A module's controller. */
export type RouteFactory = (ctx: Context) => AnyElysia

/** The platform first: a hook sees only what is registered after it. */
export function makeApplication(ctx: Context, factories: readonly RouteFactory[]): AnyElysia {
  const application: AnyElysia = factories.reduce<AnyElysia>(
    (app, routes) => app.use(routes(ctx)),
    rootInstance(ctx, () => application.routes),
  )
  return application
}

/**
 * `normalize: 'typebox'` because the default cleaner turns a list into an object before it is checked, so that `data: [1]` would
 * pass as `{"0": 1}`. It costs a sixth of the validation's speed.
 */
function rootInstance(ctx: Context, routes: () => AnyElysia['routes']) {
  return new Elysia({ normalize: 'typebox' })
    .use(httpPlatform(ctx, routes))
    .decorate('declarationOf', declarations(routes))
}
