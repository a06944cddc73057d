// Which origins a browser may call from. The public /v1 endpoints are open to all origins, because keys and not cookies grant access to them,
// and so are forms, which need neither; everything else is for BASE_URL's own origin. Also refuses state changes from a foreign page that rely on a cookie.
import { AppError } from '../lib/errors'

const exposed = 'X-Request-ID, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After'
const allowedHeaders = 'Content-Type, Authorization, Idempotency-Key, X-Request-ID'
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

export interface CorsRequest {
  method: string
  path: string
  /** The Origin header. */
  origin: string | null
  /** The Host header. */
  host: string | null
  authorization: string | null
  cookie: string | null
}

function isPublicApi(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/')
}

/** A form that people subscribe by, and its puzzle: pages of others send it, with a script or without. */
function isOpenForm(path: string): boolean {
  return /^\/forms\/[^/]+(?:\/puzzle)?$/.test(path)
}

/** The CORS headers of a response; empty if the origin is not allowed. */
export function corsHeaders(request: CorsRequest, ownOrigin: string): Record<string, string> {
  if (isPublicApi(request.path)) {
    return {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': exposed,
      ...preflight(request, 'GET, POST, PUT, DELETE, OPTIONS', allowedHeaders),
    }
  }
  if (isOpenForm(request.path))
    return { 'access-control-allow-origin': '*', ...preflight(request, 'GET, POST, OPTIONS', 'Content-Type') }
  if (request.origin !== ownOrigin) return { vary: 'Origin' }
  return {
    vary: 'Origin',
    'access-control-allow-origin': ownOrigin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': exposed,
    ...preflight(request, 'GET, POST, PUT, PATCH, DELETE, OPTIONS', `${allowedHeaders}, X-Project-Id`),
  }
}

function preflight(request: CorsRequest, methods: string, headers: string): Record<string, string> {
  if (request.method !== 'OPTIONS') return {}
  return {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': headers,
    'access-control-max-age': '86400',
  }
}

/**
 * Throws 403 for a state-changing request from a foreign page that carries the session cookie. Signing in counts as well: a
 * foreign page must not be able to sign its visitor in as somebody else.
 */
export function refuseForeignOrigin(request: CorsRequest, ownOrigin: string, cookieName: string): void {
  const { origin, method, path } = request
  if (origin === null || safeMethods.has(method) || request.authorization !== null) return
  if (isOpenForm(path)) return
  const ridesOnCookie = request.cookie?.includes(`${cookieName}=`) === true
  if (!ridesOnCookie && !path.startsWith('/auth/')) return
  if (origin === ownOrigin || isSameHost(origin, request.host)) return
  throw new AppError(403, 'FORBIDDEN', 'This origin may not change anything with a session cookie', {
    details: { reason: 'foreign origin' },
  })
}

/** A page that was served from the host it calls, whatever name the instance is reached by. */
function isSameHost(origin: string, host: string | null): boolean {
  return host !== null && URL.canParse(origin) && new URL(origin).host === host
}
