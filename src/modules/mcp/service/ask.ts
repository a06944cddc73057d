// Calls the routes of the application in this process, as the caller of a tool would over HTTP.
import { asAssistant } from '../../../http/rate-limit'
import { AppError, type ErrorCode } from '../../../lib/errors'
import type { Context } from '../../../platform/context'
import type { Ask } from '../tools'

/** The application: a request in, its answer out. */
export type Dispatch = (request: Request) => Promise<Response>

/** `authorization`: the header that the tool was called with; the routes look at nothing else. */
export function askAs({ clock }: Pick<Context, 'clock'>, dispatch: Dispatch, authorization: string): Ask {
  const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    // `via` says that whoever is behind this is not on this machine.
    const headers: Record<string, string> = { authorization, via: '1.1 mcp' }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const given = body === undefined ? undefined : JSON.stringify(body)
    const request = new Request(`http://localhost${path}`, { method, headers, body: given })
    const response = await dispatch(asAssistant(request))
    return (await readAnswer(response)) as T
  }
  return { now: () => clock.now(), get: (path, query) => send('GET', `${path}${queryOf(query)}`), send }
}

function queryOf(query: Record<string, unknown> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

interface Refusal {
  error?:
    | string
    | ({ code: ErrorCode; message: string } & Partial<Pick<AppError, 'errors' | 'details' | 'suggestion'>>)
}

async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text()
  const body: unknown = text === '' ? null : JSON.parse(text)
  if (response.ok) return body
  const { error } = body as Refusal
  if (typeof error !== 'object') throw new AppError(response.status, 'BAD_REQUEST', error ?? 'Refused')
  const { code, message, errors, details, suggestion } = error
  throw new AppError(response.status, code, message, { errors, details, suggestion })
}
