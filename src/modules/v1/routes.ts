// The public endpoints.
import { Elysia } from 'elysia'
import { secretKey } from '../../http/api-key'
import { success } from '../../http/envelope'
import type { Context } from '../../platform/context'
import { readIdempotencyKey } from './idempotency'
import { sendAnswer, sendBody } from './model'
import { makeSender } from './service'

export function v1Routes(ctx: Context) {
  const sender = makeSender(ctx)
  return new Elysia({ prefix: '/v1', tags: ['Public API'] }).use(secretKey(ctx)).post(
    '/send',
    async ({ access, body, request }) => {
      const key = readIdempotencyKey(request.headers.get('idempotency-key'))
      return success(await sender.send(access.project, body, key))
    },
    {
      body: sendBody,
      response: sendAnswer,
      detail: {
        summary: 'Send transactional mail',
        description:
          'The messages are durably accepted when the answer is 200; they leave at once. With an Idempotency-Key header the request is performed at most once.',
      },
    },
  )
}
