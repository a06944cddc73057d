// Campaigns on their way: who gets what, what is checked at the last moment, and what a crash, a pause or a cancellation leaves.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { campaignCountNames } from '../../src/modules/features/campaigns/results/counts'
import {
  appendCounts,
  selectCampaignCounts,
} from '../../src/modules/features/campaigns/results/queries/counts'
import { rollUpCampaignCounts } from '../../src/modules/features/campaigns/results/service/counts'
import { expandCampaign } from '../../src/modules/features/campaigns/sending/service/expand'
import { failRestOfCampaign } from '../../src/modules/features/campaigns/sending/service/stop'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { until } from '../support/until'
import { makeWorld, type World } from '../support/world'

let world: World
let on: CampaignWorld
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  on = await campaignWorld(world)
})
afterAll(() => world.close())

const running = { signal: new AbortController().signal }
const count = async (id: string, status: string): Promise<number> =>
  (await on.recipients(id, `&status=${status}`)).length

/** The counts of `stats`, checked against the rows themselves. */
async function exactStats(id: string) {
  const stats = await on.stats(id)
  const [rows] = await world.ctx.sql`
    select count(*) filter (where sent_at is not null) as sent, count(*) filter (where delivered_at is not null) as delivered,
           count(*) filter (where bounced_at is not null) as bounced, count(*) filter (where status = 'FAILED') as failed,
           count(*) filter (where status = 'SKIPPED') as skipped,
           count(*) filter (where status not in ('PENDING', 'SENDING')) as settled
      from emails where campaign_id = ${id}`
  expect({
    sent: stats.sentCount,
    delivered: stats.deliveredCount,
    bounced: stats.bouncedCount,
    failed: stats.failedCount,
    skipped: stats.skippedCount,
    settled: stats.progress.processed,
  }).toEqual(rows as never)
  return stats
}

describe('a campaign', () => {
  test('reaches every subscribed contact once, each with its own words, and is SENT', async () => {
    await on.contacts(25, { data: { locale: 'fr' } })
    await on.contacts(2, { subscribed: false, prefix: 'bob' })
    const id = await on.draft({ fromName: 'Acme News', replyTo: 'reply@acme.example' })
    await on.send(id)
    await on.drain()
    const mails = await world.received()
    expect(mails.map(mail => mail.to![0]!.address).sort()).toEqual(
      Array.from({ length: 25 }, (_, n) => `ada-${n + 1}@example.com`).sort(),
    )
    const mail = mails.find(each => each.to![0]!.address === 'ada-7@example.com')!
    expect(mail).toMatchObject({
      subject: 'News for Ada 7',
      from: { name: 'Acme News', address: 'hello@acme.example' },
      replyTo: [{ address: 'reply@acme.example' }],
    })
    expect(mail.html).toContain('<p>Hello Ada 7</p>')
    expect(mail.html).toContain('>Se désabonner</a>')
    expect(mail.text).toContain('Hello Ada 7')
    expect(await exactStats(id)).toMatchObject({
      status: 'SENT',
      totalRecipients: 25,
      sentCount: 25,
      deliveredCount: 25,
      deliveryRate: 100,
      openRate: 0,
      failedCount: 0,
      skippedCount: 0,
      progress: { processed: 25, remaining: 0, ratePerSecond: null, secondsLeft: null },
    })
  })

  test('carries one-click unsubscription and the marks of bulk mail, by its class', async () => {
    await on.contacts(1)
    const headers = async (body: Record<string, unknown>) => {
      world.mail.clear()
      await on.send(await on.draft(body))
      await on.drain()
      const [mail] = await world.received()
      const names = new Set(mail!.headers.map(header => header.key))
      return ['list-unsubscribe', 'list-unsubscribe-post', 'precedence'].map(name => names.has(name))
    }
    expect(await headers({})).toEqual([true, true, true])
    expect(await headers({ type: 'TRANSACTIONAL' })).toEqual([false, false, true])
    expect(await headers({ type: 'HEADLESS' })).toEqual([false, false, true])
    expect(await headers({ type: 'HEADLESS', body: '<a href="{{unsubscribeUrl}}">x</a>' })).toEqual([
      true,
      true,
      true,
    ])
  })

  test('keeps its body once, and shows a message again as it was', async () => {
    await world.ctx.sql`update projects set tracking = 'DISABLED' where id = ${on.project.id}`
    const [contactId] = await on.contacts(1, { data: { plan: 'pro', secret: 'unread' } })
    const id = await on.draft({ body: '<p>Hello {{name}}, {{plan}} {{gone ?? "x"}}</p>' })
    await on.send(id)
    await on.drain()
    const [row] = await world.ctx
      .sql`select html, text, subject, variables from emails where campaign_id = ${id}`
    expect(row).toEqual({
      html: '',
      text: '',
      subject: 'News for Ada 1',
      variables: { name: 'Ada 1', plan: 'pro' },
    })
    await on.call('PATCH', `/contacts/${contactId}`, { data: { name: 'Other', plan: 'free' } })
    const [{ emailId }] = (await on.recipients(id)) as [{ emailId: string }]
    const shown = (await on.call('GET', `/emails/${emailId}`)).body
    const [mail] = await world.received()
    expect(shown.body.trimEnd()).toBe(mail!.html!.trimEnd())
    expect(shown.body).toContain('<p>Hello Ada 1, pro x</p>')
    expect(shown.text.trimEnd()).toBe(mail!.text!.trimEnd())
  })

  test('renders data once: what looks like a template in it stays as it is', async () => {
    await on.contacts(1, { data: { name: '{{email}}{% if %}' } })
    const id = await on.draft()
    await on.send(id)
    await on.drain()
    const [mail] = await world.received()
    expect(mail!.subject).toBe('News for {{email}}{% if %}')
    expect(mail!.html).toContain('<p>Hello {{email}}{% if %}</p>')
  })

  test('of several pages writes everybody down once, in slices that cover them', async () => {
    await world.ctx.sql`
      insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
      select uuid_v7(${world.clock.now()}::timestamptz, n), ${on.project.id}, 'many-' || n || '@example.com', true, '{}',
             ${world.clock.now()}, ${world.clock.now()} from generate_series(1, 2500) n`
    const id = await on.draft()
    await on.send(id)
    await on.drain()
    const slices = await world.ctx.sql`
      select recipients, done_at is not null as done from campaign_slices where campaign_id = ${id} order by id`
    expect(slices.map(slice => [slice['recipients'], slice['done']])).toEqual([
      [1000, true],
      [1000, true],
      [500, true],
    ])
    expect(new Set(world.mail.sent.map(message => message.envelope.to)).size).toBe(2500)
    expect(world.mail.sent).toHaveLength(2500)
    expect(await exactStats(id)).toMatchObject({ status: 'SENT', sentCount: 2500, totalRecipients: 2500 })
  })

  test('to a slow relay gives each slice back after a moment, and goes on behind those who have it', async () => {
    await on.contacts(450)
    const id = await on.draft()
    await on.send(id)
    world.mail.always(() => {
      world.clock.advance(20)
      return { outcome: 'accepted', delivered: true, response: '250 ok' }
    })
    const runs = (await on.drain()).filter(kind => kind === 'campaign.send')
    expect(runs.length).toBeGreaterThan(1)
    expect(new Set(world.mail.sent.map(message => message.envelope.to)).size).toBe(450)
    expect(world.mail.sent).toHaveLength(450)
    expect(await exactStats(id)).toMatchObject({ status: 'SENT', sentCount: 450 })
  })

  /** Requests come often from then on, until the returned function is called. */
  async function manyRequests(): Promise<() => void> {
    const timer = setInterval(() => {
      for (let n = 0; n < 5; n++) world.ctx.requests.begin({ startedAt: 0 })
    }, 5)
    await until('they come often', () => world.ctx.requests.isBusy())
    return () => clearInterval(timer)
  }

  test.each([
    { beside: 'no requests', atOnce: 48 },
    { beside: 'many requests', atOnce: 24 },
  ])('beside $beside has $atOnce messages on their way at once', async ({ beside, atOnce }) => {
    await on.contacts(150)
    let onTheirWay = 0
    const { promise: areReleased, resolve: release } = Promise.withResolvers<void>()
    world.mail.always(async () => {
      onTheirWay++
      await areReleased
      return { outcome: 'accepted', delivered: true, response: '250 ok' }
    })
    const id = await on.draft()
    await on.send(id)
    await until('few requests come', () => !world.ctx.requests.isBusy())
    const end = beside === 'many requests' ? await manyRequests() : () => {}
    const drained = on.drain()
    await until('as many as may be', () => onTheirWay >= atOnce)
    await Bun.sleep(100)
    expect(onTheirWay).toBe(atOnce)
    release()
    await drained
    end()
    expect(await exactStats(id)).toMatchObject({ status: 'SENT', sentCount: 150 })
  })

  test('takes fewer at a time while requests come often', async () => {
    await on.contacts(250)
    let most = 0
    world.mail.always(async () => {
      const [row] = await world.ctx.sql`select count(*)::int as taken from emails where status = 'SENDING'`
      most = Math.max(most, row!['taken'])
      return { outcome: 'accepted', delivered: true, response: '250 ok' }
    })
    const id = await on.draft()
    await on.send(id)
    const end = await manyRequests()
    await on.drain()
    end()
    expect(most).toBeLessThanOrEqual(50)
    expect(await exactStats(id)).toMatchObject({ status: 'SENT', sentCount: 250 })
  })

  test('leaves those out who signed up after it began', async () => {
    await on.contacts(2)
    const id = await on.draft()
    await on.send(id)
    world.clock.advance(1_000)
    await on.contacts(1, { prefix: 'late' })
    await on.drain()
    expect(world.mail.sent.map(message => message.envelope.to).sort()).toEqual([
      'ada-1@example.com',
      'ada-2@example.com',
    ])
    expect(await exactStats(id)).toMatchObject({ totalRecipients: 2, status: 'SENT' })
  })
})

describe('at the last moment', () => {
  /** A campaign to four, all written down and none sent. */
  async function expanded(body: Record<string, unknown> = {}): Promise<{ id: string; contacts: string[] }> {
    const contacts = await on.contacts(4)
    const id = await on.draft(body)
    await on.send(id)
    await expandCampaign(world.ctx, { projectId: on.project.id, campaignId: id }, running)
    return { id, contacts }
  }
  const skipped = async (id: string) =>
    (await on.recipients(id, '&status=SKIPPED')).map(row => [row['email'], row['lastError'], row['attempts']])

  test('who has unsubscribed since is SKIPPED', async () => {
    const { id, contacts } = await expanded()
    await on.call('PATCH', `/contacts/${contacts[1]}`, { subscribed: false })
    await on.drain()
    expect(await skipped(id)).toEqual([['ada-2@example.com', 'contact is unsubscribed', 0]])
    expect(await exactStats(id)).toMatchObject({ status: 'SENT', sentCount: 3, skippedCount: 1 })
    expect(world.mail.attempts.map(message => message.envelope.to)).not.toContain('ada-2@example.com')
  })

  test('unless it is TRANSACTIONAL', async () => {
    const { id, contacts } = await expanded({ type: 'TRANSACTIONAL' })
    await on.call('PATCH', `/contacts/${contacts[1]}`, { subscribed: false })
    await on.drain()
    expect(await exactStats(id)).toMatchObject({ sentCount: 4, skippedCount: 0 })
  })

  test('a suppressed address and a deleted contact are SKIPPED', async () => {
    const { id, contacts } = await expanded()
    await world.ctx.sql`insert into suppressions (project_id, email, reason, source, created_at)
      values (${on.project.id}, 'ada-1@example.com', 'bounce', 'x', ${world.clock.now()})`
    await on.call('DELETE', `/contacts/${contacts[2]}`)
    await on.drain()
    expect(await skipped(id)).toEqual([
      ['ada-1@example.com', 'address is suppressed (bounce)', 0],
      ['ada-3@example.com', 'contact was deleted', 0],
    ])
    expect(await exactStats(id)).toMatchObject({ status: 'SENT', sentCount: 2, skippedCount: 2 })
  })

  test('nothing of a disabled project leaves', async () => {
    const { id } = await expanded()
    await world.ctx.sql`update projects set disabled = true where id = ${on.project.id}`
    await on.drain()
    expect(world.mail.attempts).toEqual([])
    expect(await exactStats(id)).toMatchObject({ status: 'SENT', skippedCount: 4 })
  })

  test('a password mail overtakes what is queued of a campaign', async () => {
    await expanded()
    await world.send({ to: 'urgent@example.com' }, { key: on.project.secretKey })
    await on.drain()
    expect(world.mail.sent.map(message => message.envelope.to)[0]).toBe('urgent@example.com')
    expect(world.mail.sent).toHaveLength(5)
  })
})

describe('a crash', () => {
  test('between pages or after them: the expansion that runs again adds nobody', async () => {
    await on.contacts(5)
    const id = await on.draft()
    await on.send(id)
    const ids = { projectId: on.project.id, campaignId: id }
    await expandCampaign(world.ctx, ids, running)
    await expandCampaign(world.ctx, ids, running)
    // As if the page's rows were there and the cursor were not.
    await world.ctx.sql`update campaigns set is_expanded = false, expanded_to = null where id = ${id}`
    await world.ctx.sql`delete from campaign_slices where campaign_id = ${id}`
    await expandCampaign(world.ctx, ids, running)
    await on.drain()
    expect(world.mail.sent).toHaveLength(5)
    expect(await count(id, 'DELIVERED')).toBe(5)
    expect((await on.stats(id)).status).toBe('SENT')
  })

  test('while messages were on their way: they are sent again under their Message-ID, and the lost try is on record', async () => {
    await on.contacts(3)
    const id = await on.draft()
    await on.send(id)
    await expandCampaign(world.ctx, { projectId: on.project.id, campaignId: id }, running)
    await world.ctx.sql`
      update emails set status = 'SENDING', attempts = 1 where campaign_id = ${id} and to_email = 'ada-2@example.com'`
    await on.drain()
    const [row] = await on
      .recipients(id, '&status=DELIVERED')
      .then(rows => rows.filter(each => each['email'] === 'ada-2@example.com'))
    expect(row).toMatchObject({ attempts: 2 })
    const shown = (await on.call('GET', `/emails/${row!['emailId']}`)).body
    expect(shown.tries.map((each: { outcome: string }) => each.outcome)).toEqual(['deferred', 'accepted'])
    const mail = (await world.received()).find(each => each.to![0]!.address === 'ada-2@example.com')!
    expect(mail.messageId).toBe(shown.messageId)
    expect(await exactStats(id)).toMatchObject({ status: 'SENT', sentCount: 3 })
  })

  test.each([
    ['after the last message', true],
    ['after the last slice was marked', false],
  ])('%s: the slice that runs again sends nothing and the campaign still ends', async (_, isOpen) => {
    await on.contacts(3)
    const id = await on.draft()
    await on.send(id)
    await on.drain()
    if (isOpen) await world.ctx.sql`update campaign_slices set done_at = null where campaign_id = ${id}`
    await world.ctx.sql`update campaigns set status = 'SENDING', finished_at = null where id = ${id}`
    const [slice] = await world.ctx.sql<
      { id: string }[]
    >`select id from campaign_slices where campaign_id = ${id}`
    await world.ctx
      .sql`insert into jobs (id, kind, args, band, state, run_at, attempt, max_attempts, created_at)
      values (gen_random_uuid(), 'campaign.send', ${JSON.stringify({ sliceId: slice!.id })}::jsonb, 'bulk', 'queued',
              ${world.clock.now()}, 0, 50, ${world.clock.now()})`
    await on.drain()
    expect(world.mail.sent).toHaveLength(3)
    expect((await on.stats(id)).status).toBe('SENT')
  })

  test('folding the counts changes none of them, and they stay equal to the rows', async () => {
    await on.contacts(3)
    world.mail.script({ outcome: 'refused', blame: 'other', response: '554 policy' })
    const id = await on.draft()
    await on.send(id)
    await on.drain()
    const before = await exactStats(id)
    await rollUpCampaignCounts(world.ctx)
    await rollUpCampaignCounts(world.ctx)
    expect(await exactStats(id)).toEqual(before)
    expect(before).toMatchObject({ sentCount: 2, failedCount: 1, deliveryRate: 100 })
  })

  test('are added up one and all, also to what was added up before', async () => {
    await on.contacts(1)
    const ids = { projectId: on.project.id, campaignId: await on.draft() }
    const one = Object.fromEntries(campaignCountNames.map(name => [name, 1]))
    for (const times of [1, 2, 3]) {
      await appendCounts(world.ctx, [{ ...ids, ...one }])
      await rollUpCampaignCounts(world.ctx)
      const counts = (await selectCampaignCounts(world.ctx, ids.projectId, [ids.campaignId])).get(
        ids.campaignId,
      )
      expect(counts).toEqual(Object.fromEntries(campaignCountNames.map(name => [name, times])) as never)
    }
  })
})

describe('what the other side says', () => {
  test('temporary failures come back when they are due, the others are done meanwhile', async () => {
    await on.contacts(3)
    world.mail.script({ outcome: 'deferred', response: '450 busy', code: 450, stage: 'rcpt' })
    const id = await on.draft()
    await on.send(id)
    await on.drain()
    expect(await exactStats(id)).toMatchObject({
      status: 'SENDING',
      sentCount: 2,
      progress: { remaining: 1 },
    })
    expect(await count(id, 'PENDING')).toBe(1)
    world.clock.advance(7_000)
    await on.drain()
    expect(await exactStats(id)).toMatchObject({ status: 'SENT', sentCount: 3 })
  })

  test('a campaign that waited long for its turn is not given up at its first failure', async () => {
    await on.contacts(1)
    const id = await on.draft()
    await on.send(id)
    await expandCampaign(world.ctx, { projectId: on.project.id, campaignId: id }, running)
    world.clock.advance(24 * 3_600_000)
    world.mail.script({ outcome: 'deferred', response: '450 busy', code: 450, stage: 'rcpt' })
    await on.drain()
    world.clock.advance(7_000)
    await on.drain()
    expect(await exactStats(id)).toMatchObject({ status: 'SENT', sentCount: 1, failedCount: 0 })
  })

  test('a permanent refusal of the address is BOUNCED and counted', async () => {
    await on.contacts(2)
    world.mail.script({ outcome: 'refused', blame: 'address', response: '550 5.1.1 no such user', code: 550 })
    const id = await on.draft()
    await on.send(id)
    await on.drain()
    expect(await exactStats(id)).toMatchObject({ status: 'SENT', sentCount: 1, bouncedCount: 1 })
    const events = (await world.events(on.project.id)).map(event => event.name)
    expect(events.filter(name => name.startsWith('email.')).sort()).toEqual([
      'email.bounce',
      'email.delivery',
      'email.sent',
    ])
  })

  test('a transport that fails for everybody pauses the campaign, and nobody is lost', async () => {
    await on.contacts(60)
    world.mail.always({ outcome: 'deferred', response: 'connection refused', stage: 'connect' })
    const id = await on.draft()
    await on.send(id)
    await on.drain()
    const stats = await exactStats(id)
    expect(stats).toMatchObject({
      status: 'SENDING',
      pausedAt: expect.any(String),
      pausedReason: 'The mail transport fails: connection refused',
      progress: { processed: 0, remaining: 60, ratePerSecond: null },
    })
    expect(world.mail.attempts.length).toBeLessThan(60)
    expect(await count(id, 'PENDING')).toBe(60)
    world.mail.clear()
    world.clock.advance(10_000)
    expect((await on.call('POST', `/campaigns/${id}/resume`)).status).toBe(200)
    await on.drain()
    expect(await exactStats(id)).toMatchObject({ status: 'SENT', sentCount: 60, pausedReason: null })
    expect(world.mail.sent).toHaveLength(60)
  })
})

describe('a campaign that the transport paused', () => {
  const down = { outcome: 'deferred', response: '421 closing', code: 421, stage: 'mail' } as const

  async function interrupted(): Promise<string> {
    await on.contacts(60)
    world.mail.always(down)
    const id = await on.draft()
    await on.send(id)
    await on.drain()
    expect(await on.stats(id)).toMatchObject({
      pausedAt: expect.any(String),
      pausedReason: expect.any(String),
    })
    return id
  }
  /** Lets some time pass, with the sweep coming by as often as in earnest; answers how many messages were tried. */
  async function wait(seconds: number): Promise<number> {
    const before = world.mail.attempts.length
    for (let passed = 0; passed < seconds; passed += 3) {
      world.clock.advance(3_000)
      await on.sweep()
      await on.drain()
    }
    return world.mail.attempts.length - before
  }

  test('tries one message at growing distances, and goes on by itself once one gets through', async () => {
    const id = await interrupted()
    expect(await wait(3)).toBe(0)
    expect(await wait(3)).toBe(1)
    // After 5, 10, 20, 40 and 80 seconds, and then every two minutes.
    expect([await wait(12), await wait(150), await wait(600)]).toEqual([1, 3, 5])
    expect(await exactStats(id)).toMatchObject({
      status: 'SENDING',
      pausedReason: expect.any(String),
      sentCount: 0,
    })
    world.mail.clear()
    await wait(126)
    expect(await exactStats(id)).toMatchObject({
      status: 'SENT',
      sentCount: 60,
      pausedAt: null,
    })
    expect(new Set(world.mail.sent.map(message => message.envelope.to)).size).toBe(60)
    expect(world.mail.sent).toHaveLength(60)
  })

  test('takes the refusal of one message for an answer: the transport works', async () => {
    const id = await interrupted()
    world.mail.clear()
    world.mail.script({ outcome: 'deferred', response: '450 later', code: 450, stage: 'rcpt' })
    await wait(300)
    expect(await exactStats(id)).toMatchObject({ status: 'SENT', sentCount: 60 })
  })

  test('passes over those who opted out meanwhile', async () => {
    const id = await interrupted()
    await world.ctx.sql`
      update contacts set subscribed = false
       where project_id = ${on.project.id} and email in ('ada-1@example.com', 'ada-2@example.com')`
    world.mail.clear()
    await wait(60)
    expect(await exactStats(id)).toMatchObject({ status: 'SENT', sentCount: 58, skippedCount: 2 })
  })

  test('may be held by a person, and then nothing is tried until one resumes it', async () => {
    const id = await interrupted()
    expect((await on.call('POST', `/campaigns/${id}/pause`)).body).toMatchObject({
      pausedReason: null,
    })
    world.mail.clear()
    expect(await wait(30)).toBe(0)
    expect((await on.call('POST', `/campaigns/${id}/pause`)).status).toBe(409)
    await on.call('POST', `/campaigns/${id}/resume`)
    await wait(30)
    expect(await exactStats(id)).toMatchObject({ status: 'SENT', sentCount: 60 })
  })

  test('is cancelled like any other', async () => {
    const id = await interrupted()
    expect((await on.call('POST', `/campaigns/${id}/cancel`)).body).toMatchObject({
      status: 'CANCELLED',
    })
    world.mail.clear()
    expect(await wait(30)).toBe(0)
    expect(await exactStats(id)).toMatchObject({ status: 'CANCELLED', failedCount: 60 })
  })
})

describe('stopping', () => {
  test('a cancelled campaign sends nothing more, and what had not left is FAILED with the reason', async () => {
    await on.contacts(5)
    const id = await on.draft()
    await on.send(id)
    await expandCampaign(world.ctx, { projectId: on.project.id, campaignId: id }, running)
    const answer = await on.call('POST', `/campaigns/${id}/cancel`)
    expect(answer.body).toMatchObject({ id, status: 'CANCELLED' })
    await on.drain()
    expect(world.mail.attempts).toEqual([])
    const rows = await on.recipients(id, '&status=FAILED')
    expect(rows.map(row => row['lastError'])).toEqual(Array.from({ length: 5 }, () => 'campaign cancelled'))
    expect(await exactStats(id)).toMatchObject({ status: 'CANCELLED', failedCount: 5, sentCount: 0 })
    await failRestOfCampaign(world.ctx, { projectId: on.project.id, campaignId: id }, running.signal)
    await exactStats(id)
  })

  test('cancelled in the middle: those who have it have it, the others do not get it', async () => {
    await on.contacts(150)
    const id = await on.draft()
    await on.send(id)
    let sent = 0
    let stopped: Promise<unknown> | undefined
    world.mail.always(async () => {
      if (++sent === 40) stopped = on.call('POST', `/campaigns/${id}/cancel`)
      await stopped
      return { outcome: 'accepted', delivered: true, response: '250 ok' }
    })
    await on.drain()
    const stats = await exactStats(id)
    expect(stats.status).toBe('CANCELLED')
    expect(stats.sentCount).toBe(world.mail.sent.length)
    expect(stats.sentCount).toBeLessThan(100)
    expect(stats.sentCount + stats.failedCount).toBe(150)
  })

  test('cancelled before it was written down: nobody is', async () => {
    await on.contacts(3)
    const id = await on.draft()
    await on.send(id)
    await on.call('POST', `/campaigns/${id}/cancel`)
    await on.drain()
    expect(await exactStats(id)).toMatchObject({ status: 'CANCELLED', totalRecipients: 0 })
    expect(world.mail.attempts).toEqual([])
  })

  test('a paused campaign waits, however long, and goes on where it stopped', async () => {
    await on.contacts(150)
    const id = await on.draft()
    await on.send(id)
    let sent = 0
    let stopped: Promise<unknown> | undefined
    world.mail.always(async () => {
      if (++sent === 40) stopped = on.call('POST', `/campaigns/${id}/pause`)
      await stopped
      return { outcome: 'accepted', delivered: true, response: '250 ok' }
    })
    await on.drain()
    const paused = await exactStats(id)
    expect(paused).toMatchObject({ status: 'SENDING', pausedAt: expect.any(String), pausedReason: null })
    expect(paused.sentCount).toBeLessThan(100)
    world.clock.advance(24 * 3_600_000)
    await on.drain()
    expect((await exactStats(id)).sentCount).toBe(paused.sentCount)
    const resumed = await on.call('POST', `/campaigns/${id}/resume`)
    expect(resumed.body).toMatchObject({ status: 'SENDING', pausedAt: null })
    world.clock.advance(10_000)
    expect((await on.stats(id)).progress).toMatchObject({ ratePerSecond: 0, secondsLeft: null })
    await on.drain()
    expect(await exactStats(id)).toMatchObject({ status: 'SENT', sentCount: 150 })
    expect(new Set(world.mail.sent.map(message => message.envelope.to)).size).toBe(150)
  })

  test('paused before anybody was written down, it is written down and waits', async () => {
    await on.contacts(3)
    const id = await on.draft()
    await on.send(id)
    await on.call('POST', `/campaigns/${id}/pause`)
    await on.drain()
    expect(await exactStats(id)).toMatchObject({ status: 'SENDING', totalRecipients: 3, sentCount: 0 })
    await on.call('POST', `/campaigns/${id}/resume`)
    await on.drain()
    expect(await exactStats(id)).toMatchObject({ status: 'SENT', sentCount: 3 })
  })
})

describe('a segment that a campaign goes by', () => {
  const filters = (...filters: object[]) => ({ logic: 'AND', groups: [{ filters }] })
  const one = filters({ field: 'email', operator: 'equals', value: 'ada-1@example.com' })
  const all = filters({ field: 'email', operator: 'contains', value: '@' })

  test('has no other condition before all recipients are written down: nobody else becomes one', async () => {
    await on.contacts(3)
    const inner = (await on.call('POST', '/segments', { name: 'Inner', condition: one })).body
    const named = { field: `segment.${inner.id}`, operator: 'memberOfSegment' }
    const outer = (await on.call('POST', '/segments', { name: 'Outer', condition: filters(named) })).body
    const id = await on.draft({ audienceType: 'SEGMENT', segmentId: outer.id })
    await on.send(id)
    await on.call('POST', `/campaigns/${id}/pause`)
    for (const segment of [inner, outer])
      expect(await on.call('PATCH', `/segments/${segment.id}`, { condition: all })).toMatchObject({
        ...{ status: 409, body: { error: { code: 'CONFLICT', message: expect.stringContaining('"News"') } } },
      })
    const renamed = await on.call('PATCH', `/segments/${inner.id}`, { name: 'Other', condition: one })
    expect(renamed.status).toBe(200)
    await on.call('POST', `/campaigns/${id}/resume`)
    await on.drain()
    expect(await exactStats(id)).toMatchObject({ status: 'SENT', totalRecipients: 1 })
    expect((await on.call('PATCH', `/segments/${inner.id}`, { condition: all })).status).toBe(200)
  })

  test('changes once the campaign is cancelled, and while it is scheduled', async () => {
    await on.contacts(2)
    const { id: segmentId } = (await on.call('POST', '/segments', { name: 'One', condition: one })).body
    const without = filters({ field: `segment.${segmentId}`, operator: 'notMemberOfSegment' })
    const id = await on.draft({ audienceType: 'FILTERED', audienceCondition: without })
    await on.send(id, new Date(world.clock.now().getTime() + 3_600_000).toISOString())
    const change = async (condition: object) =>
      (await on.call('PATCH', `/segments/${segmentId}`, { condition })).status
    expect(await change(all)).toBe(200)
    expect(await change(one)).toBe(200)
    world.clock.advance(3_600_000)
    await on.send(await on.draft({ audienceType: 'FILTERED', audienceCondition: without }))
    expect(await change(all)).toBe(409)
    for (const campaign of (await on.call('GET', '/campaigns')).body.data)
      await on.call('POST', `/campaigns/${campaign.id}/cancel`)
    expect(await change(all)).toBe(200)
  })
})

describe('sending again', () => {
  test('reaches whom it may help, leaves the suppressed alone, and says how many', async () => {
    const contacts = await on.contacts(5)
    const id = await on.draft()
    await on.send(id)
    await expandCampaign(world.ctx, { projectId: on.project.id, campaignId: id }, running)
    await on.call('PATCH', `/contacts/${contacts[0]}`, { subscribed: false })
    await on.call('PATCH', `/contacts/${contacts[1]}`, { subscribed: false })
    await world.ctx.sql`insert into suppressions (project_id, email, reason, source, created_at)
      values (${on.project.id}, 'ada-3@example.com', 'bounce', 'x', ${world.clock.now()})`
    world.mail.script({ outcome: 'refused', blame: 'other', response: '554 policy' })
    await on.drain()
    expect(await exactStats(id)).toMatchObject({
      status: 'SENT',
      sentCount: 1,
      failedCount: 1,
      skippedCount: 3,
    })
    await on.call('PATCH', `/contacts/${contacts[0]}`, { subscribed: true })
    const answer = await on.call('POST', `/campaigns/${id}/retry-failed`)
    expect([answer.status, answer.body]).toEqual([200, { requeued: 2, skipped: 2 }])
    expect(await exactStats(id)).toMatchObject({ status: 'SENDING', failedCount: 0, skippedCount: 2 })
    await on.drain()
    expect(await exactStats(id)).toMatchObject({ status: 'SENT', sentCount: 3, skippedCount: 2 })
    expect((await on.call('POST', `/campaigns/${id}/retry-failed`)).body).toEqual({ requeued: 0, skipped: 2 })
    expect((await on.stats(id)).status).toBe('SENT')
  })
})

test('the list of recipients has what became of each, by status, in pages', async () => {
  await on.contacts(3)
  world.mail.script({ outcome: 'refused', blame: 'other', response: '554 policy' })
  const id = await on.draft()
  await on.send(id)
  await on.drain()
  const failed = await on.recipients(id, '&status=FAILED')
  expect(failed).toHaveLength(1)
  expect<unknown>(failed[0]).toEqual({
    contactId: expect.any(String),
    email: expect.any(String),
    name: expect.stringMatching(/^Ada \d$/),
    emailId: expect.any(String),
    status: 'FAILED',
    attempts: 1,
    lastError: '554 policy',
    reason: 'unknown',
    reasonDetail: { words: '554 policy' },
    sentAt: null,
    deliveredAt: null,
    openedAt: null,
    clickedAt: null,
    bouncedAt: null,
  })
  const page = (await on.call('GET', `/campaigns/${id}/recipients?page=2&pageSize=2`)).body
  expect([page.data.length, page.total, page.totalPages]).toEqual([1, 3, 2])
  expect((await on.call('GET', `/campaigns/${id}/recipients?status=LOST`)).status).toBe(400)
})

describe('a page of recipients', () => {
  const list = async (id: string, query: string) => {
    const { body } = await on.call('GET', `/campaigns/${id}/recipients?${query}`)
    return { ...body, emails: body.data.map((row: { email: string }) => row.email) as string[] }
  }
  const byCursor = async (id: string, query: string): Promise<string[]> => {
    const emails: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const found = await list(id, `${query}&cursor=${cursor}`)
      emails.push(...found.emails)
      cursor = found.cursor
    }
    return emails
  }

  test('is the same by number and by cursor, of all or of some', async () => {
    await on.contacts(23)
    world.mail.script(
      ...Array.from({ length: 9 }, () => ({ outcome: 'refused', blame: 'other', response: '554' }) as const),
    )
    const id = await on.draft()
    expect(await list(id, '')).toMatchObject({ data: [], total: 0, cursor: null, hasMore: false })
    await on.send(id)
    await on.drain()
    for (const [filter, total] of [
      ['', 23],
      ['&status=FAILED', 9],
    ] as const) {
      const all = (await list(id, `pageSize=100${filter}`)).emails
      expect(all).toHaveLength(total)
      const byNumber: string[] = []
      for (let page = 1; page <= 8; page++) {
        const found = await list(id, `pageSize=4&page=${page}${filter}`)
        expect([found.total, found.hasMore]).toEqual([total, page * 4 < total])
        byNumber.push(...found.emails)
      }
      expect(byNumber).toEqual(all)
      expect(await byCursor(id, `pageSize=4${filter}`)).toEqual(all)
    }
    expect((await on.call('GET', `/campaigns/${id}/recipients?cursor=x`)).status).toBe(400)
  })

  test('is found by the slices, wherever these end; later pages by cursor count nothing again', async () => {
    await world.ctx.sql`
      insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
      select gen_random_uuid(), ${on.project.id}, 'ada-' || n || '@example.com', true, '{}', ${world.clock.now()}, ${world.clock.now()}
        from generate_series(1, 2500) n`
    // Recorded, and not sent before tomorrow.
    const id = await on.draft({ timing: { localTime: '00:00' } })
    await on.send(id)
    await on.drain()
    const rows = await world.ctx.sql<{ email: string }[]>`
      select to_email as email from emails where campaign_id = ${id} order by contact_id`
    const all = rows.map(({ email }) => email)
    expect(all).toHaveLength(2_500)
    for (const page of [1, 11, 12, 13, 22, 23, 27, 28, 29]) {
      const found = await list(id, `pageSize=90&page=${page}`)
      expect([found.total, found.hasMore]).toEqual([2_500, page < 28])
      expect(found.emails).toEqual(all.slice((page - 1) * 90, page * 90))
    }
    const first = await list(id, 'status=PENDING')
    await world.ctx.sql`
      update emails set status = 'SKIPPED', reason = 'topic' where campaign_id = ${id} and to_email = ${all[2_000]!}`
    const second = await list(id, `status=PENDING&cursor=${first.cursor}`)
    expect([first.total, second.total, second.emails]).toEqual([2_500, 2_500, all.slice(20, 40)])
    expect((await list(id, 'status=PENDING')).total).toBe(2_499)
  })
})
