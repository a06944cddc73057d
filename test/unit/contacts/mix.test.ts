// Whatever mixture of imports, bulk changes, snoozes, field deletions and single writes a project sees, in whatever order or at the
// same time: its counts equal a full recount, and its events and its ledger of consent tell exactly the changes that happened.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { contactJobs } from '../../../src/modules/audience/contacts/jobs'
import { contactKinds } from '../../../src/modules/audience/contacts/kinds'
import {
  rollUpContactDeltas,
  selectContactCounts,
  selectFieldCounts,
} from '../../../src/modules/audience/contacts/queries'
import type { BulkOperation } from '../../../src/modules/audience/contacts/schema'
import {
  deleteField,
  setSubscriptions,
  snoozeContact,
  startBulk,
  startImport,
  updateContact,
  upsertContacts,
} from '../../../src/modules/audience/contacts/service'
import { type SnoozeDuration, snoozeDurations } from '../../../src/modules/audience/contacts/snoozing'
import { type Context, inTransaction } from '../../../src/platform/context'
import { enqueue } from '../../../src/platform/jobs/enqueue'
import { handlerTable } from '../../../src/platform/jobs/kind'
import { type ManualClock, testContext } from '../../support/context'
import { cloneDatabase, type TestDatabase } from '../../support/database'
import { drain } from '../../support/drain'
import { until } from '../../support/until'

let database: TestDatabase
let ctx: Context
let clock: ManualClock
const handlers = handlerTable(contactJobs)

beforeAll(async () => {
  database = await cloneDatabase()
  ;({ ctx, clock } = testContext(database))
})
afterAll(() => database.drop())

const person = fc.integer({ min: 0, max: 5 })
const people = fc.array(person, { minLength: 1, maxLength: 6 })
const field = fc.constantFrom('a', 'b', 'c.d')

type Step =
  | { type: 'import'; rows: Array<{ person: number; subscribed: string; a: string; b: string }> }
  | { type: 'bulk'; operation: BulkOperation; people: number[] }
  | { type: 'snooze'; person: number; duration: SnoozeDuration }
  | { type: 'wake'; ms: number }
  | { type: 'set'; people: number[]; subscribed: boolean }
  | { type: 'patch'; person: number; field: string; value: unknown; subscribed?: boolean }
  | { type: 'upsert'; person: number; field: string; subscribed?: boolean }
  | { type: 'clear'; field: string }
  | { type: 'fold' }

const cell = fc.constantFrom('', 'x', '1', 'true')
const subscribed = fc.option(fc.boolean(), { nil: undefined })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    type: fc.constant('import' as const),
    rows: fc.array(fc.record({ person, subscribed: fc.constantFrom('', 'yes', 'no'), a: cell, b: cell }), {
      minLength: 1,
      maxLength: 8,
    }),
  }),
  fc.record({
    type: fc.constant('bulk' as const),
    operation: fc.constantFrom<BulkOperation[]>('subscribe', 'unsubscribe', 'delete'),
    people,
  }),
  fc.record({ type: fc.constant('snooze' as const), person, duration: fc.constantFrom(...snoozeDurations) }),
  fc.record({ type: fc.constant('wake' as const), ms: fc.integer({ min: 0, max: 40 * 86_400_000 }) }),
  fc.record({ type: fc.constant('set' as const), people, subscribed: fc.boolean() }),
  fc.record({
    type: fc.constant('patch' as const),
    person,
    field,
    value: fc.constantFrom<unknown>(1, null, 'x', ''),
    subscribed,
  }),
  fc.record({ type: fc.constant('upsert' as const), person, field, subscribed }),
  fc.record({ type: fc.constant('clear' as const), field }),
  fc.constant({ type: 'fold' as const }),
)

const address = (index: number): string => `p${index}@x.test`

async function idsOf(project: string, who: number[]): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    select id from contacts where project_id = ${project}::uuid and email = any(${who.map(address)}::text[])`
  return rows.map(row => row.id)
}

/** Gone meanwhile, or unsubscribed for good: refusals that a client may see. */
function ignoreRefusal(error: { status?: number }): void {
  if (error.status !== 404 && error.status !== 409) throw error
}

/** False where twenty of the project are being stored: its client comes back. */
async function importIfRoom(project: string, bytes: Buffer): Promise<boolean> {
  const file = { name: 'x.csv', type: '', bytes }
  return await startImport(ctx, project, file).then(
    () => true,
    (error: { status?: number }) => {
      if (error.status === 429) return false
      throw error
    },
  )
}

async function apply(project: string, change: Step): Promise<void> {
  switch (change.type) {
    case 'import': {
      const rows = change.rows.map(row => `${address(row.person)},${row.subscribed},${row.a},${row.b}`)
      const bytes = Buffer.from(`email,subscribed,a,b\n${rows.join('\n')}\n`)
      await until('there is room for it', () => importIfRoom(project, bytes))
      return void (await drain(ctx, handlers))
    }
    case 'bulk': {
      const ids = await idsOf(project, change.people)
      await startBulk(ctx, project, change.operation, [...ids, Bun.randomUUIDv7()])
      return void (await drain(ctx, handlers))
    }
    case 'snooze': {
      const [id] = await idsOf(project, [change.person])
      return id
        ? void (await snoozeContact(ctx, project, id, change.duration).catch(ignoreRefusal))
        : undefined
    }
    case 'wake':
      clock.advance(change.ms)
      await enqueue(ctx, contactKinds.endSnoozes, {})
      return void (await drain(ctx, handlers))
    case 'set':
      return void (await setSubscriptions(
        ctx,
        project,
        await idsOf(project, change.people),
        change.subscribed ? 'subscribed' : 'optedOut',
      ))
    case 'patch': {
      const [id] = await idsOf(project, [change.person])
      const update = { data: { [change.field]: change.value }, subscribed: change.subscribed }
      return id ? void (await updateContact(ctx, project, id, update).catch(ignoreRefusal)) : undefined
    }
    case 'upsert': {
      const patch = { set: { [change.field]: 1 }, remove: [], transient: {} }
      const entry = { email: address(change.person), patch, subscribed: change.subscribed }
      return void (await upsertContacts(ctx, project, [entry], { defaultSubscribed: true }))
    }
    case 'clear':
      return void (await deleteField(ctx, project, `data.${change.field}`))
    case 'fold':
      return void (await rollUpContactDeltas(ctx, 3))
  }
}

async function recount(project: string) {
  const [counts] = await ctx.sql<{ contacts: number; subscribed: number }[]>`
    select count(*) as contacts, count(*) filter (where subscribed) as subscribed from contacts
     where project_id = ${project}::uuid`
  const fields = await ctx.sql<{ key: string; contacts: number }[]>`
    select key, count(*) as contacts from contacts, jsonb_each(data) where project_id = ${project}::uuid group by key`
  return { ...counts!, fields: Object.fromEntries(fields.map(row => [row.key, row.contacts])) }
}

async function kept(project: string) {
  const fields = await selectFieldCounts(ctx, project)
  const present = fields.filter(each => each.contacts !== 0).map(each => [each.name, each.contacts])
  return { ...(await selectContactCounts(ctx, project)), fields: Object.fromEntries(present) }
}

/** For each contact that is there: its events alternate, and the last one tells its state. */
async function checkEvents(project: string): Promise<void> {
  const wrong = await ctx.sql`
    with told as (
      select contact_id, name, lag(name) over (partition by contact_id order by id) as before,
             lead(name) over (partition by contact_id order by id) as next
        from events where project_id = ${project}::uuid
    )
    select told.contact_id from told left join contacts c on c.project_id = ${project}::uuid and c.id = told.contact_id
     where told.name = told.before
        or (told.next is null and c.id is not null and c.subscribed <> (told.name = 'contact.subscribed'))`
  expect([...wrong]).toEqual([])
}

/** The ledger of each contact is a chain without a gap that ends with its state; whoever is gone has none. */
async function checkLedger(project: string): Promise<void> {
  const wrong = await ctx.sql`
    with chained as (
      select contact_id, before, after, lag(after) over (partition by contact_id order by version) as told,
             row_number() over (partition by contact_id order by version desc) as from_end
        from consent_changes where project_id = ${project}::uuid
    ), states as (
      select id, case when subscribed then 'subscribed' when snoozed_until is not null then 'snoozed'
                      when opted_out_at is not null then 'optedOut' else 'notAsked' end as state
        from contacts where project_id = ${project}::uuid
    )
    select contact_id::text, 'broken' as fault from chained
     where coalesce(before, 'notAsked') <> coalesce(told, 'notAsked')
     union all
    select coalesce(l.contact_id, s.id)::text, 'ends elsewhere'
      from (select * from chained where from_end = 1) l full join states s on s.id = l.contact_id
     where s.id is null or s.state <> coalesce(l.after, 'notAsked')`
  expect([...wrong]).toEqual([])
}

test('one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async steps => {
      const project = Bun.randomUUIDv7()
      for (const change of steps) {
        await apply(project, change)
        expect(await kept(project)).toEqual(await recount(project))
      }
      await checkEvents(project)
      await checkLedger(project)
    }),
    { numRuns: 50 },
  )
})

test('all at the same time', async () => {
  // One draw of 200 changes; a failure tells its seed.
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 200, maxLength: 200 }), async steps => {
      const project = Bun.randomUUIDv7()
      await Promise.all(steps.map(change => apply(project, change)))
      clock.advance(3_600_000)
      await drain(ctx, handlers)
      expect(await kept(project)).toEqual(await recount(project))
      await checkEvents(project)
      await checkLedger(project)
    }),
    { numRuns: 1, endOnFailure: true },
  )
})

test('a field that is deleted while somebody gains it is known, if that contact keeps it', async () => {
  const project = Bun.randomUUIDv7()
  const gain = (context: Context, who: number) =>
    upsertContacts(
      context,
      project,
      [{ email: address(who), patch: { set: { a: 1 }, remove: [], transient: {} }, subscribed: true }],
      { defaultSubscribed: true },
    )
  await gain(ctx, 0)
  const written = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const slow = inTransaction(ctx, async tx => {
    await gain(tx, 1)
    written.resolve()
    await mayCommit.promise
  })
  await written.promise
  const deletion = deleteField(ctx, project, 'data.a')
  // The deletion is either done by then, or waits for the contact.
  await Promise.race([deletion, Bun.sleep(300)])
  mayCommit.resolve()
  await Promise.all([slow, deletion])
  expect(await kept(project)).toEqual(await recount(project))
})
