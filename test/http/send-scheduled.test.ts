// Messages that leave later: held until then, moved, called off, and looked at again when their time has come.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { deltaUsage } from '../support/usage'
import { makeWorld, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  world.mail.clear()
  await world.ctx.sql`delete from email_day_deltas`
})
afterAll(() => world.close())

const hour = 3_600_000
const inHours = (hours: number): string => new Date(world.clock.now().getTime() + hours * hour).toISOString()
const sentTo = () => world.mail.sent.map(({ envelope }) => envelope.to)
const schedule = (hours: number, body: Record<string, unknown> = {}) =>
  world.sendOne({ scheduledFor: inHours(hours), ...body })
const reschedule = (id: string, scheduledFor: unknown) =>
  world.call('PATCH', `/emails/${id}`, { body: { scheduledFor } })
const cancel = (id: string) => world.call('POST', `/emails/${id}/cancel`)

describe('a message with a time', () => {
  test('leaves then, is dated then, and is tried for a day from then', async () => {
    const at = inHours(48)
    const id = await schedule(48)
    await world.drain()
    expect([sentTo(), (await world.email(id)).scheduledFor]).toEqual([[], at])
    world.clock.advance(47 * hour)
    await world.drain()
    expect(sentTo()).toEqual([])
    world.clock.advance(hour)
    world.mail.script({ outcome: 'deferred', response: '451 later' })
    await world.drain()
    expect(await world.email(id)).toMatchObject({ status: 'PENDING', error: '451 later' })
    world.clock.advance(hour)
    await world.drain()
    const [mail] = await world.received()
    expect([sentTo(), new Date(mail!.date!).toISOString()]).toEqual([['ada@example.com'], at])
  })

  test.each([['2020-01-01T00:00:00Z'], [null]])('at %j leaves at once', async scheduledFor => {
    const id = await world.sendOne({ scheduledFor })
    await world.drain()
    expect(await world.email(id)).toMatchObject({ status: 'DELIVERED', scheduledFor: null })
  })

  test.each([
    ...['', 'tomorrow', '05/12/2030', 'Nov 27', '2030', '1', '2030-02-30T09:00:00Z'],
    ...['2030-01-31', '2030-01-31T09:00:00', '2030-01-31 09:00:00Z'],
  ])('that is %j is refused, with an example of one that is none of these', async scheduledFor => {
    const message = expect.stringContaining('such as "2030-01-31T09:00:00Z"')
    const { status, body } = await world.send({ to: 'ada@example.com', scheduledFor })
    expect([status, body.error.errors]).toEqual([422, [expect.objectContaining({ message })]])
    const id = await schedule(1)
    expect((await reschedule(id, scheduledFor)).status).toBe(400)
    await cancel(id)
  })

  test.each([[31 * 24], [5_000 * 24]])('in %p hours is refused', async hours => {
    const scheduledFor = inHours(hours)
    const { status, body } = await world.send({ to: 'ada@example.com', scheduledFor })
    expect([status, body.error.errors[0].field]).toEqual([422, 'scheduledFor'])
  })

  test('is withheld where its address was suppressed meanwhile', async () => {
    const id = await schedule(1, { to: 'gone@example.com' })
    await world.ctx.sql`
      insert into suppressions (project_id, email, reason, source, created_at)
      values (${world.project.id}, 'gone@example.com', 'bounce', 'test', now())`
    world.clock.advance(hour)
    await world.drain()
    expect([sentTo(), (await world.email(id)).status]).toEqual([[], 'FAILED'])
  })
})

describe('a message that waits', () => {
  test('may be moved, later and sooner', async () => {
    const id = await schedule(2)
    const later = inHours(3)
    expect((await reschedule(id, later)).body.scheduledFor).toBe(later)
    world.clock.advance(2 * hour)
    await world.drain()
    expect(sentTo()).toEqual([])
    const sooner = inHours(0.5)
    expect((await reschedule(id, sooner)).status).toBe(200)
    world.clock.advance(hour / 2)
    await world.drain()
    expect(sentTo()).toEqual(['ada@example.com'])
    world.clock.advance(2 * hour)
    await world.drain()
    expect(sentTo()).toEqual(['ada@example.com'])
  })

  test('leaves now where the new time is over', async () => {
    const id = await schedule(2)
    expect((await reschedule(id, '2020-01-01T00:00:00Z')).status).toBe(200)
    await world.drain()
    expect(sentTo()).toEqual(['ada@example.com'])
  })

  test('may be called off, and is used no more', async () => {
    const id = await schedule(1, { cc: 'bob@example.com' })
    expect(await deltaUsage(world.ctx)).toEqual({ created: 1, used: 2, units: 0 })
    const { status, body } = await cancel(id)
    expect([status, body.status, body.error]).toEqual([200, 'SKIPPED', 'cancelled before it left'])
    expect(await deltaUsage(world.ctx)).toEqual({ created: 1, used: 0, units: 0 })
    world.clock.advance(2 * hour)
    await world.drain()
    expect([sentTo(), (await cancel(id)).status, (await reschedule(id, inHours(1))).status]).toEqual([
      [],
      409,
      409,
    ])
  })

  test("is nobody else's to move or to call off", async () => {
    const id = await schedule(1)
    const { secretKey: key } = await world.newProject()
    const body = { scheduledFor: inHours(2) }
    expect((await world.call('PATCH', `/emails/${id}`, { key, body })).status).toBe(404)
    expect((await world.call('POST', `/emails/${id}/cancel`, { key })).status).toBe(404)
    expect((await reschedule(id, 'soon')).status).toBe(400)
    expect((await reschedule(id, inHours(40 * 24))).status).toBe(400)
    await cancel(id)
  })

  test('cannot be moved once its time has come, also not by the one who comes second', async () => {
    const id = await world.sendOne()
    expect((await cancel(id)).status).toBe(409)
    const waiting = await schedule(1)
    const answers = await Promise.all([cancel(waiting), cancel(waiting), reschedule(waiting, inHours(2))])
    expect(answers.filter(({ body }) => body.status === 'SKIPPED')).toHaveLength(1)
    expect((await world.email(waiting)).status).toBe('SKIPPED')
  })
})
