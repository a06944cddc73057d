// The instance about itself: features, health, metrics, and the description of the API. No credentials, no limit of requests.
import { type AnyElysia, Elysia } from 'elysia'
import { describeRoutes } from '../../../http/openapi/document'
import { addExamples, type Examples } from '../../../http/openapi/examples'
import type { OpenApiDocument } from '../../../http/openapi/types'
import { isLocalClient } from '../../../http/request-id'
import type { Context } from '../../../platform/context'
import { configAnswer, healthAnswer } from '../model'
import { pagePolicy, renderApiPage } from '../page'
import type { Examine } from '../service'
import { describeFeatures, healthProbe, metricsText, requireMetricsReader, version } from '../service'
import { dashboardRoutes } from './dashboard'
import { operatorRoutes } from './operator'

/**
 * `application` gives the finished application, whose routes are described when somebody first asks; `examine` asks what the doctor asks.
 */
export function metaRoutes(ctx: Context, application: () => AnyElysia, examine: Examine = async () => []) {
  return new Elysia({ name: 'meta', tags: ['Instance'] })
    .get('/config', ({ request }) => describeFeatures(ctx, isLocalClient(request)), {
      response: configAnswer,
      detail: { summary: 'Which features this instance has' },
    })
    .use(figureRoutes(ctx))
    .use(operatorRoutes(ctx, examine))
    .use(descriptionRoutes(ctx, application))
    .use(dashboardRoutes(ctx))
}

/** For machines: load balancers and Prometheus. */
export function figureRoutes(ctx: Context) {
  const health = healthProbe(ctx)
  return new Elysia({ name: 'figures', tags: ['Instance'] })
    .get(
      '/health',
      async ({ status }) => {
        const answer = await health()
        return status(answer.status === 'ok' ? 200 : 503, answer)
      },
      {
        response: { 200: healthAnswer, 503: healthAnswer },
        detail: { summary: 'Whether the instance is well' },
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
      { detail: { summary: 'Figures in Prometheus form' } },
    )
}

function descriptionRoutes(ctx: Context, application: () => AnyElysia) {
  let document: OpenApiDocument | undefined
  // Made once: anybody may ask for it, as often as they like.
  let page: Promise<Uint8Array<ArrayBuffer>> | undefined
  let packed: Promise<Uint8Array<ArrayBuffer>> | undefined
  const describe = async (): Promise<OpenApiDocument> => {
    if (document) return document
    // Read when somebody first asks: it is larger than all that a start reads.
    const { default: examples } = await import('../../../../docs/openapi-examples.json')
    const described = describeRoutes(application(), { baseUrl: ctx.config.baseUrl, version })
    document = addExamples(described, examples as Examples)
    return document
  }
  return new Elysia({ detail: { hide: true } })
    .get('/openapi.json', async () => await describe())
    .get('/docs', async ({ request }) => {
      page ??= describe().then(document => new TextEncoder().encode(renderApiPage(document)))
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': pagePolicy,
        'referrer-policy': 'no-referrer',
        vary: 'Accept-Encoding',
      }
      if (!request.headers.get('accept-encoding')?.includes('gzip'))
        return new Response(await page, { headers })
      packed ??= page.then(content => Bun.gzipSync(content))
      return new Response(await packed, { headers: { ...headers, 'content-encoding': 'gzip' } })
    })
}
