// The sessions of the signed-in user: listing them, ending one, ending all others.

import { Elysia } from 'elysia'
import { cursorList, limitOf } from '../../../lib/page'
import type { Context } from '../../../platform/context'
import { clearSession, session, setSession } from '../guard'
import { signedOutAnswer } from '../model'
import { endOneSession, endOtherSessions, listSessions } from '../service'
import { sessionList, sessionParams, sessionsQuery, toSession } from '../session-model'

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
