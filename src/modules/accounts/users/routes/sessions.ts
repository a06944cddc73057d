// The sessions of the signed-in user: listing them, ending one, ending all others.
import { Elysia } from 'elysia'
import { clientAddress } from '../../../../http/request-id'
import { unauthorized } from '../../../../lib/errors'
import { cursorList, limitOf } from '../../../../lib/paging'
import type { Context } from '../../../../platform/context'
import { clearSession, openSession, session, setSession } from '../guard'
import {
  changePasswordBody,
  sessionList,
  sessionParams,
  sessionsQuery,
  signedInAnswer,
  signedOutAnswer,
  toSession,
  userAnswer,
} from '../model'
import { changePassword, endOneSession, endOtherSessions, findUser, listSessions } from '../service'

export function sessionRoutes(ctx: Context) {
  return new Elysia({ prefix: '/users/@me/sessions', tags: ['Users'], detail: { addition: true } })
    .use(session(ctx, { unverified: true }))
    .get(
      '',
      async ({ user, query }) => {
        const limit = limitOf(query.limit)
        const { rows, total } = await listSessions(ctx, user.id, { ...query, limit })
        const toWire = (row: (typeof rows)[number]) => toSession(row, user.session.id)
        return cursorList(rows, limit, total, toWire, row => ({ value: null, id: row.id }))
      },
      {
        query: sessionsQuery,
        response: sessionList,
        detail: {
          summary: 'Open sessions of the signed-in user, newest sign-in first',
          description: '`total` is counted up to 1,000.',
        },
      },
    )
    .post(
      '/end-others',
      async ({ user, cookie }) => {
        const version = await endOtherSessions(ctx, user.session)
        await setSession(ctx, cookie, { userId: user.id, version, known: user.session })
        return { success: true as const }
      },
      {
        response: signedOutAnswer,
        detail: {
          summary: 'End all sessions of the signed-in user but this one',
          description:
            'Other browsers are signed out with their next request. The session of the request goes on.',
        },
      },
    )
    .delete(
      '/:sessionId',
      async ({ user, params, cookie, set }) => {
        const id = params.sessionId.toLowerCase()
        await endOneSession(ctx, user.id, id)
        if (id === user.session.id) clearSession(ctx, cookie)
        set.status = 204
      },
      {
        params: sessionParams,
        detail: {
          summary: 'End a session; it is over at once',
          description:
            'You can only end your own sessions; any other id is 404. To end the session of the request is to sign out.',
        },
      },
    )
}

export function profileRoutes(ctx: Context) {
  return new Elysia({ prefix: '/users/@me', tags: ['Users'] })
    .use(session(ctx, { unverified: true }))
    .get(
      '',
      async ({ user }) => {
        const found = await findUser(ctx, user.id)
        if (!found) throw unauthorized('UNAUTHORIZED', 'You are not signed in')
        return found
      },
      {
        response: userAnswer,
        detail: {
          summary: 'The signed-in user',
          description: 'Needs the session cookie: a key stands for a project, not for a person.',
        },
      },
    )
    .post(
      '/password',
      async ({ user, body, cookie, request }) => {
        const input = { ...body, clientAddress: clientAddress(request) }
        const changed = await changePassword(ctx, user.id, input)
        await openSession(ctx, { request, cookie }, changed)
        return { success: true as const, data: { id: changed.id, email: changed.email } }
      },
      {
        body: changePasswordBody,
        response: signedInAnswer,
        detail: {
          summary: 'Change your own password',
          description: 'Ends all other sessions.',
          addition: true,
        },
      },
    )
}
