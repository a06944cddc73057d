// The server's errors: one class for both of their forms.
import { t } from '../texts'

interface Fault {
  field: string
  message: string
}

type Details = Record<string, unknown>

interface Envelope {
  error?:
    | string
    | {
        code?: string
        message?: string
        requestId?: string
        suggestion?: string
        errors?: Fault[]
        details?: Details
      }
}

export class ApiError extends Error {
  override readonly name = 'ApiError'
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly about: { requestId?: string; suggestion?: string; faults?: Fault[]; details?: Details } = {},
  ) {
    super(message)
  }
}

/** Whether trying again later may do. What was asked for may have been done all the same. */
export function isPassing(problem: unknown): boolean {
  return (
    problem instanceof ApiError && (problem.status === 0 || problem.status === 429 || problem.status >= 500)
  )
}

export async function readError(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('x-request-id') ?? undefined
  const { error } = (await response.json().catch(() => ({}))) as Envelope
  if (error === undefined) return new ApiError(response.status, 'UNKNOWN', t.errors.unknown, { requestId })
  if (typeof error === 'string') return new ApiError(response.status, 'REFUSED', error, { requestId })
  return new ApiError(response.status, error.code ?? 'UNKNOWN', error.message ?? t.errors.unknown, {
    requestId: error.requestId ?? requestId,
    suggestion: error.suggestion,
    faults: error.errors,
    details: error.details,
  })
}

export function networkError(cause: unknown): ApiError {
  const error = new ApiError(0, 'NETWORK', t.errors.network, { suggestion: t.errors.networkHint })
  error.cause = cause
  return error
}
