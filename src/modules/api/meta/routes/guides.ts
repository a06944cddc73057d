// The guides, as pages for everybody. Nothing of them is read before somebody asks.
import { type AnyElysia, Elysia } from 'elysia'
import { hasSession } from '../../../../http/guard'
import { describeRoutes } from '../../../../http/openapi/document'
import { addExamples, type Examples } from '../../../../http/openapi/examples'
import type { OpenApiDocument } from '../../../../http/openapi/types'
import type { Context } from '../../../../platform/context'
import {
  type Guides,
  guideNames,
  guidePolicy,
  readGuide,
  renderGuide,
  renderNoGuide,
  titleOf,
} from '../guides'
import { pagePolicy, renderApiPage } from '../page'
import { referenceOf } from '../reference'
import { version } from '../service'
import { dashboardBase, wantsPage } from './dashboard'

export function guideRoutes(ctx: Context) {
  const root = new URL(ctx.config.baseUrl).pathname.replace(/\/$/, '')
  let known: Promise<Guides> | undefined
  const guides = (): Promise<Guides> => {
    known ??= titlesOf().then(titles => ({ root, titles }))
    return known
  }
  const pageOf = (name: string) =>
    madeOnce(async () => renderGuide(await guides(), name, (await readGuide(name)) ?? ''))
  const pages = new Map(['README', ...guideNames].map(name => [name, pageOf(name)]))
  const none = madeOnce(async () => renderNoGuide(await guides()))
  const answer = (request: Request, name: string): Promise<Response> =>
    pages.get(name)?.(request, headers) ?? none(request, headers, 404)
  return new Elysia({ prefix: '/guides', detail: { hide: true } })
    .get('', ({ request }) => answer(request, 'README'))
    .get('/*', ({ request, params }) => answer(request, params['*'] === 'README' ? '' : params['*']))
}

async function titlesOf(): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>()
  for (const name of guideNames) titles.set(name, titleOf((await readGuide(name)) ?? ''))
  return titles
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': guidePolicy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  vary: 'Accept-Encoding',
}

export function descriptionRoutes(ctx: Context, application: () => AnyElysia) {
  let document: OpenApiDocument | undefined
  const describe = async (): Promise<OpenApiDocument> => {
    if (document) return document
    // Loaded when somebody first asks: it is larger than everything that a start loads.
    const { default: examples } = await import('../../../../../docs/openapi-examples.json')
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

/** Made and compressed once: anybody may ask for it, as often as they like. */
export function madeOnce(make: () => Promise<string>) {
  let plain: Promise<Uint8Array<ArrayBuffer>> | undefined
  let packed: Promise<Uint8Array<ArrayBuffer>> | undefined
  return async (request: Request, headers: Record<string, string>, status = 200): Promise<Response> => {
    plain ??= make().then(text => new TextEncoder().encode(text))
    if (!request.headers.get('accept-encoding')?.includes('gzip'))
      return new Response(await plain, { headers, status })
    packed ??= plain.then(content => Bun.gzipSync(content))
    return new Response(await packed, { headers: { ...headers, 'content-encoding': 'gzip' }, status })
  }
}
