// The public HTTP API, typed from its own description, with the session cookie and the project of this page. The dashboard reaches the
// server in no other way.
import createClient, { type Middleware } from 'openapi-fetch'
import type { components, paths } from '../../../.cache/api/schema'
import { pageAddress } from '../app/page-address'
import { ApiError, networkError, readError } from './error'

export type Schemas = components['schemas']
export type { paths }

/** Codes with which signing in is refused. */
const whileSignedOut: ReadonlySet<string> = new Set(['INVALID_CREDENTIALS', 'SECOND_FACTOR_REQUIRED'])

const apiLanguage: Middleware = {
  onRequest({ request }) {
    if (pageAddress.projectId) request.headers.set('x-project-id', pageAddress.projectId)
    return request
  },
  async onResponse({ response }) {
    if (response.ok) return
    const error = await readError(response)
    if (error.status === 401 && !whileSignedOut.has(error.code)) dispatchEvent(new Event('signedout'))
    if (error.code === 'SECOND_FACTOR_MISSING') dispatchEvent(new Event('turnedaway'))
    throw error
  },
  onError({ error }) {
    return error instanceof ApiError || isAbort(error) ? (error as Error) : networkError(error)
  },
}

export const api = createClient<paths>({ baseUrl: pageAddress.origin, credentials: 'same-origin' })
api.use(apiLanguage)

/** Returns what the server answered; throws an ApiError for anything but success. */
export async function answer<T>(asked: Promise<{ data?: T }>): Promise<T> {
  const { data } = await asked
  return data as T
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
