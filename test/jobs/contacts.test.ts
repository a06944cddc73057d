// Background work of contacts and events: what deleted contacts leave behind, and the counts.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { contactJobs } from '../../src/modules/audience/contacts/jobs'
import { contactKinds } from '../../src/modules/audience/contacts/kinds'
import { deleteContacts, upsertContacts } from '../../src/modules/audience/contacts/service'
import { eventJobs } from '../../src/modules/audience/events/jobs'
import { eventKinds } from '../../src/modules/audience/events/kinds'
import { selectNameCounts } from '../../src/modules/audience/events/queries'
import { recordEvents } from '../../src/modules/audience/events/service'
import type { Context } from '../../src/platform/context'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { handlerTable } from '../../src/platform/jobs/kind'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { drain } from '../support/drain'

let database: TestDatabase
let ctx: Context
const handlers = handlerTable([...contactJobs, ...eventJobs])

beforeAll(async () => {
  database = await cloneDatabase()
  ctx = testContext(database).ctx
})
afterAll(() => database.drop())

async function projectWith(emails: string[]): Promise<{ project: string; ids: string[] }> {
  const project = Bun.randomUUIDv7()
  const made = await upsertContacts(
    ctx,
    project,
    emails.map(email => ({ email })),
    { defaultSubscribed: true },
  )
  const ids = made.map(({ contact }) => contact.id)
  await recordEvents(
    ctx,
    project,
    ids.flatMap(contactId => [
      { name: 'order', contactId },
      { name: 'visit', contactId },
    ]),
  )
  return { project, ids }
}

test('the events of a deleted contact go, and out of the counts; those of others and of nobody stay', async () => {
  const { project, ids } = await projectWith(['a@x.test', 'b@x.test'])
  const other = await projectWith(['a@x.test'])
  await recordEvents(ctx, project, [{ name: 'order' }])
  expect(await deleteContacts(ctx, project, [ids[0]!, other.ids[0]!, Bun.randomUUIDv7()])).toEqual([ids[0]!])
  await drain(ctx, handlers)
  const left = await ctx.sql<{ contact: string | null }[]>`
    select contact_id as contact from events where project_id = ${project}::uuid order by id`
  expect(left.map(row => row.contact)).toEqual([ids[1]!, ids[1]!, null])
  const expected = [
    { name: 'order', count: 2 },
    { name: 'visit', count: 1 },
  ]
  expect([...(await selectNameCounts(ctx, project))]).toEqual(expected)
  await enqueue(ctx, eventKinds.rollUp, {})
  await drain(ctx, handlers)
  expect([...(await selectNameCounts(ctx, project))]).toEqual(expected)
  expect(await selectNameCounts(ctx, other.project)).toHaveLength(2)
})

test('folding empties both tables of deltas', async () => {
  await projectWith(['a@x.test', 'b@x.test'])
  await enqueue(ctx, eventKinds.rollUp, {})
  await enqueue(ctx, contactKinds.rollUp, {})
  await drain(ctx, handlers)
  const [row] = await ctx.sql`
    select (select count(*) from contact_deltas) as contacts, (select count(*) from event_deltas) as events`
  expect(row).toEqual({ contacts: 0, events: 0 })
})
