// A message through Amazon SES from the request to the report of its delivery, and a project whose mail comes back: the real client,
// a running job runner, signed notifications.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { minute } from '../../src/lib/time'
import type { Context } from '../../src/platform/context'
import { startRunner } from '../../src/platform/jobs/runner'
import { makeJobSignal } from '../../src/platform/jobs/wake'
import { buildApp } from '../../src/server/app'
import { jobHandlers } from '../../src/server/jobs'
import { pem } from '../support/feedback'
import { request } from '../support/request'
import { type SesServer, startSes, transportTo } from '../support/ses'
import { deliver, notification, sesEvent, topic } from '../support/sns'
import { until as untilTrue } from '../support/until'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let ses: SesServer
let ctx: Context
let stop: () => Promise<unknown>

beforeAll(async () => {
  world = await makeWorld({ snsTopicArns: [topic] })
  ses = startSes()
  ses.account['SendQuota'] = { MaxSendRate: 1_000, Max24HourSend: -1, SentLast24Hours: 0 }
  world.webhooks.answer(pem())
  // The domain as SES would have verified it: what proves domains has its own tests.
  await world.ctx.sql`update domains set sandbox = false`
  const mail = transportTo(ses.url, { configurationSet: 'reports' })
  const config = { ...world.ctx.config, mailTransport: 'ses' as const }
  const base = { ...world.ctx, mail, config, clock: { now: () => new Date() } }
  const signal = makeJobSignal({ ...base, sql: world.database.sql }, { soleOwner: true })
  ctx = { ...base, jobWaker: signal }
  world.app = buildApp(ctx)
  const runner = await startRunner(ctx, {
    handlers: jobHandlers(ctx),
    concurrency: 8,
    signal,
    soleOwner: true,
  })
  stop = async () => {
    await runner.stop(5_000)
    await signal.close()
    await mail.close()
  }
})
afterAll(async () => {
  await stop()
  ses.stop()
  await world.close()
})

async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  let found: T | undefined | false
  await untilTrue('it has come to that', async () => {
    found = await look()
    return Boolean(found)
  })
  return found as T
}

const call = (method: string, path: string, options: object = {}) =>
  request(world.app, method, path, { key: world.project.secretKey, ...options })
const send = async (to: string): Promise<string> => {
  const body = { to, from: sender, subject: 'Hello', body: '<p>Hello</p>' }
  const { status, body: answer } = await call('POST', '/v1/send', { body })
  expect(status).toBe(200)
  return answer.data.emails[0].email
}
const email = async (id: string) => (await call('GET', `/emails/${id}`)).body
const reaches = (id: string, status: string) =>
  until(async () => {
    const found = await email(id)
    return found.status === status && found
  })
const tell = (event: object) => deliver(world, notification(event))

test('a message is SENT when SES has taken it, and DELIVERED when SES says so', async () => {
  const id = await send('ada@example.com')
  const sent = await reaches(id, 'SENT')
  expect(sent.tries).toMatchObject([{ transport: 'ses', outcome: 'accepted' }])
  expect(ses.sent).toMatchObject([
    { from: sender, to: ['ada@example.com'], set: 'reports', tags: { 'waxwing-email': id } },
  ])
  // SES signs; a signature of ours would only be another one to break.
  expect(ses.sent[0]!.raw).not.toContain('DKIM-Signature')
  const [row] = await ctx.sql`select provider_id as "providerId" from emails where id = ${id}`
  const told = await tell(sesEvent('Delivery', row!['providerId']))
  expect(told.status).toBe(200)
  expect(await email(id)).toMatchObject({ status: 'DELIVERED' })
})

test('a report finds its message by the tag where the id of SES was lost', async () => {
  const id = await send('grace@example.com')
  await reaches(id, 'SENT')
  await ctx.sql`update emails set provider_id = null where id = ${id}`
  const event = sesEvent('Delivery', 'never-stored')
  expect((await tell(event)).status).toBe(503)
  Object.assign(event['mail'] as object, { tags: { 'waxwing-email': [id] } })
  expect((await tell(event)).status).toBe(200)
  expect((await email(id)).status).toBe('DELIVERED')
})

test('a report about a mail that is in no ledger is taken and forgotten', async () => {
  const event = sesEvent('Delivery', 'a-system-mail')
  Object.assign(event['mail'] as object, {
    tags: { 'waxwing-email': ['019a0000-0000-7000-8000-000000000000'] },
  })
  expect((await tell(event)).status).toBe(200)
})

test('throttled mail leaves later, refused mail says why', async () => {
  ses.script({ status: 400, type: 'MessageRejected', message: 'Transaction failed: virus detected' })
  const refused = await send('virus@example.com')
  expect(await reaches(refused, 'FAILED')).toMatchObject({
    error: '400 MessageRejected: Transaction failed: virus detected',
  })
  ses.script({ status: 429, type: 'TooManyRequestsException', message: 'Maximum sending rate exceeded.' })
  const throttled = await send('busy@example.com')
  const waiting = await until(async () => {
    const found = await email(throttled)
    return found.attempts === 1 && found.status === 'PENDING' && found
  })
  expect(new Date(waiting.nextAttemptAt).getTime() - Date.now()).toBeLessThan(minute)
})

test('many bounces at once suspend a new project, once, with one mail to its owner', async () => {
  await ctx.sql`update projects set created_at = ${ctx.clock.now()} where id = ${world.project.id}`
  const before = ses.sent.length
  const ids = await Promise.all(Array.from({ length: 30 }, (_, n) => send(`gone-${n}@example.com`)))
  for (const id of ids) await reaches(id, 'SENT')
  const rows = await ctx.sql`select provider_id as "providerId" from emails where id = any(${ids}::uuid[])`
  const bounce = { bounceType: 'Permanent', bouncedRecipients: [{ diagnosticCode: '550 5.1.1 gone' }] }
  const told = await Promise.all(rows.map(row => tell(sesEvent('Bounce', row['providerId'], bounce))))
  expect(new Set(told.map(answer => answer.status))).toEqual(new Set([200]))
  const standing = await until(async () => {
    const { body } = await call('GET', `/projects/${world.project.id}/security`)
    return body.isDisabled && body
  })
  expect(standing.suspensions).toMatchObject([{ reason: 'EMAIL_REPUTATION', liftedAt: null }])
  const letters = await until(async () => {
    const found = ses.sent.slice(before + 30).filter(sent => sent.raw.includes('was suspended'))
    return found.length > 0 && found
  })
  await until(
    async () =>
      (await ctx.sql`select from jobs where kind = 'project.review' and state = 'queued'`).length === 0,
  )
  expect(letters).toHaveLength(1)
  expect((await call('POST', '/v1/send', { body: { to: 'a@example.com', from: sender } })).status).toBe(403)
})
