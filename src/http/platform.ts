// What every request passes before a route is looked for: its id, the origin rules, the bounds of its body. Registered first.
import { Elysia } from 'elysia'
import { badRequest, invalid } from '../lib/errors'
import type { Context } from '../platform/context'
import { boundBody, releaseBody } from './body'
import { checkBody } from './body-check'
import { type CorsRequest, corsHeaders, refuseForeignOrigin } from './cors'
import { errorMapper } from './errors'
import { sessionCookieName } from './guard'
import type { Route } from './methods'
import { requestId } from './request-id'
import { recordRequest, requestLog } from './request-log'

/** How long browsers shall use nothing but https (RFC 6797); without subdomains, which may be somebody else's. */
const yearSeconds = 31_536_000

/** The plugin that makes an Elysia instance one of ours. */
export function httpPlatform(ctx: Context, routes: () => readonly Route[]) {
  const ownOrigin = new URL(ctx.config.baseUrl).origin
  const isSecure = ownOrigin.startsWith('https:')
  return new Elysia({ name: 'http-platform' })
    .use(errorMapper(ctx, routes))
    .use(requestId(ctx))
    .use(requestLog(ctx))
    .onRequest(({ request, set }) => {
      const path = pathOf(request.url)
      const asked = originFacts(request, path)
      Object.assign(set.headers, corsHeaders(asked, ownOrigin))
      set.headers['x-content-type-options'] = 'nosniff'
      if (isSecure) set.headers['strict-transport-security'] = `max-age=${yearSeconds}`
      if (request.method === 'OPTIONS') {
        recordRequest(ctx, request, { method: 'OPTIONS', path, route: 'preflight', status: 200 })
        return new Response(null, { status: 200 })
      }
      checkUrl(request.url)
      refuseForeignOrigin(asked, ownOrigin, sessionCookieName)
      boundBody(ctx, request, path)
    })
    .onTransform({ as: 'global' }, ({ body }) => {
      const fault = checkBody(body)
      if (fault) throw invalid([fault])
    })
    .onAfterResponse({ as: 'global' }, ({ request }) => releaseBody(request))
}

/** The path of an absolute URL, without building a URL object for each request. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return '/'
  const end = url.indexOf('?', start)
  return end < 0 ? url.slice(start) : url.slice(start, end)
}

/** NUL can't be stored, and a broken escape would reach a handler as null. */
function checkUrl(url: string): void {
  if (!url.includes('%')) return
  if (url.includes('%00')) throw badRequest('The address holds a NUL character')
  try {
    decodeURIComponent(url)
  } catch {
    throw badRequest('The address holds a broken percent escape')
  }
}

function originFacts(request: Request, path: string): CorsRequest {
  const { headers, method } = request
  return {
    method,
    path,
    origin: headers.get('origin'),
    host: headers.get('host'),
    authorization: headers.get('authorization'),
    cookie: headers.get('cookie'),
  }
}
