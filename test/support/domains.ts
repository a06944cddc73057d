// What the tests of domains share: a project, requests in its name, and a DNS that they publish in.
import { afterAll, beforeAll, beforeEach, expect } from 'bun:test'
import { sessionCookieName } from '../../src/http/guard'
import { signSession } from '../../src/modules/accounts/users/guard'
import type { AddAnswer, DomainAnswer } from '../../src/modules/sending/domains/model'
import { domainRoutes } from '../../src/modules/sending/domains/routes'
import type { Context } from '../../src/platform/context'
import { buildApp } from '../../src/server/app'
import { testContext } from './context'
import { cloneDatabase, type TestDatabase } from './database'
import { type MadeProject, type MadeUser, makeProject } from './make'
import { type Answer, type RequestOptions, request } from './request'

/** Who asks: a key or a session, as request headers. */
export type As = Record<string, string>

export interface DomainsWorld extends ReturnType<typeof testContext> {
  database: TestDatabase
  project: MadeProject
}

export interface CallOptions {
  /** The project's secret key by default. */
  as?: As
  body?: RequestOptions['body']
  ctx?: Context
}

let counter = 0

/** A name that could be real, so that it needs the DNS. */
export const realName = (): string => `shop-${counter++}.com`

export const key = (of: { secretKey: string }): As => ({ authorization: `Bearer ${of.secretKey}` })

export const dkimOf = (domain: DomainAnswer) => domain.records.find(record => record.purpose === 'dkim')!

/** Hooks of a test file: one database for all its tests, a new project and clean fakes for each. */
export function domainsWorld(): DomainsWorld {
  const world = {} as DomainsWorld
  beforeAll(async () => {
    world.database = await cloneDatabase()
  })
  beforeEach(async () => {
    await world.database.sql`delete from domains`
    Object.assign(world, testContext(world.database))
    world.project = await makeProject(world)
  })
  afterAll(() => world.database.drop())
  return world
}

export async function call(
  world: DomainsWorld,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const app = buildApp(options.ctx ?? world.ctx, [domainRoutes])
  return await request(app, method, path, { headers: options.as ?? key(world.project), body: options.body })
}

export async function signedIn(world: DomainsWorld, user: MadeUser): Promise<As> {
  const token = await signSession(world.ctx, { userId: user.id, version: user.sessionVersion })
  return { cookie: `${sessionCookieName}=${token}`, 'x-project-id': world.project.id }
}

export async function add(
  world: DomainsWorld,
  domain: string,
  options: CallOptions = {},
): Promise<AddAnswer> {
  const { status, body } = await call(world, 'POST', '/domains', { ...options, body: { domain } })
  expect(status).toBe(201)
  return body
}

/** Puts the DKIM record of `domain` into the DNS, and these beside it. */
export function publish(world: DomainsWorld, domain: DomainAnswer, ...others: string[]): void {
  world.dns.set(dkimOf(domain).name, 'txt', dkimOf(domain).value, ...others)
}

export async function verify(world: DomainsWorld, id: string, options: CallOptions = {}): Promise<Answer> {
  return await call(world, 'GET', `/domains/${id}/verify`, options)
}

export async function addVerified(
  world: DomainsWorld,
  domain: string,
  options: CallOptions = {},
): Promise<AddAnswer> {
  const added = await add(world, domain, options)
  publish(world, added)
  expect((await verify(world, added.id, options)).body.verified).toBe(true)
  return added
}
