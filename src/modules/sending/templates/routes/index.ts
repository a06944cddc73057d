// Templates and their layouts over HTTP.
import { Elysia } from 'elysia'
import type { Context } from '../../../../platform/context'
import { layoutRoutes } from './layouts'
import { templateRoutes } from './templates'

export function templatesRoutes(ctx: Context) {
  return new Elysia({ name: 'templates' }).use(templateRoutes(ctx)).use(layoutRoutes(ctx))
}
