// What the dashboard may do in a browser, and what a mail that it shows may do. Pure.

const shared = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "object-src 'none'"]

/** Everything comes from this instance, and no script or style is inline in a page. */
export const dashboardPolicy = [
  ...shared,
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
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
