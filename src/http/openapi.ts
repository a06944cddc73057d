// The OpenAPI document, made from the routes as they are served. Elysia's plugin describes paths and schemas; security, error
// answers and the rest of the envelope are added here, because they come from guards and the error mapper and not from a route.
import { toOpenAPISchema } from '@elysiajs/openapi/openapi'
import type { AnyElysia } from 'elysia'
import { type Security, securityOf } from './access'
import { errorSchema } from './envelope'

interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Array<Record<string, string[]>>
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, Answer>
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
}

interface Answer {
  $ref?: string
  description?: string
  content?: Record<string, { schema: Schema }>
}

type Schema = Record<string, unknown>

export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string; description: string }
  servers: Array<{ url: string }>
  tags: Array<{ name: string }>
  paths: Record<string, Record<string, Operation>>
  components: Record<string, unknown>
}

const description = [
  'Transactional mail, events, contacts, templates, campaigns, segments and workflows.',
  '',
  'Every answer carries `X-Request-ID`. Answers that count against the limit of requests carry `RateLimit-Limit`,',
  '`RateLimit-Remaining` and `RateLimit-Reset`; beyond it the answer is 429 with `Retry-After`.',
].join('\n')

/** The document of everything `app` serves, apart from routes that hide themselves. */
export function describeRoutes(app: AnyElysia, about: { baseUrl: string; version: string }): OpenApiDocument {
  const guards = guardsOf(app)
  const paths: OpenApiDocument['paths'] = {}
  for (const [path, operations] of Object.entries(describedPaths(app))) {
    const served: Record<string, Operation> = {}
    for (const [method, operation] of Object.entries(operations)) {
      served[method] = complete(operation, guards.get(`${method} ${path}`))
    }
    paths[path === '/' ? path : path.replace(/\/$/, '')] = served
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Waxwing', version: about.version, description },
    servers: [{ url: about.baseUrl }],
    tags: tagsOf(paths),
    paths,
    components: { schemas: { Error: errorSchema }, responses, securitySchemes },
  }
}

function describedPaths(app: AnyElysia): Record<string, Record<string, Operation>> {
  // The plugin types its result after another edition of the same standard.
  return toOpenAPISchema(withoutParsers(app), undefined, undefined, undefined, '3.1.0')
    .paths as unknown as Record<string, Record<string, Operation>>
}

/** A hook that reads the body says nothing about its encoding, but the plugin would leave the body out. */
function withoutParsers(app: AnyElysia): AnyElysia {
  const routes = app.routes.map(route => ({ ...route, hooks: { ...route.hooks, parse: undefined } }))
  return Object.create(app, { getGlobalRoutes: { value: () => routes } }) as AnyElysia
}

/** `get /contacts/{id}` -> the guard that stands before it. */
function guardsOf(app: AnyElysia): Map<string, Security> {
  const guards = new Map<string, Security>()
  for (const { method, path, hooks } of app.routes) {
    const transforms: Array<{ fn?: unknown }> = [(hooks as { transform?: never }).transform ?? []].flat()
    const security = transforms.map(hook => securityOf(hook.fn)).find(found => found !== undefined)
    if (security) guards.set(`${method.toLowerCase()} ${path.replace(/:([^/]+)/g, '{$1}')}`, security)
  }
  return guards
}

const requirements: Record<Security, Array<Record<string, string[]>>> = {
  publicKey: [{ publicKey: [] }],
  secretKey: [{ secretKey: [] }],
  session: [{ session: [] }],
  projectAccess: [{ secretKey: [] }, { session: [], project: [] }],
  ownProject: [{ secretKey: [] }, { session: [] }],
}

const securitySchemes = {
  publicKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'The public key of a project (pk_...), for tracking only',
  },
  secretKey: { type: 'http', scheme: 'bearer', description: 'The secret key of a project (sk_...)' },
  session: { type: 'apiKey', in: 'cookie', name: 'waxwing_session', description: 'Set by POST /auth/login' },
  project: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Project-Id',
    description: 'The project a session acts on',
  },
}

const meanings: Record<string, string> = {
  400: 'Malformed body or parameter',
  401: 'Credentials are missing or not valid',
  403: 'Not allowed, or the project is disabled',
  404: 'Does not exist in this project',
  409: 'In conflict with what is there',
  413: 'The body is too large',
  422: 'A field is not valid; error.errors says which',
  429: 'Too many requests; Retry-After says when to come back',
  500: 'Unexpected error',
  503: 'Not available at the moment; Retry-After says when to come back',
}

const responses = Object.fromEntries(
  Object.entries(meanings).map(([status, description]) => [
    `Error${status}`,
    { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
  ]),
)

function complete(operation: Operation, security: Security | undefined): Operation {
  const answers = { ...operation.responses }
  const succeeds = Object.keys(answers).some(status => status.startsWith('2') || status.startsWith('3'))
  if (!succeeds) answers['200'] = { description: 'Success' }
  for (const status of errorsOf(operation, security))
    answers[status] ??= { $ref: `#/components/responses/Error${status}` }
  return {
    ...operation,
    ...(operation.requestBody ? { requestBody: narrow(operation.requestBody) } : {}),
    security: security ? requirements[security] : [],
    responses: answers,
  }
}

function errorsOf(operation: Operation, security: Security | undefined): string[] {
  const statuses = ['500', '503']
  if (operation.requestBody) statuses.push('400', '413', '422')
  if (operation.parameters?.length) statuses.push('400', '422')
  if (operation.parameters?.some(parameter => parameter.in === 'path')) statuses.push('404')
  if (security) statuses.push('401')
  if (security && security !== 'session') statuses.push('403', '429')
  return statuses.sort()
}

/** The plugin offers every encoding for every body; ours are forms where they hold a file, else JSON. */
function narrow(body: NonNullable<Operation['requestBody']>): NonNullable<Operation['requestBody']> {
  const { 'application/json': json, 'multipart/form-data': form } = body.content
  if (!json || !form) return body
  const holdsFile = JSON.stringify(json.schema).includes('"format":"binary"')
  return { ...body, content: holdsFile ? { 'multipart/form-data': form } : { 'application/json': json } }
}

function tagsOf(paths: OpenApiDocument['paths']): Array<{ name: string }> {
  const names = Object.values(paths).flatMap(operations =>
    Object.values(operations).flatMap(({ tags = [] }) => tags),
  )
  return [...new Set(names)].map(name => ({ name }))
}
