// Records the examples of the OpenAPI document from the answers that tests see: `bun scripts/examples.ts [test files]`, all of test/http
// when none is named. An example whose shape is still right stays, so that a new recording changes only what has changed.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenApiDocument } from '../src/http/openapi/types'
import { type Seen, shownDocument } from '../test/support/answers-compared'
import { type Example, shapeOf, withoutSecrets } from '../test/support/examples'

const root = join(import.meta.dir, '..')
const file = join(root, 'docs/openapi-examples.json')
/** Errors that are the same everywhere: one example each serves all operations that refer to the shared answer. */
const alike = ['401', '413', '423', '429', '500', '503']

/** Whose answer is the shared one. Of errors that differ it serves the operations that no test has seen fail so. */
const typical: Readonly<Record<string, string>> = {
  400: 'POST /v1/send',
  403: 'POST /contacts',
  404: 'GET /segments/{id}',
  409: 'POST /topics',
  422: 'GET /segments/{id}',
  429: 'GET /contacts',
}

/** The first request that anybody tries: it shows only what is required, whatever else tests send. */
const writtenByHand = 'POST /v1/send 200'

/** Runs the tests one after another, so that the recording does not depend on chance. */
async function record(files: readonly string[]): Promise<Seen> {
  const out = join(root, '.cache/examples-seen.json')
  const child = Bun.spawn([process.execPath, 'scripts/test.ts', ...files], {
    cwd: root,
    env: { ...process.env, RECORD_EXAMPLES: '1', SEEN_FILE: out },
    stdout: 'inherit',
    stderr: 'inherit',
  })
  await child.exited
  return JSON.parse(readFileSync(out, 'utf8')) as Seen
}

function merge(known: Seen, seen: Seen, { document, statuses }: ReturnType<typeof shownDocument>): Seen {
  const merged: Seen = {}
  for (const [operation, answers] of statuses)
    for (const status of answers) {
      const isShared = alike.includes(status) && refers(document, operation, status)
      const name = isShared ? '*' : operation
      const present = merged[name]?.[status] ?? known[name]?.[status]
      const mayGive = isShared ? operation === (typical[status] ?? (present ? '' : operation)) : true
      const given = mayGive && `${name} ${status}` !== writtenByHand ? seen[operation]?.[status] : undefined
      const chosen = choose(present, given)
      if (!chosen) continue
      merged[name] ??= {}
      // Only a body that was accepted is ever shown.
      merged[name][status] = status < '400' ? chosen : { response: chosen.response }
    }
  for (const [status, operation] of Object.entries(typical).filter(([status]) => !alike.includes(status))) {
    const example = merged[operation]?.[status]
    if (!example) throw new Error(`nobody has seen ${operation} answer ${status}`)
    merged['*'] = { ...merged['*'], [status]: example }
  }
  return Object.fromEntries(Object.entries(merged).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Whether the answer is the one that operations share. */
function refers({ paths }: OpenApiDocument, operation: string, status: string): boolean {
  const [method, path] = operation.split(' ', 2) as [string, string]
  return paths[path]?.[method.toLowerCase()]?.responses[status]?.$ref !== undefined
}

/** Longer ones would be most of the document and help nobody. */
const largest = 5_000

function choose(known: Example | undefined, seen: Example | undefined): Example | undefined {
  const isShown =
    seen && (seen.request ?? seen.response) !== undefined && JSON.stringify(seen).length < largest
  const given = isShown ? withoutSecrets(seen) : undefined
  if (!known || !given) return known ?? given
  const isSame =
    shapeOf(known.request) === shapeOf(given.request) && shapeOf(known.response) === shapeOf(given.response)
  return isSame ? known : given
}

const files = process.argv.slice(2)
const seen = await record(files.length > 0 ? files : ['test/http'])
const known = JSON.parse(readFileSync(file, 'utf8')) as Seen
writeFileSync(file, `${JSON.stringify(merge(known, seen, shownDocument()), null, 1)}\n`)
