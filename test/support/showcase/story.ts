// The story: thirty days of a small company, told through the public API while a clock of ours goes on.
import { day } from '../../../src/lib/time'
import type { FinishedMessage, SendResult } from '../../../src/mail/message'
import { addSandboxDomain } from '../../../src/modules/sending/domains/service'
import type { Context } from '../../../src/platform/context'
import { buildApp } from '../../../src/server/app'
import { jobHandlers } from '../../../src/server/jobs'
import type { Config } from '../../../src/settings/config'
import { testContext } from '../context'
import type { TestDatabase } from '../database'
import { drain } from '../drain'
import { makeMember, makeProject, makeUser } from '../make'
import { type Answer, request } from '../request'
import { liveThrough } from './days'
import { makeThings } from './things'

/** What an instance is made of, and its surroundings, which a test holds in its hand. */
export interface Stage extends ReturnType<typeof testContext> {
  app: ReturnType<typeof buildApp>
  drain(): Promise<void>
}

/** What the parts of the story work with. */
export interface Story extends Stage {
  projectId: string
  call(method: string, path: string, body?: unknown, key?: string): Promise<Answer>
  publicKey: string
}

export const email = 'ada@fernway.example'
export const password = 'a long password'
const days = 30

/** `outside` takes the place of what stands there else. */
export function makeStage(
  database: TestDatabase,
  config: Partial<Config>,
  outside: Partial<Pick<Context, 'mail' | 'payments'>> = {},
): Stage {
  const made = testContext(database, { rateLimitPerMinute: 0, ...config })
  const base = { ...made, ctx: { ...made.ctx, ...outside } }
  base.mail.always(outcomeFor)
  base.webhooks.onCall(() => {
    // One of the company's endpoints has a bad moment now and then.
    if (base.webhooks.calls.length % 9 === 2) base.webhooks.answer(503)
  })
  const handlers = jobHandlers(base.ctx)
  return { ...base, app: buildApp(base.ctx), drain: async () => void (await drain(base.ctx, handlers)) }
}

/** Makes the account with which the story begins, days before `now`. */
export async function signUp(stage: Stage, now: Date): Promise<string> {
  stage.clock.set(new Date(now.getTime() - (days + 1) * day))
  return (await makeUser(stage, { email, password })).id
}

/** The whole story, which ends now; answers the project that it is about. */
export async function tell(stage: Stage): Promise<string> {
  const now = new Date()
  const ownerId = await signUp(stage, now)
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
  return project.id
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
