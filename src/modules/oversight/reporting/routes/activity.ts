// The feed of a project, its figures, and what lies ahead of it.
import { Elysia } from 'elysia'
import { cursorList, limitOf } from '../../../../lib/paging'
import type { Context } from '../../../../platform/context'
import { projectAccess } from '../../../accounts/projects'
import { toActivity, toUpcomingActivity } from '../answer-model'
import {
  feedAnswer,
  feedQuery,
  readAmount,
  recentAnswer,
  recentQuery,
  statsAnswer,
  statsQuery,
  typesAnswer,
  upcomingAnswer,
  upcomingQuery,
} from '../model'
import { cursorOf } from '../position'
import { countRecent, listActivity, listTypes } from '../service/feed'
import { activityStats } from '../service/statistics'
import { listUpcoming } from '../service/upcoming'

export function activityRoutes(ctx: Context) {
  return new Elysia({ prefix: '/activity', tags: ['Activity'] })
    .use(projectAccess(ctx))
    .get(
      '/',
      async ({ access, query }) => {
        const limit = limitOf(readAmount(query.limit), { standard: 50 })
        const { rows, total } = await listActivity(ctx, access.project.id, { ...query, limit })
        return cursorList(rows, limit, total, toActivity, cursorOf)
      },
      {
        scope: 'read',
        query: feedQuery,
        response: feedAnswer,
        detail: {
          summary: 'What went on in the project, newest first',
          description: 'Ordered by when it happened. `total` is counted on the first page, up to 10,000.',
        },
      },
    )
    .get(
      '/upcoming',
      async ({ access, query }) => {
        const limit = limitOf(readAmount(query.limit), { standard: 50 })
        const daysAhead = limitOf(readAmount(query.daysAhead), { standard: 30, largest: 90 })
        const found = await listUpcoming(ctx, access.project.id, { limit, daysAhead })
        return { activities: found.map(toUpcomingActivity) }
      },
      {
        scope: 'read',
        query: upcomingQuery,
        response: upcomingAnswer,
        detail: {
          summary:
            'Scheduled campaigns and emails, and workflow runs that wait for a known time, soonest first',
          description:
            'An execution is listed with the messages that its next steps lead to. `daysAhead` limits how far the list looks ahead.',
        },
      },
    )
    .get('/stats', ({ access, query }) => activityStats(ctx, access.project.id, query), {
      scope: 'read',
      query: statsQuery,
      response: statsAnswer,
      detail: {
        summary: 'Figures of the project over some days',
        description:
          'Whole days in UTC, the first and the last included; the last thirty if none are given. A message counts on the day when it was created.',
      },
    })
    .get(
      '/recent-count',
      async ({ access, query }) => {
        const minutes = limitOf(readAmount(query.minutes), { standard: 5, largest: 60 })
        return { count: await countRecent(ctx, access.project.id, minutes), minutes }
      },
      {
        scope: 'read',
        query: recentQuery,
        response: recentAnswer,
        detail: {
          summary: 'Events, messages and executions of the last minutes',
          description: 'Counted up to 10,000.',
        },
      },
    )
    .get('/types', async ({ access }) => ({ types: await listTypes(ctx, access.project.id) }), {
      scope: 'read',
      response: typesAnswer,
      detail: {
        summary: 'The types of activity that the project has',
        description: 'The types by which `GET /activity` can be filtered.',
      },
    })
}
