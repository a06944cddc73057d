// Accounts over HTTP: a fresh instance, people who sign up and in, and the links of the mails that the platform sends them.
import type { AnyElysia } from 'elysia'
import { createUser } from '../../src/modules/accounts/users/service'
import { buildApp } from '../../src/server/app'
import { jobHandlers } from '../../src/server/jobs'
import type { Config } from '../../src/settings/config'
import { testContext } from './context'
import { cloneDatabase } from './database'
import { drain } from './drain'
import { type Answer, type RequestOptions, request } from './request'
import { parse } from './world'

export const password = 'correct horse battery'

export interface Letter {
  to: string
  subject: string
  text: string
  /** Path and query of the link in it. */
  link: string
  token: string
}

export async function openAccounts(changes: Partial<Config> = {}) {
  const database = await cloneDatabase({ max: 16 })
  const base = testContext(database, { rateLimitPerMinute: 0, ...changes })
  // The first account of an instance is a matter of its own, with tests of its own.
  await createUser(base.ctx, { email: 'operator@example.com', password })
  const app: AnyElysia = buildApp(base.ctx)
  const handlers = jobHandlers(base.ctx)
  const call = (method: string, path: string, options: RequestOptions = {}): Promise<Answer> =>
    request(app, method, path, options)
  return {
    ...base,
    database,
    app,
    call,
    /** Signs up and answers the session's cookie. */
    async signUp(email: string, more: object = {}): Promise<string> {
      const answer = await call('POST', '/auth/signup', { body: { email, password, ...more } })
      if (answer.status !== 200) throw new Error(`sign-up was refused: ${JSON.stringify(answer.body)}`)
      return answer.cookies['waxwing_session']!
    },
    async signIn(email: string, given = password): Promise<Answer> {
      return await call('POST', '/auth/login', { body: { email, password: given } })
    },
    /** Runs what is due and answers the mails that left because of it. */
    async mails(): Promise<Letter[]> {
      const before = base.mail.sent.length
      await drain(base.ctx, handlers)
      return await Promise.all(base.mail.sent.slice(before).map(readLetter))
    },
    close: () => database.drop(),
  }
}

export async function readLetter(message: Parameters<typeof parse>[0]): Promise<Letter> {
  const { text = '', subject = '' } = await parse(message)
  const url = /https?:\/\/\S+/.exec(text)?.[0]
  const link = url === undefined ? '' : url.replace(/^https?:\/\/[^/]+/, '')
  return { to: message.envelope.to, subject, text, link, token: /token=(\w+)/.exec(link)?.[1] ?? '' }
}

/** What a browser sends for a form of a hosted page: the hidden fields of the page and what was typed in. */
export function fillForm(
  page: Answer,
  typed: Record<string, string> = {},
): { path: string; body: URLSearchParams } {
  const html = String(page.body)
  const action = /<form method="post" action="([^"]+)">/.exec(html)?.[1]
  if (action === undefined) throw new Error(`the page has no form: ${html}`)
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
  const fields = Object.fromEntries(hidden.map(([, name, value]) => [name!, value!]))
  return {
    path: new URL(action, 'http://localhost/auth/page').pathname,
    body: new URLSearchParams({ ...fields, ...typed }),
  }
}
