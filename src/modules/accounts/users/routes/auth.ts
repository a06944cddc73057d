// Signing up, in and out, and the links in mails as JSON. A session starts and ends here, as a cookie.
import { Elysia } from 'elysia'
import type { CookieJar } from '../../../../http/guard'
import { sessionCookieName } from '../../../../http/guard'
import { clientAddress, isLocalClient } from '../../../../http/request-id'
import type { Context } from '../../../../platform/context'
import { type Arrival, clearSession, openSession, readSession, session } from '../guard'
import {
  codeStepBody,
  messageAnswer,
  oauthAnswer,
  requestResetBody,
  resetBody,
  signedInAnswer,
  signedOutAnswer,
  signInBody,
  signUpBody,
  verifyBody,
} from '../model'
import {
  endSession,
  endSessions,
  requestReset,
  requestVerification,
  resetPassword,
  type SignedIn,
  type SignUpClient,
  signIn,
  signInByCode,
  signUp,
  verifyEmail,
} from '../service'

export function authRoutes(ctx: Context) {
  return new Elysia({ prefix: '/auth', tags: ['Authentication'] })
    .use(signInRoutes(ctx))
    .use(linkRoutes(ctx))
    .use(ownSessionRoutes(ctx))
}

function signInRoutes(ctx: Context) {
  return new Elysia({ tags: ['Authentication'] })
    .post(
      '/signup',
      async ({ body, cookie, request }) =>
        opened(ctx, { cookie, request }, await signUp(ctx, { ...body, ...clientOf(request) })),
      {
        body: signUpBody,
        response: signedInAnswer,
        detail: {
          summary: 'Sign up; starts a session',
          description:
            'Needs a password of at least eight characters, and sets the session as a cookie. Where sign-up is closed, the `setupToken` of a fresh instance or the `invitationToken` of a mail opens it; otherwise the answer is 403.',
          errors: [403, 409, 429],
        },
      },
    )
    .post(
      '/login',
      async ({ body, cookie, request }) =>
        opened(
          ctx,
          { cookie, request },
          await signIn(ctx, { ...body, clientAddress: clientAddress(request) }),
        ),
      {
        body: signInBody,
        response: signedInAnswer,
        detail: {
          summary: 'Sign in with a password',
          description:
            'Sets the session as a cookie, for seven days. An account with a second factor is answered with 401 `SECOND_FACTOR_REQUIRED`, whose `details` hold the token of the next step; after too many wrong passwords the answer is 429.',
          errors: [401, 403, 429],
        },
      },
    )
    .post(
      '/login/second-factor',
      async ({ body, cookie, request }) =>
        opened(
          ctx,
          { cookie, request },
          await signInByCode(ctx, { ...body, clientAddress: clientAddress(request) }),
        ),
      {
        body: codeStepBody,
        response: signedInAnswer,
        detail: {
          summary: 'The second step of a sign-in, where an account asks for a code',
          description:
            'Takes the token that `POST /auth/login` gave, which is valid for five minutes, with a code of the authenticator app or a recovery code. It opens the session; five wrong codes close the step for a quarter of an hour.',
          addition: true,
          errors: [400, 401, 403, 429],
        },
      },
    )
    .get('/logout', ({ cookie }) => signOut(ctx, cookie), signOutOptions)
    .post('/logout', ({ cookie }) => signOut(ctx, cookie), {
      ...signOutOptions,
      detail: { ...signOutOptions.detail, addition: true, errors: [403] },
    })
    .get('/oauth-config', () => ({ success: true as const, data: configured(ctx) }), {
      response: oauthAnswer,
      detail: {
        summary: 'Which sign-in providers are configured',
        description:
          '`oidc` is there only where an OpenID Connect provider is configured, with the label of its button.',
      },
    })
}

function clientOf(request: Request): SignUpClient {
  return { clientAddress: clientAddress(request), isLocal: isLocalClient(request) }
}

/** A provider of one's own is a member only where there is one. */
function configured({ config: { oauth, oidc } }: Context) {
  const named = { github: oauth.github !== undefined, google: oauth.google !== undefined }
  return oidc ? { ...named, oidc: { label: oidc.label } } : named
}

/** Opens a session in the browser. */
async function opened(ctx: Context, arrival: Arrival, user: SignedIn) {
  await openSession(ctx, arrival, user)
  return { success: true as const, data: { id: user.id, email: user.email } }
}

const signOutOptions = {
  response: signedOutAnswer,
  detail: {
    summary: 'Sign out',
    description:
      'Ends this session, on the server as well, and clears the cookie. It needs no valid session, so that a browser can always get rid of an expired cookie.',
  },
}

/** Open to everyone: a browser must be able to get rid of an expired cookie. A session that has not expired ends here. */
async function signOut(ctx: Context, cookie: CookieJar): Promise<{ success: true }> {
  const session = await readSession(ctx, cookie[sessionCookieName]?.value)
  if (session) await endSession(ctx, session)
  clearSession(ctx, cookie)
  return { success: true }
}

function linkRoutes(ctx: Context) {
  return new Elysia({ tags: ['Authentication'] })
    .post(
      '/verify-email',
      async ({ body }) => {
        await verifyEmail(ctx, body.token)
        return withMessage('The address is verified')
      },
      {
        body: verifyBody,
        response: messageAnswer,
        detail: {
          summary: 'Verify an address with the token of a mail',
          description:
            'The token is that of the link in the mail, and works once. Whoever has it needs no session; a token that was used or has expired is 400.',
          errors: [403, 429],
        },
      },
    )
    .post(
      '/request-password-reset',
      async ({ body, request }) => {
        await requestReset(ctx, { ...body, clientAddress: clientAddress(request) })
        return withMessage('If the address has an account with a password, a mail is on its way')
      },
      {
        body: requestResetBody,
        response: messageAnswer,
        detail: {
          summary: 'Email a link for a new password',
          description: 'At most three an hour.',
          errors: [403, 429],
        },
      },
    )
    .post(
      '/reset-password',
      async ({ body }) => {
        await resetPassword(ctx, body)
        return withMessage('The password is changed; all sessions have ended')
      },
      {
        body: resetBody,
        response: messageAnswer,
        detail: {
          summary: 'Set a new password with the token of a mail',
          description:
            'The token is valid for an hour and works once. All sessions of the account end, and its address counts as verified; a token that was used or has expired is 400.',
          errors: [403, 429],
        },
      },
    )
}

function ownSessionRoutes(ctx: Context) {
  return new Elysia({ tags: ['Authentication'] })
    .use(session(ctx, { unverified: true }))
    .post('/request-verification', async ({ user }) => withMessage(await requestVerification(ctx, user.id)), {
      response: messageAnswer,
      detail: { summary: 'Mail another verification link', description: 'At most three an hour.' },
    })
    .post(
      '/logout-everywhere',
      async ({ user, cookie }) => {
        await endSessions(ctx, user.id)
        return await signOut(ctx, cookie)
      },
      {
        response: signedOutAnswer,
        detail: {
          summary: 'End all sessions of the signed-in user',
          description:
            'The session of the request ends too, and its cookie is cleared. To keep it, use `POST /users/@me/sessions/end-others`.',
          addition: true,
        },
      },
    )
}

function withMessage(message: string) {
  return { success: true as const, data: { message } }
}
