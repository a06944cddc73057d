// The feed of a project: what is in it, in which order, page by page whatever happens meanwhile; its figures; and what lies ahead.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { day, hour, minute } from '../../src/lib/time'
import { recordEvents, rollUpEventTotals } from '../../src/modules/audience/events/service'
import { activityTypes } from '../../src/modules/oversight/reporting/types'
import { rollUpEmailCounts } from '../../src/modules/sending/emails/service'
import { applyReports } from '../../src/modules/sending/feedback/service'
import { type MadeProject, makeProject } from '../support/make'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'
import { sender } from '../support/world'

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
beforeEach(() => startOver())

/** What a project did is gone; the project stays. */
const traces =
  `events event_totals event_name_totals event_deltas event_listeners emails email_attempts email_days email_hours
  email_day_deltas suppressions contacts contact_deltas contact_totals campaigns campaign_counts campaign_deltas templates jobs
  workflows workflow_steps workflow_transitions workflow_snapshots workflow_executions workflow_timers workflow_active workflow_counts workflow_deltas workflow_step_executions`.split(
    /\s+/,
  )

async function startOver(): Promise<void> {
  const { sql } = world.ctx
  await sql.unsafe(traces.map(table => `delete from ${table};`).join(' '))
  world.mail.clear()
}
afterAll(() => world.close())

// biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire holds.
type Body = any

async function get(path: string, project: MadeProject = world.project): Promise<Body> {
  const { status, body } = await world.call('GET', path, { key: project.secretKey })
  expect([status, body.error]).toEqual([200, undefined])
  return body
}
const feed = (query = '') => get(`/activity${query}`)
const typesOf = (list: Body): string[] => list.data.map((each: Body) => each.type)

async function refused(path: string): Promise<[number, string]> {
  const { status, body } = await world.call('GET', path)
  return [status, body.error.code]
}

async function report(emailId: string, kind: 'opened' | 'clicked' | 'bounced' | 'complained'): Promise<void> {
  const { now } = world.clock
  await applyReports(world.ctx, [
    { projectId: world.project.id, emailId, kind, at: now(), source: 'provider' },
  ])
}

const tick = () => world.clock.advance(minute)
const track = (email: string, event: string, data?: Record<string, unknown>) =>
  world.track(email, event, data)

/** A campaign that was sent to all contacts; its id. */
async function sendCampaign(changes: Record<string, unknown> = {}): Promise<string> {
  const body = {
    name: 'News',
    subject: 'News',
    body: '<p>News</p>',
    from: sender,
    audienceType: 'ALL',
    ...changes,
  }
  const { id } = (await world.call('POST', '/campaigns', { body })).body.data
  expect((await world.call('POST', `/campaigns/${id}/send`, { body: {} })).status).toBe(200)
  await world.drain()
  return id
}

describe('GET /activity', () => {
  test('an empty project has none', async () => {
    expect(await feed()).toEqual({ data: [], cursor: null, hasMore: false, total: 0 })
  })

  test('shows what became of a message, newest first, without its body', async () => {
    const id = await world.sendOne({ from: { name: 'Acme', email: sender }, reply: 'r@acme.example' })
    await world.drain()
    tick()
    await report(id, 'opened')
    tick()
    await report(id, 'clicked')
    const list = await feed('?types=email.sent,email.delivered,email.opened,email.clicked,workflow.started')
    expect(typesOf(list)).toEqual(['email.clicked', 'email.opened', 'email.delivered', 'email.sent'])
    expect(list).toMatchObject({ total: 4, hasMore: false, cursor: null })
    const [clicked, opened, delivered, sent] = list.data
    expect(sent).toEqual({
      id: `${id}_sent`,
      type: 'email.sent',
      timestamp: expect.any(String),
      contactId: expect.any(String),
      contactEmail: 'ada@example.com',
      metadata: {
        emailId: id,
        subject: 'Hello',
        from: sender,
        fromName: 'Acme',
        replyTo: 'r@acme.example',
        toName: null,
        sourceType: 'TRANSACTIONAL',
      },
    })
    expect(delivered.id).toBe(`${id}_delivered`)
    expect(opened).toMatchObject({ id: `${id}_opened`, metadata: { totalOpens: 1 } })
    expect(clicked).toMatchObject({ id: `${id}_clicked`, metadata: { totalClicks: 1 } })
    expect(Date.parse(clicked.timestamp) - Date.parse(opened.timestamp)).toBe(minute)
  })

  test('an open long after the message stands where it happened', async () => {
    const id = await world.sendOne()
    await world.drain()
    world.clock.advance(40 * day)
    await track('eve@example.com', 'visited')
    tick()
    await report(id, 'opened')
    expect(typesOf(await feed())).toEqual(['email.opened', 'event.triggered'])
  })

  test('names the campaign and the workflow of a message', async () => {
    await track('ada@example.com', 'visited')
    await world.call('PATCH', `/contacts/${(await feed()).data[0].contactId}`, { body: { subscribed: true } })
    await sendCampaign({ name: 'Spring' })
    const [sent] = (await feed('?types=email.sent')).data
    expect(sent.metadata).toMatchObject({ campaignName: 'Spring', sourceType: 'CAMPAIGN' })
    expect(sent.metadata.workflowName).toBeUndefined()
    const templateId = await world.template({ type: 'TRANSACTIONAL' })
    await world.chain('joined', [{ type: 'SEND_EMAIL', templateId }])
    tick()
    await track('ada@example.com', 'joined', { name: 'Ada' })
    const list = await feed('?types=email.sent,workflow.started,workflow.completed')
    expect(typesOf(list).slice(0, 3).sort()).toEqual(['email.sent', 'workflow.completed', 'workflow.started'])
    for (const each of list.data.slice(0, 3)) expect(each.metadata.workflowName).toBe('On joined')
    const completed = list.data.find((each: Body) => each.type === 'workflow.completed')
    expect(completed).toMatchObject({
      contactEmail: 'ada@example.com',
      metadata: { workflowName: 'On joined', status: 'COMPLETED', exitReason: null },
    })
  })

  test('custom events carry their data', async () => {
    const { contact, event } = await track('ada@example.com', 'bought', { plan: 'pro' })
    const list = await feed('?types=event.triggered')
    expect(list.data).toEqual([
      {
        id: event,
        type: 'event.triggered',
        timestamp: world.clock.now().toISOString(),
        contactId: contact,
        contactEmail: 'ada@example.com',
        metadata: { eventName: 'bought', eventData: { plan: 'pro' } },
      },
    ])
  })

  // Pinned: 81.
  test('subscription events have types of their own, are no event.triggered, and can be filtered alone or together', async () => {
    const { contact } = await track('ada@example.com', 'visited')
    tick()
    await world.call('PATCH', `/contacts/${contact}`, { body: { subscribed: false } })
    tick()
    await world.call('PATCH', `/contacts/${contact}`, { body: { subscribed: true } })
    expect(typesOf(await feed('?types=event.triggered'))).toEqual(['event.triggered'])
    expect(typesOf(await feed('?types=contact.subscribed')).includes('contact.unsubscribed')).toBe(false)
    expect(typesOf(await feed('?types=contact.unsubscribed'))).toEqual(['contact.unsubscribed'])
    expect(typesOf(await feed('?types=contact.subscribed,contact.unsubscribed')).slice(0, 2)).toEqual([
      'contact.subscribed',
      'contact.unsubscribed',
    ])
    expect(typesOf(await feed('?types=event.triggered, contact.unsubscribed'))).toEqual([
      'contact.unsubscribed',
      'event.triggered',
    ])
  })

  // Pinned: 82.
  test('an opt-out by a message shows which one; another has none of these members', async () => {
    const { contact } = await track('ada@example.com', 'visited')
    await world.call('PATCH', `/contacts/${contact}`, { body: { subscribed: true } })
    await sendCampaign({ name: 'Spring', subject: 'Spring is here' })
    const [sent] = (await feed('?types=email.sent')).data
    const unsubscribed = { name: 'contact.unsubscribed', contactId: contact }
    tick()
    await recordEvents(world.ctx, world.project.id, [{ ...unsubscribed, emailId: sent.metadata.emailId }])
    tick()
    await recordEvents(world.ctx, world.project.id, [unsubscribed])
    const [plain, attributed] = (await feed('?types=contact.unsubscribed')).data
    expect(attributed.metadata).toEqual({
      eventName: 'contact.unsubscribed',
      eventData: null,
      sourceEmailId: sent.metadata.emailId,
      sourceSubject: 'Spring is here',
      campaignName: 'Spring',
    })
    expect(plain.metadata).toEqual({ eventName: 'contact.unsubscribed', eventData: null })
  })

  test('bounces and complaints say what is known of them', async () => {
    world.mail.script({ outcome: 'refused', blame: 'address', response: '550 no such user', code: 550 })
    const id = await world.sendOne()
    await world.drain()
    const [bounced] = (await feed('?types=email.bounced')).data
    expect(bounced).toMatchObject({
      id: `${id}_bounced`,
      metadata: { error: '550 no such user', bounceType: 'Permanent' },
    })
    const other = await world.sendOne({ to: 'eve@example.com' })
    await world.drain()
    await report(other, 'complained')
    expect((await feed('?types=email.complaint')).data[0].id).toBe(`${other}_complaint`)
  })

  test('mail that came in shows who wrote it, and to which of our addresses', async () => {
    const { contact } = await track('ada@example.com', 'visited')
    const [id, { now }] = [world.ctx.random.uuid(world.clock.now()), world.clock]
    await world.ctx.sql`
      insert into emails (id, project_id, contact_id, source_type, mail_class, to_email, from_email, subject, html, text, headers,
                          message_id, status, created_at, updated_at)
      values (${id}, ${world.project.id}, ${contact}, 'INBOUND', 'transactional', 'ada@example.com', ${sender}, 'Re: Hello', '', '',
              '{}', 'm@x', 'RECEIVED', ${now()}, ${now()})`
    const data = { from: 'ada@example.com', to: sender, subject: 'Re: Hello' }
    await recordEvents(world.ctx, world.project.id, [
      { name: 'email.received', contactId: contact, emailId: id, data },
    ])
    const [received] = (await feed('?types=email.received')).data
    expect(received).toMatchObject({
      id: `${id}_received`,
      metadata: { from: 'ada@example.com', to: sender, subject: 'Re: Hello', sourceType: 'INBOUND' },
    })
    expect(await get('/activity/stats')).toMatchObject({ totalEmailsSent: 0, openRate: 0 })
  })

  test('unknown types are refused; an empty list narrows nothing', async () => {
    await track('ada@example.com', 'visited')
    for (const types of ['nonsense,event.triggered', 'nonsense'])
      expect((await refused(`/activity?types=${types}`))[0]).toBe(400)
    expect((await feed('?types=')).data).not.toEqual([])
  })

  test('of one contact: its events and its executions', async () => {
    await world.chain('joined', [{ type: 'EXIT', config: { reason: 'done' } }])
    const { contact } = await track('ada@example.com', 'joined')
    await track('eve@example.com', 'joined')
    const list = await feed(`?contactId=${contact}`)
    expect(new Set(list.data.map((each: Body) => each.contactEmail))).toEqual(new Set(['ada@example.com']))
    expect(typesOf(list).sort()).toEqual(['event.triggered', 'workflow.completed', 'workflow.started'])
    expect(list.total).toBe(3)
    expect((await feed(`?contactId=${contact}&types=event.triggered`)).total).toBe(1)
    expect((await feed(`?contactId=${contact}&types=email.sent`)).total).toBe(0)
    for (const nobody of ['018f4f3e-0000-7000-8000-000000000000'])
      expect(await feed(`?contactId=${nobody}`)).toMatchObject({ data: [], total: 0 })
  })

  test('goes back thirty days unless asked otherwise; both dates are included', async () => {
    await track('ada@example.com', 'old')
    const old = world.clock.now().toISOString()
    world.clock.advance(31 * day)
    await track('ada@example.com', 'new')
    const now = world.clock.now().toISOString()
    const names = async (query: string) =>
      (await feed(query)).data.flatMap((each: Body) => each.metadata.eventName ?? [])
    expect(await names('')).toEqual(['new'])
    expect(await names(`?startDate=${old}`)).toEqual(['new', 'old'])
    expect(await names(`?startDate=${old}&endDate=${old}&types=event.triggered`)).toEqual(['old'])
    expect(await names(`?endDate=${old}`)).toEqual(['old'])
    expect(await names(`?startDate=${now}&endDate=${old}`)).toEqual([])
    expect(await names('?startDate=-271821-04-20&endDate=%2B275760-09-13')).toEqual(['new', 'old'])
  })

  test('is refused where a parameter is wrong', async () => {
    for (const query of [
      'startDate=soon',
      'endDate=2026-13-45',
      'cursor=broken',
      'cursor=WzEsMl0',
      'startDate=%00',
    ])
      expect([query, ...(await refused(`/activity?${query}`))].slice(0, 2)).toEqual([query, 400])
    const cursors = [
      ['1.2', world.project.id],
      ['x', world.project.id],
      ['9999999999999999.0', world.project.id],
      [null, world.project.id],
    ]
    for (const cursor of cursors) {
      const text = Buffer.from(JSON.stringify(cursor)).toString('base64url')
      expect(await refused(`/activity?cursor=${text}`)).toEqual([400, 'BAD_REQUEST'])
    }
    expect((await refused(`/activity?types=${'a'.repeat(1_001)}`))[0]).toBeGreaterThanOrEqual(400)
    expect((await refused(`/activity?contactId=${'a'.repeat(65)}`))[0]).toBe(400)
    expect((await feed('?limit=100000')).data).toEqual([])
  })

  test('needs a key, and shows nothing of another project', async () => {
    const { contact } = await track('ada@example.com', 'visited')
    const id = await world.sendOne()
    await world.drain()
    expect((await world.call('GET', '/activity', { key: '' })).status).toBe(401)
    expect((await world.call('GET', '/activity', { key: world.project.publicKey })).status).toBe(401)
    const other = await makeProject(world)
    const { cursor } = await feed('?limit=1')
    expect((await feed('?limit=0')).data).toHaveLength(1)
    expect((await feed('?limit=-1')).data).toHaveLength(1)
    expect((await feed('?limit=x')).data.length).toBeGreaterThan(1)
    for (const path of [
      '/activity',
      `/activity?contactId=${contact}`,
      `/activity?cursor=${cursor}`,
      '/activity?types=email.sent',
    ])
      expect((await get(path, other)).data).toEqual([])
    expect((await get('/activity/types', other)).types).toEqual([])
    expect((await get('/activity/recent-count', other)).count).toBe(0)
    expect((await get('/activity/upcoming', other)).activities).toEqual([])
    // A row that names a message of another project, as a forged link might, shows nothing of it.
    await recordEvents(world.ctx, other.id, [
      { name: 'contact.unsubscribed', contactId: contact, emailId: id },
    ])
    const [stranger] = (await get('/activity', other)).data
    expect(stranger.contactEmail).toBeUndefined()
    expect(stranger.metadata.sourceSubject).toBeUndefined()
  })
})

/** All activities of the project as rows of its tables, in the order of the feed. */
async function recount(types?: string[], contactId?: string): Promise<string[]> {
  const { sql } = world.ctx
  const rows = await sql<{ at: Date; id: string; rank: number; type: string; contactId: string | null }[]>`
    select created_at as at, id, 0 as rank, contact_id as "contactId",
           case name when 'email.sent' then 'email.sent' when 'email.delivery' then 'email.delivered'
             when 'email.open' then 'email.opened' when 'contact.subscribed' then name when 'contact.unsubscribed' then name
             else 'event.triggered' end as type
      from events where project_id = ${world.project.id}
     union all
    select started_at, id, 0, contact_id, 'workflow.started' from workflow_executions where project_id = ${world.project.id}
     union all
    select completed_at, id, 1, contact_id, 'workflow.completed' from workflow_executions
     where project_id = ${world.project.id} and completed_at is not null`
  return rows
    .filter(row => (types ? types.includes(row.type) : true))
    .filter(row => (contactId ? row.contactId === contactId : true))
    .sort((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : a.id > b.id ? -1 : b.rank - a.rank))
    .map(row => `${row.at.toISOString()} ${row.type}`)
}

describe('pages of the feed', () => {
  const { sql } = { sql: () => world.ctx.sql }

  /** Random events and executions, many at one moment. */
  async function fill(steps: readonly number[]): Promise<string> {
    const contacts = [world.ctx.random.uuid(world.clock.now()), world.ctx.random.uuid(world.clock.now())]
    const names = [
      'visited',
      'bought',
      'email.sent',
      'email.delivery',
      'email.open',
      'contact.unsubscribed',
      'Zed',
    ]
    for (const step of steps) {
      if (step % 3 === 0) world.clock.advance(step)
      const contactId = contacts[step % 2]!
      if (step < 70)
        await recordEvents(world.ctx, world.project.id, [{ name: names[step % names.length]!, contactId }])
      else await insertExecution(contactId, step % 4 === 0 ? null : step % 5)
      if (step % 11 === 0) await rollUpEventTotals(world.ctx)
    }
    return contacts[0]!
  }

  async function insertExecution(contactId: string, endsAfterMs: number | null): Promise<void> {
    const now = world.clock.now()
    const [id, workflowId] = [world.ctx.random.uuid(now), world.ctx.random.uuid(now)]
    const endedAt = endsAfterMs === null ? null : new Date(now.getTime() + endsAfterMs)
    await sql()`
      insert into workflow_executions (id, project_id, workflow_id, snapshot_id, contact_id, status, is_inside, version, once,
                                       started_at, completed_at, created_at, updated_at)
      values (${id}, ${world.project.id}, ${workflowId}, ${workflowId}, ${contactId},
              ${endedAt ? 'COMPLETED' : 'RUNNING'}, false, 1, false, ${now}, ${endedAt}, ${now}, ${now})`
  }

  async function walk(
    query: string,
    limit: number,
    between: () => Promise<void>,
  ): Promise<[string[], number]> {
    const seen: string[] = []
    let total = -1
    for (let cursor = ''; ; ) {
      const list = await feed(`?limit=${limit}${query}${cursor}`)
      if (total === -1) total = list.total
      else expect(list.total).toBe(0)
      seen.push(...list.data.map((each: Body) => `${each.timestamp} ${each.type}`))
      expect(list.hasMore).toBe(list.cursor !== null)
      if (!list.hasMore) return [seen, total]
      expect(list.data).toHaveLength(limit)
      cursor = `&cursor=${list.cursor}`
      await between()
    }
  }

  test('together are everything, once and in order, while new ones come in', async () => {
    const step = fc.integer({ min: 0, max: 99 })
    const some = fc.option(fc.subarray([...activityTypes], { minLength: 1 }), { nil: undefined })
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 30 }),
        some,
        fc.boolean(),
        fc.integer({ min: 1, max: 7 }),
        async (steps, types, byContact, limit) => {
          await startOver()
          const contactId = await fill(steps)
          const expected = await recount(types, byContact ? contactId : undefined)
          world.clock.advance(10)
          const query = `${types ? `&types=${types.join(',')}` : ''}${byContact ? `&contactId=${contactId}` : ''}`
          const [seen, total] = await walk(query, limit, async () => {
            world.clock.advance(1)
            await recordEvents(world.ctx, world.project.id, [{ name: 'late', contactId }])
            await insertExecution(contactId, 0)
          })
          expect(seen).toEqual(expected)
          expect(total).toBe(expected.length)
        },
      ),
      { numRuns: 25 },
    )
  })

  test('a name that is rare among many others is found, also where there are more names than a page has places', async () => {
    const events = Array.from({ length: 300 }, (_, n) => ({ name: `name ${n % 60}` }))
    for (const event of events) {
      world.clock.advance(1)
      await recordEvents(world.ctx, world.project.id, [event])
    }
    await recordEvents(world.ctx, world.project.id, [{ name: 'contact.subscribed' }])
    const [seen, total] = await walk('&types=event.triggered', 7, async () => {})
    expect([seen.length, total]).toEqual([300, 300])
    expect(seen).toEqual([...seen].sort().reverse())
  })
})

describe('the figures', () => {
  test('GET /activity/stats counts events, messages and starts of the days asked for', async () => {
    expect(await get('/activity/stats')).toEqual({
      totalEvents: 0,
      totalEmailsSent: 0,
      totalEmailsOpened: 0,
      totalEmailsClicked: 0,
      totalWorkflowsStarted: 0,
      openRate: 0,
      clickRate: 0,
    })
    await world.chain('joined', [{ type: 'EXIT', config: { reason: 'done' } }])
    await track('ada@example.com', 'joined')
    const ids = [
      await world.sendOne(),
      await world.sendOne({ to: 'b@example.com' }),
      await world.sendOne({ to: 'c@example.com' }),
    ]
    await world.drain()
    await report(ids[0]!, 'opened')
    await report(ids[0]!, 'opened')
    await report(ids[1]!, 'clicked')
    const stats = await get('/activity/stats')
    expect(stats).toMatchObject({ totalEmailsSent: 3, totalEmailsClicked: 1, totalWorkflowsStarted: 1 })
    expect(stats.clickRate).toBeCloseTo(100 / 3)
    const [{ count }] = await world.ctx.sql<[{ count: number }]>`
      select count(*) from events where project_id = ${world.project.id}`
    expect(stats.totalEvents).toBe(count)
    await rollUpEventTotals(world.ctx)
    await rollUpEmailCounts(world.ctx)
    expect(await get('/activity/stats')).toEqual(stats)
    const today = world.clock.now().toISOString().slice(0, 10)
    expect(await get(`/activity/stats?startDate=${today}&endDate=${today}`)).toEqual(stats)
    expect(await get('/activity/stats?endDate=2001-01-01')).toMatchObject({
      totalEvents: 0,
      totalEmailsSent: 0,
    })
    expect(await get(`/activity/stats?startDate=2999-01-01&endDate=${today}`)).toMatchObject({
      totalEvents: 0,
    })
    expect(await get('/activity/stats?startDate=0001-01-01&endDate=9999-12-31')).toEqual(stats)
    expect(await refused('/activity/stats?startDate=then')).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('GET /activity/recent-count counts events, messages and executions of the last minutes', async () => {
    await world.chain('joined', [{ type: 'EXIT', config: { reason: 'done' } }])
    await track('ada@example.com', 'joined')
    world.clock.advance(10 * minute)
    await track('ada@example.com', 'visited')
    await world.sendOne()
    expect(await get('/activity/recent-count')).toEqual({ count: 2, minutes: 5 })
    expect(await get('/activity/recent-count?minutes=10')).toEqual({ count: 4, minutes: 10 })
    expect((await get('/activity/recent-count?minutes=600')).minutes).toBe(60)
    for (const [minutes, meant] of [
      ['0', 1],
      ['-1', 1],
      ['x', 5],
      ['', 5],
      ['1.5', 1],
    ] as const)
      expect((await get(`/activity/recent-count?minutes=${minutes}`)).minutes).toBe(meant)
  })

  test('GET /activity/types has the types that the project has', async () => {
    expect(await get('/activity/types')).toEqual({ types: [] })
    await track('ada@example.com', 'visited')
    expect(await get('/activity/types')).toEqual({ types: ['event.triggered'] })
    await world.chain('joined', [{ type: 'DELAY', config: { amount: 1, unit: 'hours' } }])
    await track('ada@example.com', 'joined')
    expect((await get('/activity/types')).types).toEqual(['event.triggered', 'workflow.started'])
    await world.sendOne()
    await world.drain()
    await rollUpEventTotals(world.ctx)
    expect((await get('/activity/types')).types).toEqual([
      'event.triggered',
      'email.sent',
      'email.delivered',
      'workflow.started',
    ])
    await world.call('DELETE', '/events/visited')
    await world.call('DELETE', '/events/joined')
    expect((await get('/activity/types')).types).toEqual([
      'email.sent',
      'email.delivered',
      'workflow.started',
    ])
  })
})

describe('GET /activity/upcoming', () => {
  const upcoming = async (query = ''): Promise<Body[]> => (await get(`/activity/upcoming${query}`)).activities

  test('has scheduled campaigns, soonest first, within the days asked for', async () => {
    const { contact } = await track('ada@example.com', 'visited')
    await world.call('PATCH', `/contacts/${contact}`, { body: { subscribed: true } })
    const schedule = async (name: string, inMs: number): Promise<string> => {
      const body = { name, subject: `S ${name}`, body: 'x', from: sender, audienceType: 'ALL' }
      const { id } = (await world.call('POST', '/campaigns', { body })).body.data
      const scheduledFor = new Date(world.clock.now().getTime() + inMs).toISOString()
      await world.call('POST', `/campaigns/${id}/send`, { body: { scheduledFor } })
      return id
    }
    await schedule('later', 3 * day)
    const soon = await schedule('soon', hour)
    await schedule('far', 40 * day)
    const all = await upcoming()
    expect(all.map(each => each.metadata.campaignName)).toEqual(['soon', 'later'])
    expect(all[0]).toEqual({
      id: `campaign_${soon}_scheduled`,
      type: 'campaign.scheduled',
      timestamp: new Date(world.clock.now().getTime() + hour).toISOString(),
      metadata: {
        campaignId: soon,
        campaignName: 'soon',
        subject: 'S soon',
        totalRecipients: 1,
        segmentName: null,
        audienceType: 'ALL',
      },
    })
    expect(await upcoming('?limit=1')).toHaveLength(1)
    expect(await upcoming('?daysAhead=1')).toHaveLength(1)
    expect(await upcoming('?daysAhead=9000&limit=1000')).toHaveLength(3)
    await world.call('POST', `/campaigns/${soon}/cancel`)
    expect((await upcoming()).map(each => each.metadata.campaignName)).toEqual(['later'])
    for (const [query, found] of [
      ['limit=0', 1],
      ['limit=x', 1],
      ['daysAhead=0', 0],
      ['daysAhead=x', 1],
    ] as const)
      expect([query, (await upcoming(`?${query}`)).length]).toEqual([query, found])
  })

  test('has emails with a date of their own, until they are moved, cancelled or sent', async () => {
    const at = (inMs: number): string => new Date(world.clock.now().getTime() + inMs).toISOString()
    const later = await world.sendOne({ to: 'late@example.com', subject: 'Later', scheduledFor: at(2 * day) })
    const soon = await world.sendOne({
      to: { email: 'ada@example.com', name: 'Ada' },
      subject: 'Soon',
      scheduledFor: at(hour),
    })
    await world.sendOne({ to: 'now@example.com', subject: 'Now' })
    const { contactId } = await world.email(soon)
    expect(await upcoming()).toMatchObject([
      {
        ...{ id: `email_${soon}_scheduled`, type: 'email.scheduled', timestamp: at(hour), contactId },
        contactEmail: 'ada@example.com',
        metadata: { emailId: soon, subject: 'Soon', toName: 'Ada' },
      },
      { id: `email_${later}_scheduled`, contactEmail: 'late@example.com' },
    ])
    const subjects = async (query = '') => (await upcoming(query)).map(({ metadata }) => metadata.subject)
    expect(await subjects('?daysAhead=1')).toEqual(['Soon'])
    await world.call('POST', `/emails/${later}/cancel`)
    expect(await subjects()).toEqual(['Soon'])
    world.clock.advance(hour)
    await world.drain()
    expect(await subjects()).toEqual([])
  })

  test('has executions that wait for a known time, with the messages that they lead to', async () => {
    const templateId = await world.template({ subject: 'Welcome {{name}}' })
    const delay = { type: 'DELAY', config: { amount: 2, unit: 'hours' } }
    await world.chain('joined', [
      delay,
      { type: 'SEND_EMAIL', templateId },
      delay,
      { type: 'SEND_EMAIL', templateId },
    ])
    await world.chain('left', [delay])
    await world.chain('asked', [{ type: 'WAIT_FOR_EVENT', config: { eventName: 'answered' } }])
    const { contact } = await track('ada@example.com', 'joined')
    tick()
    await track('eve@example.com', 'left')
    await track('eve@example.com', 'asked')
    const [mail, wait, ...none] = await upcoming()
    expect(none).toEqual([])
    expect(mail).toMatchObject({
      type: 'workflow.email.scheduled',
      contactId: contact,
      contactEmail: 'ada@example.com',
      metadata: {
        workflowName: 'On joined',
        waitingAt: 'DELAY 0',
        stepName: 'SEND_EMAIL 1',
        subject: 'Welcome {{name}}',
        emails: [{ stepName: 'SEND_EMAIL 1', subject: 'Welcome {{name}}' }],
        isConditional: false,
      },
    })
    expect(wait).toMatchObject({ type: 'workflow.scheduled', metadata: { workflowName: 'On left' } })
    expect(Date.parse(wait.timestamp)).toBe(world.clock.now().getTime() + 2 * hour)
    world.clock.advance(2 * hour)
    await world.drain()
    const [next] = await upcoming()
    expect(next.metadata).toMatchObject({ waitingAt: 'DELAY 2', stepName: 'SEND_EMAIL 3' })
  })
})
