// The public endpoints, and the alias of tracking for those who hold the secret key or are signed in.

import { Elysia } from 'elysia'
import { success } from '../../http/envelope'
import { refuseForeign } from '../../http/foreign-members'
import { requestInfo } from '../../http/request-id'
import type { Context } from '../../platform/context'
import { type Access, isForPages, projectAccess, publicKey, secretKey } from '../projects'
import { foreignToSend } from './foreign'
import { readIdempotencyKey } from './idempotency'
import { batchAnswer, batchBody, sendAnswer, sendBody, trackAnswer, trackBody, trackByBody } from './model'
import { sendBatch, senderOf, trackerOf } from './service'
import { parseTrack, parseTrackBy } from './track'

export function v1Routes(ctx: Context) {
  return new Elysia({ name: 'v1' }).use(sendRoutes(ctx)).use(trackRoutes(ctx)).use(trackByRoutes(ctx))
}

function keyOf(request: Request): string | undefined {
  return readIdempotencyKey(request.headers.get('idempotency-key'))
}

/** The project as a sender: a key may be bound to some of its domains. */
function senderIn({ project: { id, name }, named }: Access) {
  return { id, name, boundTo: named?.domains ?? null }
}

function sendRoutes(ctx: Context) {
  const sender = senderOf(ctx)
  return new Elysia({ prefix: '/v1', tags: ['Public API'] })
    .use(secretKey(ctx))
    .post(
      '/send',
      async ({ access, body, request }) => success(await sender.send(senderIn(access), body, keyOf(request))),
      {
        body: sendBody,
        transform: refuseForeign(foreignToSend, sendBody),
        response: sendAnswer,
        detail: {
          summary: 'Send transactional mail',
          description:
            'The messages are durably accepted when the answer is 200; they leave at once. With an Idempotency-Key header the request is performed at most once.',
        },
      },
    )
    .post(
      '/send/batch',
      async ({ access, body, request }) => {
        const { id: requestId } = requestInfo(request)
        const origin = { project: senderIn(access), key: keyOf(request), requestId }
        return success({ results: await sendBatch(ctx, sender, origin, body.messages) })
      },
      {
        body: batchBody,
        response: batchAnswer,
        detail: {
          summary: 'Send up to 100 different messages',
          description:
            'Each is judged, accepted and answered by itself, as if it had come alone. With an Idempotency-Key header each message is remembered by its place in the list: the same list may be sent again, and only what was not accepted is.',
        },
      },
    )
}

function trackRoutes(ctx: Context) {
  const track = trackerOf(ctx)
  return new Elysia({ prefix: '/v1', tags: ['Public API'] }).use(publicKey(ctx)).post(
    '/track',
    async ({ access, body, request }) => {
      const key = keyOf(request)
      const origin = { projectId: access.project.id, byPublicKey: true, key, path: '/v1/track' }
      return success(await track(parseTrack(body), origin))
    },
    {
      body: trackBody,
      response: trackAnswer,
      detail: {
        summary: 'Record an event of a contact',
        description:
          'Creates the contact where there is none. The event is durably accepted when the answer is 200. With an Idempotency-Key header the request is performed at most once.',
      },
    },
  )
}

function trackByRoutes(ctx: Context) {
  const track = trackerOf(ctx)
  return new Elysia({ prefix: '/events', tags: ['Events'] }).use(projectAccess(ctx)).post(
    '/track',
    async ({ access, body, request }) => {
      const key = keyOf(request)
      const origin = {
        projectId: access.project.id,
        byPublicKey: isForPages(access),
        key,
        path: '/events/track',
      }
      return success(await track(parseTrackBy(body), origin))
    },
    {
      body: trackByBody,
      response: trackAnswer,
      detail: {
        summary: 'Record an event of a contact',
        description: 'Like `/v1/track`; `name` may be given for `event`, and `contactId` for `email`.',
      },
    },
  )
}
