// A body that was sent but not read as JSON, because its Content-Type says something else or is missing. Then every required field is
// missing, and an error that says so sends people to look in the wrong place.
import { AppError } from '../lib/errors'

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
