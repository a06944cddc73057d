// Several transports: which of them a message goes by, what lets it go on to the next one at once, and what is said about it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { second } from '../../src/lib/time'
import type { SendResult } from '../../src/mail/message'
import { sendSystemMail } from '../../src/modules/accounts/system-emails/service'
import { signSession } from '../../src/modules/accounts/users/guard'
import { takeForSending } from '../../src/modules/sending/emails/queries'
import { showTransports } from '../../src/platform/transports/health'
import { buildApp } from '../../src/server/app'
import { jobHandlers } from '../../src/server/jobs'
import { campaignWorld } from '../support/campaigns'
import { drain } from '../support/drain'
import { request } from '../support/request'
import { makeSeveralWorld, type SeveralWorld } from '../support/several'
import { parse } from '../support/world'

/** Each test has relays that never failed. */
async function fresh(world: SeveralWorld): Promise<void> {
  for (const relay of Object.values(world.relays)) relay.clear()
  // Whatever cooled in the test before is over, and a letter to each shows that it works.
  for (let round = 0; round < 2; round++) {
    world.clock.advance(600 * second)
    await world.ctx.sql`delete from jobs`
    for (const route of world.ctx.mail.routes!.all)
      route.enter()({ outcome: 'accepted', delivered: true, response: '' })
  }
  world.project = await world.newProject()
}

const down: SendResult = { outcome: 'deferred', stage: 'connect', response: 'cannot connect' }
const lost: SendResult = {
  outcome: 'deferred',
  stage: 'final',
  mayHaveArrived: true,
  response: 'the connection was closed',
}

describe('two relays for all mail', () => {
  let world: SeveralWorld
  let operator: string
  beforeAll(async () => {
    world = await makeSeveralWorld([{ name: 'first' }, { name: 'second' }])
    operator = world.project.ownerId
  })
  beforeEach(() => fresh(world))
  afterAll(() => world.close())

  const triesOf = async (id: string): Promise<unknown[]> =>
    (await world.email(id)).tries.map((one: Record<string, unknown>) => [
      one['attempt'],
      one['transportName'],
      one['outcome'],
    ])

  test('the first takes everything while it works, and the ledger names it', async () => {
    const id = await world.sendOne()
    await world.drain()
    expect(world.attempts()).toEqual([1, 0])
    expect(await world.email(id)).toMatchObject({
      status: 'DELIVERED',
      attempts: 1,
      tries: [{ attempt: 1, transport: 'memory', transportName: 'first', outcome: 'accepted' }],
    })
  })

  test.each<[what: string, fault: SendResult]>([
    ['no connection', down],
    ['a wrong password', { outcome: 'deferred', stage: 'auth', code: 535, response: '535 no' }],
    ['421', { outcome: 'deferred', stage: 'mail', code: 421, response: '421 closing' }],
    [
      'a full relay',
      { outcome: 'deferred', stage: 'mail', code: 452, enhanced: '4.3.1', response: '452 full' },
    ],
    ['a quota', { outcome: 'deferred', stage: 'final', code: 454, response: '454 daily quota exceeded' }],
    [
      'a quota for good',
      { outcome: 'refused', blame: 'other', stage: 'data', code: 550, enhanced: '5.4.5', response: '550' },
    ],
  ])('%s: the message goes by the second at once, under the same Message-ID', async (_, fault) => {
    world.relays['first']!.script(fault)
    const id = await world.sendOne()
    await world.drain()
    const email = await world.email(id)
    expect(email).toMatchObject({ status: 'DELIVERED', attempts: 2, error: null })
    expect(await triesOf(id)).toEqual([
      [1, 'first', fault.outcome],
      [2, 'second', 'accepted'],
    ])
    const [one] = world.relays['first']!.attempts
    const [other] = world.relays['second']!.sent
    expect([(await parse(one!)).messageId, (await parse(other!)).messageId]).toEqual([
      email.messageId,
      email.messageId,
    ])
    // Passed over from now on, without being asked.
    await world.sendOne()
    await world.drain()
    expect(world.attempts()).toEqual([1, 2])
  })

  test.each<[what: string, answer: SendResult, status: string]>([
    [
      'an address that does not exist',
      { outcome: 'refused', blame: 'address', stage: 'rcpt', code: 550, response: '550' },
      'BOUNCED',
    ],
    [
      'content that is refused',
      { outcome: 'refused', blame: 'other', stage: 'final', code: 554, response: '554' },
      'FAILED',
    ],
    ['greylisting', { outcome: 'deferred', stage: 'rcpt', code: 450, response: '450 later' }, 'PENDING'],
    [
      'too many recipients',
      { outcome: 'deferred', stage: 'rcpt', code: 452, enhanced: '4.5.3', response: '452' },
      'PENDING',
    ],
    ['an answer that was lost', lost, 'PENDING'],
  ])('%s: the message stays with the first', async (_, answer, status) => {
    world.relays['first']!.script(answer)
    const id = await world.sendOne()
    await world.drain()
    expect(world.attempts()).toEqual([1, 0])
    expect(await world.email(id)).toMatchObject({ status, attempts: 1 })
  })

  test('the ledger names no transport for a try whose process died, and the one of the next', async () => {
    const id = await world.sendOne()
    await takeForSending(world.ctx, [id])
    await world.drain()
    const { status, tries } = await world.email(id)
    expect(status).toBe('DELIVERED')
    expect(tries).toMatchObject([
      { attempt: 1, outcome: 'deferred' },
      { attempt: 2, outcome: 'accepted', transport: 'memory', transportName: 'first' },
    ])
    expect(tries[0]).not.toContainAnyKeys(['transport', 'transportName'])
  })

  test('a message whose answer was lost is tried again by the plan, once, by whichever works', async () => {
    world.relays['first']!.script(lost)
    const id = await world.sendOne()
    await world.drain()
    world.clock.advance(7 * second)
    await world.drain()
    expect(await triesOf(id)).toEqual([
      [1, 'first', 'deferred'],
      [2, 'second', 'accepted'],
    ])
    expect(world.attempts()).toEqual([1, 1])
  })

  test('where all fail, a message waits as with one, and goes by the first that is back', async () => {
    for (const relay of Object.values(world.relays)) relay.always(down)
    const id = await world.sendOne()
    await world.drain()
    expect(await world.email(id)).toMatchObject({ status: 'PENDING', attempts: 2 })
    const other = await world.sendOne()
    await world.drain()
    // One try, not one for each: none of them is thought to work.
    expect(await world.email(other)).toMatchObject({
      status: 'PENDING',
      attempts: 1,
      error: 'cannot connect',
    })
    world.relays['second']!.clear()
    world.clock.advance(40 * second)
    await world.drain()
    expect((await world.email(id)).status).toBe('DELIVERED')
    expect((await world.email(other)).status).toBe('DELIVERED')
    expect(world.relays['second']!.sent).toHaveLength(2)
  })

  test('the first is asked again when it has cooled, and has its mail back', async () => {
    world.relays['first']!.script(down)
    await world.sendOne()
    await world.drain()
    world.clock.advance(10 * second)
    for (let n = 0; n < 3; n++) await world.sendOne()
    await world.drain()
    expect(world.relays['second']!.sent).toHaveLength(1)
    expect(world.relays['first']!.sent).toHaveLength(3)
  })

  test('a message left by a process that died goes out from the next, which knows nothing of the health', async () => {
    world.relays['first']!.script(down, down)
    const id = await world.sendOne()
    world.relays['second']!.script(down)
    await world.drain()
    expect((await world.email(id)).status).toBe('PENDING')
    world.clock.advance(7 * second)
    const next = { ...world.ctx, mail: world.freshMail() }
    await drain(next, jobHandlers(next))
    expect(await triesOf(id)).toEqual([
      [1, 'first', 'deferred'],
      [2, 'second', 'deferred'],
      [3, 'first', 'deferred'],
      [4, 'second', 'accepted'],
    ])
  })

  test('copies that were deferred go by the next as well, each try with a row of its own', async () => {
    const copy = 'copy@example.com'
    world.relays['first']!.script(
      {
        ...{ outcome: 'accepted', delivered: true, response: '250 ok' },
        untaken: [{ address: copy, outcome: 'deferred', stage: 'rcpt', code: 450, response: '450 later' }],
      },
      down,
    )
    const id = await world.sendOne({ cc: copy })
    await world.drain()
    world.clock.advance(7 * second)
    await world.drain()
    expect(await triesOf(id)).toEqual([
      [1, 'first', 'accepted'],
      [2, 'first', 'deferred'],
      [3, 'second', 'accepted'],
    ])
    expect((await world.email(id)).attempts).toBe(3)
  })

  test('a campaign goes on by the second, and is not paused', async () => {
    const on = await campaignWorld(world)
    await on.contacts(30)
    world.relays['first']!.clear()
    world.relays['first']!.always(down)
    const id = await on.draft()
    await on.send(id)
    await on.drain()
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', deliveredCount: 30 })
    expect(world.relays['second']!.sent).toHaveLength(30)
  })

  test('the operator, health and the metrics show each', async () => {
    showTransports(world.ctx, ['first', 'second'])
    world.relays['first']!.script(down)
    await world.sendOne()
    await world.drain()
    const app = buildApp(world.ctx)
    const cookie = `waxwing_session=${await signSession(world.ctx, { userId: operator, version: 1 })}`
    const { body: state } = await request(app, 'GET', '/instance', { cookie })
    expect(state.transport).toEqual({ name: 'several', host: null })
    const shown = { kind: 'smtp', isForAll: true }
    expect(state.transports).toEqual([
      {
        ...{
          ...shown,
          name: 'first',
          host: 'first.example',
          working: false,
          failures: 1,
          fault: 'cannot connect',
        },
        passedOverUntil: new Date(world.clock.now().getTime() + 10 * second).toISOString(),
      },
      {
        ...shown,
        name: 'second',
        host: 'second.example',
        working: true,
        failures: 0,
        fault: null,
        passedOverUntil: null,
      },
    ])
    const { body: health } = await request(app, 'GET', '/health')
    expect(health.transports).toEqual([
      { name: 'first', working: false },
      { name: 'second', working: true },
    ])
    const figures = await world.ctx.metrics.registry.metrics()
    expect(figures).toContain('waxwing_transport_working{transport="first"} 0')
    expect(figures).toContain('waxwing_transport_working{transport="second"} 1')
    expect(figures).toMatch(/waxwing_delivery_attempts_total\{transport="second",outcome="accepted"\} \d/)
  })
})

describe('conditions', () => {
  let world: SeveralWorld
  beforeAll(async () => {
    world = await makeSeveralWorld([
      { name: 'letters', mail: ['instance'] },
      { name: 'gmail', to: ['gmail.com'] },
      { name: 'news', mail: ['marketing'], from: ['acme.example'] },
      { name: 'rest' },
    ])
  })
  beforeEach(() => fresh(world))
  afterAll(() => world.close())

  test('choose: the class of the mail, the sender, the recipient', async () => {
    await world.sendOne({ to: 'ada@example.com' })
    await world.sendOne({ to: 'bob@gmail.com' })
    await sendSystemMail(world.ctx, { to: 'carl@gmail.com', subject: 'A letter', text: 'x' })
    const on = await campaignWorld({ ...world, clear: undefined } as never)
    await world.drain()
    expect(world.attempts()).toEqual([1, 1, 0, 1])
    await on.contacts(2)
    const id = await on.draft()
    await on.send(id)
    await on.drain()
    expect(world.attempts()).toEqual([1, 1, 2, 1])
  })

  test('hold for the next one too: a letter may take the rest, and never what is for others', async () => {
    world.relays['letters']!.always(down)
    await sendSystemMail(world.ctx, { to: 'carl@example.com', subject: 'A letter', text: 'x' })
    await world.drain()
    expect(world.attempts()).toEqual([1, 0, 0, 1])
    const [row] = await world.ctx.sql`select status from system_mails order by created_at desc limit 1`
    expect(row).toMatchObject({ status: 'SENT' })
  })
})

describe('a relay with a pace of its own', () => {
  let world: SeveralWorld
  beforeAll(async () => {
    world = await makeSeveralWorld([{ name: 'slow', rate: 2 }, { name: 'spare' }])
  })
  beforeEach(() => fresh(world))
  afterAll(() => world.close())

  test('keeps to it for all projects together; its mail waits, and takes no other way for that', async () => {
    const ids = [await world.sendOne(), await world.sendOne()]
    world.project = await world.newProject()
    for (let n = 0; n < 3; n++) ids.push(await world.sendOne())
    await world.drain()
    for (const expected of [2, 3, 4, 5]) {
      expect(world.attempts()).toEqual([expected, 0])
      world.clock.advance(second / 2)
      await world.drain()
    }
    // Waiting is no attempt.
    expect(await world.email(ids[4]!)).toMatchObject({ status: 'DELIVERED', attempts: 1 })
  })

  test('holds a campaign to it, and a campaign loses nothing by waiting', async () => {
    const on = await campaignWorld(world)
    await on.contacts(6)
    world.relays['slow']!.clear()
    world.clock.advance(60 * second)
    const id = await on.draft()
    await on.send(id)
    await on.drain()
    const begun = world.relays['slow']!.sent.length
    expect(begun).toBeLessThanOrEqual(2)
    for (let n = 0; n < 20 && (await on.stats(id)).status !== 'SENT'; n++) {
      world.clock.advance(second)
      await on.drain()
    }
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', deliveredCount: 6 })
    expect(world.attempts()).toEqual([6, 0])
  })

  test('while it fails, its mail goes by the other without waiting', async () => {
    world.relays['slow']!.script(down)
    for (let n = 0; n < 5; n++) await world.sendOne()
    await world.drain()
    expect(world.attempts()).toEqual([1, 5])
  })
})
