// Topics over HTTP, and what contacts decide about them.

import { Elysia } from 'elysia'
import type { Context } from '../../../platform/context'
import { projectAccess, projectActor } from '../../accounts/projects'
import { consentOrigin } from '../contacts'
import {
  createBody,
  decidedList,
  decisionsBody,
  idParams,
  toDecided,
  topicAnswer,
  topicList,
  toTopic,
  updateBody,
} from './model'
import { createTopic, decideTopics, listTopics, removeTopic, topicsOf, updateTopic } from './service'

export function topicsRoutes(ctx: Context) {
  return new Elysia({ name: 'topics' }).use(collectionRoutes(ctx)).use(decisionRoutes(ctx))
}

function collectionRoutes(ctx: Context) {
  return new Elysia({ prefix: '/topics', tags: ['Topics'], detail: { addition: true } })
    .use(projectAccess(ctx))
    .get('/', async ({ access }) => ({ data: (await listTopics(ctx, access.project.id)).map(toTopic) }), {
      scope: 'read',
      response: topicList,
      detail: {
        summary: 'Topics, in the order in which they were made',
        description: 'At most 100.',
      },
    })
    .post(
      '/',
      async ({ access, body, status }) =>
        status(201, toTopic(await createTopic(ctx, projectActor(access), body))),
      {
        scope: 'write',
        body: createBody,
        response: { 201: topicAnswer },
        detail: {
          summary: 'Create a topic',
          description:
            "A project may have 100. `subscribedByDefault` can't be changed afterwards, because it says what people are taken to have agreed to. 409 for a name that is taken.",
          errors: [409],
        },
      },
    )
    .patch(
      '/:id',
      async ({ access, params, body }) =>
        toTopic(await updateTopic(ctx, projectActor(access), params.id, body)),
      {
        scope: 'write',
        params: idParams,
        body: updateBody,
        response: topicAnswer,
        detail: {
          summary: 'Rename, describe, hide or archive a topic',
          description:
            'An archived topic is offered to nobody any more; decisions about it stay. With `offeredOnPages` false, pages neither list it nor let people join it. `publicArchive` opens a page of its campaigns to everybody. 409 for a name that is taken.',
          errors: [409],
        },
      },
    )
    .delete(
      '/:id',
      async ({ access, params, status }) => {
        await removeTopic(ctx, projectActor(access), params.id)
        return status(204, undefined)
      },
      {
        scope: 'write',
        params: idParams,
        detail: {
          summary: 'Delete a topic that nobody decided about and no campaign, workflow or segment names',
          description: '409 for any other: archive it.',
          errors: [409],
        },
      },
    )
}

function decisionRoutes(ctx: Context) {
  return new Elysia({ prefix: '/contacts', tags: ['Topics'], detail: { addition: true } })
    .use(projectAccess(ctx))
    .get(
      '/:id/topics',
      async ({ access, params }) => ({
        data: (await topicsOf(ctx, access.project.id, params.id)).map(toDecided),
      }),
      {
        scope: 'read',
        params: idParams,
        response: decidedList,
        detail: {
          summary: 'All topics, as they stand for a contact',
          description:
            "`subscribed` is the contact's own decision where there is one, else the topic's default. Marketing mail is only sent if the contact itself is `subscribed` too.",
        },
      },
    )
    .put(
      '/:id/topics',
      async ({ access, params, body, request }) => {
        const origin = consentOrigin(ctx, access, request)
        const whose = { projectId: access.project.id, contactId: params.id, origin }
        const decisions = body.topics.map(({ id: topicId, ...decision }) => ({ topicId, ...decision }))
        return { data: (await decideTopics(ctx, whose, decisions)).topics.map(toDecided) }
      },
      {
        scope: 'write',
        params: idParams,
        body: decisionsBody,
        response: decidedList,
        detail: {
          summary: 'Take what a contact decided about topics',
          description: 'Topics that are not named stay as they are.',
        },
      },
    )
}
