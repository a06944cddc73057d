// Notes which statuses the operations answer while tests run, and, where examples are recorded, bodies and answers to choose them from.
// Each worker writes what it has seen after every file; whoever started the run compares it with the OpenAPI document.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyElysia } from 'elysia'
import { type Example, isBetter } from './examples'

/** `POST /contacts/{id}` ▶ status ▶ the best example so far; an empty one where none is recorded. */
export type Seen = Record<string, Record<string, Example>>

const seen: Seen = {}
const recording = process.env['RECORD_EXAMPLES'] === '1'

/** The application, noting what it answers. */
export function watched(app: AnyElysia): AnyElysia {
  const handle = app.handle
  app.handle = async (request: Request) => {
    const sent = recording ? await contentOf(request.clone()) : undefined
    const response = await handle(request)
    const operation = operationOf(app, request.method, new URL(request.url).pathname)
    if (operation) await note(operation, response, sent)
    return response
  }
  return app
}

async function note(operation: string, response: Response, sent: unknown): Promise<void> {
  seen[operation] ??= {}
  const answers = seen[operation]
  const known = answers[response.status]
  if (!recording) {
    answers[response.status] ??= {}
    return
  }
  // Only a body that was accepted is ever shown.
  const example = {
    request: response.status < 400 ? sent : undefined,
    response: await contentOf(response.clone()),
  }
  if (!known || isBetter(example, known)) answers[response.status] = example
}

/** Pages and pictures have no example: no program reads them. */
async function contentOf(message: Request | Response): Promise<unknown> {
  const type = message.headers.get('content-type') ?? ''
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(await message.text()))
  if (/^(text\/(csv|plain)|application\/atom\+xml)/.test(type)) return textOrJson(await message.text())
  return type.includes('json') ? textOrJson(await message.text(), undefined) : undefined
}

/** Notifications of SNS are JSON and call themselves text. */
function textOrJson(text: string, otherwise: unknown = text): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise
  }
}

interface Operation {
  name: string
  pattern: RegExp
}

/** Of each application, by method: to try all patterns at each request would be a twelfth of what tests of the API cost. */
const known = new WeakMap<AnyElysia, { routes: number; operations: Map<string, Operation[]> }>()

function operationsOf(app: AnyElysia, method: string): Operation[] {
  const routes = app.routes.length
  const before = known.get(app)
  if (before?.routes === routes) return before.operations.get(method) ?? []
  // Fixed words win over parameters, as in the router.
  const sorted = app.routes.toSorted((a, b) => freedom(a.path) - freedom(b.path))
  const operations = Map.groupBy(
    sorted.map(route => ({ method: route.method, name: nameOf(route.path), pattern: patternOf(route.path) })),
    route => route.method,
  )
  known.set(app, { routes, operations })
  return operations.get(method) ?? []
}

function patternOf(path: string): RegExp {
  const parts = path.split('/').map(part => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.+' : part))
  return new RegExp(`^${parts.join('/').replace(/\/$/, '')}/?$`)
}

function nameOf(path: string): string {
  return path
    .replaceAll(/:(\w+)/g, '{$1}')
    .replace('/*', '/{key}')
    .replace(/(.)\/$/, '$1')
}

function operationOf(app: AnyElysia, method: string, path: string): string | undefined {
  const asked = method === 'HEAD' ? 'GET' : method
  const fitting = operationsOf(app, asked).find(({ pattern }) => pattern.test(path))
  return fitting && `${asked} ${fitting.name}`
}

function freedom(path: string): number {
  return path.split(/[:*]/).length
}

/** Leaves what this process has seen for whoever started the run. */
export function writeSeen(): void {
  const scratch = process.env['TEST_SCRATCH']
  if (scratch) writeFileSync(join(scratch, `seen-${process.pid}.json`), JSON.stringify(seen))
}
