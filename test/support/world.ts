// A project that may send, and everything around it: the API in this process, a clock, a transport and a DNS in the test's hand.
import type { AnyElysia } from 'elysia'
import PostalMime, { type Email } from 'postal-mime'
import { makeApplication } from '../../src/http/application'
import type { Clock } from '../../src/lib/time'
import type { FinishedMessage } from '../../src/mail/message'
import { v1Routes } from '../../src/modules/api/v1/routes'
import { addSandboxDomain } from '../../src/modules/sending/domains/service'
import { emailsRoutes } from '../../src/modules/sending/emails/routes'
import { templatesRoutes } from '../../src/modules/sending/templates/routes'
import type { Context } from '../../src/platform/context'
import type { Transport } from '../../src/platform/transports/transport'
import { jobHandlers } from '../../src/server/jobs'
import type { Config } from '../../src/settings/config'
import { testContext } from './context'
import { cloneDatabase, type TestDatabase } from './database'
import { type DrainedRun, drain } from './drain'
import { type MadeProject, makeProject } from './make'
import { type Answer, type RequestOptions, request } from './request'

/** The domain that a project of makeWorld and newProject may send from. */
export const senderDomain = 'acme.example'
export const sender = `hello@${senderDomain}`

export interface EventRecord {
  name: string
  contactId: string | null
  emailId: string | null
  data: Record<string, unknown> | null
}

export interface World extends ReturnType<typeof testContext> {
  app: AnyElysia
  database: TestDatabase
  project: MadeProject
  /** Another project, which may send from the same (sandbox) domain. */
  newProject(name?: string): Promise<MadeProject>
  /** A request with the project's secret key, unless `options` says otherwise. */
  call(method: string, path: string, options?: RequestOptions): Promise<Answer>
  /** POST /v1/send with a sender, subject and body unless `body` has them. */
  send(body: Record<string, unknown>, options?: RequestOptions): Promise<Answer>
  /** Sends to one address and answers the id of the message; fails the test unless it was accepted. */
  sendOne(body?: Record<string, unknown>): Promise<string>
  /** Runs all jobs that are due. */
  drain(): Promise<DrainedRun[]>
  /** GET /emails/:id. */
  email(id: string): Promise<Answer['body']>
  /** The events of the project, oldest first. */
  events(projectId?: string): Promise<EventRecord[]>
  /** The messages handed to the transport, parsed. */
  received(): Promise<Email[]>
  close(): Promise<void>
}

/** `makeMail` replaces the transport of the tests, `mail`, which then gets nothing. */
export async function makeWorld(
  changes: Partial<Config> = {},
  makeMail?: (clock: Clock) => Transport,
): Promise<World> {
  const database = await cloneDatabase()
  const base = testContext(database, { rateLimitPerMinute: 0, ...changes }, makeMail)
  const { ctx, mail } = base
  const app = makeApplication(ctx, [templatesRoutes, emailsRoutes, v1Routes])
  const handlers = jobHandlers(ctx)
  const world: World = {
    ...base,
    app,
    database,
    project: await makeSendingProject(ctx),
    newProject: name => makeSendingProject(ctx, name),
    call: (method, path, options = {}) =>
      request(app, method, path, { key: world.project.secretKey, ...options }),
    send: (body, options) => world.call('POST', '/v1/send', { body: { ...letter, ...body }, ...options }),
    async sendOne(body = {}) {
      const { status, body: answer } = await world.send({ to: 'ada@example.com', ...body })
      if (status !== 200) throw new Error(`the send was refused: ${JSON.stringify(answer)}`)
      return answer.data.emails[0].email
    },
    drain: () => drain(ctx, handlers),
    email: async id => (await world.call('GET', `/emails/${id}`)).body,
    events: async (projectId = world.project.id) =>
      await ctx.sql<EventRecord[]>`
      select name, contact_id as "contactId", email_id as "emailId", data
        from events where project_id = ${projectId} order by created_at, id`,
    received: () => Promise.all(mail.sent.map(parse)),
    close: () => database.drop(),
  }
  return world
}

const letter = { from: sender, subject: 'Hello', body: '<p>Hello</p>' }

async function makeSendingProject(ctx: Context, name = 'Acme'): Promise<MadeProject> {
  const project = await makeProject({ ctx }, { name })
  await addSandboxDomain(ctx, { id: project.id, name: 'Acme' })
  return project
}

/** Tests ask again and again for all that was received. */
const parsed = new WeakMap<FinishedMessage, Promise<Email>>()

export function parse(message: FinishedMessage): Promise<Email> {
  const known = parsed.get(message) ?? PostalMime.parse(message.raw, { attachmentEncoding: 'arraybuffer' })
  parsed.set(message, known)
  return known
}
