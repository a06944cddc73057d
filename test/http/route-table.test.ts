// The table of who may call what (test/data/routes.txt), and what the routes say of themselves. role-matrix.test.ts calls each of them.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { neededScopes, opens } from '../../src/http/route'
import { isForKeys, type RouteRow, routeRows, routeTable, tableFile } from '../support/routes'

const rows = routeRows()
const guarded = rows.filter(isForKeys)
const namesOf = (some: RouteRow[]): string[] => some.map(({ name }) => name).sort()

test('what the routes say is in the table that is read with each change: bun scripts/routes.ts', () => {
  expect(routeTable(rows)).toBe(readFileSync(tableFile, 'utf8'))
})

test('every route behind a guard of projects says what it asks for, and no other route does', () => {
  const saying = rows.filter(({ declared }) => declared.scope ?? declared.right)
  expect(namesOf(saying)).toEqual(namesOf(guarded))
})

test('what is administration takes no such key, and reading nothing but reading', () => {
  const administered = guarded.filter(({ verdicts }) => verdicts.member === 403)
  expect(namesOf(administered.filter(({ declared }) => neededScopes(declared)))).toEqual([])
  const read = guarded.filter(({ name, declared }) => name.startsWith('GET ') && neededScopes(declared))
  expect(namesOf(read.filter(({ declared }) => declared.scope !== 'read'))).toEqual([])
  const sendOnly = guarded.filter(({ declared }) => opens(['send'], declared))
  expect(namesOf(sendOnly)).toEqual(['POST /v1/send', 'POST /v1/send/batch'])
  const trackOnly = guarded.filter(({ declared }) => opens(['track'], declared))
  expect(namesOf(trackOnly)).toEqual(['POST /events/track', 'POST /v1/track'])
})
