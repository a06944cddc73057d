// Messages whose tries run out, one after the other: the fifth in a row says that the address is gone.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { day, hour } from '../../src/lib/time'
import type { SendResult } from '../../src/mail/message'
import { makeWorld, type World } from '../support/world'

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

const later: SendResult = { outcome: 'deferred', response: '452 4.2.2 mailbox full' }
const policy: SendResult = { outcome: 'refused', blame: 'other', response: '554 5.7.1 policy' }

/** Sends one message that is answered with `answer` until it is settled. */
async function settled(answer?: SendResult, to = 'full@example.com'): Promise<string> {
  world.mail.clear()
  if (answer) world.mail.always(answer)
  const id = await world.sendOne({ to, subscribed: true })
  // A try at the end of its day is the last one; to jump there saves the test the others.
  await world.drain()
  world.clock.advance(24 * hour)
  await world.drain()
  return (await world.email(id)).status
}

const suppressed = async (): Promise<string[]> => {
  const rows = await world.ctx.sql`select email from suppressions where project_id = ${world.project.id}`
  return rows.map(row => row.email)
}

describe('an address that refuses and does not say why', () => {
  const silent: SendResult = { outcome: 'refused', blame: 'other', meaning: 'unknown', response: '550 no' }

  const refusedDaily = async (days: number, answer = silent): Promise<void> => {
    for (let n = 1; n <= days; n++) {
      expect(await settled(answer)).toBe('FAILED')
      world.clock.advance(day)
    }
  }

  test('is suppressed at the fifth time in a row, over a week', async () => {
    await refusedDaily(4)
    expect(await suppressed()).toEqual([])
    await refusedDaily(1)
    const rows = await world.ctx.sql`select reason from suppressions where project_id = ${world.project.id}`
    expect(rows.map(row => row['reason'])).toEqual(['repeated'])
  })

  test('is left alone where all of it happened within a week, or one arrived', async () => {
    world.mail.always(silent)
    for (let n = 1; n <= 6; n++) await world.sendOne({ to: 'full@example.com', subscribed: true })
    await world.drain()
    expect(await suppressed()).toEqual([])
    world.clock.advance(8 * day)
    expect(await settled()).toBe('DELIVERED')
    await refusedDaily(4)
    expect(await suppressed()).toEqual([])
  })

  test('is never suppressed for refusals of the sender, which are counted for the receiver', async () => {
    await refusedDaily(6, { ...silent, meaning: 'refused', response: '550 5.7.1 blocked' })
    expect(await suppressed()).toEqual([])
    const rows = await world.ctx.sql`
      select receiver, sum(messages)::int as messages, max(words) as words from receiver_refusals
       where project_id = ${world.project.id} group by 1`
    expect(rows).toMatchObject([{ receiver: 'example.com', messages: 6, words: '550 5.7.1 blocked' }])
  })
})

describe('an address whose messages run out of tries', () => {
  test('is suppressed at the fifth in a row, and its contact unsubscribed', async () => {
    for (let n = 1; n <= 4; n++) expect(await settled(later)).toBe('BOUNCED')
    expect(await suppressed()).toEqual([])
    expect(await settled(later)).toBe('BOUNCED')
    expect(await suppressed()).toEqual(['full@example.com'])
    const events = await world.events()
    expect(events.filter(event => event.name === 'email.bounce')).toHaveLength(5)
    expect(events.filter(event => event.name === 'contact.unsubscribed').map(event => event.data)).toEqual([
      { reason: 'bounce' },
    ])
  })

  test('is left alone where the receiver put the sender off, or the relay was away', async () => {
    const reputation: SendResult = {
      outcome: 'deferred',
      stage: 'rcpt',
      code: 451,
      response: '451 4.7.1 your IP is on a blocklist',
    }
    const away: SendResult = { outcome: 'deferred', stage: 'connect', response: 'connection refused' }
    for (const answer of [reputation, away])
      for (let n = 1; n <= 3; n++) expect(await settled(answer)).toBe('BOUNCED')
    for (let n = 1; n <= 4; n++) expect(await settled(later)).toBe('BOUNCED')
    expect(await suppressed()).toEqual([])
  })

  test('starts anew after one that arrived', async () => {
    for (let n = 1; n <= 4; n++) await settled(later)
    expect(await settled()).toBe('DELIVERED')
    for (let n = 1; n <= 4; n++) await settled(later)
    expect(await suppressed()).toEqual([])
  })

  test('is not judged by messages that were refused for another reason', async () => {
    for (let n = 1; n <= 4; n++) await settled(later)
    expect(await settled(policy)).toBe('FAILED')
    expect(await suppressed()).toEqual([])
    await settled(later)
    expect(await suppressed()).toEqual(['full@example.com'])
  })

  test('nor by those of more than thirty days ago', async () => {
    for (let n = 1; n <= 4; n++) await settled(later)
    world.clock.advance(30 * day)
    await settled(later)
    expect(await suppressed()).toEqual([])
  })

  test('nor by those of other addresses or projects', async () => {
    for (let n = 1; n <= 4; n++) await settled(later)
    await settled(later, 'another@example.com')
    world.project = await world.newProject()
    await settled(later)
    expect(await suppressed()).toEqual([])
  })
})
