// The list of contacts with a filter tree, which no query string can hold. Nothing is stored: it is how a filter is tried out while
// somebody builds it.

import { Elysia } from 'elysia'
import { answer } from '../../../../http/openapi/media'
import { streamOf } from '../../../../http/stream'
import { downloadAs } from '../../../../lib/file-name'
import { cursorList } from '../../../../lib/paging'
import type { Context } from '../../../../platform/context'
import { projectAccess } from '../../../accounts/projects'
import { contactCursor, readContactSearch } from '../listing'
import { contactList, exportBody, exportDescription, searchBody, toContact } from '../model'
import { exportContacts, type FilterReader, listContacts } from '../service'

/** Has a question that may read all contacts wait until it is the project's turn. */
export type FilterTurn = <T>(
  ctx: Context,
  projectId: string,
  work: (ctx: Context) => Promise<T>,
) => Promise<T>

interface Parts {
  readFilter?: FilterReader
  inTurn?: FilterTurn
}

export function searchRoutes(ctx: Context, { readFilter, inTurn }: Parts) {
  const conditionOf = async (projectId: string, filter: unknown) =>
    filter === undefined ? undefined : await readFilter?.(ctx, projectId, filter)
  return new Elysia({ prefix: '/contacts', tags: ['Contacts'], detail: { addition: true } })
    .use(projectAccess(ctx))
    .post(
      '/search',
      async ({ access, body: { filter, ...rest } }) => {
        const { id } = access.project
        const listing = readContactSearch(rest)
        const condition = await conditionOf(id, filter)
        const ask = (on: Context) => listContacts(on, id, listing, condition)
        const { rows, total } = await (condition && inTurn ? inTurn(ctx, id, ask) : ask(ctx))
        return cursorList(rows, listing.limit, total, toContact, row => contactCursor(listing.sort, row))
      },
      {
        scope: 'read',
        whileSuspended: true,
        body: searchBody,
        response: contactList,
        detail: {
          summary: 'List contacts that match a filter tree',
          description: '`total` is given on the first page, and is exact where there is a filter.',
          errors: [404],
        },
      },
    )
    .post(
      '/export',
      async ({ access, body: { filter, consent: withConsent = false, ...rest }, set }) => {
        const condition = await conditionOf(access.project.id, filter)
        set.headers['content-type'] = 'text/csv; charset=utf-8'
        set.headers['content-disposition'] = downloadAs(['contacts'], ctx.clock.now(), 'csv')
        const listing = readContactSearch(rest)
        return streamOf(exportContacts(ctx, access.project.id, listing, { condition, withConsent }))
      },
      {
        scope: 'read',
        whileSuspended: true,
        body: exportBody,
        detail: {
          summary: 'All contacts that match a filter tree, as CSV',
          description: exportDescription,
          errors: [404],
          responses: { 200: answer('A header row, and a row for each contact', 'text/csv') },
        },
      },
    )
}
