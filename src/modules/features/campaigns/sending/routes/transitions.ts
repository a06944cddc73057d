// What moves a campaign from one state to another.
import { Elysia } from 'elysia'
import { optionalBody } from '../../../../../http/body-check'
import { success } from '../../../../../http/envelope'
import { refuseForeign } from '../../../../../http/foreign-members'
import type { Context } from '../../../../../platform/context'
import { liveRule, projectAccess, projectActor } from '../../../../accounts/projects'
import { duplicateBody } from '../../authoring/duplicate-model'
import { foreignToStart } from '../../authoring/foreign'
import { markForArchive } from '../../authoring/service/archive'
import { duplicateCampaign } from '../../authoring/service/duplicate'
import * as model from '../../model'
import { toCampaign } from '../../model'
import * as report from '../../results/model'
import { cancelCampaign, pauseCampaign, resumeCampaign, unscheduleCampaign } from '../service/control'
import { retryFailed } from '../service/retry'
import { sendCampaign } from '../service/send'

const { idParams: params } = model

export function transitionRoutes(ctx: Context) {
  return new Elysia()
    .use(projectAccess(ctx))
    .post(
      '/:id/send',
      async ({ access, params: { id }, body }) => {
        const { campaign, message } = await sendCampaign(
          ctx,
          projectActor(access),
          id,
          body ?? {},
          liveRule(access),
        )
        return { ...success(toCampaign(campaign)), message }
      },
      {
        scope: ['write', 'send'],
        params,
        parse: optionalBody,
        body: model.sendBody,
        transform: refuseForeign(foreignToStart, model.startMembers),
        response: model.sendAnswer,
        detail: {
          summary: 'Send a campaign now, or at a time',
          description:
            "Without `scheduledFor`, or with a date in the past, it is sent now; a scheduled campaign can be given another date by the same call. With `delaySeconds` it is sent a little later, and can be taken back until then. With `expectedVersion`, what is sent is what you looked at: 409 if the campaign has changed since. 400 for an invalid or empty date, broken Liquid, an empty audience or a campaign in a state in which it can't be sent; 429 where the month's allowance is too small for all of it.",
          errors: [409],
        },
      },
    )
    .post(
      '/:id/duplicate',
      async ({ access, params: { id }, body, status }) =>
        status(201, toCampaign(await duplicateCampaign(ctx, access.project.id, id, body ?? {}))),
      {
        scope: 'write',
        params,
        parse: optionalBody,
        body: duplicateBody,
        response: { 201: model.campaignAnswer },
        detail: {
          summary: 'Copy a campaign',
          description:
            'Makes a new draft with the same message, audience and A/B test, and with ` (Copy)` after its name, whatever the state of the original. With `reaction`, it goes to recipients of the original instead, such as those who did not open it.',
        },
      },
    )
    .post(
      '/:id/unschedule',
      async ({ access, params: { id } }) =>
        toCampaign(await unscheduleCampaign(ctx, projectActor(access), id)),
      {
        scope: 'write',
        params,
        response: model.campaignAnswer,
        detail: {
          summary: 'Take a scheduled campaign back to a draft',
          description:
            'Nothing has been sent then, and nothing will be until it is sent again. 409 once it is being sent, and in any other state.',
          addition: true,
          errors: [409],
        },
      },
    )
    .post(
      '/:id/cancel',
      async ({ access, params: { id } }) => toCampaign(await cancelCampaign(ctx, projectActor(access), id)),
      {
        scope: 'write',
        params,
        response: model.campaignAnswer,
        detail: {
          summary: 'Cancel a campaign',
          description:
            'This is final. A campaign that is scheduled, being sent or paused can be cancelled; any other is 400. Messages that have left stay sent, and the other recipients get nothing.',
        },
      },
    )
    .post(
      '/:id/pause',
      async ({ access, params: { id } }) => toCampaign(await pauseCampaign(ctx, projectActor(access), id)),
      {
        scope: 'write',
        params,
        response: model.campaignAnswer,
        detail: {
          summary: 'Pause a campaign that is sending',
          description: 'Messages that are on their way at this moment still arrive. 409 in any other state.',
          addition: true,
          errors: [409],
        },
      },
    )
    .put(
      '/:id/archive',
      async ({ access, params: { id }, body }) =>
        toCampaign(await markForArchive(ctx, access.project.id, id, body.inArchive)),
      {
        scope: 'write',
        // Everyone can read the archive.
        right: 'content.send',
        params,
        body: model.archiveBody,
        response: model.campaignAnswer,
        detail: {
          summary: 'Show a campaign in the public archive of its topic, or no longer',
          description:
            'Possible in any state; the campaign is shown once it has been sent, rendered for nobody in particular.',
          addition: true,
        },
      },
    )
    .post(
      '/:id/resume',
      async ({ access, params: { id } }) => toCampaign(await resumeCampaign(ctx, projectActor(access), id)),
      {
        scope: ['write', 'send'],
        params,
        response: model.campaignAnswer,
        detail: {
          summary: 'Resume a paused campaign',
          description:
            'It goes on where it stopped, and nobody gets it twice. 403 where the domain of its sender is no longer verified, 409 if it is not paused.',
          addition: true,
          errors: [409],
        },
      },
    )
    .post(
      '/:id/retry-failed',
      async ({ access, params: { id } }) => await retryFailed(ctx, projectActor(access), id),
      {
        scope: ['write', 'send'],
        params,
        response: report.retryAnswer,
        detail: {
          summary: 'Send again to those it did not reach',
          description:
            "To those whose message failed or was skipped, except suppressed addresses and contacts who are not subscribed. `requeued` counts those that are sent to again, `skipped` the exceptions; 429 where the month's allowance is too small.",
          addition: true,
          errors: [409],
        },
      },
    )
}
