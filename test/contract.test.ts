// Holds the OpenAPI document, which is made from the routes as they are served, against the list of all documented endpoints.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TypeGuard } from '@sinclair/typebox'
import { optionalBody } from '../src/http/body-check'
import type { OpenApiDocument, Operation } from '../src/http/openapi/types'
import { buildApp } from '../src/server/app'
import { notServedYet } from './data/not-served-yet'
import { ownEndpoints } from './data/own-endpoints'
import { testContext } from './support/context'
import { cloneDatabase, type TestDatabase } from './support/database'
import { request } from './support/request'

interface Endpoint {
  /** `GET /contacts/:id` */
  name: string
  guard: string
}

const documented: Endpoint[] = readFileSync(join(import.meta.dir, 'data/endpoints.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map(line => line.split('\t'))
  .map(([method, path, guard]) => ({ name: `${method} ${path}`, guard: guard! }))

let database: TestDatabase
let app: ReturnType<typeof buildApp>
let document: OpenApiDocument
const served = new Map<string, unknown>()

beforeAll(async () => {
  database = await cloneDatabase({ empty: true })
  app = buildApp(testContext(database).ctx)
  document = (await request(app, 'GET', '/openapi.json')).body
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations))
      served.set(`${method.toUpperCase()} ${path.replaceAll(/\{([^}]+)\}/g, ':$1')}`, operation.security)
  }
})
afterAll(async () => await database.drop())

/** Parameter names are ours to choose: `:id` and `:contactId` are the same endpoint. */
const shape = (name: string): string => name.replaceAll(/:[A-Za-z]+/g, ':')
const shapes = (names: Iterable<string>): Set<string> => new Set([...names].map(shape))

test('every documented endpoint is served or listed as missing', () => {
  const known = shapes([...served.keys(), ...notServedYet])
  expect(documented.map(endpoint => endpoint.name).filter(name => !known.has(shape(name)))).toEqual([])
})

test('what is listed as missing is documented and really missing: the list only shrinks', () => {
  const isDocumented = shapes(documented.map(endpoint => endpoint.name))
  const isServed = shapes(served.keys())
  expect(notServedYet.filter(name => !isDocumented.has(shape(name)))).toEqual([])
  expect(notServedYet.filter(name => isServed.has(shape(name)))).toEqual([])
})

test('whatever else is served is listed as our own', () => {
  const known = shapes([...documented.map(endpoint => endpoint.name), ...ownEndpoints])
  expect([...served.keys()].filter(name => !known.has(shape(name)))).toEqual([])
  expect(ownEndpoints.filter(name => !shapes(served.keys()).has(shape(name)))).toEqual([])
})

const requirements: Record<string, unknown[]> = {
  'public key': [[{ publicKey: [] }]],
  'secret key': [[{ secretKey: [] }]],
  'project access': [
    [{ secretKey: [] }, { session: [], project: [] }],
    [{ secretKey: [] }, { session: [] }],
  ],
  session: [[{ session: [] }]],
  none: [[]],
  signature: [[]],
}

describe('every served endpoint stands behind the documented guard', () => {
  test.each(documented.map(({ name, guard }) => [name, guard]))('%s: %s', (name, guard) => {
    const security = [...served].find(([other]) => shape(other) === shape(name))?.[1]
    if (security !== undefined) expect(requirements[guard]).toContainEqual(security)
  })
})

describe('the document', () => {
  const operations = () =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        path,
        operation,
      })),
    )

  test('has a summary and a tag for every operation', () => {
    expect(
      operations()
        .filter(({ operation }) => !operation.summary || !operation.tags?.length)
        .map(({ name }) => name),
    ).toEqual([])
  })

  test('says of every operation what its summary does not', () => {
    const silent = ({ summary = '', description = '' }: Operation): boolean =>
      !description.trim() || plain(description) === plain(summary)
    expect(
      operations()
        .filter(({ operation }) => silent(operation))
        .map(({ name }) => name),
    ).toEqual([])
  })

  test('says of every parameter what it is', () => {
    expect(
      operations().flatMap(({ name, operation }) =>
        (operation.parameters ?? [])
          .filter(({ description }) => !description?.trim())
          .map(parameter => `${name}: ${parameter.name}`),
      ),
    ).toEqual([])
  })

  test('has its own id for every operation', () => {
    const ids = operations().map(({ operation }) => operation.operationId)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  test('describes every parameter of every path', () => {
    const missing = operations().flatMap(({ name, path, operation }) =>
      [...path.matchAll(/\{([^}]+)\}/g)]
        .filter(
          ([, parameter]) =>
            !operation.parameters?.some(({ name, in: place }) => name === parameter && place === 'path'),
        )
        .map(([, parameter]) => `${name}: ${parameter}`),
    )
    expect(missing).toEqual([])
  })

  test('bounds every text and every list that a body may hold', () => {
    const loose = operations().flatMap(({ name, operation }) =>
      Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) => unbounded(schema, name)),
    )
    expect(loose.filter(name => !boundedByTheBody.includes(name))).toEqual([])
  })
})

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ')
    .trim()

/** Base64 of attachments: MAX_ATTACHMENT_BYTES is a setting, so the service checks it and not the schema. */
const boundedByTheBody = ['POST /v1/send attachments[] content']

/** Paths of texts without a length and of lists without a count; free-form members are bounded by the body. */
function unbounded(schema: unknown, path: string, within: readonly string[] = []): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const {
    $ref,
    type,
    maxLength,
    format,
    pattern,
    enum: words,
    const: word,
    maxItems,
    items,
    properties,
    anyOf,
  } = schema as Record<string, unknown>
  if (typeof $ref === 'string') {
    const inner = document.components.schemas?.[$ref.split('/').at(-1)!]
    return within.includes($ref) ? [] : unbounded(inner, path, [...within, $ref])
  }
  const own =
    type === 'string' &&
    maxLength === undefined &&
    word === undefined &&
    words === undefined &&
    !isShort(format, pattern)
      ? [path]
      : type === 'array' && maxItems === undefined
        ? [`${path}[]`]
        : []
  const members = Object.entries((properties ?? {}) as object).flatMap(([key, value]) =>
    unbounded(value, `${path} ${key}`, within),
  )
  const branches = ((anyOf ?? []) as unknown[]).flatMap(branch => unbounded(branch, path, within))
  return [...own, ...members, ...branches, ...unbounded(items, `${path}[]`, within)]
}

/** Formats and patterns that have an end by themselves. */
function isShort(format: unknown, pattern: unknown): boolean {
  return (
    ['uuid', 'date', 'date-time', 'binary'].includes(String(format)) ||
    (typeof pattern === 'string' && !/[*+]/.test(pattern))
  )
}

/** What the framework takes for no body at all, the route refuses: a missing file is 400. */
const refusesNone = ['/uploads/image']

test('a body that may be missing is not read by the framework, which takes what it can not read for none', () => {
  const optional = app.routes.filter(({ hooks }) => TypeGuard.IsOptional(hooks?.body))
  const careless = optional.filter(
    ({ hooks }) => ![hooks.parse].flat().some(hook => hook?.fn === optionalBody),
  )
  expect(careless.map(route => route.path)).toEqual(refusesNone)
})
