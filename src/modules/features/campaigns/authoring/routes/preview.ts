// What a campaign would be, while it is being written: a test, a preview, how many it would reach, and when.
import { Elysia } from 'elysia'
import { optionalBody } from '../../../../../http/body-check'
import type { Context } from '../../../../../platform/context'
import { maySend, projectAccess, requireMemberAddress } from '../../../../accounts/projects'
import * as model from '../../model'
import * as report from '../../results/model'
import { forecastCampaign } from '../service/forecast'
import { previewCampaign } from '../service/preview'
import { reachOfUnstored } from '../service/reach'
import { sendTests } from '../service/test-send'
import { testAnswer, testBody } from '../test-model'

const { idParams: params } = model

export function previewRoutes(ctx: Context) {
  return new Elysia()
    .use(projectAccess(ctx))
    .post(
      '/:id/test',
      async ({ access, params: { id }, body }) => {
        if (!maySend(access))
          for (const email of body.emails ?? [body.email ?? ''])
            await requireMemberAddress(ctx, access.project.id, email)
        const { sent, failed } = await sendTests(ctx, access.project, id, body)
        const message = `Test email sent to ${sent.join(', ')}`
        return { success: true as const, message, ...(body.emails ? { failed } : {}) }
      },
      {
        scope: ['write', 'send'],
        // People who may not send get tests, and their team does.
        right: 'content.write',
        params,
        body: testBody,
        response: testAnswer,
        detail: {
          summary: 'Send a test to one address, or to up to ten',
          description:
            'Filled in for the contact with that address, if there is one. Its links change nothing; `{{browserUrl}}` shows the campaign as it is then, without data of a contact. The subject begins with `[TEST]`, and the campaign does not count the message. A project may send 100 an hour, then the answer is 429; 400 where the relay refuses the message. An EDITOR sends tests to members of the project only (403).',
        },
      },
    )
    .post(
      '/:id/preview',
      async ({ access, params: { id }, body }) => await previewCampaign(ctx, access.project, id, body ?? {}),
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
    .post('/audience', async ({ access, body }) => await reachOfUnstored(ctx, access.project.id, body), {
      scope: 'read',
      body: model.audienceBody,
      response: report.audienceAnswer,
      detail: {
        summary: 'How many an audience would reach',
        description:
          'For an audience that is not stored yet; the body has the members of a campaign. `matching` contacts are in the audience, `recipients` of them are subscribed, and `reached` of these get the campaign if it is sent now. `skipped` counts all other contacts of the audience by reason.',
        addition: true,
        errors: [404],
      },
    })
    .get(
      '/:id/forecast',
      async ({ access, params: { id } }) =>
        report.toForecast(await forecastCampaign(ctx, access.project.id, id)),
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
}
