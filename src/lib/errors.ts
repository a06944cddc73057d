// The one error type that may reach a client. Its public half is sent as the documented envelope; `cause` never leaves the process.

/** Machine-readable codes of the error envelope. The HTTP status is kept separately, because some codes are used with several. */
export type ErrorCode =
  | 'UNAUTHORIZED'
  | 'INVALID_CREDENTIALS'
  | 'SECOND_FACTOR_REQUIRED'
  | 'MISSING_AUTH'
  | 'INVALID_API_KEY'
  | 'FORBIDDEN'
  | 'PROJECT_ACCESS_DENIED'
  | 'SECOND_FACTOR_MISSING'
  | 'PROJECT_DISABLED'
  | 'PROJECT_RESETTING'
  | 'EMAIL_VERIFICATION_REQUIRED'
  | 'BAD_REQUEST'
  | 'VALIDATION_ERROR'
  | 'RESOURCE_NOT_FOUND'
  | 'CONTACT_NOT_FOUND'
  | 'TEMPLATE_NOT_FOUND'
  | 'CAMPAIGN_NOT_FOUND'
  | 'WORKFLOW_NOT_FOUND'
  | 'CONFLICT'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'PAYLOAD_TOO_LARGE'
  | 'STORAGE_FULL'
  | 'RATE_LIMIT_EXCEEDED'
  | 'BILLING_LIMIT_EXCEEDED'
  | 'INTERNAL_SERVER_ERROR'
  | 'SERVICE_UNAVAILABLE'

/** One faulty field of a request. `field` is a dot path (`attachments.0.filename`), empty for the body as a whole. */
export interface FieldError {
  field: string
  message: string
  code: string
  received?: unknown
}

export interface AppErrorOptions {
  errors?: FieldError[]
  details?: Record<string, unknown>
  suggestion?: string
  /** Answer with the short `{error: string}` body that some dashboard endpoints document. */
  short?: boolean
  headers?: Record<string, string>
  /** What the client did, or did too much of, although the status is a server's: no failure of ours. */
  byClient?: boolean
  cause?: unknown
}

export class AppError extends Error {
  override readonly name = 'AppError'
  readonly errors?: FieldError[]
  readonly details?: Record<string, unknown>
  readonly suggestion?: string
  readonly short: boolean
  readonly headers?: Record<string, string>
  readonly byClient: boolean

  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(message, { cause: options.cause })
    this.errors = options.errors
    this.details = options.details
    this.suggestion = options.suggestion
    this.short = options.short ?? false
    this.headers = options.headers
    this.byClient = options.byClient ?? false
  }
}

export function badRequest(message: string, options?: AppErrorOptions): AppError {
  return new AppError(400, 'BAD_REQUEST', message, options)
}

/** The documented short form: 400 with the body `{error: message}`. */
export function shortBadRequest(message: string): AppError {
  return new AppError(400, 'BAD_REQUEST', message, { short: true })
}

export function unauthorized(code: ErrorCode, message: string, options?: AppErrorOptions): AppError {
  return new AppError(401, code, message, options)
}

export function forbidden(code: ErrorCode, message: string, options?: AppErrorOptions): AppError {
  return new AppError(403, code, message, options)
}

const lists: Partial<Record<ErrorCode, string>> = {
  TEMPLATE_NOT_FOUND: '/templates',
  CAMPAIGN_NOT_FOUND: '/campaigns',
  WORKFLOW_NOT_FOUND: '/workflows',
  CONTACT_NOT_FOUND: '/contacts',
}

/** 404 with the resource and id in `details`; the id of another tenant's row answers exactly the same. */
export function notFound(resource: string, id: string, code: ErrorCode = 'RESOURCE_NOT_FOUND'): AppError {
  const list = lists[code]
  return new AppError(404, code, `${resource} not found`, {
    details: { resource, id },
    suggestion: `Check the id, and that the key or session is of the same project${list ? `; GET ${list} shows what it has` : ''}.`,
  })
}

export function conflict(message: string, options?: AppErrorOptions): AppError {
  return new AppError(409, 'CONFLICT', message, options)
}

/** 422 with one item per faulty field. */
export function invalid(errors: FieldError[]): AppError {
  return new AppError(422, 'VALIDATION_ERROR', 'Request validation failed', {
    errors,
    suggestion: 'Correct the fields listed in error.errors and send the request again.',
  })
}

export function tooMany(message: string, retryAfterSeconds: number): AppError {
  return new AppError(429, 'RATE_LIMIT_EXCEEDED', message, {
    suggestion: `Wait ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'} (see the Retry-After header), then try again.`,
    details: { retryAfter: retryAfterSeconds },
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })
}
