// Everything that accounts serve.
import { Elysia } from 'elysia'
import type { Context } from '../../../platform/context'
import { authRoutes } from './auth'
import { pageRoutes } from './pages'
import { profileRoutes } from './profile'

export function usersRoutes(ctx: Context) {
  return new Elysia({ name: 'users' }).use(authRoutes(ctx)).use(pageRoutes(ctx)).use(profileRoutes(ctx))
}
