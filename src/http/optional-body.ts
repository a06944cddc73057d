// A body that may be missing. The framework takes one that it can't read for none at all, and then a campaign that was to leave at
// a date would leave at once: here whatever is sent must be a JSON object.
import { invalid } from '../lib/errors'

/** The `parse` of a route whose body is optional; whatever its Content-Type says, which `curl -d` gets wrong. */
export async function optionalBody({ request }: { request: Request }): Promise<unknown> {
  const text = await request.text()
  const body: unknown = text.trim() === '' ? {} : (JSON.parse(text) ?? {})
  if (typeof body === 'object' && !Array.isArray(body)) return body
  const received = Array.isArray(body) ? 'array' : typeof body
  const message = `Expected object, received ${received}`
  throw invalid([{ field: '', message, code: 'invalid_type', received }])
}
