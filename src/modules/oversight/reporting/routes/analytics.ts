// The analytics of a project.

import { Elysia } from 'elysia'
import { limitOf } from '../../../../lib/paging'
import type { Context } from '../../../../platform/context'
import { projectAccess } from '../../../accounts/projects'
import {
  campaignStatsAnswer,
  daysQuery,
  rejectionsAnswer,
  rejectionsQuery,
  timeseriesAnswer,
  toCampaignFigures,
  topCampaignsAnswer,
  topCampaignsQuery,
  topEventsAnswer,
  topEventsQuery,
  topTemplatesAnswer,
  toRejections,
  toTemplateFigures,
  toTimePoint,
} from '../model'
import {
  campaignSummary,
  rejections,
  timeseries,
  topCampaigns,
  topEvents,
  topTemplates,
} from '../service/statistics'

export function analyticsRoutes(ctx: Context) {
  return new Elysia({ name: 'analytics', prefix: '/analytics', tags: ['Analytics'] })
    .use(projectAccess(ctx))
    .get(
      '/timeseries',
      async ({ access, query }) => (await timeseries(ctx, access.project.id, query)).map(toTimePoint),
      {
        scope: 'read',
        query: daysQuery,
        response: timeseriesAnswer,
        detail: {
          summary: 'Messages by the day (UTC) on which they were made',
          description: 'Every day of the span, oldest first, within the last 90.',
        },
      },
    )
    .get(
      '/top-campaigns',
      async ({ access, query }) => {
        const limit = limitOf(query.limit, { standard: 10, largest: 50 })
        const found = await topCampaigns(ctx, access.project.id, query, query.metric ?? 'opened', limit)
        return found.map(toCampaignFigures)
      },
      {
        scope: 'read',
        query: topCampaignsQuery,
        response: topCampaignsAnswer,
        detail: {
          summary: 'Campaigns that were sent in these days, best first',
          description:
            'Ordered by `metric` (by default `opened`). Whole days in UTC; an invalid date is 400.',
        },
      },
    )
    .get(
      '/campaign-stats',
      async ({ access, query }) => {
        const { campaigns, ...totals } = await campaignSummary(ctx, access.project.id, query)
        return { ...totals, campaigns: campaigns.map(toCampaignFigures) }
      },
      {
        scope: 'read',
        query: daysQuery,
        response: campaignStatsAnswer,
        detail: {
          summary: 'Campaigns of these days, together and one by one',
          description:
            'At most 100 are listed one by one; the totals count all of them. An invalid date is 400.',
        },
      },
    )
    .get(
      '/top-templates',
      async ({ access, query }) => {
        const limit = limitOf(query.limit, { standard: 5, largest: 20 })
        return (await topTemplates(ctx, access.project.id, query, limit)).map(toTemplateFigures)
      },
      {
        scope: 'read',
        query: topEventsQuery,
        response: topTemplatesAnswer,
        detail: {
          summary: 'Templates of single messages, most sent first',
          description: 'Among the newest 50,000 messages of these days.',
          addition: true,
        },
      },
    )
    .get(
      '/rejections',
      async ({ access, query }) => {
        const limit = limitOf(query.limit, { standard: 10, largest: 50 })
        return (await rejections(ctx, access.project.id, query, limit)).map(toRejections)
      },
      {
        scope: 'read',
        query: rejectionsQuery,
        response: rejectionsAnswer,
        detail: {
          summary: 'Mailbox providers that rejected email of these days',
          description:
            'For policy, reputation, authentication or content; not for an address that does not exist. Most first, with the last reason. An invalid date is 400.',
          addition: true,
        },
      },
    )
    .get(
      '/top-events',
      ({ access, query }) =>
        topEvents(ctx, access.project.id, query, limitOf(query.limit, { standard: 5, largest: 20 })),
      {
        scope: 'read',
        query: topEventsQuery,
        response: topEventsAnswer,
        detail: {
          summary: 'Names that clients tracked most often in these days',
          description: 'Events that Waxwing records itself are left out. An invalid date is 400.',
        },
      },
    )
}
