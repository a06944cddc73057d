// Campaigns over HTTP. Create and send are wrapped, as the interface words them; everything else returns the resource.

import { Elysia } from 'elysia'
import { optionalBody } from '../../http/body-check'
import { success } from '../../http/envelope'
import { refuseForeign } from '../../http/foreign-members'
import { streamOf } from '../../http/stream'
import { offsetList } from '../../lib/page'
import type { Context } from '../../platform/context'
import { projectAccess, projectActor } from '../projects'
import { segmentAnswer, toSegment } from '../segments'
import { abResultsAnswer, toAbResults, winnerBody } from './ab-test-model'
import { foreignToCampaign, foreignToStart } from './foreign'
import * as model from './model'
import { toCampaign } from './model'
import * as report from './report-model'
import { toCampaignRecipient, toStats } from './report-model'
import * as service from './service'

const { idParams: params } = model

export function campaignsRoutes(ctx: Context) {
  return new Elysia({ prefix: '/campaigns', tags: ['Campaigns'] })
    .use(projectAccess(ctx))
    .get(
      '/',
      async ({ access, query }) => {
        const { rows, page, total } = await service.listCampaigns(ctx, access.project.id, query)
        return offsetList(rows.map(toCampaign), page, total)
      },
      { query: model.listQuery, response: model.campaignList, detail: { summary: 'List campaigns' } },
    )
    .post(
      '/',
      async ({ access, body, status }) =>
        status(201, success(toCampaign(await service.createCampaign(ctx, access.project.id, body)))),
      {
        body: model.createBody,
        transform: refuseForeign(foreignToCampaign, model.createBody),
        response: { 201: model.wrappedCampaign },
        detail: { summary: 'Create a campaign' },
      },
    )
    .get(
      '/:id',
      async ({ access, params: { id } }) => toCampaign(await service.getCampaign(ctx, access.project.id, id)),
      { params, response: model.campaignAnswer, detail: { summary: 'Get a campaign' } },
    )
    .put(
      '/:id',
      async ({ access, params: { id }, body }) =>
        toCampaign(await service.updateCampaign(ctx, access.project.id, id, body)),
      {
        params,
        body: model.updateBody,
        // What was read may be sent back whole, changed.
        transform: refuseForeign(foreignToCampaign, model.campaignAnswer),
        response: model.campaignAnswer,
        detail: { summary: 'Change a draft or scheduled campaign' },
      },
    )
    .delete(
      '/:id',
      async ({ access, params: { id }, status }) => {
        await service.removeCampaign(ctx, access.project.id, id)
        return status(204, undefined)
      },
      { params, detail: { summary: 'Delete a draft' } },
    )
    .use(transitionRoutes(ctx))
    .use(reportRoutes(ctx))
    .use(resultRoutes(ctx))
    .use(abTestRoutes(ctx))
}

/** What moves a campaign from one state to another. */
function transitionRoutes(ctx: Context) {
  return new Elysia()
    .use(projectAccess(ctx))
    .post(
      '/:id/send',
      async ({ access, params: { id }, body }) => {
        const { campaign, message } = await service.sendCampaign(
          ctx,
          projectActor(access),
          id,
          body?.scheduledFor,
        )
        return { ...success(toCampaign(campaign)), message }
      },
      {
        params,
        parse: optionalBody,
        body: model.sendBody,
        transform: refuseForeign(foreignToStart, model.startMembers),
        response: model.sendAnswer,
        detail: { summary: 'Send a campaign now, or at a time' },
      },
    )
    .post(
      '/:id/duplicate',
      async ({ access, params: { id }, status }) =>
        status(201, toCampaign(await service.duplicateCampaign(ctx, access.project.id, id))),
      { params, response: { 201: model.campaignAnswer }, detail: { summary: 'Copy a campaign' } },
    )
    .post(
      '/:id/cancel',
      async ({ access, params: { id } }) =>
        toCampaign(await service.cancelCampaign(ctx, projectActor(access), id)),
      { params, response: model.campaignAnswer, detail: { summary: 'Cancel a campaign' } },
    )
    .post(
      '/:id/pause',
      async ({ access, params: { id } }) =>
        toCampaign(await service.pauseCampaign(ctx, projectActor(access), id)),
      { params, response: model.campaignAnswer, detail: { summary: 'Pause a campaign that is sending' } },
    )
    .put(
      '/:id/archive',
      async ({ access, params: { id }, body }) =>
        toCampaign(await service.markForArchive(ctx, access.project.id, id, body.inArchive)),
      {
        params,
        body: model.archiveBody,
        response: model.campaignAnswer,
        detail: {
          summary: 'Show a campaign in the public archive of its topic, or no longer',
          description: 'In any state; it is shown once it was sent, rendered for nobody in particular.',
        },
      },
    )
    .post(
      '/:id/resume',
      async ({ access, params: { id } }) =>
        toCampaign(await service.resumeCampaign(ctx, projectActor(access), id)),
      { params, response: model.campaignAnswer, detail: { summary: 'Resume a paused campaign' } },
    )
    .post(
      '/:id/retry-failed',
      async ({ access, params: { id } }) => await service.retryFailed(ctx, projectActor(access), id),
      { params, response: report.retryAnswer, detail: { summary: 'Send again to those it did not reach' } },
    )
}

/** What shows a campaign, without changing it. */
function reportRoutes(ctx: Context) {
  return new Elysia()
    .use(projectAccess(ctx))
    .post(
      '/:id/test',
      async ({ access, params: { id }, body }) => {
        const to = await service.sendTest(ctx, access.project, id, body)
        return { success: true as const, message: `Test email sent to ${to}` }
      },
      {
        params,
        body: model.testBody,
        response: model.testAnswer,
        detail: { summary: 'Send a test to one address' },
      },
    )
    .post(
      '/:id/preview',
      async ({ access, params: { id }, body }) =>
        await service.previewCampaign(ctx, access.project, id, body ?? {}),
      {
        params,
        parse: optionalBody,
        body: model.previewBody,
        response: report.previewAnswer,
        detail: { summary: 'Render a campaign for one recipient, with warnings and counts' },
      },
    )
    .post(
      '/audience',
      async ({ access, body }) => await service.countUnstored(ctx, access.project.id, body),
      {
        body: model.audienceBody,
        response: report.audienceAnswer,
        detail: { summary: 'How many an audience would reach' },
      },
    )
    .get(
      '/:id/forecast',
      async ({ access, params: { id } }) =>
        report.toForecast(await service.forecastCampaign(ctx, access.project.id, id)),
      {
        params,
        response: report.forecastAnswer,
        detail: { summary: 'On which days it leaves, while its domain is in a warm-up' },
      },
    )
    .get(
      '/:id/stats',
      async ({ access, params: { id } }) => {
        const { campaign, progress } = await service.campaignStats(ctx, access.project.id, id)
        return toStats(campaign, progress)
      },
      { params, response: report.statsAnswer, detail: { summary: 'Counts, rates and progress' } },
    )
    .get(
      '/:id/recipients',
      async ({ access, params: { id }, query }) => {
        const found = await service.listRecipients(ctx, access.project.id, id, query)
        const { page, total, variantOf, cursor } = found
        const rows = found.rows.map(row => toCampaignRecipient(row, variantOf))
        return { ...offsetList(rows, page, total), cursor, hasMore: cursor !== null }
      },
      {
        params,
        query: model.recipientsQuery,
        response: report.recipientList,
        detail: {
          summary: 'List recipients with what became of them',
          description:
            'By page number, or page after page by `cursor`, which stays quick however long the list is; `total` is then that of the first page.',
        },
      },
    )
}

/** Its results in detail. */
function resultRoutes(ctx: Context) {
  return new Elysia()
    .use(projectAccess(ctx))
    .get(
      '/:id/links',
      async ({ access, params: { id } }) => ({
        links: await service.campaignLinks(ctx, access.project.id, id),
      }),
      { params, response: report.linksAnswer, detail: { summary: 'Which links people followed' } },
    )
    .get(
      '/:id/timeline',
      async ({ access, params: { id } }) => ({
        hours: (await service.campaignTimeline(ctx, access.project.id, id)).map(report.toHour),
      }),
      { params, response: report.timelineAnswer, detail: { summary: 'Opens and clicks by the hour' } },
    )
    .get(
      '/:id/recipients/export',
      async ({ access, params: { id }, query, set }) => {
        const lines = await service.exportRecipients(ctx, access.project.id, id, query)
        set.headers['content-type'] = 'text/csv; charset=utf-8'
        set.headers['content-disposition'] = 'attachment; filename="recipients.csv"'
        return streamOf(lines)
      },
      {
        params,
        query: model.exportQuery,
        detail: { summary: 'All recipients that match the filters, as CSV' },
      },
    )
    .post(
      '/:id/recipients/segment',
      async ({ access, params: { id }, body, status }) =>
        status(201, toSegment(await service.segmentOfRecipients(ctx, access.project.id, id, body))),
      {
        params,
        body: model.segmentBody,
        response: { 201: segmentAnswer },
        detail: { summary: 'Make a static segment of recipients' },
      },
    )
}

function abTestRoutes(ctx: Context) {
  return new Elysia()
    .use(projectAccess(ctx))
    .get(
      '/:id/ab-test',
      async ({ access, params: { id } }) => toAbResults(await service.abResults(ctx, access.project.id, id)),
      {
        params,
        response: abResultsAnswer,
        detail: { summary: 'The A/B test of a campaign, with its figures so far' },
      },
    )
    .post(
      '/:id/ab-test/winner',
      async ({ access, params: { id }, body }) =>
        toAbResults(await service.chooseWinner(ctx, projectActor(access), id, body.variant)),
      {
        params,
        body: winnerBody,
        response: abResultsAnswer,
        detail: { summary: 'Choose the winner of an A/B test by hand' },
      },
    )
}
