// What moves a campaign from one state to another.
import { Elysia } from 'elysia'
import { optionalBody } from '../../../http/body-check'
import { success } from '../../../http/envelope'
import { refuseForeign } from '../../../http/foreign-members'
import type { Context } from '../../../platform/context'
import { projectAccess, projectActor } from '../../projects'
import { foreignToStart } from '../foreign'
import * as model from '../model'
import { toCampaign } from '../model'
import * as report from '../report-model'
import * as service from '../service'

const { idParams: params } = model

export function transitionRoutes(ctx: Context) {
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
        detail: {
          summary: 'Send a campaign now, or at a time',
          description:
            "Without `scheduledFor`, or with a date in the past, it leaves now; a scheduled one can be sent again with another date. 400 for a date that can't be read, an empty audience or a state that can't be sent; 429 where the month's allowance is too small for all of it.",
        },
      },
    )
    .post(
      '/:id/duplicate',
      async ({ access, params: { id }, status }) =>
        status(201, toCampaign(await service.duplicateCampaign(ctx, access.project.id, id))),
      {
        params,
        response: { 201: model.campaignAnswer },
        detail: {
          summary: 'Copy a campaign',
          description:
            'A new draft with the same message, audience and A/B test and ` (Copy)` after its name, whatever the state of the original.',
        },
      },
    )
    .post(
      '/:id/cancel',
      async ({ access, params: { id } }) =>
        toCampaign(await service.cancelCampaign(ctx, projectActor(access), id)),
      {
        params,
        response: model.campaignAnswer,
        detail: {
          summary: 'Cancel a campaign',
          description:
            'For good; what is scheduled or being sent can be cancelled, anything else is 400. Whoever has received it keeps it, and the others get nothing.',
        },
      },
    )
    .post(
      '/:id/pause',
      async ({ access, params: { id } }) =>
        toCampaign(await service.pauseCampaign(ctx, projectActor(access), id)),
      {
        params,
        response: model.campaignAnswer,
        detail: {
          summary: 'Pause a campaign that is sending',
          description: 'Messages that are on their way at this moment still arrive. 409 in any other state.',
        },
      },
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
      {
        params,
        response: model.campaignAnswer,
        detail: {
          summary: 'Resume a paused campaign',
          description:
            'Goes on where it stopped; nobody gets it twice. 403 where its sender is no longer verified, 409 if it is not paused.',
        },
      },
    )
    .post(
      '/:id/retry-failed',
      async ({ access, params: { id } }) => await service.retryFailed(ctx, projectActor(access), id),
      {
        params,
        response: report.retryAnswer,
        detail: {
          summary: 'Send again to those it did not reach',
          description:
            "To those whose message failed or was skipped, except suppressed addresses and contacts who are not subscribed. `requeued` and `skipped` count both; 429 where the month's allowance is too small.",
        },
      },
    )
}
