// The dashboard: files that never change under their names, and one document for every other address below /app/. What it shows comes
// from the public API.
import { Elysia } from 'elysia'
import { notFound } from '../../../../lib/errors'
import type { Context } from '../../../../platform/context'
import { type DashboardFile, dashboardFile, dashboardHash } from '../../../../platform/dashboard'

const plainText = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=86400' }
const forGood = 'public, max-age=31536000, immutable'

export function dashboardRoutes(ctx: Context) {
  const base = dashboardBase(ctx.config.baseUrl)
  const ownImages = [ctx.files.publicUrl('') ?? `${ctx.config.baseUrl}/uploads/`]
  return (
    new Elysia({ detail: { hide: true } })
      .get('/', ({ request, redirect }) => redirect(wantsPage(request) ? base : '/docs', 302))
      // Nothing here is for search engines; pages that are linked from elsewhere say noindex themselves.
      .get('/robots.txt', () => new Response('User-agent: *\nDisallow: /\n', { headers: plainText }))
      .get('/app', ({ request }) => document(request, 'index.html', base, dashboardPolicy))
      .get('/app/assets/:name', async ({ params: { name }, request }) => {
        const found = await dashboardFile(name, request.headers.get('accept-encoding') ?? '')
        if (!found || name.endsWith('.html')) throw notFound('File', name)
        return new Response(found.content, { headers: assetHeaders(found) })
      })
      .get('/app/mail-frame', ({ request, query }) =>
        document(request, 'mail-frame.html', base, mailFramePolicy('images' in query, ownImages)),
      )
      .get('/app/*', ({ request }) => document(request, 'index.html', base, dashboardPolicy))
  )
}

/** Open to all origins, since the frame of a mail has none of its own. */
function assetHeaders({ type, encoding }: DashboardFile): Record<string, string> {
  return {
    ...dashboardHeaders,
    'content-type': type,
    'cache-control': forGood,
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'Accept-Encoding',
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  }
}

async function document(request: Request, name: string, base: string, policy: string): Promise<Response> {
  const etag = `"${await dashboardHash()}"`
  const headers = {
    ...dashboardHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-cache',
    etag,
  }
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  const found = await dashboardFile(name, '')
  if (!found) throw notFound('File', name)
  return new Response(new TextDecoder().decode(found.content).replaceAll('{{base}}', base), { headers })
}

const shared = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "object-src 'none'"]

/** Everything comes from this instance, and no script or style is inline in a page. */
export const dashboardPolicy = [
  ...shared,
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "worker-src 'self'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Emails bring styles and images of their own. Their scripts do not run: the one script is the frame's, and the sandbox removes the frame's
 * origin, so that nothing in it can read or ask this instance as the person who is looking. Images and fonts tell their servers who
 * looks, and when: until the reader asks for them, only those at `ownImages` are loaded.
 */
export function mailFramePolicy(loadsImages: boolean, ownImages: readonly string[]): string {
  const images = loadsImages ? ['*'] : ownImages
  return [
    ...shared,
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    ['img-src', 'data:', ...images].join(' '),
    loadsImages ? 'font-src * data:' : 'font-src data:',
    loadsImages ? 'media-src *' : "media-src 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
  ].join('; ')
}

/** Headers of every page below /app/. */
export const dashboardHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'x-robots-tag': 'noindex, nofollow',
}

/** The path below which the instance is reached, with a slash at its end: BASE_URL may hold one. */
export function dashboardBase(baseUrl: string): string {
  return `${new URL(baseUrl).pathname.replace(/\/$/, '')}/app/`
}

/** A browser that goes somewhere, and no program. */
export function wantsPage(request: Request): boolean {
  return request.headers.get('accept')?.includes('text/html') === true
}
