// Approval of a campaign by a second member. Only people request and decide: a key is no second person.
import { Elysia } from 'elysia'
import type { Context } from '../../../../../platform/context'
import { projectAccess, projectActor } from '../../../../accounts/projects'
import { idParams as params } from '../../model'
import * as model from '../approval-model'
import { toApproval, toAwaiting } from '../approval-model'
import { selectAwaiting } from '../queries/awaiting'
import { askForApproval, decideOnCampaign, showApproval } from '../service/approval'
import { readCampaignStart } from '../service/send'

export function approvalRoutes(ctx: Context) {
  return new Elysia({ detail: { addition: true } })
    .use(projectAccess(ctx))
    .get(
      '/awaiting-approval',
      async ({ access }) => toAwaiting(await selectAwaiting(ctx, access.project.id)),
      {
        scope: 'read',
        response: model.awaitingList,
        detail: {
          summary: 'Campaigns that wait for approval',
          description: 'The 100 oldest open requests, oldest first.',
        },
      },
    )
    .get(
      '/:id/approval',
      async ({ access, params: { id } }) => toApproval(await showApproval(ctx, access.project.id, id)),
      {
        scope: 'read',
        params,
        response: model.approvalAnswer,
        detail: {
          summary: 'Get the approval of a campaign',
          description:
            'An approval covers the campaign as it was when approval was requested: content, sender, variants, audience, layout, brand, the conditions of its segments, and send time. Any change ends it.',
        },
      },
    )
    .post(
      '/:id/request-approval',
      async ({ access, params: { id }, body }) => {
        const scheduledFor = readCampaignStart(body.scheduledFor) ?? null
        return toApproval(await askForApproval(ctx, projectActor(access), id, scheduledFor))
      },
      {
        scope: 'people',
        right: 'content.write',
        params,
        body: model.requestApprovalBody,
        response: model.approvalAnswer,
        detail: {
          summary: 'Request approval of a campaign',
          description:
            'For a draft, or for a scheduled campaign, which keeps its send time. Replaces an earlier request and its decision. 409 if the project requires no approval.',
          errors: [400, 409],
        },
      },
    )
    .post(
      '/:id/approve',
      async ({ access, params: { id }, body }) => {
        const given = { isApproved: true, ...body, reason: null }
        return toApproval(await decideOnCampaign(ctx, projectActor(access), id, given))
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
            'Sends nothing. 403 for the member who requested approval, and for members without a verified e-mail address, except the owner (`EMAIL_VERIFICATION_REQUIRED`). 409 if it is decided already, or if the campaign changed since you loaded it.',
          errors: [400, 409],
        },
      },
    )
    .post(
      '/:id/decline',
      async ({ access, params: { id }, body }) => {
        const given = { isApproved: false, fingerprint: body.fingerprint, reason: body.reason || null }
        return toApproval(await decideOnCampaign(ctx, projectActor(access), id, given))
      },
      {
        scope: 'people',
        right: 'content.send',
        params,
        body: model.declineBody,
        response: model.approvalAnswer,
        detail: {
          summary: 'Decline a campaign',
          description: 'With a reason for the member who requested approval. 403 for that member.',
          errors: [400, 409],
        },
      },
    )
}
