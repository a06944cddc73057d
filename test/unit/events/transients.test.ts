// Values that hold for one event only: kept for those who listen, gone with the event, and gone after three days.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { day } from '../../../src/lib/time'
import { eventKinds } from '../../../src/modules/audience/events/kinds'
import {
  deleteEvents,
  deleteEventsOfContacts,
  findEvents,
  listEventFields,
  recordEvents,
  setListener,
} from '../../../src/modules/audience/events/service'
import type { Context } from '../../../src/platform/context'
import { enqueue } from '../../../src/platform/jobs/enqueue'
import { jobHandlers } from '../../../src/server/jobs'
import { type ManualClock, testContext } from '../../support/context'
import { cloneDatabase, type TestDatabase } from '../../support/database'
import { drain } from '../../support/drain'

let database: TestDatabase
let ctx: Context
let clock: ManualClock

beforeAll(async () => {
  database = await cloneDatabase()
  ;({ ctx, clock } = testContext(database))
})
afterAll(() => database.drop())

const id = () => Bun.randomUUIDv7()
const kept = async (project: string): Promise<number> => {
  const [row] = await ctx.sql<{ count: number }[]>`
    select count(*) as count from event_transients where project_id = ${project}::uuid`
  return row!.count
}

/** A project where somebody listens for `code`, with one such event of a contact. */
async function makeHeard(): Promise<{ project: string; contactId: string; eventId: string }> {
  const [project, contactId] = [id(), id()]
  await setListener(ctx, project, id(), ['code'])
  const [event] = await recordEvents(ctx, project, [
    { name: 'code', contactId, data: { plan: 'pro', code: 'stored' }, transient: { code: 's3cret' } },
  ])
  return { project, contactId, eventId: event!.id }
}

test('they stand among the data of the event for those who act on it, before stored ones', async () => {
  const { project, eventId } = await makeHeard()
  expect((await findEvents(ctx, project, [eventId]))[0]!.data).toEqual({ plan: 'pro', code: 's3cret' })
  const [alone] = await recordEvents(ctx, project, [
    { name: 'code', contactId: id(), transient: { a: null } },
  ])
  expect((await findEvents(ctx, project, [alone!.id]))[0]!.data).toEqual({ a: null })
})

test('they are not kept without a listener, without a contact, or where there are none', async () => {
  const project = id()
  await recordEvents(ctx, project, [{ name: 'code', contactId: id(), transient: { a: 1 } }])
  await setListener(ctx, project, id(), ['code'])
  await recordEvents(ctx, project, [
    { name: 'code', transient: { a: 1 } },
    { name: 'code', contactId: id(), transient: {} },
    { name: 'code', contactId: id(), transient: null },
    { name: 'other', contactId: id(), transient: { a: 1 } },
  ])
  expect(await kept(project)).toBe(0)
})

test('they go with the event, by its name or with its contact', async () => {
  const [byName, byContact] = [await makeHeard(), await makeHeard()]
  await deleteEvents(ctx, byName.project, 'code')
  await deleteEventsOfContacts(ctx, byContact.project, [byContact.contactId])
  expect([await kept(byName.project), await kept(byContact.project)]).toEqual([0, 0])
  expect((await findEvents(ctx, byName.project, [byName.eventId]))[0]).toBeUndefined()
})

test('they are forgotten after three days, and the event stays', async () => {
  const { project, eventId } = await makeHeard()
  const forget = async () => {
    await enqueue(ctx, eventKinds.clearTransient, {})
    await drain(ctx, new Map([...jobHandlers(ctx)].filter(([kind]) => kind === 'event.clearTransient')))
  }
  clock.advance(3 * day)
  await forget()
  expect(await kept(project)).toBe(1)
  clock.advance(1)
  await forget()
  expect(await kept(project)).toBe(0)
  expect((await findEvents(ctx, project, [eventId]))[0]!.data).toEqual({ plan: 'pro', code: 'stored' })
})

test('fields of events are the top-level keys of the newest ones with data, by name or of all', async () => {
  const project = id()
  await recordEvents(ctx, project, [{ name: 'old', data: { forgotten: 1 } }])
  await recordEvents(
    ctx,
    project,
    Array.from({ length: 98 }, () => ({ name: 'new', data: { b: { c: 1 } } })),
  )
  await recordEvents(ctx, project, [{ name: 'none' }, { name: 'odd', data: { 'a b': 1, b: 2 } }])
  expect(await listEventFields(ctx, project)).toEqual(['event.a b', 'event.b', 'event.forgotten'])
  await recordEvents(ctx, project, [{ name: 'new', data: {} }])
  expect(await listEventFields(ctx, project)).toEqual(['event.a b', 'event.b'])
  expect(await listEventFields(ctx, project, 'new')).toEqual(['event.b'])
  expect(await listEventFields(ctx, project, 'none')).toEqual([])
})
