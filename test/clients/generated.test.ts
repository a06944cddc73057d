// Clients that others generate from the document of a running server: each compiles, and does what an application does in its first days.
// `.ci/install` installs the generators; where one is missing, its test is skipped.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { counterpart } from '../support/counterpart'
import { type FormWorld, makeFormWorld } from '../support/forms'

const root = join(import.meta.dir, '../..')
const tools = join(root, '.cache/openapi-clients')
const python = join(tools, 'python/bin/python')
const oapiCodegen = join(tools, 'oapi-codegen')
const folder = mkdtempSync(join(tmpdir(), 'generated-clients-'))

let world: FormWorld
let server: ReturnType<typeof Bun.serve>
beforeAll(async () => {
  world = await makeFormWorld()
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: asked => world.site.handle(asked) })
  await Bun.write(documentFile, await fetch(new URL('/openapi.json', server.url)))
})
afterAll(async () => {
  await server.stop(true)
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

const documentFile = join(folder, 'openapi.json')

/** What every program prints: its calls, and what became of the two messages of its batch. */
const calls = [
  ...['create template', 'send', 'send template', 'send batch'],
  ...['accepted alan@example.com', 'refused VALIDATION_ERROR'],
  ...['create contact', 'get contact', 'list contacts', 'track event', 'get email', 'list emails'],
  ...['create segment', 'create endpoint', 'list endpoints', 'list deliveries'],
]

interface Ran {
  code: number
  out: string
  all: string
}

async function run(cwd: string, command: string[], environment: Record<string, string> = {}): Promise<Ran> {
  const child = Bun.spawn(command, {
    ...{ cwd, stdout: 'pipe', stderr: 'pipe' },
    env: { ...process.env, ...environment },
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, all: out + err }
}

async function good(...given: Parameters<typeof run>): Promise<Ran> {
  const ran = await run(...given)
  if (ran.code !== 0) throw new Error(`${given[1].join(' ')}: ${ran.all.slice(-4_000)}`)
  return ran
}

/** Runs the program against a project of its own. */
async function expectCalls(cwd: string, command: string[], environment: Record<string, string> = {}) {
  const { secretKey } = await world.newProject()
  const { out } = await good(cwd, command, {
    ...environment,
    WAXWING_URL: server.url.origin,
    WAXWING_KEY: secretKey,
  })
  expect(out.trim().split('\n')).toEqual(calls)
}

function makeFolder(name: string, ...files: string[]): string {
  const made = join(folder, name)
  mkdirSync(made)
  for (const file of files) cpSync(join(import.meta.dir, file), join(made, file.split('/').at(-1)!))
  return made
}

test('TypeScript: openapi-typescript and openapi-fetch', async () => {
  // Beneath the packages, so that the program finds openapi-fetch.
  const cwd = join(root, '.cache/openapi-calls')
  mkdirSync(cwd, { recursive: true })
  cpSync(join(import.meta.dir, 'calls.ts'), join(cwd, 'calls.ts'))
  const generator = join(root, 'test/support/openapi-types.ts')
  const types = await good(cwd, ['sh', '-c', '"$0" "$1" < "$2"', process.execPath, generator, documentFile])
  await Bun.write(join(cwd, 'schema.d.ts'), types.out)
  await Bun.write(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['calls.ts'] }))
  await good(cwd, [process.execPath, join(root, 'node_modules/.bin/tsc'), '-p', cwd])
  await expectCalls(cwd, [process.execPath, 'calls.ts'])
})

const compilerOptions = {
  ...{ noEmit: true, strict: true, noUncheckedIndexedAccess: true, skipLibCheck: true },
  ...{ target: 'esnext', module: 'esnext', moduleResolution: 'bundler', lib: ['esnext', 'dom'] },
  types: [join(root, 'node_modules/bun-types')],
}

test.skipIf(!counterpart('openapi-python-client', existsSync(python)))(
  'Python: openapi-python-client',
  async () => {
    const cwd = makeFolder('attrs', 'calls.py', 'openapi-python-client.yaml')
    const { all } = await good(cwd, [
      ...[python, '-m', 'openapi_python_client', 'generate', '--path', documentFile, '--meta', 'none'],
      ...['--output-path', 'generated', '--config', 'openapi-python-client.yaml'],
    ])
    // What it leaves out answers with something else than JSON; everything that is JSON is understood.
    expect(all).not.toMatch(/Unable to process schema|Could not find reference|duplicate/)
    await expectCalls(cwd, [python, 'calls.py'])
  },
)

test.skipIf(!counterpart('openapi-python-client', existsSync(python)))(
  'Python: datamodel-code-generator and pydantic',
  async () => {
    const cwd = makeFolder('pydantic', 'models.py')
    await good(cwd, [
      ...[python, '-m', 'datamodel_code_generator', '--input', documentFile, '--input-file-type', 'openapi'],
      ...[
        '--output',
        'generated.py',
        '--output-model-type',
        'pydantic_v2.BaseModel',
        '--formatters',
        'builtin',
      ],
    ])
    await expectCalls(cwd, [python, 'models.py'])
  },
)

test.skipIf(!counterpart('oapi-codegen', existsSync(oapiCodegen)))(
  'Go: oapi-codegen',
  async () => {
    const files = ['go.mod', 'go.sum', 'main.go', 'oapi-codegen.yaml'].map(file => `go/${file}`)
    const cwd = makeFolder('go', ...files)
    await good(cwd, [oapiCodegen, '-config', 'oapi-codegen.yaml', documentFile])
    // Nothing is fetched here.
    await good(cwd, ['go', 'build', '-o', 'calls', '.'], { GOPROXY: 'off', GOFLAGS: '-mod=readonly' })
    await expectCalls(cwd, ['./calls'])
  },
  240_000,
)
