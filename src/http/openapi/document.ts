// The OpenAPI document, made from the routes as they are served. Elysia's plugin describes paths, parameters and bodies; this folder makes
// plain schemas for it and adds what comes from guards and the error mapper, or can't be said by a route.
import { toOpenAPISchema } from '@elysiajs/openapi/openapi'
import { Kind, TypeGuard } from '@sinclair/typebox'
import type { AnyElysia } from 'elysia'
import { envelopeSchema, shortErrorSchema } from '../envelope'
import { type Declared, neededScopes } from '../route'
import { errorAnswers } from './errors'
import { describeWebhooks } from './event-payloads'
import { completeOperation, type RouteFacts, securityOfRoute, securitySchemes } from './operation'
import { tagMeanings } from './parameters'
import { describeSchema, type NamedSchemas, type Schema } from './schema'
import type { OpenApiDocument, Paths } from './types'

const description = [
  'Transactional mail, events, contacts, templates, campaigns, segments and workflows.',
  '',
  'Every answer carries `X-Request-ID`. Answers that count against the limit of requests carry `RateLimit-Limit`,',
  '`RateLimit-Remaining` and `RateLimit-Reset`; beyond it the answer is 429 with `Retry-After`.',
  '',
  'A URL of more than about 16 kB gets 431 without a body.',
  '',
  '`x-waxwing-addition` marks what exists only in Waxwing. Avoid it if your client must also work with Plunk, which has a similar API.',
  '',
  'There is no SDK: generate a client from `/openapi.json`. Guides with tested examples are at `/guides`.',
].join('\n')

/** The document of everything `app` serves, apart from routes that hide themselves. */
export function describeRoutes(app: AnyElysia, about: { baseUrl: string; version: string }): OpenApiDocument {
  const named: NamedSchemas = {}
  for (const schema of [envelopeSchema, shortErrorSchema]) describeSchema(schema, named)
  const facts = factsOf(app)
  const paths: Paths = {}
  for (const [path, operations] of Object.entries(describedPaths(app, named))) {
    const shownPath = path.replace('/*', '/{key}').replace(/(.)\/$/, '$1')
    paths[shownPath] = Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [
        method,
        completeOperation({ method, path: shownPath, operation }, facts.get(`${method} ${path}`), named),
      ]),
    )
  }
  const webhooks = describeWebhooks(named)
  markAdditions(named)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Waxwing',
      version: about.version,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: about.baseUrl }],
    tags: tagsOf(paths),
    paths,
    webhooks,
    components: { schemas: sorted(named), responses: errorAnswers, securitySchemes },
  }
}

function describedPaths(app: AnyElysia, named: NamedSchemas): Paths {
  // The plugin types its result after another edition of the same standard.
  return toOpenAPISchema(withPlainSchemas(app, named), undefined, undefined, undefined, '3.1.0')
    .paths as unknown as Paths
}

/** A hook that reads the body says nothing about its encoding, but the plugin would leave the body out. */
function withPlainSchemas(app: AnyElysia, named: NamedSchemas): AnyElysia {
  const described = (schema: unknown): Schema | undefined =>
    schema ? { ...describeSchema(schema as Schema, named), [Kind]: 'Described' } : undefined
  const routes = app.routes
    .filter(route => !route.hooks.detail?.hide)
    .map(route => {
      const { body, query, params, response } = route.hooks
      const parts = { body: described(body), query: described(query), params: described(params) }
      // What it does not know it would copy into the document.
      const { summary, description, tags, parameters, requestBody } = route.hooks.detail ?? {}
      const detail = { summary, description, tags, parameters, requestBody }
      return { ...route, hooks: { ...parts, detail, response: answersOf(response, described) } }
    })
  return Object.create(app, { getGlobalRoutes: { value: () => routes } }) as AnyElysia
}

function answersOf(response: unknown, described: (schema: unknown) => Schema | undefined): unknown {
  if (!response) return undefined
  if (typeof response !== 'object' || Kind in response) return { 200: described(response) }
  return Object.fromEntries(Object.entries(response).map(([status, schema]) => [status, described(schema)]))
}

/** What the plugin drops of a route, or does not understand. */
function factsOf(app: AnyElysia): Map<string, RouteFacts> {
  return new Map(
    app.routes.map(({ method, path, hooks }) => {
      const facts = {
        security: securityOfRoute(hooks),
        scopes: neededScopes(hooks as Declared),
        detail: hooks.detail ?? {},
        hasOptionalBody: TypeGuard.IsOptional(hooks.body),
      }
      return [`${method.toLowerCase()} ${path.replace(/:([^/]+)/g, '{$1}')}`, facts]
    }),
  )
}

/** Members of schemas that the interface knows, and knows without them. */
const addedMembers: Record<string, readonly string[]> = {
  Campaign: ['finishedAt', 'pausedAt', 'pausedReason', 'topicId'],
  SendRequest: ['bcc', 'cc', 'metadata', 'scheduledFor', 'tags', 'text', 'tracking'],
}

function markAdditions(named: NamedSchemas): void {
  for (const [name, members] of Object.entries(addedMembers)) {
    const properties = named[name]?.['properties'] as Record<string, Schema> | undefined
    for (const member of members) Object.assign(properties?.[member] ?? {}, { 'x-waxwing-addition': true })
  }
}

function tagsOf(paths: Paths): OpenApiDocument['tags'] {
  const names = Object.values(paths).flatMap(operations =>
    Object.values(operations).flatMap(({ tags = [] }) => tags),
  )
  return [...new Set(names)].map(name => ({ name, description: tagMeanings[name] ?? name }))
}

function sorted<T>(values: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))
}
