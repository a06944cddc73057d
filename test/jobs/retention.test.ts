// What is forgotten after its time, by a clock that the test moves: bodies and attachments, and what else is cleared on schedule.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { firstIdAt } from '../../src/lib/ids'
import { emailKinds } from '../../src/modules/sending/emails/kinds'
import { clearBodies } from '../../src/modules/sending/emails/queries'
import { clearOldBodies } from '../../src/modules/sending/emails/service'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { campaignWorld } from '../support/campaigns'
import { makeWorld, sender, type World } from '../support/world'

const day = 86_400_000
let world: World
beforeAll(async () => {
  world = await makeWorld({ bodyRetentionMs: 90 * day })
})
afterAll(() => world.close())

const run = async () => {
  await enqueue(world.ctx, emailKinds.clearBodies, {})
  await world.drain()
}
const attachmentsLeft = async () =>
  (await world.database.sql`select 1 from attachments where project_id = ${world.project.id}`).length

describe('a message', () => {
  test('keeps its body for ninety days and then what the ledger says of it', async () => {
    const attachments = [{ filename: 'a.txt', content: 'aGVsbG8=', contentType: 'text/plain' }]
    const id = await world.sendOne({ subject: 'Invoice', body: '<p>Secret</p>', attachments })
    await world.drain()
    world.clock.advance(89 * day)
    await run()
    const before = await world.email(id)
    expect(before.html ?? before.body).toContain('Secret')
    expect(await attachmentsLeft()).toBe(1)
    world.clock.advance(2 * day)
    await run()
    const after = await world.email(id)
    expect(JSON.stringify(after)).not.toContain('Secret')
    expect(after).toMatchObject({
      id,
      subject: 'Invoice',
      status: 'DELIVERED',
      to: 'ada@example.com',
      tries: before.tries,
    })
    expect(await attachmentsLeft()).toBe(0)
    const [row] = await world.database.sql`
      select html, text, variables, attachment_set from emails where id = ${id}`
    expect(row).toEqual({ html: '', text: '', variables: null, attachment_set: null })
  })

  test('of a campaign loses what it was rendered from, and the campaign keeps its body', async () => {
    const self = await campaignWorld(world)
    await self.contacts(3, { data: { name: 'Hidden' } })
    const id = await self.draft()
    await self.send(id)
    await self.drain()
    const variables = async () =>
      (await world.database.sql`select 1 from emails where campaign_id = ${id} and variables is not null`)
        .length
    expect(await variables()).toBe(3)
    world.clock.advance(91 * day)
    await run()
    expect(await variables()).toBe(0)
    const recipients = await self.recipients(id)
    expect(recipients.map(one => one['status'])).toEqual(['DELIVERED', 'DELIVERED', 'DELIVERED'])
    const { body } = await self.call('GET', `/emails/${recipients[0]!['emailId']}`)
    expect(body).toMatchObject({ subject: 'News for Hidden', text: '' })
    expect(JSON.stringify({ ...body, subject: '' })).not.toContain('Hidden')
    expect((await self.call('GET', `/campaigns/${id}`)).body.body).toContain('Hello')
  })

  test('that is still to be sent is left alone', async () => {
    const id = await world.sendOne({ body: '<p>Waiting</p>' })
    world.clock.advance(91 * day)
    await clearOldBodies(world.ctx)
    const [row] = await world.database.sql`select html from emails where id = ${id}`
    expect(row!['html']).toContain('Waiting')
    await world.drain()
  })
})

describe('a run', () => {
  test('goes on behind the one before, whatever page that ended with', async () => {
    const ids: string[] = []
    for (let number = 0; number < 5; number++) ids.push(await world.sendOne({ to: `p${number}@example.com` }))
    await world.drain()
    world.clock.advance(91 * day)
    const before = firstIdAt(new Date(world.clock.now().getTime() - 90 * day))
    const [mark] = await world.database.sql<{ at: string }[]>`select done_to as at from retention_marks`
    const page = await clearBodies(world.ctx, mark!.at, before, 2)
    expect(page).toMatchObject({ looked: 2, emptied: 2 })
    expect(await clearOldBodies(world.ctx)).toBe(3)
    expect(await clearOldBodies(world.ctx)).toBe(0)
    const left = await world.database.sql`select 1 from emails where id = any(${ids}::uuid[]) and html <> ''`
    expect(left).toHaveLength(0)
  })

  test('over nothing reads nothing', async () => {
    const [mark] = await world.database.sql<{ at: string }[]>`select done_to as at from retention_marks`
    const before = firstIdAt(new Date(world.clock.now().getTime() - 90 * day))
    const plan = await world.database.sql`
      explain (analyze, format text)
      select id from emails where id > ${mark!.at}::uuid and id < ${before}::uuid order by id limit 1000`
    const text = plan.map(line => Object.values(line)[0]).join('\n')
    expect(text).toMatch(/emails_(\w+_)?pkey/)
    expect(text).toMatch(/rows=0(\.00)? loops=1/)
    expect(text).not.toContain('Rows Removed')
  })

  test('of an instance that keeps bodies changes nothing', async () => {
    const id = await world.sendOne({ from: sender, body: '<p>Kept</p>' })
    await world.drain()
    world.clock.advance(400 * day)
    const ctx = { ...world.ctx, config: { ...world.ctx.config, bodyRetentionMs: undefined } }
    expect(await clearOldBodies(ctx)).toBe(0)
    const [row] = await world.database.sql`select html from emails where id = ${id}`
    expect(row!['html']).toContain('Kept')
  })
})
