// The results of a campaign in detail.
import { Elysia } from 'elysia'
import { streamOf } from '../../../../http/stream'
import { downloadAs } from '../../../../lib/file-name'
import { offsetList } from '../../../../lib/paging'
import type { Context } from '../../../../platform/context'
import { projectAccess } from '../../../accounts/projects'
import { segmentAnswer, toSegment } from '../../segments'
import * as model from '../model'
import * as report from './model'
import { toCampaignRecipient, toStats } from './model'
import { recipientExportQuery, recipientsQuery, segmentBody } from './recipient-filter'
import { campaignStats, listRecipients } from './service/recipients'
import { campaignLinks, campaignTimeline, exportRecipients, segmentOfRecipients } from './service/results'

const { idParams: params } = model

export function resultRoutes(ctx: Context) {
  return new Elysia()
    .use(projectAccess(ctx))
    .get(
      '/:id/stats',
      async ({ access, params: { id } }) => {
        const { campaign, progress, usual } = await campaignStats(ctx, access.project.id, id)
        return { ...toStats(campaign, progress), usual }
      },
      {
        scope: 'read',
        params,
        response: report.statsAnswer,
        detail: {
          summary: 'Counts, rates and progress',
          description:
            'Rates are percentages of what was sent. While the campaign is being sent, `progress` says how many recipients are done, how many a second, and how many seconds are left.',
        },
      },
    )
    .get(
      '/:id/recipients',
      async ({ access, params: { id }, query }) => {
        const found = await listRecipients(ctx, access.project.id, id, query)
        const { page, total, cursor } = found
        const rows = found.rows.map(row => toCampaignRecipient(row, found))
        return { ...offsetList(rows, page, total), cursor, hasMore: cursor !== null }
      },
      {
        scope: 'read',
        params,
        query: recipientsQuery,
        response: report.recipientList,
        detail: {
          summary: 'List recipients with what became of them',
          description:
            'By page number, or page after page by `cursor`, which stays fast however long the list is; `total` is then that of the first page.',
          addition: true,
        },
      },
    )
    .get(
      '/:id/links',
      async ({ access, params: { id } }) => ({
        links: await campaignLinks(ctx, access.project.id, id),
      }),
      {
        scope: 'read',
        params,
        response: report.linksAnswer,
        detail: {
          addition: true,
          summary: 'Which links people followed',
          description: 'At most 200, those that most people followed first. Only clicks of people count.',
        },
      },
    )
    .get(
      '/:id/timeline',
      async ({ access, params: { id } }) => ({
        hours: (await campaignTimeline(ctx, access.project.id, id)).map(report.toHour),
      }),
      {
        scope: 'read',
        params,
        response: report.timelineAnswer,
        detail: {
          addition: true,
          summary: 'Opens and clicks by the hour',
          description: 'In UTC. Only what people did counts, not what programs opened.',
        },
      },
    )
    .get(
      '/:id/recipients/export',
      async ({ access, params: { id }, query, set }) => {
        const { name, lines } = await exportRecipients(ctx, access.project.id, id, query)
        set.headers['content-type'] = 'text/csv; charset=utf-8'
        set.headers['content-disposition'] = downloadAs([name, 'recipients'], ctx.clock.now(), 'csv')
        return streamOf(lines)
      },
      {
        scope: 'read',
        params,
        query: recipientExportQuery,
        detail: {
          addition: true,
          summary: 'All recipients that match the filters, as CSV',
          description:
            'Takes the filters of `GET /campaigns/{id}/recipients`. The file is streamed, however many recipients there are.',
        },
      },
    )
    .post(
      '/:id/recipients/segment',
      async ({ access, params: { id }, body, status }) =>
        status(201, toSegment(await segmentOfRecipients(ctx, access.project.id, id, body))),
      {
        scope: 'write',
        params,
        body: segmentBody,
        response: { 201: segmentAnswer },
        detail: {
          addition: true,
          summary: 'Make a static segment of recipients',
          description:
            'Takes the filters of `GET /campaigns/{id}/recipients`. The segment holds those who match at this moment, and does not change by itself; 400 where there are too many for one segment.',
        },
      },
    )
}
