// The API reference as the server prepares it, and calls that a reader tries out: any operation, with a key or as the signed-in user.
import createClient from 'openapi-fetch'
import type { paths } from '../../../.cache/api/schema'
import { pageAddress } from '../app/page-address'
import { networkError, readError } from './error'

export interface ReferenceMember {
  /** `attachments[].filename` */
  path: string
  type: string
  required: boolean
  notes: string
}

export interface ReferenceShape {
  media: string
  members: ReferenceMember[]
  type: string
  example?: unknown
}

export interface ReferenceOperation {
  id: string
  method: string
  path: string
  summary: string
  description?: string
  /** Any of these will do; those within one entry are needed together. */
  credentials: string[][]
  /** The scopes that allow it, for a key that has scopes. */
  scopes?: string[]
  parameters: Array<ReferenceMember & { place: string }>
  bodies: ReferenceShape[]
  samples?: Record<string, string>
  answers: Array<{ status: string; description: string } & Partial<ReferenceShape>>
}

export interface Reference {
  version: string
  description: string
  sections: Array<{ tag: string; description?: string; operations: ReferenceOperation[] }>
}

/** Refusals are answers like any other, and no project is named unless the reader names one. */
const plain = createClient<paths>({ baseUrl: pageAddress.origin })

/** None of these addresses is known when the dashboard is built. */
const ask = (method: string, path: string, options: object) =>
  plain.request(method.toLowerCase() as 'get', path as '/config', options as never)

export async function fetchReference(signal: AbortSignal): Promise<Reference> {
  const { data, response } = await ask('GET', '/docs/reference.json', { signal })
  if (!data) throw await readError(response)
  return data as unknown as Reference
}

export interface Trial {
  method: string
  path: string
  /** Without a key, the call is made as the signed-in user. */
  key?: string
  body?: string
}

export interface TrialAnswer {
  status: number
  ms: number
  text: string
}

export async function tryOut({ method, path, key, body }: Trial): Promise<TrialAnswer> {
  const began = performance.now()
  const headers = {
    ...(key ? { authorization: `Bearer ${key}` } : { 'x-project-id': pageAddress.projectId }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const asked = ask(method, path, {
    headers,
    body,
    bodySerializer: (text: string) => text,
    credentials: key ? 'omit' : 'same-origin',
    parseAs: 'text',
  })
  const { data, error, response } = await asked.catch(cause => {
    throw networkError(cause)
  })
  const ms = Math.round(performance.now() - began)
  const said: unknown = response.ok ? data : error
  return { status: response.status, ms, text: typeof said === 'string' ? said : JSON.stringify(said ?? '') }
}
