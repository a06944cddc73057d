// How large a body may be, by route. A declared length is checked before anything is read; a body without one is counted while
// it is read. Either way the answer is our own 413, never the server's bare one.

import { AppError } from '../lib/errors'
import type { Config } from '../settings/config'

const kilobyte = 1024
const megabyte = 1024 ** 2
/** What multipart adds around a file: boundaries, headers, small fields. */
const multipartEnvelope = 64 * kilobyte

export const csvLimit = 5 * megabyte
export const imageLimit = 10 * megabyte
/** A report with the message that it is about; relays cut long ones off (Postfix at 50 kB). */
export const reportLimit = 5 * megabyte

/** What a person fills in, or a mail client sends by itself, is a few hundred bytes; none of it needs credentials. */
export const formLimit = 16 * kilobyte
const publicForms =
  /^\/(?:auth|contacts\/public|unsubscribe|subscribe|subscription|manage|forms|privacy)(?:\/|$)/

/** The largest body of a route in bytes. */
export function bodyLimit(config: Pick<Config, 'maxMessageBytes'>, path: string): number {
  if (path === '/v1/send' || path === '/v1/send/batch')
    return Math.ceil(config.maxMessageBytes / 3) * 4 + megabyte
  if (path === '/contacts/import') return csvLimit + multipartEnvelope
  if (path === '/uploads/image') return imageLimit + multipartEnvelope
  if (path === '/webhooks/dsn') return reportLimit
  return publicForms.test(path) ? formLimit : 2 * megabyte
}

export function payloadTooLarge(limit: number): AppError {
  return new AppError(413, 'PAYLOAD_TOO_LARGE', `The request body is larger than ${limit} bytes`, {
    details: { limit },
    suggestion: 'Send less at a time: divide lists and files, and link to large attachments instead.',
  })
}

/** The request itself if its declared length is within the limit, a counting one if it declares none; throws 413. */
export function limitBody(request: Request, limit: number): Request {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) > limit) throw payloadTooLarge(limit)
  // With a Content-Encoding the length means nothing, so such a body is counted like one without a length.
  if (declared !== null && /^\d+$/.test(declared) && !request.headers.has('transfer-encoding')) return request
  if (!request.body) return request
  const counted: Request = new Request(request, {
    body: request.body.pipeThrough(countingStream(limit, () => exceeded.set(counted, limit))),
  })
  return counted
}

const exceeded = new WeakMap<Request, number>()

/** Why the body of a request could not be read, if its size was the reason: form parsers lose the error that stopped them. */
export function exceededLimit(request: Request): AppError | undefined {
  const limit = exceeded.get(request)
  return limit === undefined ? undefined : payloadTooLarge(limit)
}

function countingStream(limit: number, onExceeded: () => void): TransformStream<Uint8Array, Uint8Array> {
  let read = 0
  return new TransformStream({
    transform(chunk, controller) {
      read += chunk.byteLength
      if (read <= limit) return controller.enqueue(chunk)
      onExceeded()
      controller.error(payloadTooLarge(limit))
    },
  })
}
