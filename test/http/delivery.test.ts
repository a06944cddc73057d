// From an accepted message to its end: what each answer of the other side does to the row, the address and the contact.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { hour, minute, second } from '../../src/lib/time'
import type { SendResult } from '../../src/mail/message'
import { updateProject } from '../../src/modules/accounts/projects/queries'
import { makeWorld, sender, senderDomain, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  world.mail.clear()
  await world.ctx.sql`delete from jobs`
  world.project = await world.newProject()
})
afterAll(() => world.close())

const later: SendResult = {
  outcome: 'deferred',
  response: '451 4.7.1 try later',
  code: 451,
  enhanced: '4.7.1',
  stage: 'rcpt',
}
const unknownUser: SendResult = {
  outcome: 'refused',
  blame: 'address',
  response: '550 5.1.1 no such user',
  code: 550,
  enhanced: '5.1.1',
  stage: 'rcpt',
}
const policy: SendResult = {
  outcome: 'refused',
  blame: 'other',
  response: '554 5.7.1 policy',
  code: 554,
  stage: 'final',
}

const suppressions = async (): Promise<object[]> =>
  await world.ctx.sql`
    select email, reason, source, email_id as "emailId" from suppressions where project_id = ${world.project.id} order by email`
const isSubscribed = async (email: string): Promise<boolean> => {
  const [row] = await world.ctx.sql`
    select subscribed from contacts where project_id = ${world.project.id} and email = ${email}`
  return row!.subscribed
}
const openJobs = async (): Promise<number> => {
  const [row] = await world.ctx.sql`
    select count(*)::int as count from jobs where project_id = ${world.project.id} and kind = 'email.deliver'`
  return row!.count
}

describe('a message that is taken', () => {
  test('is DELIVERED where that is the last word, with the try and both events', async () => {
    const id = await world.sendOne({ subject: 'Hi', from: { email: sender, name: 'Acme' } })
    world.clock.advance(2 * second)
    await world.drain()
    const now = world.clock.now().toISOString()
    const email = await world.email(id)
    expect(email).toMatchObject({
      status: 'DELIVERED',
      error: null,
      attempts: 1,
      sentAt: now,
      deliveredAt: now,
      nextAttemptAt: null,
    })
    expect(email.tries).toEqual([
      {
        attempt: 1,
        transport: 'memory',
        outcome: 'accepted',
        stage: null,
        code: 250,
        enhanced: null,
        response: '250 2.0.0 kept in memory',
        startedAt: now,
        finishedAt: now,
      },
    ])
    const facts = {
      subject: 'Hi',
      from: sender,
      fromName: 'Acme',
      messageId: `<${id}@${senderDomain}>`,
      emailId: id,
      templateId: null,
      campaignId: null,
      sourceType: 'TRANSACTIONAL',
    }
    const about = { contactId: email.contactId, emailId: id }
    expect(await world.events()).toEqual([
      { ...about, name: 'email.sent', data: { ...facts, sentAt: now } },
      { ...about, name: 'email.delivery', data: { ...facts, deliveredAt: now } },
    ])
    expect(await openJobs()).toBe(0)
  })

  test('is SENT where a report comes later, and keeps the id of the provider', async () => {
    world.mail.script({ outcome: 'accepted', delivered: false, response: 'queued', providerId: 'ses-1' })
    const id = await world.sendOne()
    await world.drain()
    expect(await world.email(id)).toMatchObject({ status: 'SENT', deliveredAt: null })
    expect((await world.events()).map(event => event.name)).toEqual(['email.sent'])
    const [row] = await world.ctx.sql`select provider_id from emails where id = ${id}`
    expect(row!.provider_id).toBe('ses-1')
  })

  test('is not sent again because a provider gave two messages one id', async () => {
    world.mail.always({ outcome: 'accepted', delivered: true, response: 'ok', providerId: 'twice' })
    const ids = [await world.sendOne(), await world.sendOne()]
    await world.drain()
    world.clock.advance(hour)
    await world.drain()
    expect(world.mail.attempts).toHaveLength(2)
    for (const id of ids) expect((await world.email(id)).status).toBe('DELIVERED')
  })
})

describe('a message that is put off', () => {
  test('is tried again when its plan says, not before, and every answer is kept', async () => {
    const id = await world.sendOne()
    world.mail.always(later)
    const pauses = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 2 * hour]
    for (const [index, pause] of pauses.entries()) {
      await world.drain()
      const email = await world.email(id)
      expect(email).toMatchObject({
        status: 'PENDING',
        attempts: index + 1,
        error: '451 4.7.1 try later',
        sentAt: null,
      })
      const wait = Date.parse(email.nextAttemptAt) - world.clock.now().getTime()
      expect(wait).toBeGreaterThanOrEqual(pause * 0.8)
      expect(wait).toBeLessThanOrEqual(pause * 1.2)
      world.clock.advance(wait - 1)
      await world.drain()
      expect(world.mail.attempts).toHaveLength(index + 1)
      world.clock.advance(1)
    }
    world.mail.always({ outcome: 'accepted', delivered: true, response: '250 ok' })
    await world.drain()
    const email = await world.email(id)
    expect(email).toMatchObject({ status: 'DELIVERED', error: null, attempts: 9, nextAttemptAt: null })
    expect(email.tries.map((one: { outcome: string }) => one.outcome)).toEqual([
      ...Array(8).fill('deferred'),
      'accepted',
    ])
    expect(email.tries[0]).toMatchObject({
      attempt: 1,
      code: 451,
      enhanced: '4.7.1',
      stage: 'rcpt',
      response: '451 4.7.1 try later',
    })
    expect((await world.events()).map(event => event.name)).toEqual(['email.sent', 'email.delivery'])
  })

  test('carries the same Message-ID and date at every try', async () => {
    world.mail.script(later)
    await world.sendOne()
    await world.drain()
    world.clock.advance(minute)
    await world.drain()
    const [first, second] = world.mail.attempts
    expect(Buffer.from(second!.raw).equals(Buffer.from(first!.raw))).toBe(true)
  })

  test('is BOUNCED after a day, which is one soft bounce and suppresses nothing', async () => {
    world.mail.always(later)
    const id = await world.sendOne()
    const start = world.clock.now().getTime()
    for (let round = 0; round < 30; round++) {
      await world.drain()
      const { nextAttemptAt } = await world.email(id)
      if (!nextAttemptAt) break
      world.clock.set(new Date(nextAttemptAt))
    }
    const elapsed = world.clock.now().getTime() - start
    expect(elapsed).toBeGreaterThan(20 * hour)
    expect(elapsed).toBeLessThanOrEqual(24 * hour)
    const email = await world.email(id)
    expect(email).toMatchObject({ status: 'BOUNCED', nextAttemptAt: null, bouncedAt: null })
    expect(email.error).toBe(`gave up after ${email.attempts} tries: 451 4.7.1 try later`)
    expect(email.tries).toHaveLength(email.attempts)
    expect(await suppressions()).toEqual([])
    expect(await openJobs()).toBe(0)
    expect((await world.events()).map(event => [event.name, event.data?.['bounceType']])).toEqual([
      ['email.bounce', 'Transient'],
    ])
  })
})

describe('a message whose address is refused', () => {
  test('is BOUNCED, never sent, and the address gets nothing more from this project', async () => {
    world.mail.script(unknownUser)
    const id = await world.sendOne({ to: 'gone@example.com', subscribed: true })
    await world.drain()
    const email = await world.email(id)
    const now = world.clock.now().toISOString()
    expect(email).toMatchObject({
      status: 'BOUNCED',
      sentAt: null,
      bouncedAt: now,
      error: '550 5.1.1 no such user',
    })
    expect(await suppressions()).toEqual([
      { email: 'gone@example.com', reason: 'bounce', source: '550 5.1.1 no such user', emailId: id },
    ])

    const next = await world.send({ to: ['gone@example.com', 'here@example.com'] })
    const [refused, fine] = next.body.data.emails
    expect(await world.email(refused.email)).toMatchObject({
      status: 'FAILED',
      error: 'address is suppressed (bounce)',
      attempts: 0,
      tries: [],
    })
    await world.drain()
    expect(world.mail.attempts).toHaveLength(2)
    expect((await world.email(fine.email)).status).toBe('DELIVERED')

    world.project = await world.newProject()
    await world.sendOne({ to: 'gone@example.com' })
    await world.drain()
    expect(world.mail.sent.at(-1)!.envelope.to).toBe('gone@example.com')
  })

  test('unsubscribes the contact, with the reason', async () => {
    world.mail.script(unknownUser)
    const id = await world.sendOne({ to: 'gone@example.com', subscribed: true })
    const { contactId } = await world.email(id)
    await world.drain()
    expect(await isSubscribed('gone@example.com')).toBe(false)
    const events = await world.events()
    expect(events.map(event => event.name).sort()).toEqual(['contact.unsubscribed', 'email.bounce'])
    expect(events.find(event => event.name === 'contact.unsubscribed')).toMatchObject({
      contactId,
      emailId: id,
      data: { reason: 'bounce' },
    })
    expect(events.find(event => event.name === 'email.bounce')?.data).toMatchObject({
      emailId: id,
      bounceType: 'Permanent',
      bouncedAt: world.clock.now().toISOString(),
    })
  })

  test('emits no second opt-out for a contact that is not subscribed', async () => {
    world.mail.script(unknownUser)
    await world.sendOne({ to: 'gone@example.com' })
    await world.drain()
    expect((await world.events()).map(event => event.name)).toEqual(['email.bounce'])
  })

  test('leaves a contact alone that has another address by now', async () => {
    world.mail.script(unknownUser)
    await world.sendOne({ to: 'old@example.com', subscribed: true })
    await world.ctx.sql`
      update contacts set email = 'new@example.com' where project_id = ${world.project.id} and email = 'old@example.com'`
    await world.drain()
    expect(await isSubscribed('new@example.com')).toBe(true)
    expect(await suppressions()).toMatchObject([{ email: 'old@example.com' }])
  })
})

describe('a message that is refused for another reason', () => {
  test('has FAILED at once, and its address stays good', async () => {
    world.mail.script(policy)
    const id = await world.sendOne({ to: 'fine@example.com', subscribed: true })
    await world.drain()
    expect(await world.email(id)).toMatchObject({
      status: 'FAILED',
      error: '554 5.7.1 policy',
      bouncedAt: null,
      attempts: 1,
    })
    expect(await suppressions()).toEqual([])
    expect(await isSubscribed('fine@example.com')).toBe(true)
    expect((await world.events()).map(({ name, data }) => [name, data!['reason']])).toEqual([
      ['email.failed', 'unknown'],
    ])
    await world.sendOne({ to: 'fine@example.com' })
    await world.drain()
    expect(world.mail.sent).toHaveLength(1)
  })
})

describe('a message that may not leave any more', () => {
  test('has FAILED when its project was disabled meanwhile', async () => {
    const id = await world.sendOne()
    await updateProject(world.ctx, world.project.id, { disabled: true })
    await world.drain()
    expect(world.mail.attempts).toEqual([])
    expect(await world.email(id)).toMatchObject({
      status: 'FAILED',
      error: 'project is disabled',
      attempts: 0,
      tries: [],
    })
  })

  test('has FAILED when its address was suppressed meanwhile', async () => {
    const ids = [
      await world.sendOne({ to: 'twice@example.com' }),
      await world.sendOne({ to: 'twice@example.com' }),
    ]
    world.mail.script(unknownUser)
    await world.drain()
    expect(world.mail.attempts).toHaveLength(1)
    expect((await Promise.all(ids.map(world.email))).map(email => [email.status, email.attempts])).toEqual([
      ['BOUNCED', 1],
      ['FAILED', 0],
    ])
  })

  test('still leaves when its contact was deleted: it was accepted', async () => {
    const id = await world.sendOne({ to: 'deleted@example.com' })
    await world.ctx.sql`delete from contacts where project_id = ${world.project.id}`
    await world.drain()
    expect((await world.email(id)).status).toBe('DELIVERED')
  })

  test('also bounces without its contact', async () => {
    const id = await world.sendOne({ to: 'deleted@example.com', subscribed: true })
    await world.ctx.sql`delete from contacts where project_id = ${world.project.id}`
    world.mail.script(unknownUser)
    await world.drain()
    expect((await world.email(id)).status).toBe('BOUNCED')
    expect(await suppressions()).toHaveLength(1)
  })
})
