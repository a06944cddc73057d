// The description of the API: for machines as OpenAPI, for people as a page without scripts, and for the dashboard, which shows it with keys
// filled in to whoever is signed in.
import { type AnyElysia, Elysia } from 'elysia'
import { hasSession } from '../../../http/guard'
import { describeRoutes } from '../../../http/openapi/document'
import { addExamples, type Examples } from '../../../http/openapi/examples'
import type { OpenApiDocument } from '../../../http/openapi/types'
import type { Context } from '../../../platform/context'
import { dashboardBase, wantsPage } from '../dashboard'
import { pagePolicy, renderApiPage } from '../page'
import { referenceOf } from '../reference'
import { version } from '../service'
import { madeOnce } from './made-once'

export function descriptionRoutes(ctx: Context, application: () => AnyElysia) {
  let document: OpenApiDocument | undefined
  const describe = async (): Promise<OpenApiDocument> => {
    if (document) return document
    // Loaded when somebody first asks: it is larger than everything that a start loads.
    const { default: examples } = await import('../../../../docs/openapi-examples.json')
    const described = describeRoutes(application(), { baseUrl: ctx.config.baseUrl, version })
    document = addExamples(described, examples as Examples)
    return document
  }
  const page = madeOnce(async () => renderApiPage(await describe()))
  const reference = madeOnce(async () => JSON.stringify(referenceOf(await describe())))
  const dashboard = `${dashboardBase(ctx.config.baseUrl)}docs`
  return new Elysia({ detail: { hide: true } })
    .get('/openapi.json', async () => await describe())
    .get('/docs', async ({ request, cookie, redirect }) =>
      wantsPage(request) && hasSession(cookie) ? redirect(dashboard, 302) : await page(request, pageHeaders),
    )
    .get('/docs/reference.json', async ({ request }) => await reference(request, referenceHeaders))
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pagePolicy,
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  vary: 'Accept-Encoding, Accept, Cookie',
}
const referenceHeaders = { 'content-type': 'application/json', vary: 'Accept-Encoding' }
