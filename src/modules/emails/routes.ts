// The delivery ledger over HTTP.

import { Elysia } from 'elysia'
import { cursorList, limitOf } from '../../lib/page'
import type { Context } from '../../platform/context'
import { projectAccess } from '../projects'
import { emailAnswer, emailList, idParams, listQuery, toEmail, toSummary } from './model'
import { getEmail, listEmails } from './service'

export function emailsRoutes(ctx: Context) {
  return new Elysia({ prefix: '/emails', tags: ['Emails'] })
    .use(projectAccess(ctx))
    .get(
      '/',
      async ({ access, query }) => {
        const limit = limitOf(query.limit)
        const { rows, total } = await listEmails(ctx, access.project.id, { ...query, limit })
        return cursorList(rows, limit, total, toSummary, row => ({
          value: row.createdAt.toISOString(),
          id: row.id,
        }))
      },
      {
        query: listQuery,
        response: emailList,
        detail: { summary: 'List messages, newest first', description: '`total` is counted up to 100,000.' },
      },
    )
    .get(
      '/:id',
      async ({ access, params }) => {
        const { email, attempts } = await getEmail(ctx, access.project.id, params.id)
        return toEmail(email, attempts)
      },
      {
        params: idParams,
        response: emailAnswer,
        detail: { summary: 'A message with its body and what was said to each try' },
      },
    )
}
