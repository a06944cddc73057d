// The ways in: a project's own forms, and what everybody sees of them.
import { Elysia } from 'elysia'
import type { Context } from '../../../../platform/context'
import { ownFormRoutes } from './own'
import { publicFormRoutes } from './public'

export function formRoutes(ctx: Context) {
  return new Elysia({ name: 'forms' }).use(ownFormRoutes(ctx)).use(publicFormRoutes(ctx))
}
