// The one place where an error becomes an answer: the documented envelope, or the short `{error}` body where the interface asks
// for it, or a page where a person asked for one, or an error of JSON-RPC where that is spoken. The cause is logged under the request's id and never sent.
import { Elysia } from 'elysia'
import { AppError } from '../lib/errors'
import { pageHeaders } from '../lib/hosted-page'
import type { Context } from '../platform/context'
import { mapError } from './map-error'
import { methodFault, type Route } from './methods'
import { requestInfo } from './request-id'

export interface ErrorEnvelope {
  success: false
  error: {
    code: string
    message: string
    statusCode: number
    requestId: string
    errors?: unknown[]
    details?: Record<string, unknown>
    suggestion?: string
  }
  timestamp: string
}

/** Global, and to be registered before every route: a hook sees only what is registered after it. */
export function errorMapper(ctx: Context, routes: () => readonly Route[]) {
  const methods = methodFault(routes)
  return new Elysia({ name: 'error-mapper' }).onError(
    { as: 'global' },
    ({ error, code, set, request, query, params, body }) => {
      const info = requestInfo(request)
      const mapped =
        (code === 'NOT_FOUND' ? methods(request) : undefined) ??
        unreadBody(request, body, mapError(error, code, { ...query, ...params }))
      info.errorCode = mapped.code
      info.failed = mapped.status >= 500 && !mapped.byClient && !hasHungUp(request, error)
      if (info.failed) logCause(ctx, info.id, mapped)
      set.status = mapped.status
      for (const [name, value] of Object.entries(mapped.headers ?? {}))
        set.headers[name.toLowerCase()] = value
      if (mapped.status >= 500 && info.errorPage)
        return new Response(info.errorPage(), { status: mapped.status, headers: pageHeaders })
      const envelope = toEnvelope(mapped, info.id, ctx.clock.now())
      const { message: _m, suggestion: _s, ...facts } = envelope.error
      return rpcRefusal(request, mapped, facts) ?? (mapped.short ? { error: mapped.message } : envelope)
    },
  )
}

/** What was being read ended with the connection: nobody gets the answer, and nothing of ours failed. */
function hasHungUp(request: Request, error: unknown): boolean {
  return request.signal.aborted && error instanceof Error && error.name === 'AbortError'
}

/** The documented body of an error; members without a value are left out. */
export function toEnvelope(error: AppError, requestId: string, at: Date): ErrorEnvelope {
  const { code, message, status, errors, details, suggestion } = error
  return {
    success: false,
    error: {
      code,
      message,
      statusCode: status,
      requestId,
      ...(errors ? { errors } : {}),
      ...(details ? { details } : {}),
      ...(suggestion ? { suggestion } : {}),
    },
    timestamp: at.toISOString(),
  }
}

/** Only the stack and the database's own code: statements and their parameters may hold personal data. */
function logCause(ctx: Context, requestId: string, error: AppError): void {
  const cause = error.cause instanceof Error ? error.cause : error
  const inner = cause.cause instanceof Error ? cause.cause : undefined
  const { code } = (inner ?? cause) as { code?: unknown }
  ctx.log.error(
    {
      requestId,
      errorCode: error.code,
      causeCode: code,
      cause: describe(inner ?? cause),
      stack: frames(cause),
    },
    'request failed',
  )
}

/** A validation error's message holds the whole value it refused. */
function describe(cause: Error): string {
  return cause.constructor.name === 'ValidationError'
    ? 'response does not match its schema'
    : cause.message.slice(0, 500)
}

function frames(cause: Error): string | undefined {
  return cause.stack
    ?.split('\n')
    .filter(line => /^\s*at /.test(line))
    .slice(0, 12)
    .join('\n')
}

export const rpcPath = '/mcp'

/** As JSON-RPC numbers them; what it has no number for is `refused`. */
export const rpcCodes = { parse: -32_700, invalid: -32_600, internal: -32_603, refused: -32_000 } as const

/** The error of a message whose id is not known: it was refused before it was read. */
export function rpcError(error: { code: number; message: string; data?: object }) {
  return { jsonrpc: '2.0', error, id: null }
}

/** What `refusal` looks like there; undefined for any other address. `facts` are those of the usual envelope. */
export function rpcRefusal(request: Request, refusal: AppError, facts: object) {
  if (new URL(request.url).pathname !== rpcPath) return undefined
  const { message, suggestion } = refusal
  return rpcError({
    code: codeOf(refusal.status),
    message: suggestion ? `${message}. ${suggestion}` : message,
    data: facts,
  })
}

function codeOf(status: number): number {
  if (status >= 500) return rpcCodes.internal
  return status === 413 || status === 422 ? rpcCodes.invalid : rpcCodes.refused
}

/** `refusal`, or an error that names the Content-Type if that is why the body was refused. */
export function unreadBody(request: Request, body: unknown, refusal: AppError): AppError {
  const isAboutBody = (refusal.status === 422 && refusal.errors !== undefined) || refusal.short
  if (!isAboutBody) return refusal
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (!hasBody(request) || wasRead(type, body) || readsItself(request, body)) return refusal
  const said = type ? `its Content-Type is ${type.slice(0, 100)}` : 'it has no Content-Type'
  return new AppError(refusal.status, 'VALIDATION_ERROR', `The request body was not read as JSON: ${said}`, {
    suggestion: 'Send the header "Content-Type: application/json".',
  })
}

function hasBody(request: Request): boolean {
  const length = request.headers.get('content-length')
  return length === null ? request.body !== null : Number(length) > 0
}

/** A route that took the bytes as they came judged them whatever their type. */
function readsItself(request: Request, body: unknown): boolean {
  return request.bodyUsed && body === undefined
}

/** `curl -d` calls JSON a form; read as one, it has a single odd field, which the schema removes. */
function wasRead(type: string | undefined, body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  return (
    type !== 'application/x-www-form-urlencoded' || Object.keys(body).some(name => !/^\s*[{[]/.test(name))
  )
}
