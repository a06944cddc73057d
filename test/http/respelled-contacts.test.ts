// Data from before addresses had one spelling: two contacts of one mailbox become one, and nothing of either is lost or undone.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { day } from '../../src/lib/time'
import { insertInvitation } from '../../src/modules/accounts/projects/queries'
import { stopMailing } from '../../src/modules/sending/emails/service'
import { inTransaction } from '../../src/platform/context'
import { databaseChecks } from '../../src/server/checks/database'
import { respellAddresses } from '../../src/server/respell'
import { makeUser } from '../support/make'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
afterAll(() => world.close())

const call = async (method: string, path: string, body?: object) =>
  (await world.call(method, path, { body })).body
const add = async (email: string, more: object = {}): Promise<string> =>
  (await call('POST', '/contacts', { email, ...more })).id
/** As an older program stored it. */
const store = (id: string, email: string) =>
  world.ctx.sql`update contacts set email = ${email} where id = ${id}::uuid`
const respell = async () => {
  await world.ctx.sql`delete from backfills`
  await respellAddresses(world.ctx, world.database.sql)
  await world.drain()
}
const contactsOf = (id: string) => world.ctx.sql`
  select id, email, subscribed, opted_out_at is not null as "optedOut", data from contacts where id = ${id}::uuid`

test('a contact without a twin is renamed, and one that is spelled well stays', async () => {
  const [old, well] = [await add('alone@x.test'), await add('well@straße.test')]
  await store(old, 'alone@xn--mnchen-3ya.test')
  await respell()
  expect([(await contactsOf(old))[0], (await contactsOf(well))[0]]).toMatchObject([
    { email: 'alone@münchen.test' },
    { email: 'well@straße.test' },
  ])
})

test('two of one mailbox become the older, with what both have, and with the no of either', async () => {
  const older = await add('two@x.test', { data: { plan: 'pro' } })
  const newer = await add('two@y.test', { data: { plan: 'free', city: 'Köln' } })
  const { id: topicId } = await call('POST', '/topics', { name: 'News', subscribedByDefault: true })
  await call('PUT', `/contacts/${older}/topics`, { topics: [{ id: topicId, subscribed: true }] })
  await call('PUT', `/contacts/${newer}/topics`, { topics: [{ id: topicId, subscribed: false }] })
  const { id: segmentId } = await call('POST', '/segments', { name: 'S', type: 'STATIC' })
  await call('POST', `/segments/${segmentId}/members`, { emails: ['two@y.test'] })
  await world.chain('two', [{ type: 'DELAY', config: { amount: 1, unit: 'days' } }])
  await world.track('two@y.test', 'two')
  const emailId = await world.sendOne({ to: 'two@y.test' })
  await world.drain()
  await call('PATCH', `/contacts/${newer}`, { subscribed: false })
  const tables = ['events', 'emails', 'workflow_executions', 'segment_members', 'consent_changes']
  const rows = async (id: string) => {
    const counts: Record<string, number> = {}
    for (const table of tables) {
      const [row] = await world.ctx
        .sql`select count(*) as n from ${world.ctx.sql(table)} where contact_id = ${id}::uuid`
      counts[table] = Number(row!['n'])
    }
    return counts
  }
  const [first, second] = [await rows(older), await rows(newer)]
  for (const table of ['events', 'emails', 'workflow_executions', 'segment_members', 'consent_changes'])
    expect([table, second[table]! > 0]).toEqual([table, true])
  await store(older, 'two@xn--mnchen-3ya.test')
  await store(newer, 'two@münchen.test')
  await respell()
  expect(await contactsOf(newer)).toHaveLength(0)
  expect((await contactsOf(older))[0]).toMatchObject({
    email: 'two@münchen.test',
    subscribed: false,
    optedOut: true,
    data: { plan: 'pro', city: 'Köln' },
  })
  const merged = await rows(older)
  for (const table of tables) {
    const more = table === 'consent_changes' ? 1 : 0
    expect([table, merged[table]]).toEqual([table, first[table]! + second[table]! + more])
  }
  expect(await rows(newer)).toEqual(Object.fromEntries(tables.map(table => [table, 0])))
  expect((await call('GET', `/emails/${emailId}`)).contactId ?? older).toBe(older)
  const [decision] = await world.ctx
    .sql`select subscribed from contact_topics where contact_id = ${older}::uuid`
  expect(decision).toMatchObject({ subscribed: false })
  const [segment] = await world.ctx.sql`select member_count as n from segments where id = ${segmentId}::uuid`
  expect(Number(segment!['n'])).toBe(1)
})

test('of two of one mailbox, the older one’s no to a topic is not undone by the newer one’s yes', async () => {
  const [older, newer] = [await add('no@x.test'), await add('no@y.test')]
  const { id: topicId } = await call('POST', '/topics', { name: 'Offers', subscribedByDefault: true })
  await call('PUT', `/contacts/${older}/topics`, { topics: [{ id: topicId, subscribed: false }] })
  await call('PUT', `/contacts/${newer}/topics`, { topics: [{ id: topicId, subscribed: true }] })
  await store(older, 'no@xn--mnchen-3ya.test')
  await store(newer, 'no@münchen.test')
  await respell()
  expect(await contactsOf(newer)).toHaveLength(0)
  const { data } = await call('GET', `/contacts/${older}/topics`)
  expect(data.find(({ id }: { id: string }) => id === topicId)).toMatchObject({ subscribed: false })
})

test('two of one mailbox keep all fields, however many; what there is no room for is counted', async () => {
  const many = (letter: string) =>
    Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`${letter}${n}`, 'x'.repeat(8)]))
  const older = await add('full@x.test', { data: { ...many('a'), large: 'y'.repeat(20_000) } })
  const newer = await add('full@y.test', { data: { ...many('b'), huge: 'z'.repeat(40_000), small: 'z' } })
  await store(older, 'full@xn--mnchen-3ya.test')
  await store(newer, 'full@münchen.test')
  await respell()
  const [contact] = await contactsOf(older)
  const { large: _l, ...kept } = contact!['data']
  expect(kept).toEqual({ ...many('a'), ...many('b'), small: 'z' })
  const check = databaseChecks(world.ctx.config, world.ctx, true).find(({ about }) => about === 'addresses')
  const [{ words }] = (await check!.run()) as unknown as [{ words: string }]
  expect(words).toContain('fields dropped when contacts were merged: 1')
  expect((await world.call('PATCH', `/contacts/${older}`, { body: { subscribed: false } })).status).toBe(200)
})

test('three of one mailbox become one, and counts of contacts stay exact', async () => {
  const ids = [await add('three@a.test'), await add('three@b.test'), await add('three@c.test')]
  await store(ids[0]!, 'three@xn--mnchen-3ya.test')
  await store(ids[1]!, 'three\u200b@münchen.test')
  await store(ids[2]!, 'three@mün\u00adchen.test')
  await respell()
  expect((await contactsOf(ids[0]!))[0]).toMatchObject({ email: 'three@münchen.test', subscribed: true })
  const { total } = await call('GET', '/contacts')
  const [row] = await world.ctx.sql`select count(*) as n from contacts where project_id = ${world.project.id}`
  expect(total).toBe(Number(row!['n']))
})

test('a suppression moves to its spelling, and a complaint outweighs', async () => {
  const { sql } = world.ctx
  const put = (email: string, reason: string) => sql`
    insert into suppressions (project_id, email, reason, source, created_at)
    values (${world.project.id}, ${email}, ${reason}, 'old', now())`
  await put('s1@xn--mnchen-3ya.test', 'bounce')
  await put('s2@münchen.test', 'bounce')
  await put('s2@xn--mnchen-3ya.test', 'complaint')
  await respell()
  const rows =
    await sql`select email, reason from suppressions where project_id = ${world.project.id} order by email`
  expect(rows.map(row => [row['email'], row['reason']])).toEqual([
    ['s1@münchen.test', 'bounce'],
    ['s2@münchen.test', 'complaint'],
  ])
})

test('of two accounts with one mailbox, the one that is spelled well keeps it, and the operator is told', async () => {
  const [well, other] = [await makeUser(world, { email: 'u@münchen.test' }), await makeUser(world)]
  await world.ctx.sql`update users set email = 'u@xn--mnchen-3ya.test' where id = ${other.id}`
  await respell()
  const rows = await world.ctx
    .sql`select id, email from users where id in (${well.id}, ${other.id}) order by id`
  expect(rows.map(row => row['email'])).toEqual(['u@münchen.test', 'u@xn--mnchen-3ya.test'])
  const check = databaseChecks(world.ctx.config, world.ctx, true).find(({ about }) => about === 'addresses')
  expect(await check!.run()).toMatchObject([
    { level: 'warn', words: expect.stringMatching(/share a mailbox/) },
  ])
})

test('an open invitation is found by the account that it is for', async () => {
  const { sql } = world.ctx
  const invite = (email: string) =>
    insertInvitation(world.ctx, world.project.id, {
      id: crypto.randomUUID(),
      email,
      role: 'MEMBER',
      tokenHash: crypto.randomUUID(),
      expiresAt: new Date(world.clock.now().getTime() + day),
    })
  await invite('i1@xn--mnchen-3ya.test')
  await invite('i2@xn--mnchen-3ya.test')
  await invite('i2@münchen.test')
  await respell()
  const rows = await sql`select email from invitations where email like 'i_@m%' order by email`
  expect(rows.map(row => row['email'])).toEqual(['i1@münchen.test', 'i2@münchen.test'])
})

test('messages to the old spelling have the new one', async () => {
  const id = await world.sendOne({ to: 'sent@m.test' })
  await world.drain()
  await world.ctx.sql`update contacts set email = 'sent@xn--mnchen-3ya.test' where email = 'sent@m.test'`
  await world.ctx.sql`update emails set to_email = 'sent@xn--mnchen-3ya.test' where id = ${id}`
  await respell()
  expect(await world.email(id)).toMatchObject({ to: 'sent@münchen.test' })
})

test('a message that kept an old spelling is not sent again to a suppressed mailbox, and its bounce suppresses it', async () => {
  const [old, email] = ['late@xn--mnchen-3ya.test', 'late@münchen.test']
  const id = await world.sendOne({ to: 'late@m.test' })
  await world.drain()
  await world.ctx.sql`update emails set to_email = ${old} where id = ${id}`
  const stop = { reason: 'bounce' as const, detail: 'gone', suppress: true, emailId: id }
  const [row] = await world.ctx.sql`select contact_id as "contactId" from emails where id = ${id}`
  const mailed = { projectId: world.project.id, contactId: row!['contactId'], toEmail: old }
  await inTransaction(world.ctx, tx => stopMailing(tx, [{ ...mailed, ...stop }]))
  expect((await call('GET', '/suppressions?search=late')).data).toMatchObject([{ email, reason: 'bounce' }])
  expect(await world.call('POST', `/emails/${id}/resend`)).toMatchObject({ status: 409 })
})

test('of two instances that start at once, one does it while the other waits', async () => {
  await world.ctx.sql`delete from backfills`
  const ids = [await add('race-1@x.test'), await add('race-2@x.test')]
  await store(ids[0]!, 'race@xn--mnchen-3ya.test')
  await store(ids[1]!, 'race@mün\u00adchen.test')
  await Promise.all([1, 2].map(() => respellAddresses(world.ctx, world.database.sql)))
  expect(await contactsOf(ids[0]!)).toMatchObject([{ email: 'race@münchen.test' }])
  expect(await contactsOf(ids[1]!)).toHaveLength(0)
  const counts = await world.ctx
    .sql`select tag, done from backfills where tag like '%: contacts %ed' order by tag`
  expect(counts.map(({ tag, done }) => [tag, Number(done)])).toEqual([
    ['spelling of addresses: contacts merged', 1],
    ['spelling of addresses: contacts renamed', 1],
  ])
})

test('it is done once', async () => {
  await respell()
  const id = await add('once@x.test')
  await store(id, 'once@xn--mnchen-3ya.test')
  await respellAddresses(world.ctx, world.database.sql)
  expect((await contactsOf(id))[0]).toMatchObject({ email: 'once@xn--mnchen-3ya.test' })
})
