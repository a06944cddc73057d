// Emails that were put off because the transport failed for everybody are sent soon after it works again, not when their own plan says.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { hour, minute, second } from '../../src/lib/time'
import { sendSystemMail } from '../../src/modules/accounts/system-emails'
import { retryDeferred } from '../../src/modules/sending/emails/service/deferred'
import { inTransaction } from '../../src/platform/context'
import { makeWorld, type World } from '../support/world'

const down = { outcome: 'deferred', response: 'connect ECONNREFUSED 10.0.0.9:25', stage: 'connect' } as const
const greylisted = {
  outcome: 'deferred',
  response: '451 4.7.1 greylisted, try again later',
  code: 451,
  enhanced: '4.7.1',
  stage: 'rcpt',
} as const

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  await world.ctx.sql`delete from jobs`
  world.mail.clear()
  world.project = await world.newProject()
})
afterAll(() => world.close())

/** Tries all that is due until the pauses have grown to half an hour. */
async function outage(): Promise<void> {
  world.mail.always(down)
  for (const pause of [0, 7 * second, 40 * second, 3 * minute, 13 * minute]) {
    world.clock.advance(pause)
    await world.drain()
  }
}

const statusOf = async (id: string): Promise<string> => (await world.email(id)).status

test('what was put off during an outage is sent when the first email gets through', async () => {
  const [first, second_] = [await world.sendOne(), await world.sendOne()]
  await outage()
  expect((await world.email(first)).attempts).toBe(5)
  world.mail.clear()
  const next = await world.sendOne()
  await world.drain()
  expect(await statusOf(next)).toBe('DELIVERED')
  world.clock.advance(second)
  await world.drain()
  expect([await statusOf(first), await statusOf(second_)]).toEqual(['DELIVERED', 'DELIVERED'])
  expect(world.mail.sent).toHaveLength(3)
})

test('so is a mail of the instance, such as the reset of a password', async () => {
  await inTransaction(world.ctx, tx =>
    sendSystemMail(tx, { to: 'owner@example.com', subject: 'Reset', text: 'A link' }),
  )
  await outage()
  world.mail.clear()
  await world.sendOne()
  await world.drain()
  world.clock.advance(second)
  await world.drain()
  expect(world.mail.sent.map(({ envelope }) => envelope.to).sort()).toEqual([
    'ada@example.com',
    'owner@example.com',
  ])
})

test('an email of its own that was deferred, or that is scheduled, keeps its time', async () => {
  world.mail.script(greylisted)
  const deferred = await world.sendOne()
  await world.drain()
  const inAnHour = new Date(world.clock.now().getTime() + hour).toISOString()
  const scheduled = await world.sendOne({ scheduledFor: inAnHour })
  world.mail.script(down)
  const putOff = await world.sendOne()
  await world.drain()
  const { nextAttemptAt } = await world.email(deferred)
  world.mail.clear()
  await world.sendOne()
  await world.drain()
  world.clock.advance(second)
  await world.drain()
  expect(await statusOf(putOff)).toBe('DELIVERED')
  expect(await world.email(deferred)).toMatchObject({ status: 'PENDING', nextAttemptAt })
  expect(await world.email(scheduled)).toMatchObject({ status: 'PENDING', attempts: 0 })
})

test('so is one that the relay put off for our sake, by whatever code or words it says so', async () => {
  const answers = [
    { response: '535 5.7.8 wrong password', code: 535, enhanced: '5.7.8', stage: 'auth' },
    { response: '452 4.3.1 queue full', code: 452, enhanced: '4.3.1', stage: 'mail' },
    { response: '450 hourly limit reached', code: 450, stage: 'mail' },
    { response: '421 closing', code: 421, stage: 'rcpt' },
  ] as const
  const ids: string[] = []
  for (const answer of answers) {
    world.mail.script({ outcome: 'deferred', ...answer })
    ids.push(await world.sendOne())
    await world.drain()
  }
  world.mail.script({ outcome: 'deferred', internal: true, response: 'internal error' })
  const ours = await world.sendOne()
  await world.drain()
  expect(await retryDeferred(world.ctx)).toBe(ids.length)
  expect((await world.email(ours)).nextAttemptAt).not.toBe(world.clock.now().toISOString())
})

test('they are woken in portions, those that were due first first, and each says its new time', async () => {
  const ids = [await world.sendOne(), await world.sendOne(), await world.sendOne()]
  await outage()
  const due = await world.ctx.sql<{ id: string }[]>`
    select args->>'emailId' as id from jobs where kind = 'email.deliver' order by run_at`
  expect(await retryDeferred(world.ctx, 2)).toBe(2)
  const now = world.clock.now().toISOString()
  const times = await Promise.all(due.map(async ({ id }) => (await world.email(id)).nextAttemptAt))
  expect(times.map(time => time === now)).toEqual([true, true, false])
  expect(await retryDeferred(world.ctx, 2)).toBe(1)
  expect(await retryDeferred(world.ctx, 2)).toBe(0)
  expect(ids).toHaveLength(3)
})

test('a transport that fails again ends it: the rest waits for the next email that gets through', async () => {
  const id = await world.sendOne()
  await outage()
  world.mail.clear()
  world.mail.script({ outcome: 'accepted', delivered: true, response: '250 ok' })
  world.mail.always(down)
  await world.sendOne()
  await world.drain()
  world.clock.advance(second)
  await world.drain()
  expect(await world.email(id)).toMatchObject({ status: 'PENDING', attempts: 6 })
  world.clock.advance(10 * second)
  await world.drain()
  expect(await world.email(id)).toMatchObject({ status: 'PENDING', attempts: 6 })
})
