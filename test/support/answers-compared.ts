// What a run of tests has seen, held against the OpenAPI document: every status that an operation answered must be one that it documents.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeRoutes } from '../../src/http/openapi/document'
import type { OpenApiDocument } from '../../src/http/openapi/types'
import { buildApp } from '../../src/server/app'
import type { Seen } from './answers-seen'
import { testContext } from './context'
import { isBetter } from './examples'

export type { Seen }

const appWithoutDatabase = () => buildApp(testContext({} as Parameters<typeof testContext>[0]).ctx)

/** The document, and the statuses of each operation; nothing asks the database before a request comes. */
export function shownDocument(app = appWithoutDatabase()): {
  document: OpenApiDocument
  statuses: Map<string, Set<string>>
} {
  const described = describeRoutes(app, { baseUrl: 'http://localhost:3000', version: '0.0.0' })
  // Through JSON, as a client gets it: schemas carry symbols of the validator.
  const document = JSON.parse(JSON.stringify(described)) as OpenApiDocument
  const statuses = new Map(
    Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { responses }]) => [
        `${method.toUpperCase()} ${path}`,
        new Set(Object.keys(responses)),
      ]),
    ),
  )
  return { document, statuses }
}

/** What all workers of a run have seen. */
export function readSeen(scratch: string): Seen {
  const all: Seen = {}
  for (const name of readdirSync(scratch).filter(name => name.startsWith('seen-'))) {
    const part = JSON.parse(readFileSync(join(scratch, name), 'utf8')) as Seen
    for (const [operation, answers] of Object.entries(part)) {
      all[operation] ??= {}
      const known = all[operation]
      for (const [status, example] of Object.entries(answers))
        if (!known[status] || isBetter(example, known[status])) known[status] = example
    }
  }
  return all
}

/** `POST /contacts 409` for every status that was seen and is not documented. */
export function undocumented(seen: Seen): string[] {
  return [...shownDocument().statuses].flatMap(([operation, documented]) =>
    Object.keys(seen[operation] ?? {})
      .filter(status => !documented.has(status))
      .map(status => `${operation} ${status}`),
  )
}
