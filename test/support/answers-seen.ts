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
    const sent = recording ? await jsonOf(request.clone()) : undefined
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
  const example = { request: sent, response: await jsonOf(response.clone()) }
  if (!known || isBetter(example, known)) answers[response.status] = example
}

async function jsonOf(message: Request | Response): Promise<unknown> {
  if (!message.headers.get('content-type')?.includes('json')) return undefined
  try {
    return JSON.parse(await message.text())
  } catch {
    return undefined
  }
}

const patterns = new Map<string, RegExp>()

function patternOf(path: string): RegExp {
  const known = patterns.get(path)
  if (known) return known
  const parts = path.split('/').map(part => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.+' : part))
  const pattern = new RegExp(`^${parts.join('/').replace(/\/$/, '')}/?$`)
  patterns.set(path, pattern)
  return pattern
}

/** Fixed words win over parameters, as in the router. */
function operationOf(app: AnyElysia, method: string, path: string): string | undefined {
  const asked = method === 'HEAD' ? 'GET' : method
  const fitting = app.routes
    .filter(route => route.method === asked && patternOf(route.path).test(path))
    .sort((a, b) => freedom(a.path) - freedom(b.path))[0]
  if (!fitting) return undefined
  const shown = fitting.path
    .replaceAll(/:(\w+)/g, '{$1}')
    .replace('/*', '/{key}')
    .replace(/(.)\/$/, '$1')
  return `${asked} ${shown}`
}

function freedom(path: string): number {
  return path.split(/[:*]/).length
}

/** Leaves what this process has seen for whoever started the run. */
export function writeSeen(): void {
  const scratch = process.env['TEST_SCRATCH']
  if (scratch) writeFileSync(join(scratch, `seen-${process.pid}.json`), JSON.stringify(seen))
}
