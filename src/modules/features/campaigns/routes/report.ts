// What shows a campaign, without changing it.
import { Elysia } from 'elysia'
import { optionalBody } from '../../../../http/body-check'
import { offsetList } from '../../../../lib/page'
import type { Context } from '../../../../platform/context'
import { projectAccess } from '../../../accounts/projects'
import * as model from '../model'
import { recipientsQuery } from '../recipient-filter'
import * as report from '../report-model'
import { toCampaignRecipient, toStats } from '../report-model'
import * as service from '../service'

const { idParams: params } = model

export function reportRoutes(ctx: Context) {
  return new Elysia()
    .use(projectAccess(ctx))
    .post(
      '/:id/test',
      async ({ access, params: { id }, body }) => {
        const to = await service.sendTest(ctx, access.project, id, body)
        return { success: true as const, message: `Test email sent to ${to}` }
      },
      {
        scope: ['write', 'send'],
        params,
        body: model.testBody,
        response: model.testAnswer,
        detail: {
          summary: 'Send a test to one address',
          description:
            'Filled in for the contact with that address, if there is one. The subject begins with `[TEST]`, and the campaign does not count the message. A project may send 100 an hour, then the answer is 429; 400 where the relay refuses the message.',
        },
      },
    )
    .post(
      '/:id/preview',
      async ({ access, params: { id }, body }) =>
        await service.previewCampaign(ctx, access.project, id, body ?? {}),
      {
        scope: 'read',
        params,
        parse: optionalBody,
        body: model.previewBody,
        response: report.previewAnswer,
        detail: {
          summary: 'Render a campaign for one recipient, with warnings and counts',
          description:
            'For a contact or with `data`; in an A/B test, for one `variant`. It sends and stores nothing; `audience` says how many contacts match, and how many of these would get the message.',
          addition: true,
        },
      },
    )
    .post(
      '/audience',
      async ({ access, body }) => await service.countUnstored(ctx, access.project.id, body),
      {
        scope: 'read',
        body: model.audienceBody,
        response: report.audienceAnswer,
        detail: {
          summary: 'How many an audience would reach',
          description:
            'For an audience that is not stored yet, while a campaign is being written; the members of the body are those of a campaign. `matching` contacts are in the audience, and `recipients` of these would get the message.',
          addition: true,
          errors: [404],
        },
      },
    )
    .get(
      '/:id/forecast',
      async ({ access, params: { id } }) =>
        report.toForecast(await service.forecastCampaign(ctx, access.project.id, id)),
      {
        scope: 'read',
        params,
        response: report.forecastAnswer,
        detail: {
          summary: 'On which days it leaves, while its domain is in a warm-up',
          description:
            "What other campaigns that are being sent still have to send counts first. Without a warm-up `days` is empty. With `timing`, `moments` says how many messages are due in which hour, and `unknown` names what can't be known.",
          addition: true,
        },
      },
    )
    .get(
      '/:id/stats',
      async ({ access, params: { id } }) => {
        const { campaign, progress } = await service.campaignStats(ctx, access.project.id, id)
        return toStats(campaign, progress)
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
        const found = await service.listRecipients(ctx, access.project.id, id, query)
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
}
