// SEND_RATE_PER_SECOND: how much a project may send, by the clock, for all processes together.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { second } from '../../src/lib/time'
import { makeDelivery } from '../../src/modules/sending/delivery/service'
import { Snooze } from '../../src/platform/jobs/outcome'
import { memoryTransport } from '../../src/platform/transports/memory'
import { jobRun } from '../support/job-run'
import { makeWorld, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld({ sendRatePerSecond: 10 })
})
beforeEach(async () => {
  world.mail.clear()
  await world.ctx.sql`delete from jobs`
  world.project = await world.newProject()
})
afterAll(() => world.close())

async function accept(count: number): Promise<string[]> {
  const { body } = await world.send({ to: Array.from({ length: count }, (_, n) => `p${n}@example.com`) })
  return body.data.emails.map((item: { email: string }) => item.email)
}

describe('a project with a pace of ten a second', () => {
  test("sends a second's worth at once and the rest at the pace", async () => {
    await accept(35)
    await world.drain()
    expect(world.mail.sent).toHaveLength(10)
    for (const expected of [15, 20, 25, 30, 35]) {
      world.clock.advance(second / 2)
      await world.drain()
      expect(world.mail.sent).toHaveLength(expected)
    }
  })

  test('gains no more than one second while it is idle', async () => {
    await accept(5)
    await world.drain()
    world.clock.advance(600 * second)
    await accept(30)
    await world.drain()
    expect(world.mail.sent).toHaveLength(15)
  })

  test('shares its pace between processes, exactly', async () => {
    const ids = await accept(60)
    const deliveries = [makeDelivery(world.ctx), makeDelivery(world.ctx)]
    const run = async (): Promise<Date[]> => {
      const open = (await Promise.all(ids.map(world.email))).filter(email => email.status === 'PENDING')
      const results = await Promise.allSettled(
        open.map((email, n) =>
          deliveries[n % 2]!.deliver({ emailId: email.id, projectId: world.project.id }, jobRun()),
        ),
      )
      return results.flatMap(result => {
        if (result.status === 'fulfilled') return []
        expect(result.reason).toBeInstanceOf(Snooze)
        return [result.reason.until as Date]
      })
    }
    const waits = await run()
    expect(world.mail.sent).toHaveLength(10)
    expect(waits).toHaveLength(50)
    for (const wait of waits) expect(wait.getTime()).toBeGreaterThan(world.clock.now().getTime())
    for (const expected of [13, 16, 19]) {
      world.clock.advance(300)
      await run()
      expect(world.mail.sent).toHaveLength(expected)
    }
  })

  test('does not hold up another project', async () => {
    await accept(20)
    const other = await world.newProject()
    await world.send({ to: 'other@example.com' }, { key: other.secretKey })
    await world.drain()
    expect(world.mail.sent.filter(({ envelope }) => envelope.to === 'other@example.com')).toHaveLength(1)
    expect(world.mail.sent).toHaveLength(11)
  })

  test('gives each that waits a turn of its own, however many there are', async () => {
    await accept(200)
    const runs = await world.drain()
    expect(runs).toHaveLength(200)
    for (let waited = 1; waited <= 19; waited++) {
      world.clock.advance(second)
      // Nobody comes in vain.
      expect(await world.drain()).toHaveLength(10)
      expect(world.mail.sent).toHaveLength(10 + 10 * waited)
    }
  })

  test('counts no try and loses no message while it waits', async () => {
    const ids = await accept(12)
    await world.drain()
    const waiting = (await Promise.all(ids.map(world.email))).filter(email => email.status === 'PENDING')
    expect(waiting.map(email => email.attempts)).toEqual([0, 0])
  })
})

describe('a pace that the transport sets', () => {
  test('is shared by all projects, and follows the transport', async () => {
    let rate = 10
    const mail = Object.assign(memoryTransport(), { currentRate: async () => rate })
    const { sendRatePerSecond, ...config } = world.ctx.config
    const delivery = makeDelivery({ ...world.ctx, config, mail })
    const other = await world.newProject()
    let waiting = (await accept(20)).map(id => ({ id, projectId: world.project.id }))
    world.project = other
    waiting.push(...(await accept(20)).map(id => ({ id, projectId: other.id })))
    const run = async (): Promise<void> => {
      const ends = await Promise.allSettled(
        waiting.map(({ id, projectId }) => delivery.deliver({ emailId: id, projectId }, jobRun())),
      )
      waiting = waiting.filter((_, n) => ends[n]!.status === 'rejected')
    }
    await run()
    expect(mail.sent).toHaveLength(10)
    world.clock.advance(second)
    rate = 4
    await run()
    expect(mail.sent).toHaveLength(14)
  })

  test('is a limit of its own beside none: SEND_RATE_PER_SECOND=0 lets everything leave', async () => {
    const mail = memoryTransport({ ratePerSecond: 1 })
    const delivery = makeDelivery({
      ...world.ctx,
      config: { ...world.ctx.config, sendRatePerSecond: 0 },
      mail,
    })
    await Promise.all(
      (await accept(15)).map(id => delivery.deliver({ emailId: id, projectId: world.project.id }, jobRun())),
    )
    expect(mail.sent).toHaveLength(15)
  })
})
