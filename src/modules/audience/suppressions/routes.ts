// The list of suppressed addresses over HTTP.

import { Elysia } from 'elysia'
import { answer } from '../../../http/openapi/media'
import { streamOf } from '../../../http/stream'
import { normaliseEmail, partOfAddress } from '../../../lib/address'
import { downloadAs } from '../../../lib/file-name'
import { cursorList, limitOf } from '../../../lib/paging'
import type { Context } from '../../../platform/context'
import { projectAccess, projectActor } from '../../accounts/projects'
import {
  addressParams,
  readAddresses,
  readSuppressionPosition,
  suppressionBody,
  suppressionCursor,
  suppressionList,
  suppressionQuery,
  suppressionsAdded,
  toSuppression,
} from './model'
import { exportSuppressions, liftSuppression, listSuppressions, suppressAddresses } from './service'

export function suppressionRoutes(ctx: Context) {
  return new Elysia({ prefix: '/suppressions', tags: ['Suppressions'], detail: { addition: true } })
    .use(projectAccess(ctx))
    .get(
      '/',
      async ({ access, query }) => {
        const { id } = access.project
        const limit = limitOf(query.limit)
        const email = query.email === undefined ? null : normaliseEmail(query.email)
        const search = partOfAddress(query.search ?? '') || null
        const filter = { reason: query.reason ?? null, email, search }
        const { rows, total } = await listSuppressions(
          ctx,
          id,
          filter,
          readSuppressionPosition(query.cursor),
          limit,
        )
        return cursorList(rows, limit, total, toSuppression, row => suppressionCursor(id, row))
      },
      {
        scope: 'read',
        query: suppressionQuery,
        response: suppressionList,
        detail: {
          summary: 'Addresses that get no more mail, newest first',
          description: '`total` is counted up to 100,000.',
        },
      },
    )
    .get(
      '/export',
      ({ access, set }) => {
        set.headers['content-type'] = 'text/csv; charset=utf-8'
        set.headers['content-disposition'] = downloadAs(['suppressions'], ctx.clock.now(), 'csv')
        return streamOf(exportSuppressions(ctx, access.project.id))
      },
      {
        scope: 'read',
        detail: {
          summary: 'All suppressed addresses, as CSV',
          description: 'With reason and date. The file is streamed, however many there are.',
          responses: { 200: answer('A header row, and a row for each address', 'text/csv') },
        },
      },
    )
    .post(
      '/',
      async ({ access, body, set }) => {
        const answer = await suppressAddresses(
          ctx,
          projectActor(access),
          readAddresses(body),
          body.note ?? '',
        )
        set.status = 201
        return answer
      },
      {
        scope: 'write',
        body: suppressionBody,
        response: { 201: suppressionsAdded },
        detail: {
          summary: 'Suppress addresses, at most 1,000',
          description:
            'They get no more mail, whoever asks for it and of whatever type; contacts keep their subscription. One that is suppressed already keeps its reason and is counted in `existing`.',
        },
      },
    )
    .delete(
      '/:email',
      async ({ access, params, set }) => {
        await liftSuppression(ctx, projectActor(access), params.email)
        set.status = 204
      },
      {
        scope: 'write',
        params: addressParams,
        detail: {
          summary: 'Allow mail to an address again',
          description: 'Its contact stays unsubscribed.',
        },
      },
    )
}
