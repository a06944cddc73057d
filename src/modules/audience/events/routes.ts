// The event routes. Fixed words in a path win over `:eventName`. Tracking has its routes in v1, above the contacts that it writes.

import { Elysia } from 'elysia'
import { recordedName } from '../../../lib/event-names'
import { cursorList, limitOf } from '../../../lib/paging'
import type { Context } from '../../../platform/context'
import { projectAccess } from '../../accounts/projects'
import {
  contactEventList,
  contactListQuery,
  contactParams,
  deleteAnswer,
  eventCursor,
  eventList,
  listQuery,
  nameParams,
  namesAnswer,
  readDays,
  readEventListing,
  seriesAnswer,
  seriesQuery,
  statsAnswer,
  statsQuery,
  toEvent,
  toListedEvent,
  usageAnswer,
} from './model'
import { countEventNames, deleteEvents, describeUsage, listEvents, nameSeries } from './service'

export function eventsRoutes(ctx: Context) {
  return new Elysia({ name: 'events' }).use(listRoutes(ctx)).use(nameRoutes(ctx))
}

function listRoutes(ctx: Context) {
  return new Elysia({ prefix: '/events', tags: ['Events'] })
    .use(projectAccess(ctx))
    .get(
      '/',
      async ({ access, query }) => {
        const listing = readEventListing(
          query.eventName ? { name: recordedName(query.eventName) } : 'all',
          query,
          100,
        )
        const { rows, total } = await listEvents(ctx, access.project.id, listing)
        return cursorList(rows, listing.limit, total, toListedEvent, eventCursor)
      },
      {
        scope: 'read',
        query: listQuery,
        response: eventList,
        detail: {
          summary: 'List events, newest first',
          description:
            'By `cursor`; with `eventName`, only those of that name. Events that Waxwing records itself, such as `email.open`, are included.',
        },
      },
    )
    .get(
      '/contact/:contactId',
      async ({ access, params, query }) => {
        const listing = readEventListing({ contactId: params.contactId }, query, 50)
        const { rows, total } = await listEvents(ctx, access.project.id, listing)
        return cursorList(rows, listing.limit, total, toEvent, eventCursor)
      },
      {
        scope: 'read',
        params: contactParams,
        query: contactListQuery,
        response: contactEventList,
        detail: {
          summary: 'List the events of a contact, newest first',
          description: '`total` is counted up to 10,000.',
        },
      },
    )
}

function nameRoutes(ctx: Context) {
  return new Elysia({ prefix: '/events', tags: ['Events'] })
    .use(projectAccess(ctx))
    .get('/stats', ({ access, query }) => countEventNames(ctx, access.project.id, readDays(query)), {
      scope: 'read',
      query: statsQuery,
      response: statsAnswer,
      detail: {
        summary: 'How often each event was recorded, most frequent first',
        description:
          'Of all time, or between two days in UTC. Read from stored totals, so it is fast however many events there are.',
      },
    })
    .get(
      '/names',
      async ({ access }) => {
        const counts = await countEventNames(ctx, access.project.id)
        return { eventNames: counts.map(({ name }) => name) }
      },
      {
        scope: 'read',
        response: namesAnswer,
        detail: { summary: 'Names of events, most frequent first', description: 'At most 10,000.' },
      },
    )
    .get(
      '/:eventName/usage',
      ({ access, params }) => describeUsage(ctx, access.project.id, params.eventName),
      {
        scope: 'read',
        params: nameParams,
        response: usageAnswer,
        detail: {
          summary: 'Where an event name is used',
          description:
            'Segments and workflows that refer to it, and how many events and contacts there are. `canDelete` is false while something refers to it, and for reserved names.',
        },
      },
    )
    .get(
      '/:eventName/series',
      ({ access, params, query }) =>
        nameSeries(
          ctx,
          access.project.id,
          params.eventName,
          limitOf(query.days, { standard: 30, largest: 180 }),
        ),
      {
        scope: 'read',
        params: nameParams,
        query: seriesQuery,
        response: seriesAnswer,
        detail: {
          summary: 'How often an event was recorded on each of the last days (UTC)',
          description: 'Today included, oldest first, with a zero for each day without any.',
          addition: true,
        },
      },
    )
    .delete(
      '/:eventName',
      async ({ access, params }) => ({
        deletedCount: await deleteEvents(ctx, access.project.id, params.eventName),
      }),
      {
        scope: 'write',
        params: nameParams,
        response: deleteAnswer,
        detail: {
          summary: 'Delete every event of a name',
          description: 'Of many events the first ones are gone at once and the others soon after.',
        },
      },
    )
}
