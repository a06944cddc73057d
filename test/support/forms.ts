// Forms in tests: a project with one, and what visitors of its page and readers of its mail do.
import type { AnyElysia } from 'elysia'
import { second } from '../../src/lib/time'
import { buildApp } from '../../src/server/app'
import type { Config } from '../../src/settings/config'
import type { MadeProject } from './make'
import { type Answer, request } from './request'
import { makeWorld, sender, type World } from './world'

export interface FormWorld extends World {
  site: AnyElysia
  api(method: string, path: string, body?: object, project?: MadeProject): Promise<Answer>
  /** A form of the world's project, which has a default sender, or of another. */
  makeForm(given?: object, project?: MadeProject): Promise<Answer['body']>
  /** Opens the page, waits as long as a person types, and sends it. */
  fillIn(formId: string, entered: Record<string, string>, headers?: Record<string, string>): Promise<Answer>
  post(formId: string, entered: Record<string, string>, headers?: Record<string, string>): Promise<Answer>
  /** The link in the newest mail to the address, as a path. */
  linkFor(email: string): Promise<string>
  visit(method: string, path: string, headers?: Record<string, string>): Promise<Answer>
}

export async function makeFormWorld(changes: Partial<Config> = {}): Promise<FormWorld> {
  const world = await makeWorld({ trustProxy: true, ...changes })
  const site = buildApp(world.ctx)
  world.dns.set('example.com', 'mx', { exchange: 'mx.example.com', priority: 10 })
  await giveSender(world, world.project)
  const visit: FormWorld['visit'] = (method, path, headers = {}) => request(site, method, path, { headers })
  const api: FormWorld['api'] = (method, path, body, project = world.project) =>
    request(site, method, path, { key: project.secretKey, body })
  const post: FormWorld['post'] = (id, entered, headers = {}) =>
    request(site, 'POST', `/forms/${id}`, { body: new URLSearchParams(entered), headers })
  return {
    ...world,
    site,
    api,
    post,
    visit,
    async makeForm(given = {}, project = world.project) {
      const answer = await api('POST', '/signup-forms', { name: 'Newsletter', ...given }, project)
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      return answer.body
    },
    async fillIn(id, entered, headers) {
      const ticket = ticketIn((await visit('GET', `/forms/${id}`, headers)).body)
      world.clock.advance(5 * second)
      return await post(id, { ticket, ...entered }, headers)
    },
    async linkFor(email) {
      const mails = await world.received()
      const text = mails.findLast(mail => mail.to?.some(({ address }) => address === email))?.text ?? ''
      return /http:\/\/localhost:3000(\/forms\/[\w./?=-]+)/.exec(text)?.[1] ?? ''
    },
  }
}

/** Whom the project's letters are from. */
export async function giveSender({ ctx }: World, project: MadeProject): Promise<void> {
  const value = JSON.stringify({ email: sender, name: 'Acme', replyTo: null })
  await ctx.sql`update projects set default_sender = ${value}::jsonb where id = ${project.id}`
}

export function ticketIn(html: string): string {
  return /name="ticket" value="([^"]+)"/.exec(html)![1]!
}
