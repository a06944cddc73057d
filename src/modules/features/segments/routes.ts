// Segments over HTTP.

import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { cursorList, offsetList, pageOf, pageQuery } from '../../../lib/paging'
import type { Context } from '../../../platform/context'
import { liveRule, projectAccess } from '../../accounts/projects'
import { consentOrigin, toContact } from '../../audience/contacts'
import {
  addMembersBody,
  computeAnswer,
  contactParams,
  contactSegments,
  createBody,
  historyList,
  historyQuery,
  idParams,
  membersAdded,
  membershipCursor,
  membersRemoved,
  readHistory,
  refreshAnswer,
  removeMembersBody,
  segmentAnswer,
  segmentContacts,
  segmentList,
  toChange,
  toSegment,
  updateBody,
} from './model'
import {
  addMembers,
  computeOnRequest,
  createSegment,
  getSegment,
  inFilterTurn,
  listHistory,
  listSegmentContacts,
  listSegments,
  refreshSegment,
  removeMembers,
  removeSegment,
  segmentsOfContact,
  updateSegment,
} from './service'

export function segmentsRoutes(ctx: Context) {
  return new Elysia({ name: 'segments' })
    .use(recordRoutes(ctx))
    .use(membershipRoutes(ctx))
    .use(readingRoutes(ctx))
}

function recordRoutes(ctx: Context) {
  return new Elysia({ prefix: '/segments', tags: ['Segments'] })
    .use(projectAccess(ctx))
    .get('/', async ({ access }) => (await listSegments(ctx, access.project.id)).map(toSegment), {
      scope: 'read',
      response: segmentList,
      detail: {
        summary: 'List all segments',
        description: 'All at once, without pages; `memberCount` is cached and may be out of date.',
      },
    })
    .post(
      '/',
      async ({ access, body, status }) =>
        status(201, toSegment(await createSegment(ctx, access.project.id, body, liveRule(access)))),
      {
        scope: 'write',
        body: createBody,
        response: { 201: segmentAnswer },
        detail: {
          summary: 'Create a segment',
          description:
            'A DYNAMIC one needs a `condition`, a STATIC one has a list that is kept by hand. With `trackMembership`, an event is recorded for each contact that enters or leaves. An invalid condition is 400.',
          errors: [404],
          shortErrors: [400],
        },
      },
    )
    .get(
      '/:id',
      async ({ access, params }) => toSegment(await getSegment(ctx, access.project.id, params.id)),
      {
        scope: 'read',
        params: idParams,
        response: segmentAnswer,
        detail: {
          summary: 'Get a segment with its cached count',
          description:
            '`memberCount` is cached and may be out of date; `POST /segments/{id}/refresh` counts again.',
        },
      },
    )
    .patch(
      '/:id',
      async ({ access, params, body }) => {
        return toSegment(await updateSegment(ctx, access.project.id, params.id, body, liveRule(access)))
      },
      {
        scope: 'write',
        params: idParams,
        body: updateBody,
        response: segmentAnswer,
        detail: {
          summary: 'Change a segment; its type stays',
          description:
            'Members that are left out stay as they are. A new name changes the names of its entry and exit events, which workflows may listen for; an invalid condition is 400. 409 for a new condition while a campaign to this segment, or to one that uses it, is recording its recipients.',
          errors: [409],
          shortErrors: [400],
        },
      },
    )
    .delete(
      '/:id',
      async ({ access, params, status }) => {
        await removeSegment(ctx, access.project.id, params.id)
        return status(204, undefined)
      },
      {
        scope: 'write',
        params: idParams,
        detail: {
          summary: 'Delete a segment that nothing uses',
          description:
            'Contacts stay. 409 while an unfinished campaign, a workflow or another segment uses it.',
          errors: [409],
        },
      },
    )
}

function membershipRoutes(ctx: Context) {
  return new Elysia({ prefix: '/segments', tags: ['Segments'] })
    .use(projectAccess(ctx))
    .get(
      '/:id/contacts',
      async ({ access, params, query }) => {
        const page = pageOf(query)
        const { rows, total } = await listSegmentContacts(ctx, access.project.id, params.id, page)
        return offsetList(rows.map(toContact), page, total)
      },
      {
        scope: 'read',
        params: idParams,
        query: Type.Object(pageQuery),
        response: segmentContacts,
        detail: {
          summary: 'Contacts that are in the segment now',
          description:
            'By page number, at most 100 on each. A dynamic segment is evaluated at this moment, and `total` is exact.',
        },
      },
    )
    .post(
      '/:id/members',
      async ({ access, params, body, request }) => {
        const more = { origin: consentOrigin(ctx, access, request), rule: liveRule(access) }
        return await addMembers(ctx, access.project.id, params.id, body, more)
      },
      {
        scope: 'write',
        params: idParams,
        body: addMembersBody,
        response: membersAdded,
        detail: {
          summary: 'Add contacts to a static segment',
          description:
            'At most 500 addresses. Those that are not contacts are listed in `notFound`; with `createMissing` they are created instead, subscribed unless `subscribed` is false. 400 for a dynamic segment; no events are recorded.',
          shortErrors: [400],
        },
      },
    )
    .delete(
      '/:id/members',
      async ({ access, params, body }) => ({
        removed: await removeMembers(ctx, access.project.id, params.id, body.emails, liveRule(access)),
      }),
      {
        scope: 'write',
        params: idParams,
        body: removeMembersBody,
        response: membersRemoved,
        detail: {
          summary: 'Remove contacts from a static segment',
          description:
            'At most 500 addresses. The contacts themselves stay; 400 for a dynamic segment. No events are recorded.',
          shortErrors: [400],
        },
      },
    )
    .post(
      '/:id/compute',
      ({ access, params }) =>
        inFilterTurn(ctx, access.project.id, () =>
          computeOnRequest(ctx, access.project.id, params.id, liveRule(access)),
        ),
      {
        scope: 'write',
        params: idParams,
        response: computeAnswer,
        detail: {
          summary: 'Recompute a tracked segment and record entries and exits',
          description:
            'This happens every few minutes by itself. The first time, everybody in the segment enters, and the events may start workflows. 400 for a segment whose membership is not tracked.',
        },
      },
    )
    .post(
      '/:id/refresh',
      async ({ access, params }) => ({
        memberCount: await inFilterTurn(ctx, access.project.id, () =>
          refreshSegment(ctx, access.project.id, params.id),
        ),
      }),
      {
        scope: 'write',
        params: idParams,
        response: refreshAnswer,
        detail: {
          summary: 'Count the segment again, without events',
          description: 'Stores the new `memberCount` and nothing else.',
        },
      },
    )
}

function readingRoutes(ctx: Context) {
  return new Elysia({ tags: ['Segments'], detail: { addition: true } })
    .use(projectAccess(ctx))
    .get(
      '/segments/:id/history',
      async ({ access, params, query }) => {
        const page = readHistory(query)
        const { rows, total } = await listHistory(ctx, access.project.id, params.id, page)
        return cursorList(rows, page.limit, total, toChange, membershipCursor)
      },
      {
        scope: 'read',
        params: idParams,
        query: historyQuery,
        response: historyList,
        detail: {
          summary: 'Who entered a tracked segment and who left it, newest first',
          description: 'By the events of the name that it has now. `total` is counted up to 10,000.',
        },
      },
    )
    .get(
      '/contacts/:id/segments',
      async ({ access, params }) => {
        const found = await segmentsOfContact(ctx, access.project.id, params.id)
        return { segments: found.map(({ id, name, type }) => ({ id, name, type })) }
      },
      {
        scope: 'read',
        params: contactParams,
        response: contactSegments,
        detail: {
          summary: 'The segments that a contact is in now, by name',
          description: 'Dynamic and static ones; conditions are evaluated at this moment.',
        },
      },
    )
}
