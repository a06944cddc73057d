// Receivers that refuse a campaign: what a person decides about them.
import { Elysia } from 'elysia'
import type { Context } from '../../../platform/context'
import { projectAccess, projectActor } from '../../projects'
import * as model from '../model'
import { toCampaign } from '../model'
import { receiverParams as params } from '../receivers/model'
import * as service from '../service'

export function receiverRoutes(ctx: Context) {
  return new Elysia()
    .use(projectAccess(ctx))
    .post(
      '/:id/receivers/:receiver/resume',
      async ({ access, params: { id, receiver } }) =>
        toCampaign(await service.resumeReceiver(ctx, projectActor(access), id, receiver)),
      {
        params,
        response: model.campaignAnswer,
        detail: {
          summary: 'Resume a campaign for a receiver that refused it',
          description:
            'Emails that wait for this receiver are sent at once; if it goes on refusing them, the campaign pauses for it again. 404 if it is not paused for this receiver, 409 if the campaign is not sending.',
        },
      },
    )
    .post(
      '/:id/receivers/:receiver/leave-out',
      async ({ access, params: { id, receiver } }) =>
        toCampaign(await service.leaveOutReceiver(ctx, projectActor(access), id, receiver)),
      {
        params,
        response: model.campaignAnswer,
        detail: {
          summary: 'Leave out the rest of a receiver that refused a campaign',
          description:
            'Emails that wait for this receiver become SKIPPED, and the campaign can finish; `retry-failed` sends them later. 404 if the campaign is not paused for this receiver, 409 if it is not sending.',
        },
      },
    )
}
