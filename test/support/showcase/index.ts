// An instance that looks lived in: thirty days of a small company, told through the public API while a clock of ours goes on. For pictures,
// for tests in a browser and for looking around (`bun run showcase`).

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { day, second } from '../../../src/lib/time'
import { addSandboxDomain } from '../../../src/modules/domains/service'
import { feedbackKinds } from '../../../src/modules/feedback/kinds'
import { hitRecorder } from '../../../src/modules/feedback/service/record-hits'
import { dashboardBase } from '../../../src/modules/meta/dashboard'
import type { Context } from '../../../src/platform/context'
import { drain } from '../../../src/platform/jobs/drain'
import { enqueue } from '../../../src/platform/jobs/enqueue'
import type { FinishedMessage, SendResult } from '../../../src/platform/mail/transport'
import { buildApp } from '../../../src/server/app'
import { jobHandlers } from '../../../src/server/jobs'
import { testContext } from '../context'
import { cloneDatabase } from '../database'
import { type MadeProject, makeMember, makeProject, makeUser } from '../make'
import { type Answer, request } from '../request'
import { liveThrough } from './days'
import { makeThings } from './things'

export interface Showcase {
  /** `http://127.0.0.1:<port>` */
  url: string
  /** Of the first project's dashboard. */
  home: string
  email: string
  password: string
  /** Runs the jobs that are due now. */
  drain(): Promise<void>
  /** Moves the clock on. */
  advance(ms: number): void
  /** Judges who opened and clicked, as it is done once they are quiet. */
  judge(): Promise<void>
  stop(): Promise<void>
}

/** What the parts of the story work with. */
export interface Story {
  ctx: ReturnType<typeof testContext>['ctx']
  clock: ReturnType<typeof testContext>['clock']
  mail: ReturnType<typeof testContext>['mail']
  webhooks: ReturnType<typeof testContext>['webhooks']
  dns: ReturnType<typeof testContext>['dns']
  app: ReturnType<typeof buildApp>
  projectId: string
  call(method: string, path: string, body?: unknown, key?: string): Promise<Answer>
  publicKey: string
  drain(): Promise<void>
}

const email = 'ada@fernway.example'
const password = 'a long password'
const days = 30

/** `outside` takes the place of what stands there else. `account` stops before the first project, `nothing` before the first account: what newcomers see. */
export async function startShowcase(
  filled: 'story' | 'account' | 'nothing' = 'story',
  outside: Partial<Pick<Context, 'mail' | 'payments'>> = {},
): Promise<Showcase> {
  const database = await cloneDatabase()
  // The address is known before the application is made, because links in mails hold it.
  let answer: (request: Request) => Response | Promise<Response> = () => new Response(null, { status: 503 })
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: each => answer(each) })
  const url = `http://127.0.0.1:${server.port}`
  const dataDir = mkdtempSync(join(tmpdir(), 'waxwing-showcase-'))
  const made = testContext(database, { rateLimitPerMinute: 0, baseUrl: url, dataDir })
  const base = { ...made, ctx: { ...made.ctx, ...outside } }
  const now = new Date()
  base.clock.set(new Date(now.getTime() - (days + 1) * day))
  base.mail.always(outcomeFor)
  const app = buildApp(base.ctx)
  app.server = server
  answer = each => app.handle(each)
  const handlers = jobHandlers(base.ctx)
  const runJobs = async (): Promise<void> => void (await drain(base.ctx, handlers))
  const stage = { ...base, app, drain: runJobs }
  const owner = filled === 'nothing' ? undefined : await makeUser(base, { email, password })
  const project = owner && filled === 'story' ? await tell(stage, owner.id, now) : undefined
  // From here on the time is the reader's.
  let ahead = 0
  base.clock.now = () => new Date(Date.now() + ahead)
  await runJobs()
  return {
    url,
    home: `${url}${dashboardBase(url)}${project?.id ?? ''}`,
    email,
    password,
    drain: runJobs,
    advance(ms) {
      ahead += ms
    },
    async judge() {
      await hitRecorder(base.ctx).settled()
      ahead += 6 * second
      await enqueue(base.ctx, feedbackKinds.judge, {})
      await runJobs()
    },
    async stop() {
      await server.stop(true)
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

type Stage = Omit<Story, 'projectId' | 'publicKey' | 'call'>

/** The whole story; answers the project that it is about. */
async function tell(stage: Stage, ownerId: string, now: Date): Promise<MadeProject> {
  const project = await makeProject(stage, { ownerId, name: 'Fernway' })
  await addSandboxDomain(stage.ctx, { id: project.id, name: 'fernway' })
  await makeProject(stage, { ownerId, name: 'Side project' })
  await makeMember(stage, project.id, 'ADMIN', await makeUser(stage, { email: 'ben@fernway.example' }))
  const story: Story = {
    ...stage,
    projectId: project.id,
    publicKey: project.publicKey,
    call: (method, path, body, key = project.secretKey) => told(stage.app, method, path, body, key),
  }
  await liveThrough(story, await makeThings(story, now), days)
  return project
}

/** Throws for what is refused: the story tells only what can be. */
async function told(
  app: Story['app'],
  method: string,
  path: string,
  body: unknown,
  key: string,
): Promise<Answer> {
  const found = await request(app, method, path, { body, key })
  if (found.status >= 400) throw new Error(`${method} ${path}: ${found.status} ${JSON.stringify(found.body)}`)
  return found
}

/** A few addresses have left, a few servers are slow. */
function outcomeFor({ envelope }: FinishedMessage): SendResult {
  const place = Bun.hash.crc32(envelope.to) % 40
  if (place === 0)
    return {
      outcome: 'refused',
      blame: 'address',
      code: 550,
      enhanced: '5.1.1',
      stage: 'rcpt',
      response: '550 5.1.1 No such user here',
    }
  if (place === 1)
    return {
      outcome: 'deferred',
      code: 451,
      enhanced: '4.7.1',
      stage: 'rcpt',
      response: '451 4.7.1 Greylisted, try again later',
    }
  if (place === 2)
    return {
      outcome: 'refused',
      blame: 'other',
      code: 554,
      enhanced: '5.7.1',
      stage: 'data',
      response: '554 5.7.1 Message refused by policy',
    }
  return { outcome: 'accepted', delivered: true, code: 250, response: '250 2.0.0 Ok: queued' }
}
