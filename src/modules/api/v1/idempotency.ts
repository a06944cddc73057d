// The Idempotency-Key header: what is a valid one, and the answer to one that was used before.
import { AppError, badRequest } from '../../../lib/errors'

export interface EarlierRequest {
  method: string
  path: string
  statusCode: number
  /** Null for a request of an earlier version. */
  requestHash: string | null
  result: Record<string, unknown>
  createdAt: Date
}

/** The key of a request, or undefined without one. 400 when it isn't 1 to 255 printable ASCII characters. */
export function readIdempotencyKey(header: string | null): string | undefined {
  if (header === null) return undefined
  if (!/^[\x20-\x7e]{1,255}$/.test(header))
    throw badRequest('Idempotency-Key must be 1 to 255 printable ASCII characters')
  return header
}

/** An earlier request as reported to its repetition; not everybody may see what it created. */
type ReportedRequest = Omit<EarlierRequest, 'result' | 'requestHash'> & {
  result?: EarlierRequest['result']
  /** Whether the repetition says the same. */
  isSame?: boolean
}

/** 409: this key belongs to a request that has been performed; `earlier` is what is known about it. */
export function keyReused(key: string, earlier: ReportedRequest | undefined): AppError {
  return new AppError(
    409,
    'IDEMPOTENCY_KEY_REUSED',
    `Idempotency-Key "${key}" was already used${earlier?.isSame === false ? ' for a different request' : ''}, so this request was not performed`,
    {
      suggestion: suggestionFor(earlier?.isSame),
      details: earlier
        ? {
            key,
            originalRequest: `${earlier.method} ${earlier.path}`,
            originalRequestAt: earlier.createdAt.toISOString(),
            originalStatusCode: earlier.statusCode,
            ...(earlier.isSame !== undefined && { sameRequest: earlier.isSame }),
            ...(earlier.result && { originalResult: earlier.result }),
          }
        : { key },
    },
  )
}

function suggestionFor(isSame: boolean | undefined): string {
  if (isSame)
    return 'No action needed: the same request was already performed. Use a new key for a genuinely new request.'
  return 'Use a new key for a genuinely new request. error.details describes the earlier request.'
}
