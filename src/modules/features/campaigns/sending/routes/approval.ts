// Approval of a campaign by a second member. People alone ask and decide: a key is nobody who could be the other one.
import { Elysia } from 'elysia'
import type { Context } from '../../../../../platform/context'
import { projectAccess, projectActor } from '../../../../accounts/projects'
import { idParams as params } from '../../model'
import * as model from '../approval-model'
import { type CampaignApproval, toApproval, toAwaiting } from '../approval-model'
import {
  approvalAddresses,
  askForApproval,
  decideOnCampaign,
  listAwaiting,
  showApproval,
} from '../service/approval'
import { readCampaignStart } from '../service/send'

export function approvalRoutes(ctx: Context) {
  const shown = async (approval: CampaignApproval) =>
    toApproval(approval, await approvalAddresses(ctx, approval))
  return new Elysia({ detail: { addition: true } })
    .use(projectAccess(ctx))
    .get('/awaiting-approval', async ({ access }) => toAwaiting(await listAwaiting(ctx, access.project.id)), {
      scope: 'read',
      response: model.awaitingList,
      detail: {
        summary: 'Campaigns that wait for approval',
        description: 'The 100 oldest open requests, oldest first.',
      },
    })
    .get(
      '/:id/approval',
      async ({ access, params: { id } }) => shown(await showApproval(ctx, access.project.id, id)),
      {
        scope: 'read',
        params,
        response: model.approvalAnswer,
        detail: {
          summary: 'Where the approval of a campaign stands',
          description:
            'It is for the campaign as it was when approval was requested: its content, sender, variants, audience, layout, brand, the conditions of its segments, and its send time. Any change ends it.',
        },
      },
    )
    .post(
      '/:id/request-approval',
      async ({ access, params: { id }, body }) => {
        const scheduledFor = readCampaignStart(body.scheduledFor) ?? null
        return await shown(await askForApproval(ctx, projectActor(access), id, scheduledFor))
      },
      {
        scope: 'people',
        right: 'content.write',
        params,
        body: model.requestApprovalBody,
        response: model.approvalAnswer,
        detail: {
          summary: 'Ask for the approval of a campaign',
          description:
            'Of a draft, or of a scheduled campaign, which keeps its time. Takes the place of an earlier request and of what came of it. 409 where the project requires no approval.',
          errors: [400, 409],
        },
      },
    )
    .post(
      '/:id/approve',
      async ({ access, params: { id }, body }) => {
        const given = { isApproved: true, ...body, reason: null }
        return await shown(await decideOnCampaign(ctx, projectActor(access), id, given))
      },
      {
        scope: 'people',
        right: 'content.send',
        params,
        body: model.approveBody,
        response: model.approvalAnswer,
        detail: {
          summary: 'Approve a campaign',
          description:
            'By another member than the one who asked (403), whose e-mail address is verified, or who is the owner (403 `EMAIL_VERIFICATION_REQUIRED`). Nothing is sent by it. 409 once it is decided, and if the campaign is no longer what you looked at.',
          errors: [400, 409],
        },
      },
    )
    .post(
      '/:id/decline',
      async ({ access, params: { id }, body }) => {
        const given = { isApproved: false, fingerprint: body.fingerprint, reason: body.reason || null }
        return await shown(await decideOnCampaign(ctx, projectActor(access), id, given))
      },
      {
        scope: 'people',
        right: 'content.send',
        params,
        body: model.declineBody,
        response: model.approvalAnswer,
        detail: {
          summary: 'Decline the approval of a campaign',
          description: 'With a sentence for the one who asked, who is another member (403).',
          errors: [400, 409],
        },
      },
    )
}
