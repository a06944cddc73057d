// The analytics of a project: days, campaigns and event names. Pinned: what is reported counts once a message, shows on campaigns that
// were sent long ago, and transactional mail is no part of any campaign.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { makeApplication } from '../../src/http/application'
import { day } from '../../src/lib/time'
import { recordEvents, rollUpEventTotals } from '../../src/modules/audience/events/service'
import { rollUpCampaignCounts } from '../../src/modules/features/campaigns/results/service/counts'
import { analyticsRoutes } from '../../src/modules/oversight/reporting/routes/analytics'
import { rollUpEmailCounts } from '../../src/modules/sending/emails/service'
import type { ReportKind } from '../../src/modules/sending/feedback/report'
import { applyReports } from '../../src/modules/sending/feedback/service'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import type { MadeProject } from '../support/make'
import { request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let on: CampaignWorld
let app: ReturnType<typeof makeApplication>
const start = new Date('2026-03-01T12:00:00.000Z')
beforeAll(async () => {
  world = await makeWorld()
  app = makeApplication(world.ctx, [analyticsRoutes])
})
beforeEach(async () => {
  on = await campaignWorld(world)
  world.clock.set(start)
})
afterAll(() => world.close())

// biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire holds.
type Body = any

async function answer(path: string, of: MadeProject = on.project) {
  return request(app, 'GET', path, { key: of.secretKey })
}

async function get(path: string, of?: MadeProject): Promise<Body> {
  const { status, body } = await answer(`/analytics${path}`, of)
  expect([status, body.error]).toEqual([200, undefined])
  return body
}

async function send(to = 'ada@example.com'): Promise<string> {
  const { body } = await world.send({ to }, { key: on.project.secretKey })
  await on.drain()
  return body.data.emails[0].email
}

async function report(kind: ReportKind, ...emailIds: string[]): Promise<void> {
  const at = world.clock.now()
  const reports = emailIds.map(emailId => ({
    projectId: on.project.id,
    emailId,
    kind,
    at,
    source: 'provider' as const,
  }))
  await applyReports(world.ctx, reports)
}

/** A campaign that was sent to everybody; its id and those of its messages. */
async function sendCampaign(name: string): Promise<{ id: string; emails: string[] }> {
  const id = await on.draft({ name, subject: `S ${name}` })
  await on.send(id)
  await on.drain()
  return { id, emails: (await on.recipients(id)).map(recipient => String(recipient['emailId'])) }
}

const fold = async () => {
  await rollUpEmailCounts(world.ctx)
  await rollUpCampaignCounts(world.ctx)
  await rollUpEventTotals(world.ctx)
}

/** Every date parameter of the analytics, by the routes that have them. */
const dated = ['/timeseries', '/top-campaigns', '/campaign-stats', '/top-events', '/rejections']

describe('every answer', () => {
  test.each(dated)('%s refuses what is no date, and takes any that is one', async path => {
    for (const wrong of ['startDate=soon', 'endDate=2026-02-31T99', 'startDate=%00']) {
      const { status, body } = await answer(`/analytics${path}?${wrong}`)
      expect([wrong, status, body.error.code]).toEqual([wrong, 400, 'BAD_REQUEST'])
    }
    for (const right of [
      'startDate=',
      'startDate=-271821-04-20',
      'endDate=%2B275760-09-13',
      'startDate=0001-01-01&endDate=9999-12-31',
    ])
      expect([right, (await answer(`/analytics${path}?${right}`)).status]).toEqual([right, 200])
    expect((await answer(`/analytics${path}?startDate=${'1'.repeat(101)}`)).status).toBe(422)
  })

  test.each(dated)('%s is empty where the end is before the start', async path => {
    await on.contacts(1)
    await sendCampaign('A')
    await recordEvents(world.ctx, on.project.id, [{ name: 'bought' }])
    const body = await get(`${path}?startDate=2026-03-01&endDate=2026-02-28`)
    expect(Array.isArray(body) ? body : [body.total, body.completed, body.campaigns]).toEqual(
      Array.isArray(body) ? [] : [0, 0, []],
    )
  })

  test('needs a key, and shows nothing of another project', async () => {
    await on.contacts(1)
    await sendCampaign('A')
    await recordEvents(world.ctx, on.project.id, [{ name: 'bought' }])
    const other = await world.newProject()
    for (const path of dated)
      expect(
        (await answer(`/analytics${path}`, { ...on.project, secretKey: on.project.publicKey })).status,
      ).toBe(401)
    expect((await get('/timeseries', other)).every((point: Body) => point.emails === 0)).toBe(true)
    expect(await get('/top-campaigns', other)).toEqual([])
    expect(await get('/campaign-stats', other)).toMatchObject({ total: 0, campaigns: [] })
    expect(await get('/top-events', other)).toEqual([])
  })
})

describe('GET /analytics/timeseries', () => {
  test('has the last thirty days, with zeros where nothing was', async () => {
    const series = await get('/timeseries')
    expect(series).toHaveLength(30)
    expect([series[0].date, series[29].date]).toEqual([
      '2026-01-31T00:00:00.000Z',
      '2026-03-01T00:00:00.000Z',
    ])
    expect(series[29]).toEqual({
      date: '2026-03-01T00:00:00.000Z',
      ...{ emails: 0, sent: 0, delivered: 0, opens: 0, clicks: 0, bounces: 0, complaints: 0, failed: 0 },
    })
  })

  test('counts each message once, on the day on which it was made, rolled up or not', async () => {
    world.clock.set(new Date('2026-02-27T23:59:59.999Z'))
    const late = await send()
    world.clock.set(start)
    const ids = [await send(), await send('b@example.com')]
    await report('opened', late, ids[0]!)
    await report('opened', ids[0]!)
    await report('clicked', ids[0]!)
    await report('bounced', ids[1]!)
    const expected = [
      { emails: 1, sent: 1, delivered: 1, opens: 1, clicks: 0, bounces: 0 },
      { emails: 0, opens: 0 },
      { emails: 2, sent: 2, delivered: 2, opens: 1, clicks: 1, bounces: 1, complaints: 0 },
    ]
    expect((await get('/timeseries')).slice(-3)).toMatchObject(expected)
    await fold()
    expect((await get('/timeseries?startDate=2026-02-27&endDate=2026-03-01')).slice(-3)).toMatchObject(
      expected,
    )
  })

  test('goes back ninety days and not into the future', async () => {
    const series = await get('/timeseries?startDate=2001-01-01&endDate=2999-01-01')
    expect(series).toHaveLength(91)
    expect(series.at(-1).date).toBe('2026-03-01T00:00:00.000Z')
    expect(await get('/timeseries?startDate=2001-01-01&endDate=2001-02-01')).toEqual([])
  })
})

describe('GET /analytics/top-campaigns', () => {
  test('ranks sent campaigns by the metric', async () => {
    await on.contacts(2)
    const quiet = await sendCampaign('Quiet')
    world.clock.advance(1_000)
    const loud = await sendCampaign('Loud')
    await on.draft({ name: 'Draft' })
    await report('opened', ...loud.emails)
    await report('clicked', quiet.emails[0]!)
    const byOpens = await get('/top-campaigns')
    expect(byOpens.map((each: Body) => each.name)).toEqual(['Loud', 'Quiet'])
    expect(byOpens[0]).toEqual({
      id: loud.id,
      name: 'Loud',
      subject: 'S Loud',
      status: 'SENT',
      sentAt: expect.any(String),
      ...{
        sentCount: 2,
        deliveredCount: 2,
        openedCount: 2,
        clickedCount: 0,
        bouncedCount: 0,
        unsubscribedCount: 0,
      },
      ...{ openRate: 100, clickRate: 0 },
    })
    await fold()
    expect((await get('/top-campaigns?metric=clicked')).map((each: Body) => each.name)).toEqual([
      'Quiet',
      'Loud',
    ])
    for (const metric of ['opened', 'sent', 'delivered', 'bounced', 'unsubscribed'])
      expect((await get(`/top-campaigns?metric=${metric}`)).length).toBe(2)
    expect(await get('/top-campaigns?limit=1')).toHaveLength(1)
    expect(await get('/top-campaigns?limit=1000')).toHaveLength(2)
    expect(await get('/top-campaigns?endDate=2026-02-28')).toEqual([])
    expect(await get('/top-campaigns?startDate=2026-03-01&endDate=2026-03-01')).toHaveLength(2)
  })

  test('refuses another metric, and limits that are none', async () => {
    for (const query of ['metric=name', 'metric=id;drop'])
      expect([query, (await answer(`/analytics/top-campaigns?${query}`)).status]).toEqual([query, 400])
    for (const query of ['limit=0', 'limit=x', 'limit=-1'])
      expect([query, (await answer(`/analytics/top-campaigns?${query}`)).status]).toEqual([query, 422])
  })

  // Pinned: 16, 17, 18.
  test('what is reported of a sent campaign counts once, and transactional mail counts for none', async () => {
    await on.contacts(2)
    const { id, emails } = await sendCampaign('A')
    const single = await send('ada-1@example.com')
    await report('delivered', ...emails, ...emails)
    await report('delivered', ...emails)
    await report('opened', single)
    world.clock.advance(5 * day)
    await report('opened', emails[0]!)
    await fold()
    const [campaign] = await get('/top-campaigns')
    expect(campaign).toMatchObject({ id, sentCount: 2, deliveredCount: 2, openedCount: 1, openRate: 50 })
    expect(await on.stats(id)).toMatchObject({ deliveredCount: 2, openedCount: 1, deliveryRate: 100 })
  })
})

describe('GET /analytics/campaign-stats', () => {
  // Pinned: 55.
  test('divides by nothing nowhere', async () => {
    const nothing = { total: 0, active: 0, sending: 0, completed: 0, averageOpenRate: 0, averageClickRate: 0 }
    expect(await get('/campaign-stats')).toEqual({ ...nothing, campaigns: [] })
    await on.draft()
    expect(await get('/campaign-stats')).toMatchObject({ ...nothing, total: 1, active: 1 })
    expect((await get('/campaign-stats')).campaigns[0]).toMatchObject({
      sentCount: 0,
      openRate: 0,
      clickRate: 0,
    })
  })

  test('sums the campaigns up and tells them one by one', async () => {
    await on.contacts(3)
    const first = await sendCampaign('First')
    world.clock.advance(1_000)
    const second = await sendCampaign('Second')
    world.clock.advance(1_000)
    await on.draft({ name: 'Draft' })
    world.clock.advance(1_000)
    const scheduled = await on.draft({ name: 'Scheduled' })
    await on.send(scheduled, new Date(world.clock.now().getTime() + day).toISOString())
    await report('opened', first.emails[0]!, ...second.emails.slice(0, 1))
    await report('clicked', first.emails[0]!)
    const stats = await get('/campaign-stats')
    expect(stats).toMatchObject({
      total: 4,
      active: 2,
      sending: 0,
      completed: 2,
      averageOpenRate: 33.3,
      averageClickRate: 16.7,
    })
    expect(stats.campaigns.map((each: Body) => [each.name, each.status, each.openedCount])).toEqual([
      ['Scheduled', 'SCHEDULED', 0],
      ['Draft', 'DRAFT', 0],
      ['Second', 'SENT', 1],
      ['First', 'SENT', 1],
    ])
    await fold()
    expect(await get('/campaign-stats')).toEqual(stats)
    expect(await get('/campaign-stats?endDate=2026-02-28')).toMatchObject({
      total: 0,
      completed: 0,
      campaigns: [],
    })
  })
})

describe('GET /analytics/top-events', () => {
  const record = (name: string, times: number) =>
    recordEvents(
      world.ctx,
      on.project.id,
      Array.from({ length: times }, () => ({ name })),
    )

  test('has the names that clients chose, with their trend', async () => {
    world.clock.set(new Date('2026-02-24T12:00:00.000Z'))
    await record('bought', 2)
    await record('visited', 4)
    world.clock.set(start)
    await record('bought', 3)
    await record('visited', 1)
    await record('joined', 1)
    for (const name of [
      'email.sent',
      'contact.subscribed',
      'contact.unsubscribed',
      'segment.vip.entry',
      'segment.vip.exit',
      'segment.entry',
    ])
      await record(name, 9)
    const week = '/top-events?startDate=2026-02-27&endDate=2026-03-01'
    const expected = [
      { name: 'bought', count: 3, trend: 50 },
      { name: 'joined', count: 1, trend: 100 },
      { name: 'visited', count: 1, trend: -75 },
    ]
    expect(await get(week)).toEqual(expected)
    await fold()
    expect(await get(week)).toEqual(expected)
    expect(await get('/top-events')).toMatchObject([{ count: 5 }, { count: 5 }, { count: 1 }])
    expect(await get('/top-events?limit=1')).toHaveLength(1)
  })

  test('names that only look reserved are custom ones', async () => {
    const names = [
      'emails.sent',
      'contact.subscribed.now',
      'segment',
      'segment.vip',
      'Email.sent',
      'segmentXvip.entry',
    ]
    for (const name of names) await record(name, 1)
    expect((await get('/top-events?limit=20')).map((each: Body) => each.name).sort()).toEqual(names.sort())
  })

  test('keeps to its bounds', async () => {
    for (let n = 0; n < 25; n++) await record(`name ${n}`, 1)
    expect(await get('/top-events')).toHaveLength(5)
    expect(await get('/top-events?limit=1000')).toHaveLength(20)
    for (const query of ['limit=0', 'limit=x', 'limit=2.5'])
      expect((await answer(`/analytics/top-events?${query}`)).status).toBe(422)
  })
})

describe('GET /analytics/rejections', () => {
  const refuse = (to: string, response: string) => {
    world.mail.script({ outcome: 'refused', blame: 'other', meaning: 'refused', response, code: 550 })
    return send(to)
  }

  test('names who rejected mail for the sender’s sake, most first, with what was said last', async () => {
    await refuse('ada@hotmail.com', '550 5.7.1 blocked (S3140)')
    world.clock.advance(1_000)
    await refuse('bea@outlook.com', '550 5.7.1 still blocked (S3150)')
    await refuse('cleo@orbit.example', '550 spam')
    const lastAt = world.clock.now().toISOString()
    const outlook = { provider: 'outlook', emails: 2, reason: '550 5.7.1 still blocked (S3150)', lastAt }
    const orbit = { provider: 'orbit.example', emails: 1, reason: '550 spam', lastAt }
    expect(await get('/rejections')).toEqual([outlook, orbit])
    expect(await get('/rejections?limit=1')).toEqual([outlook])
    expect(await get('/rejections?startDate=2026-02-01&endDate=2026-02-28')).toEqual([])
    expect(await get('/rejections', await world.newProject())).toEqual([])
  })

  test('an address that does not exist is none', async () => {
    world.mail.script({ outcome: 'refused', blame: 'address', response: '550 5.1.1 no such user', code: 550 })
    await send('dora@orbit.example')
    expect(await get('/rejections')).toEqual([])
  })
})
