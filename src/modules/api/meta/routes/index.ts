// The instance about itself: features, health, metrics, and the description of the API. No credentials, no rate limit.

import { type AnyElysia, Elysia } from 'elysia'
import { answer } from '../../../../http/openapi/media'
import { isLocalClient } from '../../../../http/request-id'
import type { Context } from '../../../../platform/context'
import { configAnswer, healthAnswer } from '../model'
import type { Examine } from '../service'
import { describeFeatures, healthProbe, metricsText, requireMetricsReader } from '../service'
import { dashboardRoutes } from './dashboard'
import { descriptionRoutes, guideRoutes } from './guides'
import { operatorRoutes, outboxRoutes } from './operator'

/**
 * `application` gives the finished application, whose routes are described when somebody first asks; `examine` asks what the doctor asks.
 */
export function metaRoutes(ctx: Context, application: () => AnyElysia, examine: Examine = async () => []) {
  return new Elysia({ name: 'meta', tags: ['Instance'] })
    .get('/config', ({ request }) => describeFeatures(ctx, isLocalClient(request)), {
      response: configAnswer,
      detail: {
        summary: 'Which features this instance has',
        description:
          'Public, for a client that shows or hides what depends on them: sign-up, sign-in providers, billing, storage, mail by SMTP.',
      },
    })
    .use(metricsRoutes(ctx))
    .use(operatorRoutes(ctx, examine))
    .use(outboxRoutes(ctx))
    .use(descriptionRoutes(ctx, application))
    .use(guideRoutes(ctx))
    .use(dashboardRoutes(ctx))
}

/** For machines: load balancers and Prometheus. */
export function metricsRoutes(ctx: Context) {
  const health = healthProbe(ctx)
  return new Elysia({ name: 'figures', tags: ['Instance'], detail: { addition: true } })
    .get(
      '/health',
      async ({ status }) => {
        const answer = await health()
        return status(answer.status === 'ok' ? 200 : 503, answer)
      },
      {
        response: { 200: healthAnswer, 503: healthAnswer },
        detail: {
          summary: 'Whether the instance is healthy',
          description:
            '503 with the same body where the database or the job runner does not answer. For load balancers; it needs no key.',
        },
      },
    )
    .get(
      '/metrics',
      async ({ headers, request, set }) => {
        requireMetricsReader(ctx, {
          authorization: headers['authorization'],
          isLocal: isLocalClient(request),
        })
        set.headers['content-type'] = ctx.metrics.registry.contentType
        return await metricsText(ctx)
      },
      {
        detail: {
          summary: 'Figures in Prometheus format',
          description:
            'If `METRICS_TOKEN` is set, it is needed as a bearer token; anything else is 401. If it is not set, only the machine itself may read the figures; everybody else gets 404.',
          errors: [401, 404],
          responses: { 200: answer('Figures in the text form of Prometheus', 'text/plain') },
        },
      },
    )
}
