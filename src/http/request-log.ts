// One structured line and one count per request. The line holds the path without its query, because queries carry signed links;
// it never holds a key, a cookie or a body. It has the client's address, but not that of recipients who follow links in emails.
import { Elysia } from 'elysia'
import type { Context } from '../platform/context'
import { requestInfo } from './request-id'

interface Answered {
  method: string
  path: string
  /** The route's pattern; undefined for a path that nothing serves. */
  route?: string
  status: number
}

/** Paths that machines ask every few seconds: counted, logged at debug level only. */
const quietPaths = new Set(['/health', '/metrics'])

export function requestLog(ctx: Context) {
  return new Elysia({ name: 'request-log' }).onAfterResponse(
    { as: 'global' },
    ({ request, path, route, set, response }) => {
      recordRequest(ctx, request, {
        method: request.method,
        path,
        route,
        status: statusOf(set.status, response),
      })
    },
  )
}

/** Writes the line and the figures of an answered request. */
export function recordRequest(ctx: Context, request: Request, answered: Answered): void {
  const info = requestInfo(request)
  ctx.requests.end(info)
  const ms = Math.round((performance.now() - info.startedAt) * 10) / 10
  const { method, status } = answered
  const route = answered.route || 'unmatched'
  ctx.metrics.requests.inc({ method: knownMethod(method), route, status: String(status) })
  ctx.metrics.requestSeconds.observe({ method: knownMethod(method), route }, ms / 1000)
  const failed = info.failed ?? status >= 500
  const level = failed ? 'error' : quietPaths.has(answered.path.replace(/\/$/, '')) ? 'debug' : 'info'
  ctx.log[level](
    {
      requestId: info.id,
      method,
      path: withoutToken(answered.path).slice(0, 300),
      status,
      ms,
      client: belongsToRecipient(answered.path) ? undefined : info.address?.slice(0, 64),
      projectId: info.projectId,
      userId: info.userId,
      errorCode: info.errorCode,
    },
    'request',
  )
}

/** The path of a tracked link ends with the address that it leads to, which may be a secret. */
function withoutToken(path: string): string {
  return path.replace(/^(\/t\/[^/]*\/).+/s, '$1…')
}

/**
 * Links in emails: their paths name a recipient, whose address is not kept (docs/tracking.md). A confirmation page of a form is one of them;
 * the form itself is open to all.
 */
const recipientPath =
  /^\/(?:t|unsubscribe|subscribe|manage|contacts\/public|privacy|message|link|subscription|campaign)\/|^\/forms\/[^/]+\/confirm/

function belongsToRecipient(path: string): boolean {
  return recipientPath.test(path)
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** A label per made-up method would let anyone grow the metrics without end. */
function knownMethod(method: string): string {
  return methods.has(method) ? method : 'other'
}

function statusOf(status: number | string | undefined, response: unknown): number {
  if (response instanceof Response) return response.status
  return typeof status === 'number' ? status : 200
}
