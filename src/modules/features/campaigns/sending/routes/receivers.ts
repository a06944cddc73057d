// Receivers that refuse a campaign: what a person decides about them.
import { Elysia } from 'elysia'
import type { Context } from '../../../../../platform/context'
import { projectAccess, projectActor } from '../../../../accounts/projects'
import * as model from '../../model'
import { toCampaign } from '../../model'
import { receiverParams as params } from '../model'
import { leaveOutReceiver, resumeReceiver } from '../service/receivers'

export function receiverRoutes(ctx: Context) {
  return new Elysia({ detail: { addition: true } })
    .use(projectAccess(ctx))
    .post(
      '/:id/receivers/:receiver/resume',
      async ({ access, params: { id, receiver } }) =>
        toCampaign(await resumeReceiver(ctx, projectActor(access), id, receiver)),
      {
        scope: ['write', 'send'],
        params,
        response: model.campaignAnswer,
        detail: {
          summary: 'Resume a campaign for a mailbox provider',
          description:
            'Sends the emails that wait for this provider. If it still rejects them, the campaign pauses for it again. 404 if the campaign is not paused for this provider, 409 if the campaign is not sending.',
          errors: [409],
        },
      },
    )
    .post(
      '/:id/receivers/:receiver/leave-out',
      async ({ access, params: { id, receiver } }) =>
        toCampaign(await leaveOutReceiver(ctx, projectActor(access), id, receiver)),
      {
        scope: 'write',
        params,
        response: model.campaignAnswer,
        detail: {
          summary: 'Skip the remaining contacts at a mailbox provider',
          description:
            'Emails that wait for this provider become SKIPPED, so that the campaign can finish. `retry-failed` sends them later. 404 if the campaign is not paused for this provider, 409 if the campaign is not sending.',
          errors: [409],
        },
      },
    )
}
