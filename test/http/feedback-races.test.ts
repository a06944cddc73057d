// Reports that meet each other, or the very try that they are about: soft bounces at one moment, and reports that are faster than
// the record of what was sent.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { day } from '../../src/lib/time'
import { applyReports } from '../../src/modules/sending/feedback/service'
import { type FeedbackWorld, makeFeedbackWorld } from '../support/feedback'

let world: FeedbackWorld
beforeAll(async () => {
  world = await makeFeedbackWorld()
})
beforeEach(async () => {
  world.mail.clear()
  await world.ctx.sql`delete from jobs`
  world.project = await world.newProject()
})
afterAll(() => world.close())

const soft = { bounceType: 'Transient' }

const suppressed = async (): Promise<string[]> => {
  const rows = await world.ctx
    .sql`select email from suppressions where project_id = ${world.project.id} order by 1`
  return rows.map(row => row.email)
}
const unsubscribed = async (): Promise<number> =>
  (await world.eventNames()).filter(name => name === 'contact.unsubscribed').length

async function sentMany(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push((await world.sent()).providerId)
  return ids
}

describe('an address that bounces softly', () => {
  test('is suppressed at the fifth message in a row', async () => {
    const ids = await sentMany(5)
    for (const id of ids.slice(0, 4)) await world.tell('Bounce', id, soft)
    expect(await suppressed()).toEqual([])
    await world.tell('Bounce', ids[4]!, soft)
    expect(await suppressed()).toEqual(['ada@example.com'])
    expect((await world.contact()).subscribed).toBe(false)
    expect(await unsubscribed()).toBe(1)
  })

  test('with all five at one moment is suppressed once', async () => {
    for (let round = 0; round < 4; round++) {
      world.project = await world.newProject()
      const ids = await sentMany(5)
      const answers = await Promise.all(ids.map(id => world.tell('Bounce', id, soft)))
      expect(answers.map(answer => answer.status)).toEqual([200, 200, 200, 200, 200])
      expect(await suppressed()).toEqual(['ada@example.com'])
      expect(await unsubscribed()).toBe(1)
    }
  })

  test('several times with one message has bounced once', async () => {
    const ids = await sentMany(4)
    for (const id of [...ids, ...ids]) await world.tell('Bounce', id, soft)
    expect(await suppressed()).toEqual([])
    expect((await world.eventNames()).filter(name => name === 'email.bounce')).toHaveLength(4)
  })

  test('starts anew after a message that arrived', async () => {
    const ids = await sentMany(9)
    for (const [at, id] of ids.entries())
      await world.tell(at === 4 ? 'Delivery' : 'Bounce', id, at === 4 ? {} : soft)
    expect(await suppressed()).toEqual([])
  })

  test('is judged by messages with an outcome only', async () => {
    const ids = await sentMany(7)
    for (const id of [ids[0]!, ids[2]!, ids[3]!, ids[5]!]) await world.tell('Bounce', id, soft)
    expect(await suppressed()).toEqual([])
    await world.tell('Bounce', ids[6]!, soft)
    expect(await suppressed()).toEqual(['ada@example.com'])
  })

  test('is not judged by what was more than thirty days ago', async () => {
    const ids = await sentMany(4)
    for (const id of ids) await world.tell('Bounce', id, soft)
    world.clock.advance(31 * day)
    const { providerId } = await world.sent()
    await world.tell('Bounce', providerId, { ...soft, timestamp: world.clock.now().toISOString() })
    expect(await suppressed()).toEqual([])
  })
})

describe('a report that is faster than the record of the try', () => {
  /** Sends a message whose reports arrive while it is being handed over. */
  async function overtaken(kinds: Array<'opened' | 'bounced' | 'complained' | 'clicked'>): Promise<string> {
    const id = await world.sendOne({ subscribed: true })
    world.mail.script(async () => {
      const at = world.ctx.clock.now()
      const reports = kinds.map(kind => ({
        projectId: world.project.id,
        emailId: id,
        kind,
        at,
        source: 'own' as const,
      }))
      await applyReports(world.ctx, reports)
      return { outcome: 'accepted', delivered: true, response: '250 ok', providerId: `p-${id}` }
    })
    await world.drain()
    return id
  }

  test.each([
    [['opened'], 'OPENED'],
    [['opened', 'clicked'], 'CLICKED'],
    [['bounced'], 'BOUNCED'],
    [['bounced', 'complained'], 'COMPLAINED'],
  ] as const)('(%p) ends as %s, with every event once', async (kinds, status) => {
    const id = await overtaken([...kinds])
    expect((await world.email(id)).status).toBe(status)
    expect((await world.row(id)).provider_id).toBe(`p-${id}`)
    const names = await world.eventNames()
    expect(new Set(names).size).toBe(names.length)
    expect(names).toContain('email.sent')
    expect(names).toContain('email.delivery')
  })
})

test('a bounce that is reported while the same message is being refused happens once', async () => {
  const id = await world.sendOne({ subscribed: true })
  const told = {
    projectId: world.project.id,
    emailId: id,
    kind: 'bounced' as const,
    source: 'webhook' as const,
  }
  world.mail.script(async () => {
    await applyReports(world.ctx, [{ ...told, at: world.ctx.clock.now(), detail: 'told before' }])
    world.clock.advance(1_000)
    return { outcome: 'refused', blame: 'address', response: '550 5.1.1 gone' }
  })
  await world.drain()
  expect(await world.email(id)).toMatchObject({ status: 'BOUNCED', error: 'told before' })
  const names = await world.eventNames()
  expect(names.filter(name => name === 'email.bounce')).toHaveLength(1)
  expect(await unsubscribed()).toBe(1)
})

test('opposite batches about the same messages do not get in each other’s way', async () => {
  const mails: Array<{ id: string }> = []
  for (let n = 0; n < 6; n++) mails.push(await world.sent({ to: `r${n}@example.com` }))
  const reports = mails.map(({ id }) => ({
    ...{ projectId: world.project.id, emailId: id, at: world.ctx.clock.now() },
    ...{ kind: 'bounced' as const, source: 'webhook' as const },
  }))
  await Promise.all(
    Array.from({ length: 8 }, (_, n) => applyReports(world.ctx, n % 2 ? reports : reports.toReversed())),
  )
  expect(await suppressed()).toHaveLength(6)
  expect(await unsubscribed()).toBe(6)
  expect((await world.eventNames()).filter(name => name === 'email.bounce')).toHaveLength(6)
})
