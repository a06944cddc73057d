// Changes of many contacts, by id or by a query.

import { Elysia } from 'elysia'
import type { Context } from '../../../../platform/context'
import { type Access, liveRule, projectAccess } from '../../../accounts/projects'
import { consentOrigin } from '../consent'
import {
  addToSegmentBody,
  type BulkBody,
  bulkAnswer,
  bulkBody,
  bulkQueuedAnswer,
  jobParams,
  maxPerQuery,
  toBulk,
} from '../model'
import type { BulkOperation } from '../schema'
import { type FilterReader, findMatching, getBulk, startBulk, undoBulk } from '../service'

const description =
  'With the mode `query` those who match `search`, `subscribed` and `filter` at this moment, oldest first and at most `maximum`.'

interface Asked {
  access: Access
  request: Request
}

export function bulkRoutes(ctx: Context, readFilter: FilterReader | undefined) {
  const queue = async (
    { access, request }: Asked,
    operation: BulkOperation,
    body: BulkBody,
    segmentId?: string,
  ) => {
    const projectId = access.project.id
    const message = `The contacts are queued to ${operation}`
    const origin = consentOrigin(ctx, access, request)
    const more = { segmentId, origin, rule: liveRule(access) }
    if (body.mode !== 'query')
      return { message, jobId: await startBulk(ctx, projectId, operation, body.contactIds, more) }
    const found = await findMatching(ctx, projectId, body, { readFilter, most: maxPerQuery })
    const jobId = await startBulk(ctx, projectId, operation, found, more)
    return { message, jobId, totalRequested: found.length, maximum: maxPerQuery }
  }
  const options = (summary: string) => ({
    scope: 'write' as const,
    body: bulkBody,
    response: { 202: bulkQueuedAnswer },
    detail: { summary, description },
  })
  return new Elysia({ prefix: '/contacts', tags: ['Contacts'] })
    .use(projectAccess(ctx))
    .post(
      '/bulk-subscribe',
      async ({ body, status, ...asked }) => status(202, await queue(asked, 'subscribe', body)),
      options('Subscribe up to 1,000 contacts, or those of a query'),
    )
    .post(
      '/bulk-unsubscribe',
      async ({ body, status, ...asked }) => status(202, await queue(asked, 'unsubscribe', body)),
      options('Unsubscribe up to 1,000 contacts, or those of a query'),
    )
    .post(
      '/bulk-delete',
      async ({ body, status, ...asked }) => status(202, await queue(asked, 'delete', body)),
      options('Delete up to 1,000 contacts, or those of a query'),
    )
    .post(
      '/bulk-add-to-segment',
      async ({ body, status, ...asked }) => status(202, await queue(asked, 'add', body, body.segmentId)),
      {
        scope: 'write',
        response: { 202: bulkQueuedAnswer },
        body: addToSegmentBody,
        detail: {
          summary: 'Put up to 1,000 contacts, or those of a query, on a static segment',
          description,
          addition: true,
          errors: [404],
        },
      },
    )
    .get(
      '/bulk/:jobId',
      async ({ access, params }) => toBulk(await getBulk(ctx, access.project.id, params.jobId)),
      {
        scope: 'read',
        params: jobParams,
        response: bulkAnswer,
        detail: {
          summary: 'State of a bulk job',
          description:
            '`result` is there once the job has ended. The record is kept for thirty days; any other id is 404.',
        },
      },
    )
    .post(
      '/bulk/:jobId/undo',
      async ({ access, params, request, status }) => {
        const more = { origin: consentOrigin(ctx, access, request), rule: liveRule(access) }
        return status(202, {
          message: 'What the job changed is put back',
          jobId: await undoBulk(ctx, access.project.id, params.jobId, more),
        })
      },
      {
        scope: 'write',
        params: jobParams,
        response: { 202: bulkQueuedAnswer },
        detail: {
          summary: 'Undo a bulk job',
          description:
            'Contacts that it subscribed or unsubscribed are put back to exactly how they were, with the date since when and the end of a break, unless something was done to them since; those whom it put on a list are taken off it, unless somebody put them there again. Within an hour; 409 for a deletion, and while the job runs.',
          addition: true,
          errors: [404, 409],
        },
      },
    )
}
