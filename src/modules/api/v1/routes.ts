// The public endpoints, and the alias of tracking for those who hold the secret key or are signed in.
import { Elysia } from 'elysia'
import { success } from '../../../http/envelope'
import { refuseForeign } from '../../../http/foreign-members'
import { requestInfo } from '../../../http/request-id'
import type { Context } from '../../../platform/context'
import { type Access, isForPages, projectAccess, publicKey, secretKey } from '../../accounts/projects'
import { consentOrigin } from '../../audience/contacts'
import { foreignToSend } from './foreign'
import { readIdempotencyKey } from './idempotency'
import {
  batchAnswer,
  batchBody,
  sendAnswer,
  sendBody,
  trackAnswer,
  trackBody,
  trackByBody,
} from './model/bodies'
import { parseTrack, parseTrackBy } from './model/track'
import { sendBatch, sendServiceOf, trackerOf } from './service'

export function v1Routes(ctx: Context) {
  return new Elysia({ name: 'v1' }).use(sendRoutes(ctx)).use(trackRoutes(ctx)).use(trackByRoutes(ctx))
}

function keyOf(request: Request): string | undefined {
  return readIdempotencyKey(request.headers.get('idempotency-key'))
}

/** The project as a sender: a key may be bound to some of its domains. */
function senderIn(ctx: Context, access: Access, request: Request) {
  const { project, named } = access
  const consent = consentOrigin(ctx, access, request)
  return { id: project.id, name: project.name, boundTo: named?.domains ?? null, consent }
}

/** Whose events they are, and what the caller's word about consent is worth. */
function originIn(ctx: Context, access: Access, request: Request) {
  const { id: projectId, keepsOptOuts } = access.project
  return {
    projectId,
    keepsOptOuts: keepsOptOuts && isForPages(access),
    consent: consentOrigin(ctx, access, request),
  }
}

function sendRoutes(ctx: Context) {
  const sender = sendServiceOf(ctx)
  return new Elysia({ prefix: '/v1', tags: ['Public API'] })
    .use(secretKey(ctx))
    .post(
      '/send',
      async ({ access, body, request }) =>
        success(await sender.send(senderIn(ctx, access, request), body, keyOf(request))),
      {
        scope: 'send',
        body: sendBody,
        transform: refuseForeign(foreignToSend, sendBody),
        response: sendAnswer,
        detail: {
          summary: 'Send transactional mail',
          description:
            'The messages are durably accepted when the answer is 200; they leave at once. With an Idempotency-Key header the request is performed at most once.',
          idempotent: true,
          errors: [404, 409],
        },
      },
    )
    .post(
      '/send/batch',
      async ({ access, body, request }) => {
        const { id: requestId } = requestInfo(request)
        const origin = { project: senderIn(ctx, access, request), key: keyOf(request), requestId }
        return success({ results: await sendBatch(ctx, sender, origin, body.messages) })
      },
      {
        scope: 'send',
        body: batchBody,
        response: batchAnswer,
        detail: {
          summary: 'Send up to 100 different messages',
          description:
            'Each is judged, accepted and answered by itself, as if it had come alone. With an Idempotency-Key header each message is remembered by its place in the list: the same list may be sent again, and only what was not accepted is.',
          addition: true,
          idempotent: true,
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
      const origin = { ...originIn(ctx, access, request), byPublicKey: true, key, path: '/v1/track' }
      return success(await track(parseTrack(body), origin))
    },
    {
      scope: 'track',
      body: trackBody,
      response: trackAnswer,
      detail: {
        summary: 'Record an event of a contact',
        description:
          'Creates the contact where there is none. The event is durably accepted when the answer is 200. With an Idempotency-Key header the request is performed at most once.',
        idempotent: true,
        errors: [409],
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
        ...originIn(ctx, access, request),
        byPublicKey: isForPages(access),
        key,
        path: '/events/track',
      }
      return success(await track(parseTrackBy(body), origin))
    },
    {
      scope: 'track',
      body: trackByBody,
      response: trackAnswer,
      detail: {
        summary: 'Record an event of a contact',
        description: 'Like `/v1/track`; `name` may be given for `event`, and `contactId` for `email`.',
        idempotent: true,
        errors: [404, 409],
      },
    },
  )
}
