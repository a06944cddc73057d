// Requests against an application in this process: JSON in, JSON out, no port.
import type { AnyElysia } from 'elysia'

export interface RequestOptions {
  /** Sent as JSON; text, FormData and streams go as they are. */
  body?: unknown
  /** An API key, sent as bearer. */
  key?: string
  /** The session cookie as `name=value`. */
  cookie?: string
  headers?: Record<string, string>
}

export interface Answer<T = never> {
  status: number
  /** Parsed JSON; text for other types; undefined for an empty body. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire holds, whatever its types say.
  body: [T] extends [never] ? any : T
  headers: Headers
  /** The cookies that were set, by name, each as `name=value`. */
  cookies: Record<string, string>
}

export async function request<T = never>(
  app: AnyElysia,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer<T>> {
  const { body, type } = encode(options.body)
  const headers = new Headers(options.headers)
  if (type && !headers.has('content-type')) headers.set('content-type', type)
  if (options.key) headers.set('authorization', `Bearer ${options.key}`)
  if (options.cookie) headers.set('cookie', options.cookie)
  const response: Response = await app.handle(
    new Request(`http://localhost${path}`, { method, headers, body } as RequestInit),
  )
  return {
    status: response.status,
    body: await decode(response),
    headers: response.headers,
    cookies: cookiesOf(response),
  }
}

function encode(body: unknown): { body?: BodyInit; type?: string } {
  if (body === undefined) return {}
  if (typeof body === 'string' || body instanceof ReadableStream) return { body, type: 'application/json' }
  if (body instanceof FormData || body instanceof URLSearchParams || body instanceof Blob) return { body }
  return { body: JSON.stringify(body), type: 'application/json' }
}

async function decode(response: Response) {
  const text = await response.text()
  if (text === '') return undefined
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
}

function cookiesOf(response: Response): Record<string, string> {
  const pairs = response.headers.getSetCookie().map(line => line.split(';', 1)[0]!)
  return Object.fromEntries(pairs.map(pair => [pair.slice(0, pair.indexOf('=')), pair]))
}
