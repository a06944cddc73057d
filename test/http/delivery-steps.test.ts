// The steps that every email passes: what they reserved is released on every path, a campaign that is paused or canceled stops within a
// batch, and nothing is sent without its content.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { day, hour } from '../../src/lib/time'
import type { SendResult } from '../../src/mail/message'
import { type Batch, makePipeline, type Result, untried } from '../../src/modules/sending/delivery'
import { composeRow } from '../../src/modules/sending/delivery/service/steps/compose'
import { makeKeyRing, settleBatch, takeForSending } from '../../src/modules/sending/emails'
import { clearOldBodies } from '../../src/modules/sending/emails/service'
import { failed, putBack } from '../../src/platform/transports/outcome'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { until } from '../support/until'
import { makeWorld, type World } from '../support/world'

let world: World
let on: CampaignWorld
const noon = new Date('2026-11-30T12:00:00Z')

beforeAll(async () => {
  world = await makeWorld({ bodyRetentionMs: 7 * day })
})
beforeEach(async () => {
  await world.ctx.sql`delete from jobs`
  world.clock.set(noon)
  on = await campaignWorld(world)
  world.project = on.project
})
afterAll(() => world.close())

const rejected: SendResult = {
  outcome: 'refused',
  stage: 'data',
  code: 554,
  response: '554 no',
  blame: 'other',
}
const gone: SendResult = {
  ...{ outcome: 'refused', stage: 'rcpt', code: 550, enhanced: '5.1.1' },
  ...{ response: '550 5.1.1 no such user', blame: 'address' },
}
const deferred: SendResult = { outcome: 'deferred', stage: 'data', code: 450, response: '450 later' }

/** The emails that have a place under the cap of their contact. */
async function placed(): Promise<string[]> {
  const rows = await world.ctx.sql<{ booked: Record<string, number> }[]>`
    select booked from mail_bookings where project_id = ${on.project.id}`
  return rows.flatMap(({ booked }) => Object.keys(booked))
}

/** Has one email pass the steps, under a cap of one in these days. */
async function deliver(
  id: string,
  changes: Partial<Batch> = {},
  { ctx = world.ctx, days = 1 } = {},
): Promise<Result | undefined> {
  const keys = makeKeyRing(ctx)
  const results = await makePipeline(ctx).deliver({
    ...{ projectId: on.project.id, paceClass: 'transactional', count: 1 },
    signal: new AbortController().signal,
    async take() {
      const taken = await takeForSending(ctx, [id])
      const mailCap = { messages: 1, days, whenHeld: 'LATER' } as const
      const rules = { mailCap, quietHours: null, zone: 'UTC' }
      return taken.map(email => ({ email, facts: email, since: email.triedSince, rules }))
    },
    async compose(delivery) {
      composeRow(ctx, keys, delivery)
      return undefined
    },
    settle: async settlement => 'value' in (await settleBatch(ctx, [settlement]))[0]!,
    ...changes,
  })
  return (results as Result[])[0]
}

describe('the place under the frequency cap', () => {
  const stopped: ReadonlyArray<[what: string, changes: Partial<Batch>, answer?: SendResult]> = [
    ['its source does not approve it', { approve: async () => untried(putBack) }],
    [
      'its content can’t be rendered',
      { compose: async () => failed('template', { words: 'no such filter' }) },
    ],
    ['rendering it throws', { compose: () => Promise.reject(new Error('out of memory')) }],
    ['no place in flight can be had', { enter: () => Promise.reject(new Error('closed')) }],
    ['the server rejects it', {}, rejected],
    ['the server knows no such user', {}, gone],
  ]
  for (const [what, changes, answer] of stopped)
    test(`is free again if ${what}`, async () => {
      const id = await world.sendOne()
      if (answer) world.mail.script(answer)
      await deliver(id, changes).catch(() => {})
      expect(world.mail.sent).toEqual([])
      expect(await placed()).toEqual([])
    })

  test('is free again if its receiver has no room now', async () => {
    const config = { ...world.ctx.config, recipientConnections: { 'example.com': 1 } }
    const ctx = { ...world.ctx, config }
    const [first, second] = [await world.sendOne(), await world.sendOne({ to: 'b@example.com' })]
    const { promise, resolve } = Promise.withResolvers<SendResult>()
    world.mail.script(() => promise)
    const sending = deliver(first, {}, { ctx })
    await until('the first is on its way', () => world.mail.attempts.length === 1)
    const waiting = await deliver(second, {}, { ctx })
    expect(waiting!.outcome).toMatchObject({ status: 'PENDING', nextAttemptAt: expect.any(Date) })
    expect(await placed()).toEqual([first])
    resolve({ outcome: 'accepted', delivered: true, response: '250 ok' })
    await sending
  })

  test('is kept by what was sent, and by what is tried again', async () => {
    const [sent, again] = [
      await world.sendOne({ to: 'a@example.com' }),
      await world.sendOne({ to: 'b@example.com' }),
    ]
    await deliver(sent)
    world.mail.script(deferred)
    await deliver(again)
    expect((await placed()).toSorted()).toEqual([sent, again].toSorted())
  })
})

describe('a campaign on its way', () => {
  for (const transition of ['pause', 'cancel', 'suspension'] as const)
    test(`sends at most a batch more after ${transition}, however many were taken`, async () => {
      const recipients = 240
      await world.ctx.sql`
        insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
        select uuid_v7(${world.clock.now()}::timestamptz, n), ${on.project.id}, 'r-' || n || '@example.com', true, '{}',
               ${world.clock.now()}, ${world.clock.now()} from generate_series(1, ${recipients}) n`
      const id = await on.draft()
      await on.send(id)
      const { promise: answer, resolve } = Promise.withResolvers<SendResult>()
      world.mail.always(() => answer)
      const drained = on.drain()
      const taken = async () =>
        Number(
          (
            await world.ctx
              .sql`select count(*) as n from emails where campaign_id = ${id} and status = 'SENDING'`
          )[0]!['n'],
        )
      await until('all are taken', async () => world.mail.attempts.length > 20 && (await taken()) > 200)
      const before = world.mail.attempts.length
      if (transition === 'suspension')
        await world.ctx.sql`update projects set disabled = true where id = ${on.project.id}`
      else expect((await on.call('POST', `/campaigns/${id}/${transition}`)).status).toBe(200)
      resolve({ outcome: 'accepted', delivered: true, response: '250 ok' })
      await drained
      expect(world.mail.sent.length - before).toBeLessThanOrEqual(100)
      expect(await taken()).toBe(0)
      if (transition !== 'pause') return
      await on.call('POST', `/campaigns/${id}/resume`)
      await on.drain()
      expect(new Set(world.mail.sent.map(({ envelope }) => envelope.to)).size).toBe(recipients)
      expect(world.mail.sent).toHaveLength(recipients)
    })
})

describe('content that is no longer kept', () => {
  const attachment = {
    ...{ filename: 'bill.txt', contentType: 'text/plain' },
    content: Buffer.from('1 EUR').toString('base64'),
  }

  test('an email that waited until its attachment was deleted is not sent without it', async () => {
    const [bill, hello] = [await world.sendOne({ attachments: [attachment] }), await world.sendOne()]
    world.clock.advance(7 * day + hour)
    await clearOldBodies(world.ctx)
    await world.drain()
    expect(world.mail.sent).toHaveLength(1)
    expect(await world.email(hello)).toMatchObject({ status: 'DELIVERED' })
    expect(await world.email(bill)).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('EMAIL_BODY_RETENTION_DAYS'),
    })
  })

  test('an email that a cap would hold for longer than bodies are kept is skipped', async () => {
    const [first, soon, late] = [await world.sendOne(), await world.sendOne(), await world.sendOne()]
    await deliver(first)
    expect((await deliver(soon, {}, { days: 3 }))!.outcome).toMatchObject({
      ...{ status: 'PENDING', reason: 'cap' },
      nextAttemptAt: new Date(noon.getTime() + 3 * day),
    })
    expect((await deliver(late, {}, { days: 30 }))!.outcome).toMatchObject({
      ...{ status: 'SKIPPED', reason: 'cap' },
    })
    expect(await world.email(late)).toMatchObject({
      status: 'SKIPPED',
      error: expect.stringMatching(/^skipped by cap/),
    })
  })

  test('one that is as old, and whose attachment is still there, is sent', async () => {
    await world.sendOne({ attachments: [attachment] })
    world.clock.advance(7 * day + hour)
    await world.drain()
    expect(world.mail.sent).toHaveLength(1)
  })
})
