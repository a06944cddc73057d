// Which changes of a subscription start workflows: those that people or programs make one by one do, what is done to many at once only
// where a workflow asks for it, and what Waxwing takes back or gives back never.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { day } from '../../src/lib/time'
import { endSnoozes } from '../../src/modules/audience/contacts/service'
import { contactLinks } from '../../src/modules/sending/emails/links'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'

let world: WorkflowWorld
let welcome: string
let goodbye: string
let welcomeAll: string
beforeAll(async () => {
  world = await makeWorkflowWorld()
  const end = [{ type: 'EXIT', config: { reason: 'seen' } }]
  const again = { allowReentry: true }
  welcome = (await world.chain('contact.subscribed', end, again)).id
  goodbye = (await world.chain('contact.unsubscribed', end, again)).id
  welcomeAll = (await world.chain('contact.subscribed', end, { ...again, includeBulkChanges: true })).id
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.drain()
  started = await counts()
})

let started: number[] = []

async function counts(): Promise<number[]> {
  const all = [welcome, goodbye, welcomeAll].map(async id => (await world.executions(id)).length)
  return await Promise.all(all)
}

/** How many were started since the test began: to welcome, to say goodbye, and to welcome all. */
async function startedSince(): Promise<number[]> {
  await world.drain()
  return (await counts()).map((count, index) => count - started[index]!)
}

let number = 0
async function makeContact(more: object = {}): Promise<{ id: string; email: string }> {
  const email = `starts${++number}@example.com`
  return (await world.call('POST', '/contacts', { body: { email, ...more } })).body
}

const change = (id: string, body: object) => world.call('PATCH', `/contacts/${id}`, { body })

async function finished(path: string, body: unknown): Promise<string> {
  const { jobId } = (await world.call('POST', path, { body })).body
  await world.drain()
  return jobId
}

async function reasonsOf(contactId: string): Promise<unknown[]> {
  const rows = await world.ctx.sql<{ name: string; data: { reason?: string } }[]>`
    select name, data from events where contact_id = ${contactId}::uuid and name like 'contact.%' order by id`
  return rows.map(({ name, data }) => `${name} ${data.reason ?? ''}`.trim())
}

describe('a single change', () => {
  test('of an existing contact starts them', async () => {
    const { id } = await makeContact()
    await change(id, { subscribed: false })
    await change(id, { subscribed: true })
    expect(await startedSince()).toEqual([1, 1, 1])
  })

  test('starts none where the request says so, and is recorded all the same', async () => {
    const { id } = await makeContact()
    await change(id, { subscribed: false, startWorkflows: false })
    await change(id, { subscribed: true, startWorkflows: false })
    expect(await startedSince()).toEqual([0, 0, 0])
    expect(await reasonsOf(id)).toEqual([
      'contact.unsubscribed no_workflows',
      'contact.subscribed no_workflows',
    ])
  })
})

describe('a contact that is made subscribed', () => {
  test('starts none, unless the request asks for it', async () => {
    await makeContact({ subscribed: true })
    expect(await startedSince()).toEqual([0, 0, 0])
    const { id } = await makeContact({ subscribed: true, startWorkflows: true })
    expect(await startedSince()).toEqual([1, 0, 1])
    expect(await reasonsOf(id)).toEqual(['contact.subscribed'])
  })

  test('and known already, or not subscribed, has no event', async () => {
    const { email } = await makeContact()
    await world.call('POST', '/contacts', { body: { email, subscribed: true, startWorkflows: true } })
    const { id } = await makeContact({ subscribed: false, startWorkflows: true })
    expect([await startedSince(), await reasonsOf(id)]).toEqual([[0, 0, 0], []])
  })
})

describe('a change of many', () => {
  test('starts those alone that include it, and its undo none', async () => {
    const { id } = await makeContact()
    const jobId = await finished('/contacts/bulk-unsubscribe', { contactIds: [id] })
    expect(await startedSince()).toEqual([0, 0, 0])
    await finished(`/contacts/bulk/${jobId}/undo`, undefined)
    expect(await startedSince()).toEqual([0, 0, 0])
    await finished('/contacts/bulk-unsubscribe', { contactIds: [id] })
    await finished('/contacts/bulk-subscribe', { contactIds: [id] })
    expect(await startedSince()).toEqual([0, 0, 1])
    expect(await reasonsOf(id)).toEqual([
      'contact.unsubscribed bulk',
      'contact.subscribed undo',
      'contact.unsubscribed bulk',
      'contact.subscribed bulk',
    ])
  })

  test('that is undone has an entry of consent of its own', async () => {
    const { id } = await makeContact()
    const jobId = await finished('/contacts/bulk-unsubscribe', { contactIds: [id] })
    await finished(`/contacts/bulk/${jobId}/undo`, undefined)
    const { data } = (await world.call('GET', `/contacts/${id}/consent`)).body
    expect(data).toHaveLength(3)
  })

  test('by an import starts those alone that include it', async () => {
    const { id, email } = await makeContact({ subscribed: false })
    const file = new FormData()
    file.set(
      'file',
      new File([`email,subscribed\n${email},true\nnew-${email},true\n`], 'people.csv', { type: 'text/csv' }),
    )
    await finished('/contacts/import', file)
    expect(await startedSince()).toEqual([0, 0, 1])
    expect(await reasonsOf(id)).toEqual(['contact.subscribed import'])
  })

  test('ends a wait for it', async () => {
    const { id, email } = await makeContact()
    const waits = { type: 'WAIT_FOR_EVENT', config: { eventName: 'contact.unsubscribed', timeout: 86_400 } }
    const waiting = await world.chain('begins.to.wait', [waits])
    await world.track(email, 'begins.to.wait')
    await finished('/contacts/bulk-unsubscribe', { contactIds: [id] })
    expect((await world.executions(waiting.id))[0]).toMatchObject({ status: 'COMPLETED' })
  })
})

test('the end of a snooze starts none: they only come back', async () => {
  const { id } = await makeContact()
  const { projectId } = { projectId: world.project.id }
  const link = contactLinks(world.ctx.vault, 'http://localhost', { projectId, contactId: id }).manageUrl
  const { search } = new URL(link)
  await world.call('POST', `/contacts/public/${id}/snooze${search}`, { body: { duration: '2_weeks' } })
  expect(await startedSince()).toEqual([0, 1, 0])
  world.clock.advance(15 * day)
  await endSnoozes(world.ctx)
  expect(await startedSince()).toEqual([0, 1, 0])
  expect(await reasonsOf(id)).toEqual(['contact.unsubscribed snooze', 'contact.subscribed snooze_expired'])
})

test('whether a workflow includes changes of many is its member, off by default, and goes along with a copy', async () => {
  const made = (
    await world.call('POST', '/workflows', { body: { name: 'W', eventName: 'contact.subscribed' } })
  ).body
  expect(made.includeBulkChanges).toBe(false)
  const asked = { body: { includeBulkChanges: true } }
  expect((await world.call('PATCH', `/workflows/${made.id}`, asked)).body.includeBulkChanges).toBe(true)
  expect((await world.call('POST', `/workflows/${made.id}/duplicate`)).body.includeBulkChanges).toBe(true)
})
