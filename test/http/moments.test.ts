// When the recipients of a campaign get it, and what holds marketing mail back: time zones, hours, quiet hours and the cap of a contact.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { hour, minute } from '../../src/lib/time'
import { type Reasoned, sentenceOf } from '../../src/platform/transports/reason'
import { buildApp } from '../../src/server/app'
import { jobHandlers } from '../../src/server/jobs'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { drain } from '../support/drain'
import { type Answer, request } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let on: CampaignWorld
let app: ReturnType<typeof buildApp>
const noon = Date.parse('2026-11-30T12:00:00Z')

beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
beforeEach(async () => {
  await world.ctx.sql`delete from jobs`
  // A Monday in winter.
  world.clock.set(new Date(noon))
  on = await campaignWorld(world)
  world.project = on.project
})
afterAll(() => world.close())

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  request(app, method, path, { key: on.project.secretKey, ...(body === undefined ? {} : { body }) })
const setRules = (body: Record<string, unknown>) =>
  call('PATCH', `/users/@me/projects/${on.project.id}`, body)

async function rules(body: Record<string, unknown>): Promise<void> {
  const { status, body: answer } = await setRules({ timeZoneField: 'timezone', ...body })
  expect([status, answer]).toEqual([200, expect.objectContaining(body)])
}

const after = (hours: number): string => new Date(noon + hours * hour).toISOString()
const at = (hours: number): void => world.clock.set(new Date(noon + hours * hour))
const zoned = async (prefix: string, timezone?: unknown) =>
  (await on.contacts(1, { prefix, data: timezone === undefined ? {} : { timezone } }))[0]!
const names = (): string[] => world.mail.sent.map(({ envelope }) => envelope.to.split('-')[0]!).toSorted()

/** Who got something at each of these hours after noon. */
async function seen(...hours: number[]): Promise<Record<number, string[]>> {
  const found: Record<number, string[]> = {}
  for (const each of hours) {
    at(each)
    world.mail.clear()
    await on.drain()
    if (names().length > 0) found[each] = names()
  }
  return found
}

const forecast = async (id: string) => (await on.call('GET', `/campaigns/${id}/forecast`)).body
const everyHour = Array.from({ length: 40 }, (_, n) => n)

describe('a campaign by local time', () => {
  test('reaches everybody at that time of their own zone, as the forecast said', async () => {
    await rules({ timeZone: 'Europe/Berlin' })
    await zoned('berlin', 'Europe/Berlin')
    await zoned('york', 'america/new_york')
    await zoned('pacific', 'US/Pacific')
    await zoned('tokyo', 'Asia/Tokyo')
    await zoned('kathmandu', 'Asia/Kathmandu')
    await zoned('none')
    await zoned('nonsense', 'Mars/Olympus')
    await zoned('number', 7)
    const id = await on.draft({ timing: { localTime: '15:00' } })
    const told = await forecast(id)
    expect(told).toMatchObject({
      withoutTimeZone: 3,
      recipients: 8,
      moments: [
        { at: after(2), recipients: 4 },
        { at: after(8), recipients: 1 },
        { at: after(11), recipients: 1 },
        // Six in the evening is over where it is nine hours later: the next day.
        { at: after(18), recipients: 1 },
        { at: after(21), recipients: 1 },
      ],
    })
    await on.send(id)
    await on.drain()
    expect((await forecast(id)).moments).toEqual(told.moments)
    expect(await seen(...everyHour)).toEqual({
      2: ['berlin', 'none', 'nonsense', 'number'],
      8: ['york'],
      11: ['pacific'],
      18: ['tokyo'],
      22: ['kathmandu'],
    })
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', deliveredCount: 8, heldCount: 0 })
  })

  test('where that has passed, at once if it says so', async () => {
    await rules({ timeZone: null })
    await zoned('berlin', 'Europe/Berlin')
    await zoned('tokyo', 'Asia/Tokyo')
    await on.send(await on.draft({ timing: { localTime: '15:00', passed: 'NOW' } }))
    expect(await seen(0, 1, 2, 3)).toEqual({ 0: ['tokyo'], 2: ['berlin'] })
  })

  test('scheduled: on the day on which it starts', async () => {
    await rules({ timeZone: 'Europe/Berlin' })
    await zoned('berlin', 'Europe/Berlin')
    await zoned('york', 'America/New_York')
    const id = await on.draft({ timing: { localTime: '09:00' } })
    // Midnight in Berlin.
    await on.send(id, after(11))
    expect((await forecast(id)).moments).toEqual([
      { at: after(20), recipients: 1 },
      { at: after(26), recipients: 1 },
    ])
    await on.sweep()
    at(11)
    await on.sweep()
    expect(await seen(...everyHour.slice(11))).toEqual({ 20: ['berlin'], 26: ['york'] })
  })

  test('may be changed until it starts, is copied, and taken back', async () => {
    const id = await on.draft({ timing: { localTime: '15:00', window: { from: '09:00', to: '18:00' } } })
    const timing = {
      localTime: '15:00',
      passed: 'NEXT_DAY',
      window: { from: '09:00', to: '18:00', weekdays: [1, 2, 3, 4, 5, 6, 7] },
      spreadHours: null,
    }
    expect((await on.call('GET', `/campaigns/${id}`)).body.timing).toEqual(timing)
    expect((await on.call('POST', `/campaigns/${id}/duplicate`)).body.timing).toEqual(timing)
    const changed = await on.call('PUT', `/campaigns/${id}`, { timing: { spreadHours: 3 } })
    expect(changed.body.timing).toEqual({
      localTime: null,
      passed: 'NEXT_DAY',
      window: null,
      spreadHours: 3,
    })
    expect((await on.call('PUT', `/campaigns/${id}`, { name: 'Other' })).body.timing).not.toBeNull()
    expect((await on.call('PUT', `/campaigns/${id}`, { timing: null })).body.timing).toBeNull()
    expect((await on.call('PUT', `/campaigns/${id}`, { timing: {} })).body.timing).toBeNull()
    await zoned('ada')
    expect((await forecast(id)).moments).toEqual([])
  })

  test.each([
    [{ localTime: '25:00' }, 'timing'],
    [{ localTime: '24:00' }, 'timing.localTime'],
    [{ localTime: '9:00' }, 'timing'],
    [{ passed: 'LATER', localTime: '09:00' }, 'timing'],
    [{ window: { from: '09:00', to: '09:00' } }, 'timing.window'],
    [{ window: { from: '09:00', to: '17:00', weekdays: [] } }, 'timing'],
    [{ window: { from: '09:00', to: '17:00', weekdays: [8] } }, 'timing'],
    [{ localTime: '18:00', window: { from: '09:00', to: '17:00' } }, 'timing.localTime'],
    [{ spreadHours: 0 }, 'timing'],
    [{ spreadHours: 169 }, 'timing'],
    [{ spreadHours: 100, window: { from: '09:00', to: '10:00', weekdays: [1] } }, 'timing.spreadHours'],
  ])('%j is refused', async (timing, field) => {
    const { status, body } = await on.call('POST', '/campaigns', {
      ...{ name: 'News', subject: 'News', body: 'News', from: sender, audienceType: 'ALL', timing },
    })
    expect([status, body.error.errors[0].field.startsWith(field)]).toEqual([422, true])
  })
})

describe('hours and a span', () => {
  test('a window of hours on some days, each in its own zone', async () => {
    await rules({})
    await zoned('berlin', 'Europe/Berlin')
    await zoned('tokyo', 'Asia/Tokyo')
    await zoned('york', 'America/New_York')
    const id = await on.draft({ timing: { window: { from: '09:00', to: '13:00', weekdays: [2, 3] } } })
    await on.send(id)
    expect(await seen(...everyHour)).toEqual({ 12: ['tokyo'], 20: ['berlin'], 26: ['york'] })
  })

  test('what comes late waits for the hours to open again, and the report says so', async () => {
    await rules({ timeZone: 'UTC' })
    const [first] = await on.contacts(2)
    const id = await on.draft({ timing: { window: { from: '09:00', to: '13:00' } } })
    await on.send(id)
    world.mail.script({ outcome: 'deferred', stage: 'rcpt', code: 450, response: '450 later' })
    await on.drain()
    expect(world.mail.sent).toHaveLength(1)
    at(1)
    await on.drain()
    expect(await on.stats(id)).toMatchObject({ status: 'SENDING', heldCount: 1, deliveredCount: 1 })
    const held = (await on.recipients(id)).find(each => each['status'] === 'PENDING')!
    expect(held['lastError']).toBe(`held by the hours of the campaign until ${after(21)}`)
    expect(await seen(20, 21)).toEqual({ 21: ['ada'] })
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', heldCount: 0, deliveredCount: 2 })
    expect(first).toBeString()
  })

  test('spread over a span, everybody in it once and nobody before', async () => {
    await rules({ timeZone: 'UTC' })
    await on.contacts(60)
    const id = await on.draft({ timing: { spreadHours: 3 } })
    const told = (await forecast(id)).moments
    expect(told).toEqual([0, 1, 2].map(hours => ({ at: after(hours), recipients: 20 })))
    await on.send(id)
    const counts: number[] = []
    for (let step = 0; step <= 36; step++) {
      world.clock.set(new Date(noon + step * 5 * minute))
      world.mail.clear()
      await on.drain()
      counts.push(world.mail.sent.length)
    }
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(60)
    // Sixty people on thirty-six steps: some of them are empty, and none has a quarter of them.
    expect(Math.max(...counts)).toBeLessThan(15)
    expect(counts.at(-1)).toBe(0)
    expect(counts.filter(each => each > 0).length).toBeGreaterThan(12)
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', deliveredCount: 60 })
  })

  test('a pause of the transport tries nobody before the time', async () => {
    await rules({})
    await zoned('berlin', 'Europe/Berlin')
    await zoned('york', 'America/New_York')
    const id = await on.draft({ timing: { localTime: '15:00' } })
    await on.send(id)
    await on.drain()
    await world.ctx.sql`
      update campaigns set paused_at = ${now()}, paused_reason = 'The mail transport fails', probe_at = ${now()} where id = ${id}`
    at(1)
    await on.sweep()
    await on.drain()
    expect(world.mail.attempts.map(each => each.envelope.to)).toEqual([])
    at(2)
    await on.sweep()
    expect(await seen(2)).toEqual({ 2: ['berlin'] })
    expect((await on.stats(id)).pausedAt).toBeNull()
  })
})

const now = (): Date => world.clock.now()

/** A workflow that sends one mail when the event happens. */
async function mailOn(eventName: string, type = 'MARKETING'): Promise<string> {
  const template = await call('POST', '/templates', {
    ...{ name: 'T', subject: 'Hi', body: '<p>Hi</p>', from: sender, type },
  })
  const { body: flow } = await call('POST', '/workflows', { name: eventName, eventName })
  const { body: step } = await call('POST', `/workflows/${flow.id}/steps`, {
    ...{ type: 'SEND_EMAIL', name: 'Mail', config: {}, templateId: template.body.id, autoConnect: false },
  })
  const trigger = (await call('GET', `/workflows/${flow.id}`)).body.steps[0].id
  await call('POST', `/workflows/${flow.id}/transitions`, { fromStepId: trigger, toStepId: step.id })
  expect((await call('PATCH', `/workflows/${flow.id}`, { enabled: true, allowReentry: true })).status).toBe(
    200,
  )
  return flow.id
}

const track = async (event: string, email = 'ada-1@example.com') =>
  expect(
    (await request(app, 'POST', '/v1/track', { key: on.project.publicKey, body: { email, event } })).status,
  ).toBe(200)
const mails = async () =>
  (
    await world.ctx.sql<Array<Reasoned & { status: string; source: string; nextAttemptAt: Date | null }>>`
    select status, reason, reason_detail as "reasonDetail", next_attempt_at as "nextAttemptAt", source_type as source from emails where project_id = ${on.project.id} order by created_at, id`
  ).map(row => ({ ...row, error: sentenceOf(row) }))

describe('quiet hours', () => {
  test('hold campaigns and workflows until the morning of the recipient, and no other mail', async () => {
    await rules({ quietHours: { from: '21:00', to: '08:00', whenHeld: 'LATER' } })
    await zoned('berlin', 'Europe/Berlin')
    await zoned('tokyo', 'Asia/Tokyo')
    await mailOn('hello')
    await mailOn('receipt', 'TRANSACTIONAL')
    const id = await on.draft()
    expect((await forecast(id)).moments).toEqual([
      { at: after(0), recipients: 1 },
      { at: after(11), recipients: 1 },
    ])
    await on.send(id)
    for (const event of ['hello', 'receipt']) await track(event, 'tokyo-1@example.com')
    await world.sendOne({ to: 'tokyo-1@example.com', from: sender })
    expect(await seen(0, 5, 10.9, 11)).toEqual({
      0: ['berlin', 'tokyo', 'tokyo'],
      11: ['tokyo', 'tokyo'],
    })
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', deliveredCount: 2 })
  })

  test('that say so skip instead', async () => {
    await rules({ quietHours: { from: '11:00', to: '13:00', whenHeld: 'SKIP' }, timeZone: 'UTC' })
    await on.contacts(1)
    await mailOn('hello')
    const id = await on.draft()
    await on.send(id)
    await track('hello')
    await on.drain()
    expect(world.mail.sent).toHaveLength(0)
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', skippedCount: 1, skippedByRuleCount: 1 })
    expect((await mails()).map(each => [each.status, each.error])).toEqual([
      ['SKIPPED', 'skipped by quiet hours'],
      ['SKIPPED', 'skipped by quiet hours'],
    ])
    // Tried again after they are over.
    at(1)
    expect((await on.call('POST', `/campaigns/${id}/retry-failed`)).body.requeued).toBe(1)
    await on.drain()
    expect(await on.stats(id)).toMatchObject({ deliveredCount: 1, skippedCount: 0, skippedByRuleCount: 0 })
  })

  test('that leave nothing of a campaign’s own hours skip it', async () => {
    await rules({ quietHours: { from: '08:00', to: '18:00', whenHeld: 'LATER' }, timeZone: 'UTC' })
    await on.contacts(1)
    const id = await on.draft({ timing: { window: { from: '09:00', to: '17:00' } } })
    await on.send(id)
    await on.drain()
    expect((await mails())[0]).toMatchObject({ status: 'SKIPPED', error: 'skipped by quiet hours' })
  })
})

describe('the cap', () => {
  test('counts campaigns and workflows together, and lets wait what is too much', async () => {
    await rules({ mailCap: { messages: 2, days: 3, whenHeld: 'LATER' }, timeZone: 'UTC' })
    await on.contacts(1)
    await mailOn('hello')
    await mailOn('receipt', 'TRANSACTIONAL')
    await on.send(await on.draft())
    await on.drain()
    at(1)
    await track('hello')
    await on.drain()
    at(2)
    const third = await on.draft()
    await on.send(third)
    for (const event of ['hello', 'receipt']) await track(event)
    await world.sendOne({ to: 'ada-1@example.com', from: sender })
    await on.drain()
    expect(names()).toHaveLength(4)
    const errors = (await mails()).map(each => each.error).filter(error => error !== null)
    expect(errors).toEqual([`held by cap until ${after(72)}`, `held by cap until ${after(72)}`])
    expect(await on.stats(third)).toMatchObject({ status: 'SENDING', heldCount: 1 })
    // One place is free after three days, and the next an hour later.
    expect(await seen(71, 72, 72.5, 73)).toEqual({ 72: ['ada'], 73: ['ada'] })
    expect(await on.stats(third)).toMatchObject({ status: 'SENT', heldCount: 0, deliveredCount: 1 })
  })

  test('skips where the project says so, and tells how many', async () => {
    await rules({ mailCap: { messages: 1, days: 30, whenHeld: 'SKIP' } })
    await on.contacts(3)
    await mailOn('hello')
    await track('hello')
    await on.drain()
    const id = await on.draft()
    await on.send(id)
    await on.drain()
    expect(await on.stats(id)).toMatchObject({
      ...{ status: 'SENT', deliveredCount: 2, skippedCount: 1, skippedByRuleCount: 1, heldCount: 0 },
    })
    expect((await on.recipients(id, '&status=SKIPPED'))[0]!['lastError']).toBe('skipped by cap')
    at(30 * 24)
    await on.send(await on.draft())
    world.mail.clear()
    await on.drain()
    expect(world.mail.sent).toHaveLength(3)
  })

  test('is counted by the forecast: whom it holds, until when, and whom it skips', async () => {
    await rules({ mailCap: { messages: 2, days: 3, whenHeld: 'LATER' }, timeZone: 'UTC' })
    await on.contacts(4)
    await mailOn('hello')
    await on.send(await on.draft())
    await on.drain()
    at(2)
    for (const n of [1, 2]) await track('hello', `ada-${n}@example.com`)
    await on.drain()
    at(5)
    await track('hello', 'ada-3@example.com')
    await on.drain()
    await on.contacts(3, { prefix: 'new' })
    at(6)
    const id = await on.draft()
    const told = await forecast(id)
    expect(told).toMatchObject({ recipients: 7, heldByCap: 3, skippedByCap: 0, unknown: ['OTHER_MAIL'] })
    const hours = [
      { at: after(6), recipients: 4 },
      { at: after(72), recipients: 3 },
    ]
    expect(told.moments).toEqual(hours)
    // By a local time the cap is a bound from below: who is due when it has let go is not held.
    await on.call('PUT', `/campaigns/${id}`, { timing: { localTime: '15:00', spreadHours: 60 } })
    expect((await forecast(id)).heldByCap).toBe(2)
    await on.call('PUT', `/campaigns/${id}`, { timing: { localTime: '15:00', spreadHours: 1 } })
    expect((await forecast(id)).moments).toEqual([
      { at: after(27), recipients: 4 },
      { at: after(72), recipients: 3 },
    ])
    await on.call('PUT', `/campaigns/${id}`, { timing: null })
    await setRules({ mailCap: { messages: 2, days: 3, whenHeld: 'SKIP' } })
    expect(await forecast(id)).toMatchObject({ heldByCap: 0, skippedByCap: 3, moments: hours.slice(0, 1) })
    await on.call('PUT', `/campaigns/${id}`, { type: 'TRANSACTIONAL' })
    expect(await forecast(id)).toMatchObject({ skippedByCap: 0, moments: [], unknown: [] })
    await on.call('PUT', `/campaigns/${id}`, { type: 'MARKETING' })
    await setRules({ mailCap: { messages: 2, days: 3, whenHeld: 'LATER' } })
    await on.send(id)
    expect(await seen(6, 71, 72)).toEqual({
      6: ['ada', 'new', 'new', 'new'],
      72: ['ada', 'ada', 'ada'],
    })
  })

  test('what does not arrive takes no place, and what is tried again has its own', async () => {
    await rules({ mailCap: { messages: 1, days: 1, whenHeld: 'SKIP' } })
    await on.contacts(1)
    const refused = await on.draft()
    world.mail.script({ outcome: 'refused', stage: 'data', code: 554, response: '554 no', blame: 'other' })
    await on.send(refused)
    await on.drain()
    expect(await on.stats(refused)).toMatchObject({ failedCount: 1 })
    world.mail.script({ outcome: 'deferred', stage: 'data', code: 450, response: '450 later' })
    const id = await on.draft()
    await on.send(id)
    await on.drain()
    at(1)
    await on.drain()
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', deliveredCount: 1 })
    expect(Object.keys((await bookings())[0]!.booked)).toHaveLength(1)
  })

  test('nor does what does not arrive of a workflow', async () => {
    await rules({ mailCap: { messages: 1, days: 1, whenHeld: 'SKIP' } })
    await on.contacts(1)
    await mailOn('hello')
    world.mail.script({ outcome: 'refused', stage: 'data', code: 554, response: '554 no', blame: 'other' })
    await track('hello')
    await on.drain()
    expect(names()).toEqual([])
    expect(await bookings()).toEqual([expect.objectContaining({ booked: {} })])
    await on.send(await on.draft())
    await on.drain()
    expect(names()).toEqual(['ada'])
  })

  test('a cancelled campaign lets go of whom it held', async () => {
    await rules({ mailCap: { messages: 1, days: 1, whenHeld: 'LATER' } })
    await on.contacts(2)
    await on.send(await on.draft())
    await on.drain()
    const id = await on.draft()
    await on.send(id)
    await on.drain()
    expect(await on.stats(id)).toMatchObject({ heldCount: 2 })
    await on.call('POST', `/campaigns/${id}/cancel`)
    await on.drain()
    expect(await on.stats(id)).toMatchObject({ status: 'CANCELLED', heldCount: 0, failedCount: 2 })
  })

  test('is exact, however many campaigns, workflows and workers send at once, and if one dies', async () => {
    await rules({ mailCap: { messages: 2, days: 7, whenHeld: 'SKIP' } })
    await on.contacts(25)
    await mailOn('hello')
    for (let n = 1; n <= 25; n++) await track('hello', `ada-${n}@example.com`)
    const campaigns = [await on.draft(), await on.draft(), await on.draft()]
    for (const id of campaigns) await on.send(id)
    const workers = [0, 1, 2].map(() => ({ ...world.ctx })).map(ctx => ({ ctx, handlers: jobHandlers(ctx) }))
    await Promise.all(workers.map(({ ctx, handlers }) => drain(ctx, handlers)))
    // Some were taken by a process that died before it wrote what became of them: they leave again, in the same place.
    const again = await world.ctx.sql<{ id: string }[]>`
      update emails set status = 'SENDING', sent_at = null, delivered_at = null
       where id in (select id from emails where campaign_id = ${campaigns[0]!} and status = 'DELIVERED' limit 5) returning id`
    await world.ctx.sql`update campaign_slices set done_at = null where campaign_id = ${campaigns[0]!}`
    await world.ctx
      .sql`update campaigns set status = 'SENDING', finished_at = null where id = ${campaigns[0]!}`
    const { enqueueSlices } = await import('../../src/modules/features/campaigns/sending/service/control')
    const slices = await world.ctx.sql<{ id: string; projectId: string }[]>`
      select id, project_id as "projectId" from campaign_slices where campaign_id = ${campaigns[0]!}`
    await enqueueSlices(world.ctx, [...slices])
    await Promise.all(workers.map(({ ctx, handlers }) => drain(ctx, handlers)))
    const all = await world.ctx.sql<{ contact: string; sent: number; skipped: number }[]>`
      select contact_id as contact, count(*) filter (where status = 'DELIVERED') as sent,
             count(*) filter (where status = 'SKIPPED' and reason = 'cap') as skipped
        from emails where project_id = ${on.project.id} group by 1`
    expect(all).toHaveLength(25)
    for (const { sent, skipped } of all) expect([Number(sent), Number(skipped)]).toEqual([2, 2])
    expect(world.mail.sent).toHaveLength(50 + again.length)
  })

  test('costs nothing where there is none, and old places are deleted', async () => {
    await on.contacts(1)
    await on.send(await on.draft())
    await on.drain()
    expect(await bookings()).toEqual([])
    await rules({ mailCap: { messages: 1, days: 1, whenHeld: 'LATER' } })
    await on.send(await on.draft())
    await on.drain()
    expect(await bookings()).toHaveLength(1)
    const { dropOldBookings } = await import('../../src/modules/sending/delivery/service')
    at(30 * 24)
    await dropOldBookings(world.ctx, new AbortController().signal)
    expect(await bookings()).toHaveLength(1)
    at(32 * 24)
    await dropOldBookings(world.ctx, new AbortController().signal)
    expect(await bookings()).toEqual([])
  })
})

const bookings = async () =>
  Array.from(
    await world.ctx.sql<{ booked: Record<string, number> }[]>`
      select booked from mail_bookings where project_id = ${on.project.id}`,
  )

describe('the rules of a project', () => {
  test('are read and changed one by one, and that is in the audit log', async () => {
    await rules({ timeZone: 'europe/berlin', quietHours: { from: '22:00', to: '07:00', whenHeld: 'LATER' } })
    await rules({ mailCap: { messages: 3, days: 7, whenHeld: 'SKIP' } })
    const { body } = await setRules({ quietHours: null })
    expect(body).toMatchObject({
      ...{ timeZone: 'europe/berlin', timeZoneField: 'timezone', quietHours: null },
      mailCap: { messages: 3, days: 7, whenHeld: 'SKIP' },
    })
    const log = await world.ctx.sql<{ details: unknown }[]>`
      select details from audit_log where project_id = ${on.project.id} and action = 'project.updated' order by id`
    expect(log.map(each => each.details)).toEqual([
      { timeZone: 'europe/berlin', timeZoneField: 'timezone', quietHours: '22:00-07:00 LATER' },
      { mailCap: '3/7d SKIP' },
      { quietHours: null },
    ])
  })

  test.each([
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ timeZone: '+02:00' }, 'timeZone'],
    [{ quietHours: { from: '08:00', to: '08:00' } }, 'quietHours'],
    [{ quietHours: { from: '00:00', to: '24:00' } }, 'quietHours'],
    [{ quietHours: { from: '8', to: '09:00' } }, 'quietHours'],
    [{ mailCap: { messages: 0, days: 1 } }, 'mailCap'],
    [{ mailCap: { messages: 101, days: 1 } }, 'mailCap'],
    [{ mailCap: { messages: 1, days: 31 } }, 'mailCap'],
    [{ mailCap: { messages: 1, days: 1, whenHeld: 'NEVER' } }, 'mailCap'],
    [{ timeZoneField: 'x'.repeat(101) }, 'timeZoneField'],
  ])('%j is refused', async (body, field) => {
    const { status, body: answer } = await setRules(body)
    expect([status, answer.error.errors[0].field.startsWith(field)]).toEqual([422, true])
  })
})
