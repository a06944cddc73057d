// The results of a campaign in detail.

import { Elysia } from 'elysia'
import { streamOf } from '../../../../http/stream'
import { downloadAs } from '../../../../lib/file-name'
import type { Context } from '../../../../platform/context'
import { projectAccess } from '../../../accounts/projects'
import { segmentAnswer, toSegment } from '../../segments'
import * as model from '../model'
import { recipientExportQuery, segmentBody } from '../recipient-filter'
import * as report from '../report-model'
import * as service from '../service'

const { idParams: params } = model

export function resultRoutes(ctx: Context) {
  return new Elysia({ detail: { addition: true } })
    .use(projectAccess(ctx))
    .get(
      '/:id/links',
      async ({ access, params: { id } }) => ({
        links: await service.campaignLinks(ctx, access.project.id, id),
      }),
      {
        scope: 'read',
        params,
        response: report.linksAnswer,
        detail: {
          summary: 'Which links people followed',
          description: 'At most 200, those that most people followed first. Only clicks of people count.',
        },
      },
    )
    .get(
      '/:id/timeline',
      async ({ access, params: { id } }) => ({
        hours: (await service.campaignTimeline(ctx, access.project.id, id)).map(report.toHour),
      }),
      {
        scope: 'read',
        params,
        response: report.timelineAnswer,
        detail: {
          summary: 'Opens and clicks by the hour',
          description: 'In UTC. Only what people did counts, not what programs opened.',
        },
      },
    )
    .get(
      '/:id/recipients/export',
      async ({ access, params: { id }, query, set }) => {
        const { name, lines } = await service.exportRecipients(ctx, access.project.id, id, query)
        set.headers['content-type'] = 'text/csv; charset=utf-8'
        set.headers['content-disposition'] = downloadAs([name, 'recipients'], ctx.clock.now(), 'csv')
        return streamOf(lines)
      },
      {
        scope: 'read',
        params,
        query: recipientExportQuery,
        detail: {
          summary: 'All recipients that match the filters, as CSV',
          description:
            'Takes the filters of `GET /campaigns/{id}/recipients`. The file is streamed, however many recipients there are.',
        },
      },
    )
    .post(
      '/:id/recipients/segment',
      async ({ access, params: { id }, body, status }) =>
        status(201, toSegment(await service.segmentOfRecipients(ctx, access.project.id, id, body))),
      {
        scope: 'write',
        params,
        body: segmentBody,
        response: { 201: segmentAnswer },
        detail: {
          summary: 'Make a static segment of recipients',
          description:
            'Takes the filters of `GET /campaigns/{id}/recipients`. The segment holds those who match at this moment, and does not change by itself; 400 where there are too many for one segment.',
        },
      },
    )
}
