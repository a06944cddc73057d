// One operation of the document, made whole: its id, who may call it, its body, its parameters and every answer it may give.
import type { DocumentDecoration } from 'elysia'
import { type Security, securityOf, sessionCookieName } from '../guard'
import type { KeyScope } from '../route'
import { eitherForm, errorAnswer, impliedErrors } from './errors'
import { idempotencyKey, parameterMeanings } from './parameters'
import { describeSchema, type NamedSchemas, type Schema } from './schema'
import type { Answer, MediaTypes, Operation, Parameter } from './types'

/** What a route says about itself and the plugin does not pass on. */
export interface RouteFacts {
  security: Security | undefined
  /** What a key with scopes needs; undefined where no such key is taken. */
  scopes: readonly KeyScope[] | undefined
  detail: DocumentDecoration
  hasOptionalBody: boolean
}

interface Given {
  method: string
  path: string
  operation: Operation
}

export function completeOperation(
  { method, path, operation }: Given,
  facts: RouteFacts = { security: undefined, scopes: undefined, detail: {}, hasOptionalBody: false },
  named: NamedSchemas,
): Operation {
  const { security, scopes, detail, hasOptionalBody } = facts
  const parameters = parametersOf(path, operation.parameters, detail.idempotent)
  const readByHand = detail.requestBody as Operation['requestBody']
  const body = readByHand ?? (operation.requestBody && narrow(operation.requestBody, hasOptionalBody))
  const whole: Operation = {
    ...operation,
    operationId: identifier(method, path),
    ...(detail.addition ? { 'x-waxwing-addition': true } : {}),
    ...(scopes ? { 'x-waxwing-scopes': [...scopes] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { ...body, content: describeContent(body.content, named) } } : {}),
    security: security ? requirements[security] : [],
  }
  return { ...whole, responses: responsesOf(method, whole, facts) }
}

/** `get /contacts/{id}/x-y` -> getContactsByIdXY */
function identifier(method: string, path: string): string {
  const words = path.replaceAll(/\{(\w+)\}/g, 'by-$1').split(/[^A-Za-z0-9]+/)
  return method + words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function parametersOf(path: string, given: Parameter[] = [], isIdempotent = false): Parameter[] {
  const key = path.includes('{key}')
    ? [{ name: 'key', in: 'path', required: true, schema: { type: 'string' } }]
    : []
  const known = [...given, ...key].map(parameter => {
    const { description = parameterMeanings[parameter.name], ...schema } = parameter.schema as Schema
    return { ...parameter, ...(description ? { description: String(description) } : {}), schema }
  })
  return isIdempotent ? [...known, idempotencyKey] : known
}

/** The plugin offers every encoding for every body; ours are forms where they hold a file, otherwise JSON. */
function narrow(
  body: NonNullable<Operation['requestBody']>,
  isOptional: boolean,
): NonNullable<Operation['requestBody']> {
  const { 'application/json': json, 'multipart/form-data': form } = body.content
  const holdsFile = JSON.stringify(body.content).includes('"format":"binary"')
  const content: MediaTypes =
    holdsFile && form ? { 'multipart/form-data': form } : { 'application/json': json! }
  return { required: !isOptional, content }
}

function describeContent(content: MediaTypes, named: NamedSchemas): MediaTypes {
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema }]) => [
      type,
      { schema: describeSchema(withoutNull(schema), named) },
    ]),
  )
}

/** A body that may be missing may also be null; that helps no client. */
function withoutNull(schema: Schema): Schema {
  if (Array.isArray(schema['type'])) return { ...schema, type: schema['type'][0] }
  const branches = schema['anyOf'] as Schema[] | undefined
  return branches?.length === 2 && branches[1]?.['type'] === 'null' ? branches[0]! : schema
}

function responsesOf(
  method: string,
  operation: Operation,
  { security, detail: { responses, errors = [], shortErrors = [] } }: RouteFacts,
): Record<string, Answer> {
  const successes = Object.fromEntries(
    Object.entries(operation.responses ?? {}).filter(([status]) => status < '400' || status === '503'),
  )
  const found: Record<string, Answer> = { ...successes, ...(responses as Record<string, Answer>) }
  const succeeds = Object.keys(found).some(status => /^[23]/.test(status))
  if (!succeeds && method === 'delete') found['204'] = { description: 'Done; there is no body' }
  else if (!succeeds) found['200'] = { description: 'Success' }
  for (const status of [...impliedErrors(operation, method, security), ...errors.map(String)])
    found[status] ??= errorAnswer(status)
  for (const status of shortErrors.map(String)) found[status] = eitherForm(status)
  return Object.fromEntries(Object.entries(found).map(([status, answer]) => [status, worded(status, answer)]))
}

const successWords: Record<string, string> = {
  200: 'Done',
  201: 'Made',
  202: 'Accepted; a job does it',
  204: 'Done',
}

/** The plugin has no words of its own for an answer. */
function worded(status: string, answer: Answer): Answer {
  const isBare = !answer.$ref && (answer.description ?? '').startsWith('Response for status')
  return isBare ? { ...answer, description: successWords[status] ?? 'Answered' } : answer
}

/** The guard in front of a route. */
export function securityOfRoute(hooks: { transform?: unknown }): Security | undefined {
  const transforms = [hooks.transform ?? []].flat() as Array<{ fn?: unknown }>
  return transforms.map(hook => securityOf(hook.fn)).find(found => found !== undefined)
}

export const requirements: Record<Security, Array<Record<string, string[]>>> = {
  publicKey: [{ publicKey: [] }],
  secretKey: [{ secretKey: [] }],
  session: [{ session: [] }],
  operator: [{ session: [] }],
  projectAccess: [{ secretKey: [] }, { session: [], project: [] }],
  ownProject: [{ secretKey: [] }, { session: [] }],
  anyCaller: [{ secretKey: [] }, { session: [] }],
}

export const securitySchemes = {
  publicKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The public key of a project (pk_...), for tracking only, or a key with the scope track (wk_...)',
  },
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The secret key of a project (sk_...), or a key that has all scopes in the `x-waxwing-scopes` of the operation (wk_...)',
  },
  session: { type: 'apiKey', in: 'cookie', name: sessionCookieName, description: 'Set by POST /auth/login' },
  project: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Project-Id',
    description: 'The project a session acts on',
  },
}
