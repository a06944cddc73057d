// Who was never asked and who opted out are told apart, whatever way a contact came to its state, and both imports go by that.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import { contactJobs } from '../../src/modules/audience/contacts/jobs'
import { stopMailing } from '../../src/modules/sending/emails/service/stop-mailing'
import { inTransaction } from '../../src/platform/context'
import { handlerTable } from '../../src/platform/jobs/kind'
import { buildApp } from '../../src/server/app'
import { drain } from '../support/drain'
import type { MadeProject } from '../support/make'
import { makeRecipient } from '../support/recipient'
import { request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let app: ReturnType<typeof buildApp>
const handlers = handlerTable(contactJobs)

beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
afterAll(() => world.close())

const call = (project: MadeProject, method: string, path: string, body?: unknown) =>
  request(app, method, path, { key: project.secretKey, body })
const create = async (project: MadeProject, body: unknown) =>
  (await call(project, 'POST', '/contacts', body)).body
const read = async (project: MadeProject, id: string) => (await call(project, 'GET', `/contacts/${id}`)).body
const now = () => world.clock.now().toISOString()

/** Contacts of a new project, one in each state. */
async function everyState() {
  const project = await world.newProject()
  const subscribed = await create(project, { email: 'subscribed@x.test' })
  const neverAsked = await create(project, { email: 'never@x.test', subscribed: false })
  const optedOut = await create(project, { email: 'out@x.test' })
  await call(project, 'PATCH', `/contacts/${optedOut.id}`, { subscribed: false })
  return { project, subscribed, neverAsked, optedOut }
}

async function importFile(project: MadeProject, content: string) {
  const file = new FormData()
  file.set('file', new File([content], 'people.csv', { type: 'text/csv' }))
  const { body } = await call(project, 'POST', '/contacts/import', file)
  await drain(world.ctx, handlers)
  return (await call(project, 'GET', `/contacts/import/${body.jobId}`)).body.result
}

async function statesOf(project: MadeProject): Promise<Array<[string, string]>> {
  const { body } = await call(project, 'GET', '/contacts?sort=email&dir=asc&limit=100')
  return body.data.map((one: Record<string, unknown>) => [one['email'], stateOf(one)])
}

function stateOf(contact: Record<string, unknown>): string {
  if (contact['subscribed']) return 'subscribed'
  if (contact['snoozedUntil']) return 'snoozed'
  return contact['optedOutAt'] ? 'opted out' : 'never asked'
}

describe('optedOutAt', () => {
  test('is null in a contact that was made unsubscribed, also where that is said again', async () => {
    const { project, neverAsked } = await everyState()
    expect(neverAsked.optedOutAt).toBeNull()
    await create(project, { email: 'never@x.test', subscribed: false })
    expect((await read(project, neverAsked.id)).optedOutAt).toBeNull()
  })

  test('is set by a link, also of somebody who was never subscribed, and cleared by another', async () => {
    const other = await makeRecipient(world, app)
    await world.ctx.sql`update contacts set subscribed = false where id = ${other.id}`
    const moment = now()
    await request(app, 'POST', `/unsubscribe/${other.id}?${other.query}`, {})
    world.clock.advance(1_000)
    await request(app, 'POST', `/unsubscribe/${other.id}?${other.query}`, {})
    expect(await read(other.project, other.id)).toMatchObject({ subscribed: false, optedOutAt: moment })
    await request(app, 'POST', `/subscribe/${other.id}?${other.query}`, { body: new URLSearchParams() })
    expect(await read(other.project, other.id)).toMatchObject({ subscribed: true, optedOutAt: null })
  })

  test.each<[string, (project: MadeProject, id: string, email: string) => Promise<unknown>]>([
    ['PATCH', (project, id) => call(project, 'PATCH', `/contacts/${id}`, { subscribed: false })],
    ['POST', (project, _, email) => create(project, { email, subscribed: false })],
    [
      'a bulk change',
      async (project, id) => {
        await call(project, 'POST', '/contacts/bulk-unsubscribe', { contactIds: [id] })
        await drain(world.ctx, handlers)
      },
    ],
    ['an import', (project, _, email) => importFile(project, `email,subscribed\n${email},no\n`)],
  ])('is set where %s unsubscribes, and cleared by an explicit yes', async (_, unsubscribe) => {
    const { project, subscribed } = await everyState()
    await unsubscribe(project, subscribed.id, subscribed.email)
    expect(await read(project, subscribed.id)).toMatchObject({ subscribed: false, optedOutAt: now() })
    await create(project, { email: subscribed.email, subscribed: true })
    expect(await read(project, subscribed.id)).toMatchObject({ subscribed: true, optedOutAt: null })
  })

  test.each([
    ['bounce', ['opted out', 'never asked']],
    ['complaint', ['opted out', 'opted out']],
  ] as const)('after a %s tells who had subscribed or complained', async (reason, states) => {
    const { project, subscribed, neverAsked } = await everyState()
    const stops = [subscribed, neverAsked].map(({ id, email }) => ({
      ...{ projectId: project.id, contactId: id, toEmail: email, emailId: Bun.randomUUIDv7() },
      ...{ reason, detail: '', suppress: false },
    }))
    await inTransaction(world.ctx, tx => stopMailing(tx, stops))
    const found = [await read(project, subscribed.id), await read(project, neverAsked.id)]
    expect(found.map(stateOf)).toEqual([...states])
  })

  test('is null while snoozed', async () => {
    const person = await makeRecipient(world, app)
    await request(app, 'POST', `/manage/${person.id}?${person.query}`, {
      body: new URLSearchParams({ action: 'snooze', duration: '2_weeks' }),
    })
    const contact = await read(person.project, person.id)
    expect(contact).toMatchObject({ subscribed: false, snoozedUntil: expect.any(String), optedOutAt: null })
  })

  test('is in the export, from which another project learns it', async () => {
    const { project } = await everyState()
    const moment = now()
    world.clock.advance(60_000)
    const { body } = await call(project, 'GET', '/contacts/export?sort=email&dir=asc')
    const rows: Array<Record<string, string>> = parse(body, { columns: true })
    expect(rows.map(row => row['optedOutAt'])).toEqual(['', moment, ''])
    const copy = await world.newProject()
    await importFile(copy, body)
    expect(await statesOf(copy)).toEqual(await statesOf(project))
    const { body: list } = await call(copy, 'GET', '/contacts?search=out@')
    expect(list.data[0].optedOutAt).toBe(moment)
  })

  test('is a field of filters', async () => {
    const { project } = await everyState()
    const condition = {
      logic: 'AND',
      groups: [
        {
          filters: [
            { field: 'subscribed', operator: 'equals', value: false },
            { field: 'optedOutAt', operator: 'notExists' },
          ],
        },
      ],
    }
    const { body } = await call(project, 'POST', '/segments', {
      name: 'Ask them',
      type: 'DYNAMIC',
      condition,
    })
    const members = (await call(project, 'GET', `/segments/${body.id}/contacts`)).body
    expect(members.data.map((one: { email: string }) => one.email)).toEqual(['never@x.test'])
  })
})

describe('POST /contacts/import', () => {
  test('subscribes who is new or was never asked, and leaves who opted out as it is, told by row', async () => {
    const { project, optedOut } = await everyState()
    const names = ['new', 'never', 'out', 'subscribed']
    const file = `email,subscribed,plan\n${names.map(name => `${name}@x.test,yes,pro`).join('\n')}\nOUT@x.test,,basic\n`
    expect(await importFile(project, file)).toMatchObject({
      createdCount: 1,
      updatedCount: 4,
      failureCount: 0,
      optedOutCount: 1,
      optedOut: [{ row: 4, email: 'out@x.test' }],
    })
    expect(await statesOf(project)).toEqual([
      ['never@x.test', 'subscribed'],
      ['new@x.test', 'subscribed'],
      ['out@x.test', 'opted out'],
      ['subscribed@x.test', 'subscribed'],
    ])
    const left = await read(project, optedOut.id)
    expect(left).toMatchObject({ data: { plan: 'basic' }, optedOutAt: now() })
  })

  test('takes rows of one address one after the other', async () => {
    const { project } = await everyState()
    const rows = ['a,no', 'a,yes', 'b,yes', 'b,no', 'b,yes', 'c,', 'c,no', 'subscribed,no', 'subscribed,yes']
    const file = `email,subscribed\n${rows.map(row => row.replace(',', '@x.test,')).join('\n')}\n`
    expect(await importFile(project, file)).toMatchObject({
      createdCount: 3,
      updatedCount: 6,
      optedOut: [
        { row: 6, email: 'b@x.test' },
        { row: 10, email: 'subscribed@x.test' },
      ],
    })
    expect(await statesOf(project)).toEqual([
      ['a@x.test', 'subscribed'],
      ['b@x.test', 'opted out'],
      ['c@x.test', 'opted out'],
      ['never@x.test', 'never asked'],
      ['out@x.test', 'opted out'],
      ['subscribed@x.test', 'opted out'],
    ])
  })

  test('suppresses who bounced or complained, and takes the no of a row with a field that can not be stored', async () => {
    const project = await world.newProject()
    const file =
      `email,subscribed,suppressed,note,tags:json\na@x.test,Bounced,,,\nb@x.test,yes,marked as spam,,\nc@x.test,unsubscribed,,${'x'.repeat(70_000)},\n` +
      `d@x.test,yes,,${'x'.repeat(70_000)},\ne@x.test,blocklisted,,,no json\n`
    const result = await importFile(project, file)
    expect(result.errors.map(({ row, error }: { row: number; error: string }) => [row, error])).toEqual([
      [4, 'data: Must be at most 65536 bytes as JSON; only its unsubscribes were imported'],
      [5, 'data: Must be at most 65536 bytes as JSON'],
      [6, 'tags: the cell must hold JSON, as the heading says; only its unsubscribes were imported'],
    ])
    expect(result).toMatchObject({ createdCount: 4, failureCount: 1, totalRows: 5 })
    const { body } = await call(project, 'GET', '/contacts?sort=email&dir=asc')
    expect(
      body.data.map((one: Record<string, unknown>) => [one['email'], one['subscribed'], one['optedOutAt']]),
    ).toEqual(['a', 'b', 'c', 'e'].map(name => [`${name}@x.test`, false, now()]))
    const { data } = (await call(project, 'GET', '/suppressions')).body
    expect(data.map((one: Record<string, unknown>) => [one['email'], one['reason']]).sort()).toEqual([
      ['a@x.test', 'bounce'],
      ['b@x.test', 'complaint'],
      ['e@x.test', 'manual'],
    ])
  })

  test('takes the no of a row whose fields do not fit beside what the contact has', async () => {
    const project = await world.newProject()
    await create(project, { email: 'full@x.test', data: { long: 'x'.repeat(40_000) } })
    const result = await importFile(
      project,
      `email,subscribed,note\nfull@x.test,bounced,${'y'.repeat(40_000)}\n`,
    )
    expect(result.errors[0].error).toEndWith('; only its unsubscribes were imported')
    expect(await statesOf(project)).toEqual([['full@x.test', 'opted out']])
    expect((await call(project, 'GET', '/suppressions')).body.data).toMatchObject([{ email: 'full@x.test' }])
  })

  test('names the columns that may say who gets no email and are taken as fields', async () => {
    const project = await world.newProject()
    const file = 'email,Status,blacklisted,data.unsubscribed_at,plan\na@x.test,Bounced,1,,pro\n'
    expect((await importFile(project, file)).warnings).toEqual([
      'The column "Status" is imported as a custom field. If it says who gets no email, name it "subscribed" and import the file again.',
      'The column "blacklisted" is imported as a custom field. If it says who gets no email, name it "suppressed" and import the file again.',
      'The column "data.unsubscribed_at" is imported as a custom field. If it says who gets no email, name it "optedOutAt" and import the file again.',
    ])
    expect((await importFile(project, 'email,subscribed,plan\na@x.test,yes,pro\n')).warnings).toEqual([])
  })

  test('refuses an optedOutAt that is no date; beside a yes, the no counts', async () => {
    const project = await world.newProject()
    const file =
      'email,subscribed,optedOutAt\na@x.test,,yesterday\nb@x.test,yes,2026-01-01\nc@x.test,,2026-01-01\nd@x.test,no,2999-01-01\n'
    const result = await importFile(project, file)
    expect(result.errors.map(({ row, error }: { row: number; error: string }) => [row, error])).toEqual([
      [2, 'optedOutAt: "yesterday" is not a date like 2026-01-31T12:00:00Z'],
    ])
    const { body } = await call(project, 'GET', '/contacts?sort=email&dir=asc')
    expect(body.data.map((one: { optedOutAt: string }) => one.optedOutAt)).toEqual([
      '2026-01-01T00:00:00.000Z',
      '2026-01-01T00:00:00.000Z',
      now(),
    ])
  })
})
