// Sign-up, sign-in and the own account. A session starts and ends here, as a cookie.
import { Elysia } from 'elysia'
import { clientAddress } from '../../http/request-id'
import { clearSession, session, setSession } from '../../http/session'
import type { CookieJar } from '../../http/session-token'
import { unauthorized } from '../../lib/errors'
import type { Context } from '../../platform/context'
import { oauthAnswer, signedInAnswer, signedOutAnswer, signInBody, signUpBody, userAnswer } from './model'
import { findUser, signIn, signUp } from './service'

export function usersRoutes(ctx: Context) {
  return new Elysia({ name: 'users' }).use(authRoutes(ctx)).use(profileRoutes(ctx))
}

function authRoutes(ctx: Context) {
  return (
    new Elysia({ prefix: '/auth', tags: ['Authentication'] })
      .post(
        '/signup',
        async ({ body, cookie }) => {
          const { id, email, sessionVersion } = await signUp(ctx, body)
          await setSession(ctx, cookie, { userId: id, version: sessionVersion })
          return { success: true as const, data: { id, email } }
        },
        { body: signUpBody, response: signedInAnswer, detail: { summary: 'Sign up; starts a session' } },
      )
      .post(
        '/login',
        async ({ body, cookie, request }) => {
          const { id, email, sessionVersion } = await signIn(ctx, {
            ...body,
            clientAddress: clientAddress(request),
          })
          await setSession(ctx, cookie, { userId: id, version: sessionVersion })
          return { success: true as const, data: { id, email } }
        },
        { body: signInBody, response: signedInAnswer, detail: { summary: 'Sign in with a password' } },
      )
      .get('/logout', ({ cookie }) => signOut(ctx, cookie), signOutOptions)
      .post('/logout', ({ cookie }) => signOut(ctx, cookie), signOutOptions)
      // No provider can be configured in this version, and its settings are refused at the start.
      .get('/oauth-config', () => ({ success: true as const, data: { github: false, google: false } }), {
        response: oauthAnswer,
        detail: { summary: 'Which sign-in providers are configured' },
      })
  )
}

const signOutOptions = { response: signedOutAnswer, detail: { summary: 'Sign out' } }

/** Open to everyone: a browser must be able to get rid of a cookie that has run out. */
function signOut(ctx: Context, cookie: CookieJar): { success: true } {
  clearSession(ctx, cookie)
  return { success: true }
}

function profileRoutes(ctx: Context) {
  return new Elysia({ tags: ['Users'] }).use(session(ctx)).get(
    '/users/@me',
    async ({ user }) => {
      const found = await findUser(ctx, user.id)
      if (!found) throw unauthorized('UNAUTHORIZED', 'You are not signed in')
      return found
    },
    { response: userAnswer, detail: { summary: 'The signed-in user' } },
  )
}
