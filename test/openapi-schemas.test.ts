// The schemas of the OpenAPI document as clients use them. Every example, and every recorded body and answer, holds against them, formats
// included: what a validating client would refuse is a fault of the document. And nothing is said in a way that generators stumble over.
import { beforeAll, expect, test } from 'bun:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import examples from '../docs/openapi-examples.json'
import { addExamples, type Examples } from '../src/http/openapi/examples'
import type { Schema } from '../src/http/openapi/schema'
import type { OpenApiDocument } from '../src/http/openapi/types'
import { buildApp } from '../src/server/app'
import { shownDocument } from './support/answers-compared'
import { testContext } from './support/context'
import type { TestDatabase } from './support/database'

let document: OpenApiDocument
let ajv: Ajv2020
beforeAll(() => {
  document = JSON.parse(JSON.stringify(addExamples(shownDocument().document, examples as Examples)))
  ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: true })
  addFormats.default(ajv)
  ajv.addFormat('binary', true)
  ajv.addSchema({ ...document, $id: 'document' })
})

test('examples beside a schema are examples of it', () => {
  const faults = schemasIn(document, hasExample).flatMap(({ at, schema }) => {
    const given = [schema['examples'] ?? [], 'example' in schema ? [schema['example']] : []].flat()
    // A media type has its example beside the schema.
    const inner = 'example' in schema && 'schema' in schema ? `${at}/schema` : at
    return given.flatMap(example => faultsOf(inner, example))
  })
  expect(faults).toEqual([])
})

test('recorded bodies and answers are what the document says', () => {
  const faults = Object.entries(examples as Examples).flatMap(([operation, answers]) => {
    if (operation === '*') return []
    const [method, path] = operation.split(' ') as [string, string]
    const shown = document.paths[path]?.[method.toLowerCase()]
    const base = `/paths/${escaped(path)}/${method.toLowerCase()}`
    return Object.entries(answers).flatMap(([status, { request, response }]) => [
      ...mediaOf(shown?.requestBody, request).flatMap(type =>
        faultsOf(`${base}/requestBody/content/${escaped(type)}/schema`, request),
      ),
      ...mediaOf(shown?.responses[status], response).flatMap(type =>
        faultsOf(`${base}/responses/${status}/content/${escaped(type)}/schema`, response),
      ),
    ])
  })
  expect(faults).toEqual([])
})

test('a type is one type, or one and null', () => {
  const lists = schemasIn(document, ({ type }) => Array.isArray(type))
  expect(lists.filter(({ schema }) => !isOneOrNull(schema['type'])).map(({ at }) => at)).toEqual([])
})

test('no member without a name of its own gets that of a named schema from a generator', () => {
  const named = document.components['schemas'] as Record<string, Schema>
  const taken = new Set(Object.keys(named).map(name => name.toLowerCase()))
  const found = Object.entries(named).flatMap(([name, schema]) => inlineNames(name, schema))
  expect(found.filter(name => taken.has(name.toLowerCase()))).toEqual([])
})

test('only what refuses unknown members is closed to them, also once routes have been called', async () => {
  const { ctx } = testContext({} as TestDatabase)
  const app = buildApp(ctx)
  const body = JSON.stringify({ to: 1 })
  const headers = { 'content-type': 'application/json' }
  for (const path of ['/v1/send', '/contacts', '/campaigns'])
    await app.handle(new Request(`http://localhost${path}`, { method: 'POST', body, headers }))
  const { document: later } = shownDocument(app)
  const closed = schemasIn(later, schema => schema['additionalProperties'] === false)
  expect(closed.map(({ at }) => at)).toEqual(['/components/schemas/Report'])
})

const isOneOrNull = (types: unknown): boolean =>
  Array.isArray(types) && types.length === 2 && types[1] === 'null'

/** The names that generators make of the members of `name`: its own, and theirs. */
function inlineNames(name: string, { properties, items, anyOf }: Schema): string[] {
  const members = Object.entries((properties ?? {}) as Record<string, Schema>)
  const inner: Array<[string, Schema]> = members.map(([key, schema]) => [`${name}${key}`, schema])
  if (items) inner.push([`${name}Item`, items as Schema])
  const branches = ((anyOf ?? []) as Schema[]).flatMap(branch => inlineNames(name, branch))
  const own = inner.filter(([, schema]) => schema['properties'] || schema['enum']).map(([each]) => each)
  return [...own, ...branches, ...inner.flatMap(([each, schema]) => inlineNames(each, schema))]
}

/** Where an example of `value` belongs: a text is a file, anything else JSON. */
function mediaOf(part: { content?: object } | undefined, value: unknown): string[] {
  if (value === undefined) return []
  const wanted = typeof value === 'string' ? 'text/csv' : 'application/json'
  return Object.keys(part?.content ?? {}).filter(type => type === wanted)
}

function faultsOf(at: string, value: unknown): string[] {
  const validate = ajv.getSchema(`document#${encodeURI(at)}`) as ValidateFunction | undefined
  if (!validate) return [`${at}: no schema`]
  if (validate(value)) return []
  return validate.errors!.map(({ instancePath, message }) => `${at} ${instancePath}: ${message}`)
}

const hasExample = (schema: Schema): boolean => 'example' in schema || Array.isArray(schema['examples'])

/** Every object of the document that is meant, with its place. */
function schemasIn(
  value: unknown,
  isMeant: (schema: Schema) => boolean,
  at = '',
): Array<{ at: string; schema: Schema }> {
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value).filter(([key]) => key !== 'example' && key !== 'examples')
  const inner = entries.flatMap(([key, each]) => schemasIn(each, isMeant, `${at}/${escaped(key)}`))
  return isMeant(value as Schema) ? [{ at, schema: value as Schema }, ...inner] : inner
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
