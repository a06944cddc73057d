// A project whose mail leaves through a provider that reports later, with the whole application around it.
import type { AnyElysia } from 'elysia'
import { buildApp } from '../../src/server/app'
import type { Config } from '../../src/settings/config'
import { type Answer, type RequestOptions, request } from './request'
import { certificate, certificateUrl, deliver, type Envelope, notification, sesEvent, topic } from './sns'
import { makeWorld, type World } from './world'

export interface FeedbackWorld extends World {
  app: AnyElysia
  /** Sends one message and answers its id and the provider's. */
  sent(body?: Record<string, unknown>): Promise<{ id: string; providerId: string }>
  /** A signed notification of SES about a message. */
  tell(event: string, providerId: string, detail?: Record<string, unknown>): Promise<Answer>
  /** A notification of SES, delivered as it is. */
  notify(envelope: Envelope | string): Promise<Answer>
  row(id: string): Promise<Record<string, unknown>>
  contact(email?: string): Promise<{ subscribed: boolean; snoozed_until: Date | null; id: string }>
  eventNames(): Promise<string[]>
}

let counter = 0

export async function makeFeedbackWorld(changes: Partial<Config> = {}): Promise<FeedbackWorld> {
  const base = await makeWorld({ snsTopicArns: [topic], ...changes })
  const { ctx } = base
  base.webhooks.answer(pem())
  const app = buildApp(ctx)
  const world: FeedbackWorld = Object.assign(base, {
    app,
    call: (method: string, path: string, options: RequestOptions = {}) =>
      request(app, method, path, { key: base.project.secretKey, ...options }),
    async sent(body: Record<string, unknown> = {}) {
      const providerId = `ses-${++counter}-${crypto.randomUUID()}`
      base.mail.script({ outcome: 'accepted', delivered: false, providerId, response: '200' })
      const id = await base.sendOne({ subscribed: true, ...body })
      await base.drain()
      return { id, providerId }
    },
    tell: (event: string, providerId: string, detail: Record<string, unknown> = {}) =>
      deliver(world, notification(sesEvent(event, providerId, detail))),
    notify: (envelope: Envelope | string) => deliver(world, envelope),
    async row(id: string) {
      const [row] = await ctx.sql`select * from emails where id = ${id}`
      return row as Record<string, unknown>
    },
    async contact(email = 'ada@example.com') {
      const [row] = await ctx.sql`
        select id, subscribed, snoozed_until from contacts where project_id = ${base.project.id} and email = ${email}`
      return row as { subscribed: boolean; snoozed_until: Date | null; id: string }
    },
    eventNames: async () => (await base.events()).map(event => event.name),
  })
  return world
}

/** What Amazon answers who asks for the certificate. */
export function pem(response = certificate) {
  return { outcome: 'answered', statusCode: 200, response, url: certificateUrl } as const
}
