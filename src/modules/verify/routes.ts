// POST /v1/verify.

import { Elysia } from 'elysia'
import { success } from '../../http/envelope'
import type { Context } from '../../platform/context'
import { secretKey } from '../projects'
import { verifyAnswer, verifyBody } from './model'
import { makeVerifier } from './service'

export function verifyRoutes(ctx: Context) {
  const verifier = makeVerifier(ctx)
  return new Elysia({ prefix: '/v1', tags: ['Public API'] })
    .use(secretKey(ctx))
    .post('/verify', async ({ body }) => success(await verifier.verify(body.email.trim())), {
      scope: 'read',
      whileSuspended: true,
      body: verifyBody,
      response: verifyAnswer,
      detail: {
        summary: 'Verify an address',
        description:
          'Checks syntax, the records of the domain, and lists of disposable, forwarding and free providers. Sends nothing and creates no contact.',
      },
    })
}
