// The A/B test of a campaign, and its winner.
import { Elysia } from 'elysia'
import type { Context } from '../../../../../platform/context'
import { projectAccess, projectActor } from '../../../../accounts/projects'
import { abResultsAnswer, toAbResults, winnerBody } from '../../authoring/ab-test-model'
import * as model from '../../model'
import { abResults, chooseWinner } from '../service/ab-decision'

const { idParams: params } = model

export function abTestRoutes(ctx: Context) {
  return new Elysia({ detail: { addition: true } })
    .use(projectAccess(ctx))
    .get(
      '/:id/ab-test',
      async ({ access, params: { id } }) => toAbResults(await abResults(ctx, access.project.id, id)),
      {
        scope: 'read',
        params,
        response: abResultsAnswer,
        detail: {
          summary: 'The A/B test of a campaign, with its figures so far',
          description:
            'Each variant has its counts and the probability that it is the best. Only the recipients in the share count, and only what people did. Once the test has been judged, the figures no longer change. 404 for a campaign without a test.',
        },
      },
    )
    .post(
      '/:id/ab-test/winner',
      async ({ access, params: { id }, body }) =>
        toAbResults(await chooseWinner(ctx, projectActor(access), id, body.variant)),
      {
        scope: ['write', 'send'],
        params,
        body: winnerBody,
        response: abResultsAnswer,
        detail: {
          summary: 'Choose the winner of an A/B test by hand',
          description:
            'The choice is final, and the other recipients get this variant at once. 400 for a variant that the campaign does not have, 409 where there is a winner already or nothing is being sent.',
          errors: [400, 409],
        },
      },
    )
}
