// An Editor writes everything and changes nothing that is live, by whatever route; a Viewer writes nothing. The rule holds in the transaction of
// the change: what is turned on meanwhile is live before the change is refused or made.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { lockLive } from '../../src/modules/accounts/projects/queries'
import { signSession } from '../../src/modules/accounts/users/guard'
import { inTransaction } from '../../src/platform/context'
import { buildApp } from '../../src/server/app'
import { makeMember } from '../support/make'
import { type Answer, request } from '../support/request'
import { until } from '../support/until'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let app: ReturnType<typeof buildApp>
let cookie: string
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
beforeEach(async () => {
  world.project = await world.newProject()
  const { id: userId } = await makeMember(world, world.project.id, 'EDITOR')
  cookie = `waxwing_session=${await signSession(world.ctx, { userId, version: 1 })}`
})
afterAll(() => world.close())

const byEditor = (method: string, path: string, body?: unknown): Promise<Answer> =>
  request(app, method, path, { cookie, headers: { 'x-project-id': world.project.id }, body })
async function must(method: string, path: string, body?: unknown): Promise<Answer['body']> {
  const answer = await request(app, method, path, { key: world.project.secretKey, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const refused = {
  status: 403,
  body: { error: { code: 'FORBIDDEN', details: { role: 'EDITOR', right: 'content.send' } } },
}
const expectFree = async (method: string, path: string, body?: unknown): Promise<Answer['body']> => {
  const answer = await byEditor(method, path, body)
  expect([answer.status, answer.status < 300 || answer.body]).toEqual([answer.status, true])
  return answer.body
}
const expectRefused = async (method: string, path: string, body?: unknown): Promise<void> =>
  expect(await byEditor(method, path, body)).toMatchObject(refused)

const text = { subject: 'S', body: '<p>B</p>', from: sender }
const reader = { email: 'reader@example.com', subscribed: true }
const tomorrow = () => new Date(world.clock.now().getTime() + 86_400_000).toISOString()

async function liveWorkflow(step: object, more: object = {}): Promise<{ id: string; stepId: string }> {
  const { id } = await must('POST', '/workflows', { name: 'W', eventName: 'signed up', ...more })
  const { id: stepId } = await must('POST', `/workflows/${id}/steps`, { name: 'Step', config: {}, ...step })
  await must('PATCH', `/workflows/${id}`, { enabled: true })
  return { id, stepId }
}
const delay = { type: 'DELAY', config: { amount: 1, unit: 'days' } }

describe('of campaigns', () => {
  test('a draft is written and tried by an Editor, who neither sends nor schedules it', async () => {
    await must('POST', '/contacts', reader)
    const { data } = await expectFree('POST', '/campaigns', { name: 'C', audienceType: 'ALL', ...text })
    await expectFree('PUT', `/campaigns/${data.id}`, { subject: 'Other' })
    await expectRefused('POST', `/campaigns/${data.id}/send`, {})
    await expectRefused('POST', `/campaigns/${data.id}/send`, { scheduledFor: tomorrow() })
    const stranger = await byEditor('POST', `/campaigns/${data.id}/test`, { email: 'stranger@example.com' })
    expect(stranger).toMatchObject({ status: 403, body: { error: { details: { right: 'content.send' } } } })
    const { email } = await makeMember(world, world.project.id, 'VIEWER')
    await expectFree('POST', `/campaigns/${data.id}/test`, { email })
  })

  test('a scheduled one is not changed, nor its layout or segment; it may be stopped', async () => {
    await must('POST', '/contacts', reader)
    const layout = await must('POST', '/layouts', { name: 'L', body: '<p>{{ content }}</p>' })
    const segment = await must('POST', '/segments', { name: 'S', type: 'STATIC' })
    await must('POST', `/segments/${segment.id}/members`, { emails: [reader.email] })
    const over = await must('POST', '/segments', {
      ...{ name: 'Over', type: 'DYNAMIC' },
      condition: {
        logic: 'AND',
        groups: [{ filters: [{ field: `segment.${segment.id}`, operator: 'memberOfSegment' }] }],
      },
    })
    const given = { audienceType: 'SEGMENT', segmentId: over.id, layoutId: layout.id }
    const { data } = await must('POST', '/campaigns', { name: 'C', ...text, ...given })
    await expectFree('PATCH', `/layouts/${layout.id}`, { body: '<i>{{ content }}</i>' })
    await expectFree('POST', `/segments/${segment.id}/members`, { emails: ['other@example.com'] })
    await must('POST', `/campaigns/${data.id}/send`, { scheduledFor: tomorrow() })
    await expectRefused('PUT', `/campaigns/${data.id}`, { subject: 'Other' })
    await expectRefused('PATCH', `/layouts/${layout.id}`, { body: '<b>{{ content }}</b>' })
    // Also one that is named by the segment that the campaign goes to.
    await expectRefused('POST', `/segments/${segment.id}/members`, { emails: ['other@example.com'] })
    const { id } = await must('POST', '/contacts', { email: 'ada@example.com' })
    const bulk = { contactIds: [id], segmentId: segment.id }
    await expectRefused('POST', '/contacts/bulk-add-to-segment', bulk)
    await expectFree('POST', `/campaigns/${data.id}/unschedule`)
    await expectFree('PUT', `/campaigns/${data.id}`, { subject: 'Other' })
  })
})

describe('of workflows', () => {
  test('one that is off is written, and not turned on; one that is on is not changed', async () => {
    const { id } = await expectFree('POST', '/workflows', { name: 'W', eventName: 'signed up' })
    const step = await expectFree('POST', `/workflows/${id}/steps`, { name: 'D', ...delay })
    await expectRefused('PATCH', `/workflows/${id}`, { enabled: true })
    await must('PATCH', `/workflows/${id}`, { enabled: true })
    await expectRefused('PATCH', `/workflows/${id}/steps/${step.id}`, { name: 'Other' })
    await expectRefused('PATCH', `/workflows/${id}`, { name: 'Other' })
    await expectFree('PATCH', `/workflows/${id}`, { enabled: false })
    await expectFree('PATCH', `/workflows/${id}/steps/${step.id}`, { name: 'Other' })
  })

  test('nobody is started by an Editor: not one by one, not by an event, and not by an import', async () => {
    const { id } = await liveWorkflow(delay)
    const contact = await expectFree('POST', '/contacts', { email: 'ada@example.com' })
    await expectRefused('POST', `/workflows/${id}/executions`, { contactId: contact.id })
    await expectRefused('POST', '/events/track', { email: 'ada@example.com', event: 'signed up' })
    const importing = (): Promise<Answer> => {
      const file = new FormData()
      file.set('file', new File(['email\nbob@example.com\n'], 'contacts.csv', { type: 'text/csv' }))
      return byEditor('POST', '/contacts/import', file)
    }
    expect((await importing()).status).toBe(202)
    await liveWorkflow(delay, { includeBulkChanges: true })
    expect(await importing()).toMatchObject(refused)
    await expectRefused('POST', '/contacts/bulk-subscribe', { contactIds: [contact.id] })
    await expectRefused('POST', '/contacts/bulk-unsubscribe', { contactIds: [contact.id] })
  })
})

test('of a template, only what nothing sends', async () => {
  const template = await expectFree('POST', '/templates', { name: 'T', ...text })
  await expectFree('PATCH', `/templates/${template.id}`, { subject: 'A' })
  await liveWorkflow({ type: 'SEND_EMAIL', templateId: template.id })
  await expectRefused('PATCH', `/templates/${template.id}`, { subject: 'B' })
})

test('of a form, only what is off', async () => {
  const path = `/users/@me/projects/${world.project.id}`
  await must('PATCH', path, { defaultSender: { email: sender } })
  await expectRefused('POST', '/signup-forms', { name: 'F' })
  const form = await expectFree('POST', '/signup-forms', { name: 'F', enabled: false })
  await expectFree('PATCH', `/signup-forms/${form.id}`, { name: 'G' })
  await expectRefused('PATCH', `/signup-forms/${form.id}`, { enabled: true })
  await must('PATCH', `/signup-forms/${form.id}`, { enabled: true })
  await expectRefused('PATCH', `/signup-forms/${form.id}`, { name: 'H' })
  await expectFree('PATCH', `/signup-forms/${form.id}`, { enabled: false })
})

describe('of tracked segments', () => {
  const everybody = {
    logic: 'AND',
    groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@' }] }],
  }
  const nobody = {
    logic: 'AND',
    groups: [{ filters: [{ field: 'email', operator: 'equals', value: 'x@y.z' }] }],
  }
  const make = (name: string, more: object = {}) =>
    must('POST', '/segments', { name, trackMembership: true, condition: nobody, ...more })

  test.each(['entry', 'exit'])('one whose %s starts a workflow is not changed', async change => {
    const { id } = await make('VIP')
    await expectFree('PATCH', `/segments/${id}`, { condition: everybody })
    await expectFree('POST', `/segments/${id}/compute`)
    await liveWorkflow(delay, { eventName: `segment.vip.${change}` })
    await expectRefused('PATCH', `/segments/${id}`, { condition: nobody })
    await expectRefused('PATCH', `/segments/${id}`, { name: 'Others' })
    await expectRefused('POST', `/segments/${id}/compute`)
    await expectFree('PATCH', `/segments/${id}`, { description: 'Words', trackMembership: false })
    await expectRefused('PATCH', `/segments/${id}`, { trackMembership: true })
    await expectFree('PATCH', `/segments/${id}`, { condition: everybody })
  })

  test('no other one gets the name of its events', async () => {
    await liveWorkflow(delay, { eventName: 'segment.vip.entry' })
    await expectRefused('POST', '/segments', { name: 'vip!', trackMembership: true, condition: everybody })
    const untracked = await expectFree('POST', '/segments', { name: 'VIP', condition: everybody })
    await expectRefused('PATCH', `/segments/${untracked.id}`, { trackMembership: true })
    const tracked = await expectFree('POST', '/segments', {
      ...{ name: 'Other', trackMembership: true, condition: everybody },
    })
    await expectRefused('PATCH', `/segments/${tracked.id}`, { name: 'VIP' })
    await expectFree('PATCH', `/segments/${tracked.id}`, { name: 'Another' })
  })

  test('nor do a list and a condition change that it names', async () => {
    const list = await must('POST', '/segments', { name: 'List', type: 'STATIC' })
    const named = { field: `segment.${list.id}`, operator: 'memberOfSegment' }
    await make('VIP', { condition: { logic: 'AND', groups: [{ filters: [named] }] } })
    await must('POST', '/contacts', reader)
    await expectFree('POST', `/segments/${list.id}/members`, { emails: [reader.email] })
    await liveWorkflow({ type: 'WAIT_FOR_EVENT', config: { eventName: 'segment.vip.exit', timeout: 60 } })
    await expectRefused('POST', `/segments/${list.id}/members`, { emails: [reader.email] })
    await expectRefused('DELETE', `/segments/${list.id}/members`, { emails: [reader.email] })
  })
})

test('nobody is taken off a list that a scheduled campaign leaves out, nor by undoing', async () => {
  const contact = await must('POST', '/contacts', reader)
  await must('POST', '/contacts', { email: 'ada@example.com', subscribed: true })
  const list = await must('POST', '/segments', { name: 'Do not mail', type: 'STATIC' })
  const bulk = { contactIds: [contact.id], segmentId: list.id }
  const { jobId } = await expectFree('POST', '/contacts/bulk-add-to-segment', bulk)
  await world.drain()
  const without = { field: `segment.${list.id}`, operator: 'notMemberOfSegment' }
  const audienceCondition = { logic: 'AND', groups: [{ filters: [without] }] }
  const given = { name: 'C', ...text, audienceType: 'FILTERED', audienceCondition }
  const { data } = await must('POST', '/campaigns', given)
  await must('POST', `/campaigns/${data.id}/send`, { scheduledFor: tomorrow() })
  await expectRefused('DELETE', `/segments/${list.id}/members`, { emails: [reader.email] })
  await expectRefused('POST', `/contacts/bulk/${jobId}/undo`)
  await expectFree('POST', `/campaigns/${data.id}/unschedule`)
  await expectFree('POST', `/contacts/bulk/${jobId}/undo`)
})

test('a change that began before the workflow is on waits for it, and is refused', async () => {
  const template = await must('POST', '/templates', { name: 'T', ...text })
  const { id } = await must('POST', '/workflows', { name: 'W', eventName: 'signed up' })
  await must('POST', `/workflows/${id}/steps`, {
    ...{ type: 'SEND_EMAIL', name: 'Mail', config: {}, templateId: template.id },
  })
  let change: Promise<Answer> | undefined
  await inTransaction(world.ctx, async tx => {
    await lockLive(tx, world.project.id, 'turnOn')
    change = byEditor('PATCH', `/templates/${template.id}`, { subject: 'Unseen' })
    await until('the change waits', async () => {
      const [row] = await world.database.sql`
        select count(*)::int as waiting from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%for share%'`
      return row!['waiting'] > 0
    })
    await tx.sql`update workflows set enabled = true where project_id = ${world.project.id} and id = ${id}`
  })
  expect(await change!).toMatchObject(refused)
  expect((await must('GET', `/templates/${template.id}`)).subject).toBe('S')
})
