// A project that tracks: the routes of events and of the public endpoints in this process, with a clock in the test's hand.

import type { AnyElysia } from 'elysia'
import { makeApplication } from '../../src/http/application'
import { v1Routes } from '../../src/modules/api/v1/routes'
import type { EventUsers } from '../../src/modules/audience/events/hooks'
import { eventUses } from '../../src/modules/audience/events/hooks'
import { eventsRoutes } from '../../src/modules/audience/events/routes'
import { type Listener, on } from '../../src/platform/hooks'
import type { Config } from '../../src/settings/config'
import { testContext } from './context'
import { cloneDatabase, type TestDatabase } from './database'
import { withHooks } from './hooks'
import { type MadeProject, makeProject } from './make'
import { type Answer, type RequestOptions, request } from './request'

export interface StoredContact {
  id: string
  email: string
  subscribed: boolean
  data: Record<string, unknown>
}

export interface StoredEvent {
  id: string
  name: string
  contactId: string | null
  data: Record<string, unknown> | null
}

export interface TrackingWorld extends ReturnType<typeof testContext> {
  app: AnyElysia
  database: TestDatabase
  project: MadeProject
  /** A request with the project's secret key, unless `options` says otherwise. */
  call(method: string, path: string, options?: RequestOptions): Promise<Answer>
  /** POST /v1/track with the public key of the project, unless `options` says otherwise. */
  track(body: unknown, options?: RequestOptions): Promise<Answer>
  contact(email: string): Promise<StoredContact | undefined>
  /** The events of the project, oldest first. */
  events(): Promise<StoredEvent[]>
  /** Goes on with a new project, which has nothing. */
  startOver(): Promise<MadeProject>
  close(): Promise<void>
}

export async function makeTrackingWorld(
  options: {
    config?: Partial<Config>
    users?: Listener<{ projectId: string; name: string }, EventUsers>
  } = {},
): Promise<TrackingWorld> {
  const database = await cloneDatabase()
  const base = testContext(database, { rateLimitPerMinute: 0, ...options.config })
  const ctx = options.users ? withHooks(base.ctx, on(eventUses, options.users)) : base.ctx
  const app = makeApplication(ctx, [eventsRoutes, v1Routes])
  const world: TrackingWorld = {
    ...base,
    app,
    database,
    project: await makeProject({ ctx }),
    call: (method, path, given = {}) =>
      request(app, method, path, { key: world.project.secretKey, ...given }),
    track: (body, given = {}) =>
      request(app, 'POST', '/v1/track', { key: world.project.publicKey, body, ...given }),
    async contact(email) {
      const [row] = await ctx.sql<StoredContact[]>`
        select id, email, subscribed, data from contacts where project_id = ${world.project.id} and email = ${email}`
      return row
    },
    events: async () =>
      await ctx.sql<StoredEvent[]>`
        select id, name, contact_id as "contactId", data from events where project_id = ${world.project.id} order by id`,
    async startOver() {
      world.project = await makeProject({ ctx })
      return world.project
    },
    close: () => database.drop(),
  }
  return world
}
