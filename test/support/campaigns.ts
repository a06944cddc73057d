// What the tests of campaigns share: a project with contacts, a draft, and ways to see what became of it.
import { expect } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { makeApplication } from '../../src/http/application'
import { contactsRoutes } from '../../src/modules/audience/contacts/routes'
import { campaignKinds } from '../../src/modules/features/campaigns/kinds'
import { campaignsRoutes } from '../../src/modules/features/campaigns/routes'
import { segmentsRoutes } from '../../src/modules/features/segments/routes'
import { emailsRoutes } from '../../src/modules/sending/emails/routes'
import { enqueue } from '../../src/platform/jobs/enqueue'
import type { MadeProject } from './make'
import { type Answer, request } from './request'
import { sender, type World } from './world'

export interface CampaignWorld {
  world: World
  project: MadeProject
  call(method: string, path: string, body?: unknown, of?: MadeProject): Promise<Answer>
  /** Contacts ada-1@example.com, ...; answers their ids. */
  contacts(
    count: number,
    given?: { subscribed?: boolean; data?: Record<string, unknown>; prefix?: string },
  ): Promise<string[]>
  /** A draft to everybody unless `body` says otherwise; its id. */
  draft(body?: Record<string, unknown>): Promise<string>
  send(id: string, scheduledFor?: unknown): Promise<Answer>
  /** Runs what is due; fails the test when a job failed. */
  drain(): Promise<string[]>
  sweep(): Promise<void>
  stats(id: string): Promise<Answer['body']>
  recipients(id: string, query?: string): Promise<Array<Record<string, string | number | null>>>
}

export const message = {
  name: 'News',
  subject: 'News for {{name ?? "you"}}',
  body: '<p>Hello {{name}}</p>',
  from: sender,
  audienceType: 'ALL',
}

/** Making and compiling the routes takes longer than most tests: once for each world. */
const applications = new WeakMap<World, AnyElysia>()

function applicationOf(world: World): AnyElysia {
  const known = applications.get(world)
  if (known) return known
  const made = makeApplication(world.ctx, [campaignsRoutes, emailsRoutes, contactsRoutes, segmentsRoutes])
  applications.set(world, made)
  return made
}

/** A new project in `world`, which may live for a whole test file. */
export async function campaignWorld(world: World): Promise<CampaignWorld> {
  // What earlier tests of the file left behind is not this one's.
  await world.drain()
  world.mail.clear()
  const project = await world.newProject()
  const app = applicationOf(world)
  const self: CampaignWorld = {
    world,
    project,
    call: (method, path, body, of = project) =>
      request(app, method, path, { key: of.secretKey, ...(body === undefined ? {} : { body }) }),
    async contacts(count, { subscribed = true, data = {}, prefix = 'ada' } = {}) {
      const ids: string[] = []
      for (let n = 1; n <= count; n++) {
        const email = `${prefix}-${n}@example.com`
        const made = await self.call('POST', '/contacts', {
          email,
          subscribed,
          data: { name: `Ada ${n}`, ...data },
        })
        ids.push(made.body.id)
      }
      return ids
    },
    async draft(body = {}) {
      const answer = await self.call('POST', '/campaigns', { ...message, ...body })
      expect([answer.status, answer.body.error]).toEqual([201, undefined])
      return answer.body.data.id
    },
    send: (id, scheduledFor) =>
      self.call('POST', `/campaigns/${id}/send`, scheduledFor === undefined ? {} : { scheduledFor }),
    async drain() {
      const runs = await world.drain()
      expect(runs.filter(run => !['completed', 'snoozed'].includes(run.outcome.type))).toEqual([])
      return runs.map(run => run.kind)
    },
    sweep: async () => void (await enqueue(world.ctx, campaignKinds.startDue, {})),
    stats: async id => (await self.call('GET', `/campaigns/${id}/stats`)).body,
    recipients: async (id, query = '') =>
      (await self.call('GET', `/campaigns/${id}/recipients?pageSize=100${query}`)).body.data,
  }
  return self
}
