// Campaigns as they are written. Create is wrapped, as the interface words it; everything else returns the resource.
import { Elysia } from 'elysia'
import { success } from '../../../../../http/envelope'
import { refuseForeign } from '../../../../../http/foreign-members'
import { offsetList } from '../../../../../lib/paging'
import type { Context } from '../../../../../platform/context'
import { liveRule, projectAccess } from '../../../../accounts/projects'
import * as model from '../../model'
import { toCampaign } from '../../model'
import { foreignToCampaign } from '../foreign'
import { getCampaign, listCampaigns } from '../service/read'
import { createCampaign, removeCampaign, updateCampaign } from '../service/write'

const { idParams: params } = model

export function draftRoutes(ctx: Context) {
  return new Elysia()
    .use(projectAccess(ctx))
    .get(
      '/',
      async ({ access, query }) => {
        const { rows, page, total } = await listCampaigns(ctx, access.project.id, query)
        return offsetList(rows.map(toCampaign), page, total)
      },
      {
        scope: 'read',
        query: model.listQuery,
        response: model.campaignList,
        detail: {
          summary: 'List campaigns',
          description:
            'By page number, each with its counts. An unknown `status` is 400; an unknown `sort` counts as the default.',
        },
      },
    )
    .post(
      '/',
      async ({ access, body, status }) =>
        status(201, success(toCampaign(await createCampaign(ctx, access.project.id, body)))),
      {
        scope: 'write',
        body: model.createBody,
        transform: refuseForeign(foreignToCampaign, model.createBody),
        response: { 201: model.wrappedCampaign },
        detail: {
          summary: 'Create a campaign',
          description:
            'It begins as a DRAFT, and nothing is sent until `POST /campaigns/{id}/send`. `audienceType` SEGMENT needs `segmentId`, FILTERED needs `audienceCondition` (400); 403 where the domain of the sender is not verified for this project.',
          errors: [404],
        },
      },
    )
    .get(
      '/:id',
      async ({ access, params: { id } }) => toCampaign(await getCampaign(ctx, access.project.id, id)),
      {
        scope: 'read',
        params,
        response: model.campaignAnswer,
        detail: { summary: 'Get a campaign', description: 'With its message, its audience and its counts.' },
      },
    )
    .put(
      '/:id',
      async ({ access, params: { id }, body }) =>
        toCampaign(await updateCampaign(ctx, access.project.id, id, body, liveRule(access))),
      {
        scope: 'write',
        params,
        body: model.updateBody,
        // What was read may be sent back whole, changed.
        transform: refuseForeign(foreignToCampaign, model.campaignAnswer),
        response: model.campaignAnswer,
        detail: {
          summary: 'Change a draft or scheduled campaign',
          description:
            'Members that are left out stay as they are; null clears one. A scheduled campaign stays scheduled, and keeps its segment. `expectedVersion` is the version that you read: if somebody else has changed the campaign since, the answer is 409.',
          errors: [409],
        },
      },
    )
    .delete(
      '/:id',
      async ({ access, params: { id }, status }) => {
        await removeCampaign(ctx, access.project.id, id)
        return status(204, undefined)
      },
      {
        scope: 'write',
        params,
        detail: {
          summary: 'Delete a draft',
          description:
            'Only a draft can be deleted: a campaign that has been sent is 400, one that is being sent 409.',
          errors: [400, 409],
        },
      },
    )
}
