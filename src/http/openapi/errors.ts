// The error answers of the document: which an operation may give, and in which of the two forms.
import { namedSchema } from '../../lib/described'
import type { Security } from '../guard'
import type { Answer, Operation } from './types'

const meanings: Record<string, string> = {
  400: 'Malformed body or parameter',
  401: 'Credentials are missing or not valid',
  403: 'Not allowed, or the project is disabled',
  404: 'Does not exist in this project',
  409: 'In conflict with the present state',
  413: 'The body is too large',
  422: 'A field is not valid; error.errors says which',
  423: 'The project is being reset; try again in a minute',
  429: 'Too many requests; Retry-After says when to come back',
  500: 'Unexpected error',
  502: 'The other side, which this request needs, did not answer as it should',
  503: 'Not available at the moment; Retry-After says when to come back',
  507: 'No room for it',
}

const retryAfter = {
  'Retry-After': { description: 'Seconds after which to come back', schema: { type: 'integer', minimum: 1 } },
}

/** One answer per status, for operations to refer to. */
export const errorAnswers: Record<string, Answer> = Object.fromEntries(
  Object.entries(meanings).map(([status, description]) => [
    `Error${status}`,
    {
      description,
      ...(status === '429' || status === '503' ? { headers: retryAfter } : {}),
      content: { 'application/json': { schema: namedSchema('ErrorEnvelope') } },
    },
  ]),
)

export function errorAnswer(status: string): Answer {
  return { $ref: `#/components/responses/Error${status}` }
}

/** An answer that has the short form for what a handler checks by hand, and the envelope otherwise. */
export function eitherForm(status: string): Answer {
  return {
    description: `${meanings[status]}. What is checked by hand, such as a missing required field, has the short form`,
    content: {
      'application/json': { schema: { anyOf: [namedSchema('ShortError'), namedSchema('ErrorEnvelope')] } },
    },
  }
}

/** What follows from guard, parameters and body; what else an operation answers is a table of its own. */
export function impliedErrors(
  operation: Operation,
  method: string,
  security: Security | undefined,
): string[] {
  const statuses = ['500', '503']
  if (operation.requestBody) statuses.push('400', '413', '422')
  if (operation.parameters?.length) statuses.push('400', '422')
  if (operation.parameters?.some(parameter => parameter.in === 'path')) statuses.push('404')
  // 400: a session that names no project.
  if (security === 'projectAccess') statuses.push('400')
  if (security) statuses.push('401', '403', '429')
  if (security && security !== 'session' && method !== 'get') statuses.push('423')
  return statuses
}
