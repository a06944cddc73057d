// A transport in warm-up: so many messages a day leave by it, whoever sends them, and the others by the next one; what has no other way
// waits, if it can.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { day, minute, second } from '../../src/lib/time'
import type { SendResult } from '../../src/mail/message'
import { describeState } from '../../src/modules/api/meta/service'
import { transportsInWarmUp } from '../../src/modules/sending/domains'
import { jobHandlers } from '../../src/server/jobs'
import type { TransportEntry } from '../../src/settings/transport-list'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { drain } from '../support/drain'
import { makeSeveralWorld, type SeveralWorld } from '../support/several'

const plan = { firstDay: 2, factor: 2, target: 8 }
const down: SendResult = { outcome: 'deferred', stage: 'connect', response: 'cannot connect' }
const greylisted: SendResult = { outcome: 'deferred', stage: 'rcpt', code: 450, response: '450 later' }

/** Hooks of a list of transports; each test begins at noon of a day of its own, with a plan that nothing has left by. */
function several(entries: ReadonlyArray<Omit<TransportEntry, 'kind'>>) {
  const on = {} as { world: SeveralWorld; campaigns: CampaignWorld }
  beforeAll(async () => {
    on.world = await makeSeveralWorld(entries)
  })
  beforeEach(async () => {
    const { world } = on
    for (const relay of Object.values(world.relays)) relay.clear()
    await world.ctx.sql`delete from jobs`
    await world.ctx.sql`delete from warm_ups`
    const noon = Math.ceil(world.clock.now().getTime() / day) * day + day / 2
    world.clock.advance(noon - world.clock.now().getTime())
    on.campaigns = await campaignWorld(world)
    world.project = on.campaigns.project
  })
  afterAll(() => on.world.close())
  return on
}

/** To all contacts that there are, and these new ones. */
async function sendCampaign({ campaigns }: { campaigns: CampaignWorld }, added = 0): Promise<string> {
  if (added > 0) await campaigns.contacts(added, { prefix: crypto.randomUUID() })
  const id = await campaigns.draft()
  await campaigns.send(id)
  return id
}

const forecastOf = async ({ campaigns }: { campaigns: CampaignWorld }, id: string) =>
  (await campaigns.call('GET', `/campaigns/${id}/forecast`)).body

/** Three processes' worth of jobs at a time. */
async function work({ world }: { world: SeveralWorld }): Promise<void> {
  const handlers = jobHandlers(world.ctx)
  for (let round = 0; round < 3; round++) {
    await Promise.all([1, 2, 3].map(() => drain(world.ctx, handlers)))
    world.clock.advance(10 * second)
  }
}

describe('beside another one', () => {
  const on = several([{ name: 'new', warmUp: plan }, { name: 'old' }])

  test('takes as many as its day allows, whoever asks at once, and the others leave by the next', async () => {
    const { world } = on
    const sent = await sendCampaign(on, 30)
    // What is beyond its day leaves by the other one, so nothing bounds the campaign.
    expect(await forecastOf(on, sent)).toMatchObject({ transports: [], days: [], unknown: [] })
    await work(on)
    expect(world.attempts()).toEqual([2, 28])
    const allowed: number[] = []
    for (let round = 0; round < 4; round++) {
      world.clock.advance(day)
      for (const relay of Object.values(world.relays)) relay.clear()
      await sendCampaign(on)
      await work(on)
      allowed.push(world.attempts()[0]!)
    }
    // Two, four, eight, and then its target was reached.
    expect(allowed).toEqual([4, 8, 30, 30])
    expect(await transportsInWarmUp(world.ctx)).toMatchObject([{ transport: 'new', isOver: true }])
  })

  test('transactional mail counts too', async () => {
    const { world } = on
    for (let n = 0; n < 5; n++) await world.sendOne()
    await work(on)
    expect(world.attempts()).toEqual([2, 3])
    expect(await transportsInWarmUp(world.ctx)).toMatchObject([{ transport: 'new', sent: 2, allowance: 2 }])
    const [shown, other] = (await describeState(world.ctx)).transports!
    expect(shown).toMatchObject({ name: 'new', warmUp: { sent: 2, allowance: 2 } })
    expect(other).not.toContainKey('warmUp')
  })

  test.each<[what: string, answer: SendResult]>([
    ['was put off', greylisted],
    ['found no connection', down],
  ])('a message that %s gives its place back', async (_, answer) => {
    const { world } = on
    world.relays['new']!.script(answer)
    await world.sendOne()
    await work(on)
    for (let n = 0; n < 4; n++) await world.sendOne()
    await work(on)
    expect(world.relays['new']!.sent).toHaveLength(2)
    expect(world.relays['new']!.attempts).toHaveLength(3)
    expect(await transportsInWarmUp(world.ctx)).toMatchObject([{ sent: 2 }])
  })

  test('where the other one is down, transactional mail leaves all the same, and marketing waits for its day', async () => {
    const { world } = on
    world.relays['old']!.script(...Array.from({ length: 50 }, () => down))
    const campaign = await sendCampaign(on, 2)
    await work(on)
    expect(world.attempts()[0]).toBe(2)
    const later = await sendCampaign(on, 3)
    const letter = await world.sendOne()
    await work(on)
    expect((await on.campaigns.stats(campaign)).status).toBe('SENT')
    expect((await on.campaigns.stats(later)).status).toBe('SENDING')
    expect((await world.email(letter)).status).toBe('DELIVERED')
    expect(world.relays['new']!.sent).toHaveLength(3)
  })
})

describe('that also has a rate', () => {
  const on = several([{ name: 'slow', warmUp: plan, rate: 1 }])

  test('has a place of the day for who comes too early when that one comes back', async () => {
    const { world } = on
    await sendCampaign(on, 2)
    await work(on)
    expect(world.relays['slow']!.sent).toHaveLength(2)
    expect(await transportsInWarmUp(world.ctx)).toMatchObject([{ transport: 'slow', sent: 2, allowance: 2 }])
  })
})

describe('as the only one', () => {
  const on = several([{ name: 'alone', warmUp: plan }])

  test('the rest of a campaign leaves on the days that follow, and transactional mail at once', async () => {
    const { world } = on
    const campaign = await sendCampaign(on, 9)
    const told = await forecastOf(on, campaign)
    expect(told).toMatchObject({ transports: ['alone'], unknown: ['OTHER_PROJECTS'] })
    expect(told.days.map(({ messages }: { messages: number }) => messages)).toEqual([2, 4, 3])
    // Another one comes after it.
    const draft = await on.campaigns.draft()
    expect((await forecastOf(on, draft)).days.map(({ messages }: { messages: number }) => messages)).toEqual([
      ...[5, 4],
    ])
    await work(on)
    const letter = await world.sendOne()
    await work(on)
    expect((await world.email(letter)).status).toBe('DELIVERED')
    expect(world.attempts()).toEqual([3])
    const restAfterLetter = (await forecastOf(on, campaign)).days.map(
      ({ messages }: { messages: number }) => messages,
    )
    const byDay: number[] = []
    for (let round = 0; round < 3; round++) {
      const before = world.attempts()[0]!
      world.clock.advance(day / 2 + 20 * minute)
      await work(on)
      byDay.push(world.attempts()[0]! - before)
      world.clock.advance(day / 2 - 21 * minute)
    }
    // Four a day later, of which one is kept for mail that can't wait; eight on the third.
    expect(byDay).toEqual([3, 4, 0])
    expect(restAfterLetter).toEqual([3, 4])
    expect((await on.campaigns.stats(campaign)).status).toBe('SENT')
  })
})

describe('as the only one, for many', () => {
  const on = several([{ name: 'alone', warmUp: { firstDay: 20, factor: 2, target: 1_000 } }])

  test('nobody is taken for nothing once its day is full, and the rest go on when the day turns', async () => {
    const { world } = on
    const { clock, project } = world
    await world.ctx.sql`
      insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
      select uuid_v7(${clock.now()}::timestamptz, n), ${project.id}, 'c' || n || '@example.com', true, '{}', ${clock.now()}, ${clock.now()}
        from generate_series(1, 600) n`
    const id = await sendCampaign(on)
    const touched = async () =>
      (
        await world.ctx.sql`
        select from emails where campaign_id = ${id} and (status <> 'PENDING' or next_attempt_at is not null)`
      ).count
    await work(on)
    expect(world.attempts()).toEqual([20])
    // Three processes at a time may each have taken a batch before the others booked it.
    expect(await touched()).toBeLessThanOrEqual(20 * 6)
    const before = await touched()
    for (let hours = 0; hours < 11; hours++) {
      clock.advance(day / 24)
      await work(on)
    }
    expect([world.attempts(), await touched()]).toEqual([[20], before])
    clock.advance(day / 24)
    await work(on)
    clock.advance(10 * minute)
    await work(on)
    expect(world.attempts()).toEqual([60])
  })
})

describe('with one that takes some recipients only', () => {
  const on = several([
    { name: 'first', warmUp: plan },
    { name: 'for-some', to: ['elsewhere.example'] },
    { name: 'second', warmUp: { firstDay: 3, factor: 2, target: 100 } },
  ])

  test('the forecast adds up what the others take, and says what it does not know', async () => {
    const id = await sendCampaign(on, 12)
    const told = await forecastOf(on, id)
    expect(told).toMatchObject({
      transports: ['first', 'second'],
      unknown: ['OTHER_PROJECTS', 'RECIPIENT_TRANSPORTS'],
    })
    expect(told.days.map(({ messages }: { messages: number }) => messages)).toEqual([5, 7])
    await work(on)
    expect(on.world.attempts()).toEqual([2, 0, 3])
  })
})
