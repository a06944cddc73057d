// The OpenAPI document as others use it: two independent validators, and a client generated from it, which has to compile in a program
// that uses every operation with the recorded examples, without a cast.
import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import examples from '../docs/openapi-examples.json'
import { addExamples, type Examples } from '../src/http/openapi/examples'
import type { Answer, OpenApiDocument, Operation } from '../src/http/openapi/types'
import { shownDocument } from './support/answers-compared'

let document: OpenApiDocument
beforeAll(() => {
  document = addExamples(shownDocument().document, examples as Examples)
})

describe('validators', () => {
  test('one finds the document valid', async () => {
    expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toMatchObject({
      valid: true,
    })
  })

  test('another finds no error in it, and warns of nothing that matters', async () => {
    const config = await createConfig({ extends: ['recommended'], rules: meantSo })
    const problems = await lintFromString({ source: JSON.stringify(document), config })
    expect(
      problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer })),
    ).toEqual([])
  })
})

/** Rules of taste that this document breaks on purpose. */
const meantSo = {
  // The paths are the interface's: fixed words win over parameters.
  'no-ambiguous-paths': 'off',
  // The address of an instance under test.
  'no-server-example.com': 'off',
  // A redirect to a provider is no 2xx, and `/config` refuses nobody.
  'operation-2xx-response': 'off',
  'operation-4xx-response': 'off',
  // A shared answer that no operation needs at the moment.
  'no-unused-components': 'off',
} as const

/** Pages, pictures and messages as they were sent show nothing that a program reads. */
const shown = ['application/json', 'application/x-www-form-urlencoded', 'text/csv', 'application/atom+xml']

/** What has no example, and why. */
const without: Record<string, string> = {
  'POST /contacts/export 200 text/csv': 'the files of the tests are larger than an example may be, or empty',
  'GET /suppressions/export 200 text/csv': 'likewise',
  'POST /subscribe/{id} body application/x-www-form-urlencoded':
    'tests send it with no member that is documented',
}

test('every body, and every answer of 2xx and 4xx, shows an example of what was really seen', () => {
  const bare = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, responses }]) => {
      const answers = Object.entries(responses).filter(([status]) => /^[24]/.test(status))
      const parts = [['body', requestBody] as const, ...answers]
      return parts.flatMap(([part, given]) =>
        Object.entries(resolved(given)?.content ?? {})
          .filter(([type, { example }]) => shown.includes(type) && example === undefined)
          .map(([type]) => `${method.toUpperCase()} ${path} ${part} ${type}`),
      )
    }),
  )
  expect(bare.toSorted()).toEqual(Object.keys(without).toSorted())
})

/** An answer that many operations share is referred to. */
function resolved(given: Answer | Operation['requestBody']): Pick<Answer, 'content'> | undefined {
  if (!given || !('$ref' in given) || !given.$ref) return given
  return document.components['responses']![given.$ref.split('/').at(-1)!] as Answer
}

const folder = join(import.meta.dir, '../.cache/openapi-client')

test('a generated client compiles in a program that uses every operation', async () => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'schema.d.ts'), await typesOf(document))
  writeFileSync(join(folder, 'program.ts'), programOf(document))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  const tsc = join(import.meta.dir, '../node_modules/.bin/tsc')
  const { stdout } = Bun.spawnSync([process.execPath, tsc, '-p', folder], { cwd: folder })
  expect(stdout.toString()).toBe('')
})

const compilerOptions = {
  noEmit: true,
  strict: true,
  target: 'esnext',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['esnext', 'dom'],
  types: [],
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
}

/** In a process of its own: the generator needs another edition of the compiler than the one that checks our types. */
async function typesOf(document: OpenApiDocument): Promise<string> {
  const script = join(import.meta.dir, 'support/openapi-types.ts')
  const child = Bun.spawn([process.execPath, script], {
    stdin: new Blob([JSON.stringify(document)]),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  return await new Response(child.stdout).text()
}

function programOf(document: OpenApiDocument): string {
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => callOf(method, path, operation)),
  )
  return [
    "import createClient from 'openapi-fetch'",
    "import type { paths } from './schema'",
    "const client = createClient<paths>({ baseUrl: 'http://localhost:3000' })",
    ...calls,
    '',
  ].join('\n')
}

function callOf(method: string, path: string, operation: Operation): string {
  const given = (place: string): Record<string, unknown> =>
    Object.fromEntries(
      (operation.parameters ?? [])
        .filter(parameter => parameter.in === place && parameter.required)
        .map(parameter => [parameter.name, 'x']),
    )
  const params = Object.keys(given('path')).length > 0 ? { params: { path: given('path') } } : {}
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const body = type === 'application/json' && content?.example !== undefined ? { body: content.example } : {}
  // Forms and messages are no JSON, and what was never recorded has no example: such a body is any of its type.
  const isBare = operation.requestBody?.required === true && !('body' in body)
  const bodyType = `paths[${JSON.stringify(path)}]['${method}']['requestBody']['content'][${JSON.stringify(type)}]`
  const declared = isBare ? `declare const ${operation.operationId}: ${bodyType}\n` : ''
  const members = Object.entries({ ...params, ...body }).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  )
  if (isBare) members.push(`body: ${operation.operationId}`)
  const call = `client.${method.toUpperCase()}(${JSON.stringify(path)}, { ${members.join(', ')} })`
  return `${declared}${call}.then(({ data, error }) => [data, error])`
}
