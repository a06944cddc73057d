// Writes the types of the dashboard's API client from the document that the routes describe: `bun run api`. The file is not kept in git,
// so it can't be stale: checks make it anew whenever the source of the routes has changed. No database is needed.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { plugin } from 'bun'
import { hashOfFiles } from './files-hash'
import { cacheDir } from './pack-postgres'

const root = join(import.meta.dir, '..')
const file = join(cacheDir, 'api/schema.d.ts')
const head = (hash: string): string => `// The types of the HTTP API, written by \`bun run api\`: ${hash}\n`

/** Does nothing if the file was made from the current routes. */
export async function ensureApiTypes(): Promise<void> {
  const first = head(
    hashOfFiles(root, ['src/**/*.ts', 'scripts/api-types.ts', 'bun.lock'], /^src\/dashboard/),
  )
  if (existsSync(file) && readFileSync(file, 'utf8').startsWith(first)) return
  await Bun.write(file, first + (await apiTypes()))
}

async function apiTypes(): Promise<string> {
  bringClassicCompiler()
  const { buildApp } = await import('../src/server/app')
  const { describeRoutes } = await import('../src/http/openapi/document')
  const { testContext } = await import('../test/support/context')
  const { default: openapi, astToString } = await import('openapi-typescript')
  // The database is not touched before a request comes.
  const { ctx } = testContext({} as Parameters<typeof testContext>[0])
  const document = describeRoutes(buildApp(ctx), { baseUrl: '', version: '' })
  // Through JSON, as a client gets it: schemas contain symbols of the validator.
  return astToString(await openapi(JSON.parse(JSON.stringify(document)), { alphabetize: true }))
}

/** The generator builds its text with the compiler's classic API, which the compiler that checks our types no longer has. */
function bringClassicCompiler(): void {
  plugin({
    name: 'the classic compiler',
    setup: build =>
      void build.module('typescript', async () => {
        const compiler = await import('typescript5')
        return { exports: { ...compiler.default, default: compiler.default }, loader: 'object' }
      }),
  })
}

if (import.meta.main) await ensureApiTypes()
