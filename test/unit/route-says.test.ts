// What a route has to say of itself: the compiler asks for it, and what is not said stays closed.
import { expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { declarations, neededScopes, opens, routeName } from '../../src/http/route'
import { projectAccess } from '../../src/modules/accounts/projects'
import { testContext } from '../support/context'
import type { TestDatabase } from '../support/database'

const { ctx } = testContext({} as TestDatabase)
const detail = { summary: 'Shown' }

test('a route behind a guard of projects does not compile without its scope or right', () => {
  const app = new Elysia()
    .use(projectAccess(ctx))
    .get('/said', ({ access }) => access.role, { right: 'audit.read', detail })
    // @ts-expect-error: it does not say which keys may call it
    .get('/silent', ({ access }) => access.role, { detail })
    // @ts-expect-error: there is no such scope
    .get('/other', ({ access }) => access.role, { scope: 'look', detail })
    // @ts-expect-error: there is no such right
    .get('/wrong', ({ access }) => access.role, { right: 'everything', detail })
    // @ts-expect-error: what asks for a right takes no key with scopes
    .get('/both', ({ access }) => access.role, { scope: 'write', right: 'audit.read', detail })
  const declarationOf = declarations(() => app.routes)
  expect(declarationOf('GET /said')).toMatchObject({ right: 'audit.read' })
})

test('what says nothing, and what is not there, takes no key with scopes', () => {
  const declarationOf = declarations(() => new Elysia().get('/silent', () => '').routes)
  for (const name of ['GET /silent', 'GET /nowhere']) {
    expect(neededScopes(declarationOf(name))).toBeUndefined()
    expect(opens(['send', 'track', 'read', 'write'], declarationOf(name))).toBe(false)
  }
})

test.each([
  ['read', ['read'], true],
  ['read', ['write'], false],
  [['write', 'send'], ['write'], false],
  [['write', 'send'], ['send', 'write'], true],
  ['secretKey', ['send', 'track', 'read', 'write'], false],
  ['people', ['send', 'track', 'read', 'write'], false],
] as const)('%p takes a key with %p: %p', (scope, given, expected) => {
  expect(opens(given, { scope })).toBe(expected)
})

test('HEAD is the route of GET, and a prefix leaves no slash', () => {
  expect(['/', '/contacts/', '/contacts/:id'].map(path => routeName('HEAD', path))).toEqual([
    'GET /',
    'GET /contacts',
    'GET /contacts/:id',
  ])
})
