// The account of the signed-in user.
import { Elysia } from 'elysia'
import { clientAddress } from '../../../http/request-id'
import { unauthorized } from '../../../lib/errors'
import type { Context } from '../../../platform/context'
import { openSession, session } from '../guard'
import { changePasswordBody, signedInAnswer, userAnswer } from '../model'
import { changePassword, findUser } from '../service'

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
