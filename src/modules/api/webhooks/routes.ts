// Webhook endpoints of a project over HTTP, and the log of their deliveries.

import { Elysia } from 'elysia'
import { decodeCursor } from '../../../lib/cursor'
import { cursorList, limitOf } from '../../../lib/paging'
import type { Context } from '../../../platform/context'
import { projectAccess, projectActor } from '../../accounts/projects'
import * as model from './model'
import { selectEndpoints } from './queries'
import * as service from './service'

export function webhookEndpointRoutes(ctx: Context) {
  return new Elysia({ name: 'webhooks' }).use(endpointRoutes(ctx)).use(deliveryRoutes(ctx))
}

const { toEndpoint } = model
const tags = ['Webhooks']

function endpointRoutes(ctx: Context) {
  return new Elysia({ prefix: '/webhook-endpoints', tags, detail: { addition: true } })
    .use(projectAccess(ctx))
    .get('/', async ({ access }) => (await selectEndpoints(ctx, access.project.id)).map(toEndpoint), {
      scope: 'read',
      response: model.endpointList,
      detail: {
        summary: 'All webhook endpoints of the project',
        description:
          'Without their secrets; a project has at most 20. Only ADMIN, OWNER and the secret key may change them.',
      },
    })
    .post(
      '/',
      async ({ access, body, status }) => {
        const { endpoint, secret } = await service.createEndpoint(ctx, projectActor(access), body)
        return status(201, { ...toEndpoint(endpoint), secret })
      },
      {
        right: 'project.settings',
        body: model.endpointBody,
        response: { 201: model.secretAnswer },
        detail: {
          summary: 'Add an endpoint; the secret that signs its calls is returned only this once',
          description:
            'It gets the events in `eventTypes` from then on. Addresses in private networks are refused unless the instance allows them; 409 beyond 20 endpoints.',
          errors: [409],
        },
      },
    )
    .get(
      '/:id',
      async ({ access, params }) =>
        toEndpoint(await service.requireEndpoint(ctx, access.project.id, params.id)),
      {
        scope: 'read',
        params: model.idParams,
        response: model.endpointAnswer,
        detail: {
          summary: 'One endpoint',
          description: 'Without its secret, which is shown only when it is made or replaced.',
        },
      },
    )
    .patch(
      '/:id',
      async ({ access, params, body }) =>
        toEndpoint(await service.changeEndpoint(ctx, projectActor(access), params.id, body)),
      {
        right: 'project.settings',
        params: model.idParams,
        body: model.endpointChanges,
        response: model.endpointAnswer,
        detail: {
          summary: 'Change an endpoint, or switch it off and on',
          description:
            'Members that are left out stay as they are. While the endpoint is off, nothing is delivered to it; once it is on again, it gets the events from then on.',
        },
      },
    )
    .delete(
      '/:id',
      async ({ access, params, set }) => {
        await service.removeEndpoint(ctx, projectActor(access), params.id)
        set.status = 204
      },
      {
        right: 'project.settings',
        params: model.idParams,
        detail: {
          summary: 'Remove an endpoint',
          description:
            'Nothing more is delivered to it, and deliveries that were still to come are given up. For ADMIN, OWNER and the secret key.',
        },
      },
    )
    .post(
      '/:id/rotate-secret',
      async ({ access, params, body }) => {
        const { endpoint, secret } = await service.rotateSecret(
          ctx,
          projectActor(access),
          params.id,
          body.overlapHours ?? 24,
        )
        return { ...toEndpoint(endpoint), secret }
      },
      {
        right: 'project.settings',
        params: model.idParams,
        body: model.rotateBody,
        response: model.secretAnswer,
        detail: {
          summary: 'Replace the secret; the previous one signs as well for a while',
          description:
            'The new one is shown only this once. For `overlapHours` each call is signed with both, so that the receiver can switch at any time meanwhile.',
        },
      },
    )
}

function deliveryRoutes(ctx: Context) {
  return new Elysia({ prefix: '/webhook-endpoints', tags, detail: { addition: true } })
    .use(projectAccess(ctx))
    .post(
      '/:id/test',
      async ({ access, params, status }) =>
        status(201, { id: await service.testEndpoint(ctx, projectActor(access), params.id) }),
      {
        right: 'project.settings',
        params: model.idParams,
        response: { 201: model.testAnswer },
        detail: {
          summary: 'Send the endpoint a test event (webhook.test)',
          description:
            'It is delivered like any other event, and appears in the log of deliveries. 409 while the endpoint is off.',
          errors: [409],
        },
      },
    )
    .get(
      '/:id/deliveries',
      async ({ access, params, query }) => {
        const limit = limitOf(query.limit)
        const behind = decodeCursor(query.cursor)?.id
        const rows = await service.listDeliveries(ctx, access.project.id, params.id, behind, limit)
        return cursorList(rows, limit, 0, model.toDelivery, row => ({ value: null, id: row.id }))
      },
      {
        scope: 'read',
        params: model.idParams,
        query: model.deliveriesQuery,
        response: model.deliveryList,
        detail: {
          summary: 'Deliveries to an endpoint, newest first',
          description: 'Paged by `cursor`, without a total.',
        },
      },
    )
    .get(
      '/:id/deliveries/:deliveryId',
      async ({ access, params }) =>
        model.toDeliveryWithTries(
          await service.getDelivery(ctx, access.project.id, params.id, params.deliveryId),
        ),
      {
        scope: 'read',
        params: model.deliveryParams,
        response: model.deliveryAnswer,
        detail: {
          summary: 'One delivery with its body and the answer to each attempt',
          description: 'Kept for 30 days. The body is the one that was sent, without its signature.',
        },
      },
    )
    .post(
      '/:id/deliveries/:deliveryId/replay',
      async ({ access, params }) => {
        await service.replayOne(ctx, projectActor(access), params.id, params.deliveryId)
        return { replayed: 1 }
      },
      {
        right: 'project.settings',
        params: model.deliveryParams,
        response: model.replayAnswer,
        detail: {
          summary: 'Deliver once more, with the same id and body',
          description: '409 while it is still being tried.',
          errors: [409],
        },
      },
    )
    .post(
      '/:id/replay',
      async ({ access, params, body }) => ({
        replayed: await service.replaySpan(ctx, projectActor(access), params.id, body),
      }),
      {
        right: 'project.settings',
        params: model.idParams,
        body: model.replayBody,
        response: model.replayAnswer,
        detail: {
          summary: 'Deliver a period once more: the oldest 1,000 that failed, or all of them',
          description:
            'Between `since` and `until`; `status` ALL includes those that succeeded. Ids and bodies are those of the first time, so a receiver can recognize a repetition; 400 for an invalid period.',
          errors: [400],
        },
      },
    )
}
