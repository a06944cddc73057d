// Limits at work: what is refused, what is counted, and that nobody passes a limit, however many try at once.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { day } from '../../src/lib/time'
import type { SendResult } from '../../src/mail/message'
import { billingKinds } from '../../src/modules/oversight/billing/kinds'
import { lockUsage } from '../../src/modules/oversight/billing/queries'
import { warnMembers } from '../../src/modules/oversight/billing/service'
import { inTransaction } from '../../src/platform/context'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { buildApp } from '../../src/server/app'
import { type BillingWorld, billingWorld } from '../support/billing'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { type MadeProject, makeMember } from '../support/make'
import { request } from '../support/request'
import { until } from '../support/until'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'
import { sender } from '../support/world'

let billing: BillingWorld
let flows: WorkflowWorld
/** The one that `flows` builds in. */
let ownProject: MadeProject
beforeAll(async () => {
  flows = await makeWorkflowWorld()
  ownProject = flows.project
  billing = await billingWorld(flows)
})
beforeEach(async () => {
  await billing.world.ctx.sql`delete from jobs`
  await billing.world.ctx.sql`truncate usage_months, email_day_deltas`
  billing.stripe.fail()
  billing.stripe.calls.length = 0
  billing.world.mail.clear()
  billing.world.clock.set(new Date('2026-03-01T12:00:00.000Z'))
  billing.world.project = await billing.world.newProject()
})
afterAll(() => billing.close())

const letter = { to: 'ada@example.com', from: sender, subject: 'Hello', body: '<p>Hello</p>' }
const send = (body: object = {}, headers: Record<string, string> = {}) =>
  billing.call('POST', '/v1/send', { body: { ...letter, ...body }, headers })
const refused: SendResult = {
  outcome: 'refused',
  blame: 'other',
  response: '554 no',
  code: 554,
  stage: 'data',
}
const shares = async () => (await billing.about('GET', 'billing-limits')).body
const count = async (table: 'emails' | 'contacts' | 'events') => {
  const { sql } = billing.world.ctx
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from ${sql(table)} where project_id = ${billing.world.project.id}`
  return row.count
}

describe('sends', () => {
  test('are refused at the limit, and leave no trace', async () => {
    await billing.subscribe()
    await billing.setLimits({ transactional: 2 })
    expect((await send({ to: ['a@example.com', 'b@example.com'] })).status).toBe(200)
    const { status, body } = await send({ to: 'c@example.com', data: { plan: 'pro' } })
    expect(status).toBe(429)
    expect(body).toMatchObject({
      success: false,
      error: {
        code: 'BILLING_LIMIT_EXCEEDED',
        details: { category: 'transactional', limit: 2, usage: 2, requested: 1 },
      },
    })
    expect([await count('emails'), await count('contacts')]).toEqual([2, 2])
  })

  test('are accepted whole or not at all', async () => {
    await billing.subscribe()
    await billing.setLimits({ transactional: 2 })
    expect((await send({ to: ['a@example.com', 'b@example.com', 'c@example.com'] })).status).toBe(429)
    expect((await send({ to: ['a@example.com', 'b@example.com'] })).status).toBe(200)
  })

  test('that are refused leave their key free, and a used key is told as used at the limit', async () => {
    await billing.subscribe()
    await billing.setLimits({ transactional: 1 })
    expect((await send({}, { 'idempotency-key': 'first' })).status).toBe(200)
    expect((await send({}, { 'idempotency-key': 'first' })).status).toBe(409)
    expect((await send({}, { 'idempotency-key': 'second' })).status).toBe(429)
    await billing.setLimits({ transactional: 2 })
    expect((await send({}, { 'idempotency-key': 'second' })).status).toBe(200)
  })

  test('of one month leave the next alone', async () => {
    await billing.subscribe()
    await billing.setLimits({ transactional: 1 })
    expect((await send()).status).toBe(200)
    await billing.fold()
    billing.world.clock.advance(31 * day)
    expect((await shares()).transactional.usage).toBe(0)
    expect((await send()).status).toBe(200)
    expect((await send()).status).toBe(429)
  })

  test('that failed are not counted', async () => {
    await billing.subscribe()
    await billing.setLimits({ transactional: 1 })
    await billing.call('POST', '/suppressions', { body: { emails: ['gone@example.com'] } })
    expect((await send({ to: 'gone@example.com' })).status).toBe(200)
    expect((await shares()).transactional.usage).toBe(0)
    billing.world.mail.always(refused)
    await send()
    expect((await shares()).transactional.usage).toBe(1)
    await billing.world.drain()
    billing.world.mail.clear()
    expect((await shares()).transactional.usage).toBe(0)
    expect((await send()).status).toBe(200)
  })

  test('of the free tier share a thousand with all else, until the project subscribes', async () => {
    await billing.use('campaigns', 600)
    await billing.use('inbound', 399)
    expect((await send()).status).toBe(200)
    expect((await send()).body.error.details).toMatchObject({ limit: 1000, usage: 1000 })
    await billing.subscribe()
    expect((await send()).status).toBe(200)
  })

  test('are limited by nothing where billing is off', async () => {
    await billing.use('transactional', 5_000)
    const { payments } = billing.world.ctx
    Object.assign(billing.world.ctx, { payments: undefined })
    expect((await send()).status).toBe(200)
    Object.assign(billing.world.ctx, { payments })
    expect((await send()).status).toBe(429)
  })

  test('stay counted when the project is reset', async () => {
    await billing.use('transactional', 999)
    expect((await send()).status).toBe(200)
    await billing.fold()
    await billing.call('POST', `/users/@me/projects/${billing.world.project.id}/reset`)
    await billing.world.drain()
    expect((await shares()).transactional).toMatchObject({ usage: 1000, isBlocked: true })
  })

  test.each([false, true])(
    'fifty at once pass a limit of twenty exactly (folding meanwhile: %p)',
    async folds => {
      await billing.subscribe()
      await billing.setLimits({ transactional: 20 })
      // Two instances: each gathers the requests of its own moment.
      const apps = [billing.app, buildApp({ ...billing.world.ctx })]
      const key = billing.world.project.secretKey
      const sends = Array.from({ length: 50 }, (_, n) =>
        request(apps[n % 2]!, 'POST', '/v1/send', { key, body: { ...letter, to: `p${n}@example.com` } }),
      )
      const folding = folds ? Array.from({ length: 10 }, () => billing.fold()) : []
      const [answers] = await Promise.all([Promise.all(sends), ...folding])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
      expect([await count('emails'), await count('contacts')]).toEqual([20, 20])
      expect((await shares()).transactional).toMatchObject({ usage: 20, isBlocked: true })
    },
  )

  test('of one project do not take what is another one’s', async () => {
    const other = await billing.world.newProject()
    await billing.use('transactional', 1000)
    const answers = await Promise.all([
      send(),
      billing.call('POST', '/v1/send', { body: letter, key: other.secretKey }),
    ])
    expect(answers.map(answer => answer.status)).toEqual([429, 200])
  })
})

test('far from a limit nobody waits for anybody; near it one goes after the other', async () => {
  await billing.subscribe()
  const { ctx } = billing.world
  const { id } = billing.world.project
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  const holding = inTransaction(ctx, async tx => {
    await lockUsage(tx, [id])
    held()
    await isOver
  })
  await isHeld
  await billing.setLimits({ transactional: 1_000_000 })
  expect((await send()).status).toBe(200)
  await billing.setLimits({ transactional: 20_000 })
  let answered = false
  const waiting = send().finally(() => {
    answered = true
  })
  expect(await Promise.race([waiting, isWaiting().then(() => 'waits')])).toBe('waits')
  expect(answered).toBe(false)
  end()
  await holding
  expect((await waiting).status).toBe(200)
})

/** Resolves once somebody waits for a lock of usage. */
async function isWaiting(): Promise<void> {
  const { sql } = billing.world.ctx
  const waiting = () => sql`select 1 from pg_locks where locktype = 'advisory' and not granted`
  await until('somebody waits for the lock', async () => (await waiting()).length > 0)
}

describe('campaigns', () => {
  let campaigns: CampaignWorld
  beforeEach(async () => {
    campaigns = await campaignWorld(billing.world)
    billing.world.project = campaigns.project
    await billing.subscribe()
    await campaigns.contacts(3)
  })

  test('are refused as a whole where they would pass the limit; reaching it is allowed', async () => {
    await billing.setLimits({ campaigns: 2 })
    const id = await campaigns.draft()
    const { status, body } = await campaigns.send(id)
    expect([status, body.error.code]).toEqual([429, 'BILLING_LIMIT_EXCEEDED'])
    expect(body.error.details).toEqual({ category: 'campaigns', limit: 2, usage: 0, requested: 3 })
    expect((await campaigns.call('GET', `/campaigns/${id}`)).body.status).toBe('DRAFT')
    await billing.setLimits({ campaigns: 3 })
    expect((await campaigns.send(id)).status).toBe(200)
    await campaigns.drain()
    expect(billing.world.mail.sent).toHaveLength(3)
    expect((await shares()).campaigns).toMatchObject({ usage: 3, isBlocked: true })
  })

  test('of type TRANSACTIONAL count as such', async () => {
    await billing.setLimits({ transactional: 2 })
    const { status } = await campaigns.send(await campaigns.draft({ type: 'TRANSACTIONAL' }))
    expect(status).toBe(429)
  })

  test('that come due beyond the limit start paused and say why; a higher limit lets them go on', async () => {
    await billing.setLimits({ campaigns: 3 })
    const id = await campaigns.draft()
    await campaigns.send(id, '2026-03-02T12:00:00.000Z')
    await billing.use('campaigns', 1)
    billing.world.clock.advance(day)
    await campaigns.sweep()
    await campaigns.drain()
    const { body: data } = await campaigns.call('GET', `/campaigns/${id}`)
    expect(data).toMatchObject({
      status: 'SENDING',
      pausedReason: expect.stringContaining('Billing limit reached'),
    })
    expect(await count('emails')).toBe(0)
    await billing.setLimits({ campaigns: 4 })
    expect((await campaigns.call('POST', `/campaigns/${id}/resume`)).status).toBe(200)
    await campaigns.drain()
    expect(billing.world.mail.sent).toHaveLength(3)
  })

  test('two that together pass the limit: one is sent, the other pauses before its first message', async () => {
    await billing.setLimits({ campaigns: 4 })
    const ids = [await campaigns.draft(), await campaigns.draft()]
    expect((await Promise.all(ids.map(id => campaigns.send(id)))).map(each => each.status)).toEqual([
      200, 200,
    ])
    await campaigns.drain()
    const states = await Promise.all(
      ids.map(async id => (await campaigns.call('GET', `/campaigns/${id}`)).body),
    )
    expect(states.map(state => state.status).sort()).toEqual(['SENDING', 'SENT'])
    expect(states.find(state => state.status === 'SENDING').pausedReason).toBe(
      'Billing limit reached: 3 of 4 messages of this month are used (campaigns); 1 of the 3 messages asked for are left',
    )
    expect(billing.world.mail.sent).toHaveLength(3)
    expect(await count('emails')).toBe(3)
  })

  test('that are retried need as much as they queue again', async () => {
    billing.world.mail.always(refused)
    const id = await campaigns.draft()
    await campaigns.send(id)
    await campaigns.drain()
    billing.world.mail.clear()
    expect((await shares()).campaigns.usage).toBe(0)
    await billing.setLimits({ campaigns: 2 })
    expect((await campaigns.call('POST', `/campaigns/${id}/retry-failed`)).status).toBe(429)
    expect((await campaigns.recipients(id)).map(each => each['status'])).toEqual([
      'FAILED',
      'FAILED',
      'FAILED',
    ])
    await billing.setLimits({ campaigns: 3 })
    expect((await campaigns.call('POST', `/campaigns/${id}/retry-failed`)).status).toBe(200)
    expect((await shares()).campaigns.usage).toBe(3)
  })
})

test('a workflow keeps what it may not send as failed, and goes on', async () => {
  billing.world.project = ownProject
  await billing.subscribe()
  await billing.setLimits({ workflows: 1 })
  const templateId = await flows.template()
  const { id } = await flows.chain('signed up', [
    { type: 'SEND_EMAIL', templateId },
    { type: 'UPDATE_CONTACT', config: { updates: { welcomed: true } } },
  ])
  await flows.track('ada@example.com', 'signed up')
  await flows.track('grace@example.com', 'signed up')
  expect((await flows.executions(id)).map(execution => execution.status)).toEqual(['COMPLETED', 'COMPLETED'])
  const { data } = (await billing.call('GET', '/emails')).body
  expect(data.map((mail: { status: string; error: string | null }) => [mail.status, mail.error])).toEqual([
    ['FAILED', 'Billing limit reached: 1 of 1 messages of this month are used (workflows)'],
    ['DELIVERED', null],
  ])
  expect((await shares()).workflows.usage).toBe(1)
})

describe('notices', () => {
  const warn = async () => {
    await billing.fold()
    await enqueue(billing.world.ctx, billingKinds.notifyLimits, {})
    await billing.world.drain()
    const mails = await billing.world.received()
    billing.world.mail.clear()
    return mails.filter(mail => mail.subject?.startsWith('The project')).map(mail => mail.subject)
  }

  test('go to every member, once a month for each category and kind', async () => {
    await makeMember(billing.world, billing.world.project.id, 'MEMBER')
    await billing.subscribe()
    await billing.setLimits({ transactional: 10, campaigns: 10 })
    await billing.use('transactional', 7)
    expect(await warn()).toEqual([])
    await billing.use('transactional', 1)
    const warning = 'The project "Acme" has used 80 % of its transactional messages'
    expect(await warn()).toEqual([warning, warning])
    await billing.use('transactional', 1)
    expect(await warn()).toEqual([])
    await billing.use('transactional', 1)
    await billing.use('campaigns', 9)
    const limit = 'The project "Acme" has reached its limit of 10 transactional messages'
    const other = 'The project "Acme" has used 90 % of its messages of campaigns'
    expect((await warn()).sort()).toEqual([limit, limit, other, other].sort())
    expect(await warn()).toEqual([])
    billing.world.clock.advance(31 * day)
    await billing.use('transactional', 8)
    expect(await warn()).toEqual([warning, warning])
  })

  test('come again where the limit was changed', async () => {
    await billing.subscribe()
    await billing.setLimits({ transactional: 10 })
    await billing.use('transactional', 8)
    expect(await warn()).toHaveLength(1)
    await billing.setLimits({ transactional: 10, inbound: 5 })
    expect(await warn()).toEqual([])
    await billing.setLimits({ transactional: 9, inbound: 5 })
    expect(await warn()).toEqual(['The project "Acme" has used 88 % of its transactional messages'])
  })

  test('tell of the free tier as a whole', async () => {
    await billing.use('inbound', 500)
    await billing.use('campaigns', 500)
    expect(await warn()).toEqual([
      'The project "Acme" has reached its limit of 1000 messages of the free tier',
    ])
  })

  test('that several processes would send are sent once', async () => {
    await billing.use('inbound', 900)
    await Promise.all(
      Array.from({ length: 5 }, () => warnMembers(billing.world.ctx, new AbortController().signal)),
    )
    await billing.world.drain()
    expect((await billing.world.received()).filter(mail => mail.subject?.includes('free tier'))).toHaveLength(
      1,
    )
  })
})
