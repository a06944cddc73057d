// Everything that accounts serve.
import { Elysia } from 'elysia'
import type { Context } from '../../../../platform/context'
import { authRoutes } from './auth'
import { loginPage } from './login-page'
import { oauthRoutes } from './oauth'
import { pageRoutes } from './pages'
import { secondFactorRoutes } from './second-factor'
import { profileRoutes, sessionRoutes } from './sessions'

export function usersRoutes(ctx: Context) {
  return new Elysia({ name: 'users' })
    .use(authRoutes(ctx))
    .use(oauthRoutes(ctx))
    .use(loginPage(ctx))
    .use(pageRoutes(ctx))
    .use(profileRoutes(ctx))
    .use(sessionRoutes(ctx))
    .use(secondFactorRoutes(ctx))
}
