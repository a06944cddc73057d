// Changes of many contacts by id.
import { Elysia } from 'elysia'
import { projectAccess } from '../../../http/project-access'
import type { Context } from '../../../platform/context'
import { bulkAnswer, bulkBody, jobParams, queuedAnswer, toBulk } from '../model'
import type { BulkOperation } from '../schema'
import { getBulk, startBulk } from '../service'

export function bulkRoutes(ctx: Context) {
  const queue = async (projectId: string, operation: BulkOperation, contactIds: string[] | undefined) => {
    const jobId = await startBulk(ctx, projectId, operation, contactIds)
    return { message: `The contacts are queued to ${operation}`, jobId }
  }
  const options = (summary: string) => ({
    body: bulkBody,
    response: { 202: queuedAnswer },
    detail: { summary },
  })
  return new Elysia({ prefix: '/contacts', tags: ['Contacts'] })
    .use(projectAccess(ctx))
    .post(
      '/bulk-subscribe',
      async ({ access, body, status }) =>
        status(202, await queue(access.project.id, 'subscribe', body.contactIds)),
      options('Subscribe up to 1,000 contacts'),
    )
    .post(
      '/bulk-unsubscribe',
      async ({ access, body, status }) =>
        status(202, await queue(access.project.id, 'unsubscribe', body.contactIds)),
      options('Unsubscribe up to 1,000 contacts'),
    )
    .post(
      '/bulk-delete',
      async ({ access, body, status }) =>
        status(202, await queue(access.project.id, 'delete', body.contactIds)),
      options('Delete up to 1,000 contacts'),
    )
    .get(
      '/bulk/:jobId',
      async ({ access, params }) => toBulk(await getBulk(ctx, access.project.id, params.jobId)),
      { params: jobParams, response: bulkAnswer, detail: { summary: 'How a bulk job stands' } },
    )
}
