// Messages whose tries run out, one after the other: the fifth in a row says that the address is gone.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { day, hour } from '../../src/lib/time'
import type { SendResult } from '../../src/platform/mail/transport'
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

describe('an address whose messages run out of tries', () => {
  test('is suppressed at the fifth in a row, and its contact unsubscribed', async () => {
    for (let n = 1; n <= 4; n++) expect(await settled(later)).toBe('FAILED')
    expect(await suppressed()).toEqual([])
    expect(await settled(later)).toBe('FAILED')
    expect(await suppressed()).toEqual(['full@example.com'])
    const events = await world.events()
    expect(events.filter(event => event.name === 'email.bounce')).toHaveLength(5)
    expect(events.filter(event => event.name === 'contact.unsubscribed').map(event => event.data)).toEqual([
      { reason: 'bounce' },
    ])
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
