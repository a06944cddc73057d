// How long a project keeps events, messages and inactive contacts: shown before anything goes, in effect a day later, and nothing goes that is to stay.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { day, hour } from '../../src/lib/time'
import { retentionKinds } from '../../src/modules/oversight/privacy/kinds'
import { applyReports } from '../../src/modules/sending/feedback/service/apply'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { buildApp } from '../../src/server/app'
import type { MadeProject } from '../support/make'
import { type Answer, request } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let app: AnyElysia
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
afterAll(() => world.close())

const call = (project: MadeProject, method: string, path: string, body?: object): Promise<Answer> =>
  request(app, method, path, { key: project.secretKey, ...(body ? { body } : {}) })
const put = (project: MadeProject, body: object): Promise<Answer> =>
  call(project, 'PUT', `/projects/${project.id}/retention`, body)
const get = async (project: MadeProject) =>
  (await call(project, 'GET', `/projects/${project.id}/retention`)).body
const preview = async (project: MadeProject, body: object) =>
  (await call(project, 'POST', `/projects/${project.id}/retention/preview`, body)).body
const track = (project: MadeProject, email: string, event: string): Promise<Answer> =>
  request(app, 'POST', '/v1/track', { key: project.publicKey, body: { email, event } })
const send = async (project: MadeProject, to: string, more: object = {}): Promise<string> =>
  (await call(project, 'POST', '/v1/send', { from: sender, to, subject: 'Dear you', body: 'x', ...more }))
    .body.data.emails[0].email

/** The hourly schedule and what it begins. */
async function sweep(): Promise<void> {
  await enqueue(world.ctx, retentionKinds.startDue, {})
  await world.drain()
}

async function pass(ms: number): Promise<void> {
  world.clock.advance(ms)
  await world.drain()
}

const none = { count: 0, isMore: false }
const some = (count: number) => ({ count, isMore: false })

describe('the rules', () => {
  test('that a colleague changed since they were read are not overwritten', async () => {
    const project = await world.newProject()
    const nothing = { eventsDays: null, messagesDays: null, inactiveDays: null }
    const first = await put(project, { eventsDays: 400, expected: nothing })
    expect([first.status, first.body.eventsDays]).toEqual([200, 400])
    const late = await put(project, { messagesDays: 90, expected: nothing })
    expect([late.status, late.body.error.details]).toEqual([409, { ...nothing, eventsDays: 400 }])
    expect(await get(project)).toMatchObject({ eventsDays: 400, messagesDays: null })
    const known = { ...nothing, eventsDays: 400 }
    const next = await put(project, { eventsDays: 400, messagesDays: 90, expected: known })
    expect([next.status, next.body.messagesDays]).toEqual([200, 90])
  })

  test('are nothing at first, are kept as they are given, and wait a day where they are stricter', async () => {
    const project = await world.newProject()
    expect(await get(project)).toEqual({
      ...{ eventsDays: null, messagesDays: null, inactiveDays: null },
      ...{ effectiveAt: null, lastRunAt: null },
    })
    const inADay = () => new Date(world.clock.now().getTime() + day).toISOString()
    expect((await put(project, { eventsDays: 400, inactiveDays: 365 })).body).toMatchObject({
      ...{ eventsDays: 400, messagesDays: null, inactiveDays: 365, effectiveAt: inADay() },
    })
    const first = inADay()
    await pass(hour)
    // Looser, so that nothing new is to be deleted.
    expect((await put(project, { eventsDays: 500, inactiveDays: 365 })).body.effectiveAt).toBe(first)
    expect((await put(project, { eventsDays: 450, inactiveDays: 365 })).body.effectiveAt).toBe(inADay())
    expect((await put(project, {})).body.effectiveAt).toBeNull()
    const log = (await call(project, 'GET', `/projects/${project.id}/audit-log`)).body.data
    expect(log[1]).toMatchObject({
      action: 'retention.changed',
      details: { eventsDays: 450, messagesDays: null, inactiveDays: 365 },
    })
  })

  test.each([
    [{ eventsDays: 6 }, 'eventsDays'],
    [{ messagesDays: 0 }, 'messagesDays'],
    [{ inactiveDays: 29 }, 'inactiveDays'],
    [{ inactiveDays: 30.5 }, 'inactiveDays'],
    [{ eventsDays: '30' }, 'eventsDays'],
    [{ eventsDays: 36_501 }, 'eventsDays'],
    // Everybody would seem inactive after ten days.
    [{ eventsDays: 10, inactiveDays: 30 }, 'inactiveDays'],
  ])('%o is refused', async (body, field) => {
    for (const path of ['retention/preview', 'retention']) {
      const method = path === 'retention' ? 'PUT' : 'POST'
      const answer = await call(world.project, method, `/projects/${world.project.id}/${path}`, body)
      expect([answer.status, answer.body.error.errors[0].field]).toEqual([422, field])
    }
  })

  test("another tenant's are not found", async () => {
    const stranger = await world.newProject()
    const path = `/projects/${world.project.id}/retention`
    const statuses = [
      await call(stranger, 'GET', path),
      await call(stranger, 'PUT', path, { eventsDays: 30 }),
      await call(stranger, 'POST', `${path}/preview`, { eventsDays: 30 }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([404, 404, 404])
  })
})

describe('what is too old', () => {
  test('is told before, goes a day after the rule was made, and not a day sooner', async () => {
    const project = await world.newProject()
    await track(project, 'ada@x.test', 'old')
    const old = await send(project, 'ada@x.test', {
      tags: ['secret'],
      attachments: [{ filename: 'a.txt', content: 'aGVsbG8=', contentType: 'text/plain' }],
    })
    await world.drain()
    await pass(20 * day)
    await track(project, 'ada@x.test', 'new')
    const fresh = await send(project, 'ada@x.test')
    await pass(0)
    const rules = { eventsDays: 10, messagesDays: 10 }
    const events = await eventNames(project)
    const oldEvents = events.length - (await eventNames(project, 10 * day)).length
    expect(oldEvents).toBeGreaterThanOrEqual(3)
    expect(await preview(project, rules)).toEqual({
      ...{ events: some(oldEvents), messages: some(1), contacts: none },
    })
    await put(project, rules)
    await sweep()
    expect(await eventNames(project)).toEqual(events)
    await pass(day)
    await sweep()
    expect((await get(project)).lastRunAt).toBe(world.clock.now().toISOString())
    expect(await eventNames(project)).toContain('new')
    expect(await eventNames(project)).not.toContain('old')
    const names = (await call(project, 'GET', '/events/names')).body
    expect(JSON.stringify(names)).not.toContain('"old"')
    const [before, after] = [old, fresh].map(id => call(project, 'GET', `/emails/${id}`))
    expect((await before!).body).toMatchObject({
      ...{ to: 'erased', subject: '', tags: [], status: 'DELIVERED' },
    })
    expect((await after!).body).toMatchObject({ to: 'ada@x.test', subject: 'Dear you' })
    const files = await world.ctx.sql`select from attachments where project_id = ${project.id}`
    expect(files.count).toBe(0)
    expect(await preview(project, rules)).toEqual({ events: none, messages: none, contacts: none })
    // The contact and its consent stay: only the inactive go, and no rule says so.
    const [contact] = (await call(project, 'GET', '/contacts')).body.data
    expect((await call(project, 'GET', `/contacts/${contact.id}/consent`)).body.total).toBe(1)
  })

  test('is emptied when it has left, if it has not yet', async () => {
    const project = await world.newProject()
    const at = new Date(world.clock.now().getTime() + 12 * day).toISOString()
    const later = await send(project, 'late@x.test', { scheduledFor: at })
    await send(project, 'soon@x.test')
    await put(project, { messagesDays: 7 })
    const states: string[] = []
    for (let n = 0; n < 4; n++) {
      await pass(4 * day)
      await sweep()
      states.push((await call(project, 'GET', `/emails/${later}`)).body.to)
    }
    expect(states).toEqual(['late@x.test', 'late@x.test', 'erased', 'erased'])
    const kept = await world.ctx
      .sql`select from emails where project_id = ${project.id} and to_email <> 'erased'`
    expect(kept.count).toBe(0)
  })

  test('and was complained about afterwards, still ends the mail to its contact; a late bounce says nothing', async () => {
    const project = await world.newProject()
    for (const name of ['angry', 'gone'])
      await call(project, 'POST', '/contacts', { email: `${name}@x.test` })
    const angry = await send(project, 'angry@x.test')
    const gone = await send(project, 'gone@x.test')
    await put(project, { messagesDays: 7 })
    await world.drain()
    await pass(8 * day)
    await sweep()
    const about = { projectId: project.id, at: world.clock.now(), source: 'provider' as const }
    await applyReports(world.ctx, [
      { ...about, emailId: angry, kind: 'complained', recipients: ['angry@x.test'] },
      { ...about, emailId: gone, kind: 'bounced' },
    ])
    const { data } = (await call(project, 'GET', '/contacts?sort=email&dir=asc')).body
    expect(data.map((one: { subscribed: boolean }) => one.subscribed)).toEqual([false, true])
    const { data: suppressed } = (await call(project, 'GET', '/suppressions')).body
    expect(suppressed).toMatchObject([{ email: 'angry@x.test', reason: 'complaint' }])
    expect(suppressed).toHaveLength(1)
  })

  test('of whole pages with one moment is all found', async () => {
    const project = await world.newProject()
    const id = await send(project, 'many@x.test')
    await world.drain()
    await cloneMessage(id, 4_500)
    const { id: contactId } = (await call(project, 'GET', '/contacts')).body.data[0]
    await world.ctx.sql`
      insert into events (id, project_id, contact_id, name, created_at)
      select (${id.slice(0, 24)}::text || lpad(to_hex(n), 12, '0'))::uuid, ${project.id}::uuid, ${contactId}::uuid, 'many',
             ${world.clock.now()}::timestamptz
        from generate_series(1, 11000) n`
    await put(project, { messagesDays: 7, eventsDays: 7 })
    await pass(8 * day)
    await sweep()
    const left = await world.ctx
      .sql`select from emails where project_id = ${project.id} and to_email <> 'erased'`
    expect([left.count, await eventNames(project)]).toEqual([0, []])
  })
})

describe('inactive contacts', () => {
  test('are those about whom nothing has happened; who said no stays', async () => {
    const project = await world.newProject()
    const make = async (name: string, more: object = {}): Promise<string> =>
      (await call(project, 'POST', '/contacts', { email: `${name}@x.test`, ...more })).body.id
    await make('idle')
    await make('never', { subscribed: false })
    const out = await make('out')
    await call(project, 'PATCH', `/contacts/${out}`, { subscribed: false })
    await make('active')
    await make('mailed')
    const changed = await make('changed')
    const decided = await make('decided')
    await make('waiting')
    const paused = await send(project, 'waiting@x.test')
    await world.drain()
    await world.ctx.sql`update emails set status = 'PENDING' where id = ${paused}`
    await call(project, 'POST', '/suppressions', { emails: ['idle@x.test'] })
    const { body: topic } = await call(project, 'POST', '/topics', {
      name: 'News',
      subscribedByDefault: true,
    })
    await pass(20 * day)
    await track(project, 'active@x.test', 'seen')
    await send(project, 'mailed@x.test')
    await call(project, 'PATCH', `/contacts/${changed}`, { data: { plan: 'pro' } })
    await call(project, 'PUT', `/contacts/${decided}/topics`, {
      topics: [{ id: topic.id, subscribed: true }],
    })
    await make('fresh')
    await pass(20 * day)
    const rules = { inactiveDays: 30 }
    expect((await preview(project, rules)).contacts).toEqual(some(2))
    await put(project, rules)
    await pass(day)
    await sweep()
    const left = (await call(project, 'GET', '/contacts?sort=email&dir=asc')).body.data
    expect(left.map(({ email }: { email: string }) => email.split('@')[0])).toEqual([
      'active',
      'changed',
      'decided',
      'fresh',
      'mailed',
      'out',
      'waiting',
    ])
    // Deleting contacts is no way to write to suppressed addresses again.
    expect((await call(project, 'GET', '/suppressions')).body.total).toBe(1)
    await sweep()
    expect((await call(project, 'GET', '/contacts')).body.total).toBe(7)
  })

  test('are not deleted by a rule that was taken back within its day', async () => {
    const project = await world.newProject()
    await call(project, 'POST', '/contacts', { email: 'idle@x.test' })
    await pass(40 * day)
    await put(project, { inactiveDays: 30 })
    await pass(23 * hour)
    await sweep()
    await put(project, {})
    await pass(2 * day)
    await sweep()
    expect((await call(project, 'GET', '/contacts')).body.total).toBe(1)
  })
})

/** Names of the events of the last so long. */
async function eventNames(project: MadeProject, ms = 1e12): Promise<string[]> {
  const since = new Date(world.clock.now().getTime() - ms)
  const rows = await world.ctx.sql<{ name: string }[]>`
    select name from events where project_id = ${project.id} and created_at >= ${since}::timestamptz order by id`
  return rows.map(({ name }) => name)
}

/** More messages like one, of the same moment. */
async function cloneMessage(emailId: string, number: number): Promise<void> {
  const columns = await world.ctx.sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
     where table_name = 'emails' and is_generated = 'NEVER' order by ordinal_position`
  const names = columns.map(({ name }) => `"${name}"`)
  const values = names.map(name => (name === '"id"' ? 'gen_random_uuid()' : name))
  await world.database.sql.unsafe(
    `insert into emails (${names.join(', ')}) select ${values.join(', ')} from emails, generate_series(1, ${number}) n where id = '${emailId}'`,
  )
}
