// Which segments a contact is in, and who came to a segment and left it, newest first.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { upsertContacts } from '../../src/modules/audience/contacts/service'
import type { Context } from '../../src/platform/context'
import { buildApp } from '../../src/server/app'
import { type ManualClock, testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { type MadeProject, makeProject } from '../support/make'
import { request } from '../support/request'

let database: TestDatabase
let ctx: Context
let clock: ManualClock
let app: AnyElysia

beforeAll(async () => {
  database = await cloneDatabase()
  ;({ ctx, clock } = testContext(database, { rateLimitPerMinute: 0 }))
  app = buildApp(ctx)
})
afterAll(() => database.drop())

const call = (project: MadeProject, method: string, path: string, body?: unknown) =>
  request(app, method, path, { key: project.secretKey, body })

const rule = (field: string, operator: string, value?: unknown) => ({
  logic: 'AND',
  groups: [{ filters: [{ field, operator, ...(value === undefined ? {} : { value }) }] }],
})

async function setPlan(project: MadeProject, emails: string[], plan: string): Promise<string[]> {
  const entries = emails.map(email => ({ email, patch: { set: { plan }, remove: [], transient: {} } }))
  const made = await upsertContacts(ctx, project.id, entries, { defaultSubscribed: true })
  return made.map(({ contact }) => contact.id)
}

describe('the segments of a contact', () => {
  test('are those whose condition it matches, those that name them, and the lists it is on', async () => {
    const project = await makeProject({ ctx })
    const [ada, ben] = await setPlan(project, ['ada@x.test', 'ben@x.test'], 'pro')
    await setPlan(project, ['ben@x.test'], 'free')
    const make = async (body: object) => (await call(project, 'POST', '/segments', body)).body.id
    const pro = await make({ name: 'Pro', condition: rule('data.plan', 'equals', 'pro') })
    await make({ name: 'Free', condition: rule('data.plan', 'equals', 'free') })
    await make({ name: 'In pro', condition: rule(`segment.${pro}`, 'memberOfSegment') })
    const list = await make({ name: 'List', type: 'STATIC' })
    await make({ name: 'Other list', type: 'STATIC' })
    await call(project, 'POST', `/segments/${list}/members`, { emails: ['ada@x.test'] })
    const namesOf = async (id: string) => {
      const { status, body } = await call(project, 'GET', `/contacts/${id}/segments`)
      expect(status).toBe(200)
      return body.segments.map(({ name }: { name: string }) => name)
    }
    expect(await namesOf(ada!)).toEqual(['In pro', 'List', 'Pro'])
    expect(await namesOf(ben!)).toEqual(['Free'])
  })

  test('are told beyond fifty, and of the own contacts only', async () => {
    const project = await makeProject({ ctx })
    const [ada] = await setPlan(project, ['ada@x.test'], 'pro')
    for (let nth = 0; nth < 55; nth++)
      await call(project, 'POST', '/segments', {
        name: `Segment ${nth}`,
        condition: rule('email', nth % 2 ? 'contains' : 'notContains', 'ada'),
      })
    const { body } = await call(project, 'GET', `/contacts/${ada}/segments`)
    expect(body.segments).toHaveLength(27)
    const stranger = await makeProject({ ctx })
    expect((await call(stranger, 'GET', `/contacts/${ada}/segments`)).status).toBe(404)
    expect((await call(project, 'GET', '/contacts/nobody/segments')).status).toBe(404)
  })
})

describe('the history of a segment', () => {
  test('tells who came and who left, newest first, in pages', async () => {
    const project = await makeProject({ ctx })
    await setPlan(project, ['a@x.test', 'b@x.test', 'c@x.test'], 'pro')
    const condition = rule('data.plan', 'equals', 'pro')
    const { body: segment } = await call(project, 'POST', '/segments', {
      name: 'Pro',
      condition,
      trackMembership: true,
    })
    await call(project, 'POST', `/segments/${segment.id}/compute`)
    clock.advance(60_000)
    await setPlan(project, ['b@x.test'], 'free')
    await call(project, 'POST', `/segments/${segment.id}/compute`)
    const first = await call(project, 'GET', `/segments/${segment.id}/history?limit=1`)
    expect(first.body).toMatchObject({
      data: [{ change: 'exit', email: 'b@x.test' }],
      hasMore: true,
      total: 4,
    })
    const rest = await call(project, 'GET', `/segments/${segment.id}/history?cursor=${first.body.cursor}`)
    expect(rest.body.data.map(({ change }: { change: string }) => change)).toEqual([
      'entry',
      'entry',
      'entry',
    ])
    expect(new Set(rest.body.data.map(({ email }: { email: string }) => email)).size).toBe(3)
    expect(rest.body.hasMore).toBe(false)
  })

  test('is its own: another segment of the same slug does not show', async () => {
    const project = await makeProject({ ctx })
    await setPlan(project, ['a@x.test'], 'pro')
    const condition = rule('data.plan', 'equals', 'pro')
    const make = async (name: string, trackMembership: boolean) =>
      (await call(project, 'POST', '/segments', { name, condition, trackMembership })).body.id
    const tracked = await make('Big Ones', true)
    const other = await make('big-ones', true)
    await call(project, 'POST', `/segments/${tracked}/compute`)
    expect((await call(project, 'GET', `/segments/${other}/history`)).body).toMatchObject({
      data: [],
      total: 0,
    })
    expect((await call(project, 'GET', `/segments/${tracked}/history`)).body.data).toHaveLength(1)
    const stranger = await makeProject({ ctx })
    expect((await call(stranger, 'GET', `/segments/${tracked}/history`)).status).toBe(404)
  })
})
