// Erasing a person: nothing that names them is left anywhere, nothing is sent to the address again, whoever asks for it, and the project can
// still be told to write to it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHmac, hkdfSync } from 'node:crypto'
import { makeTicket } from '../../src/modules/features/forms/ticket'
import { eraseAddress } from '../../src/modules/oversight/privacy'
import { message } from '../support/campaigns'
import { tablesWith } from '../support/tables-with'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'
import { sender } from '../support/world'

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
afterAll(() => world.close())

const erase = (email: string, projectId = world.project.id) =>
  eraseAddress(world.ctx, { projectId, by: 'operator' }, email)

const contact = async (email: string, more: object = {}) =>
  (await world.call('POST', '/contacts', { body: { email, ...more } })).body

async function sentTo(): Promise<string[]> {
  world.mail.clear()
  world.clock.advance(61_000)
  await world.drain()
  return world.mail.sent.flatMap(({ envelope }) => envelope.to)
}

test('leaves nothing that names the person, and an entry in the audit log that does not either', async () => {
  const email = 'zelda.unique@x.test'
  const { id } = await contact('Zelda.Unique@x.test', { data: { name: 'Zeldaname' } })
  const { body: topic } = await world.call('POST', '/topics', { body: { name: 'News' } })
  await world.call('PUT', `/contacts/${id}/topics`, {
    body: { topics: [{ id: topic.id, subscribed: true }] },
  })
  await world.call('POST', '/suppressions', { body: { emails: [email] } })
  await world.call('DELETE', `/suppressions/${email}`)
  const emailId = await world.sendOne({ to: email, subject: 'Dear Zeldaname', body: '<p>Zeldaname</p>' })
  await world.call('POST', '/campaigns', { body: message })
  await world.chain('zelda', [{ type: 'SEND_EMAIL', templateId: await world.template() }])
  await world.call('POST', '/webhook-endpoints', {
    body: { url: 'https://hooks.example/in', eventTypes: ['zelda'] },
  })
  await world.track(email, 'zelda', { said: 'Zeldaname' })
  await world.track('bystander@x.test', 'zelda')
  await world.drain()
  await importRows(`email,subscribed\n${email},true\nother.row@x.test,perhaps\n Zelda.Unique@x.test,perhaps`)
  await askByForm(email)
  expect(await tablesWith(world, 'zelda.unique')).toEqual(
    expect.arrayContaining(['contact_imports', 'form_requests', 'form_mailboxes', 'webhook_deliveries']),
  )
  expect(await erase(' Zelda.Unique@X.test ')).toEqual({ wasContact: true })
  await world.drain()
  // The removal of a suppression, by hand, is on record with its address: that is what was done, and by whom.
  expect(await tablesWith(world, 'zelda.unique')).toEqual(['audit_log'])
  expect(await tablesWith(world, 'zeldaname')).toEqual([])
  // What is about others stays.
  expect(await tablesWith(world, 'bystander@x')).toContain('webhook_deliveries')
  expect(await tablesWith(world, 'other.row@x')).toEqual(['contact_imports'])
  expect(await world.email(emailId)).toMatchObject({ status: 'DELIVERED', to: 'erased', subject: '' })
  const log = (await world.call('GET', `/projects/${world.project.id}/audit-log`)).body.data
  expect(log[0]).toMatchObject({ action: 'contact.erased', subject: null })
})

test('the address is known again by a keyed hash, and each project has its own', async () => {
  const key = hkdfSync('sha256', 'test-encryption-key-0123456789', 'waxwing', 'seal:erased addresses', 32)
  await erase('hash@x.test')
  const rows = await world.ctx.sql<{ hash: Buffer }[]>`
    select hash from erased_addresses where project_id = ${world.project.id} order by created_at desc, hash`
  const expected = createHmac('sha256', Buffer.from(key))
    .update(`${world.project.id} hash@x.test`)
    .digest('hex')
  expect(rows.map(({ hash }) => hash.toString('hex'))).toContain(expected)
})

test('nothing is sent to it again, by whatever way, until the project lifts that', async () => {
  const email = 'gone@x.test'
  expect(await erase(email)).toEqual({ wasContact: false })
  await world.drain()
  const own = await world.sendOne({ to: email })
  const copied = await world.sendOne({ to: 'boss@x.test', cc: [email] })
  await contact('other@x.test')
  const config = { recipient: { type: 'CUSTOM', customEmail: email } }
  await world.chain('tell', [{ type: 'SEND_EMAIL', templateId: await world.template(), config }])
  await world.track('other@x.test', 'tell')
  const { body: campaign } = await world.call('POST', '/campaigns', {
    body: { ...message, audienceType: 'FILTERED', audienceCondition: only(email) },
  })
  await contact(email, { subscribed: true })
  await world.call('POST', `/campaigns/${campaign.data.id}/send`, { body: {} })
  expect(await sentTo()).not.toContain(email)
  expect(await world.email(own)).toMatchObject({ status: 'FAILED', error: 'address is suppressed (erased)' })
  expect((await world.email(copied)).copies[0]).toMatchObject({ status: 'FAILED' })
  const { data } = (await world.call('GET', `/campaigns/${campaign.data.id}/recipients`)).body
  expect(data[0]).toMatchObject({ status: 'SKIPPED', lastError: 'address is suppressed (erased)' })
  expect((await world.call('GET', '/suppressions')).body.data).toEqual([])
  const stranger = await world.newProject()
  const theirs = { from: sender, to: email, subject: 'x', body: 'x' }
  expect((await world.call('POST', '/v1/send', { key: stranger.secretKey, body: theirs })).status).toBe(200)
  expect(await sentTo()).toEqual([email])
  expect((await world.call('DELETE', `/suppressions/${email}`)).status).toBe(204)
  expect((await world.call('DELETE', `/suppressions/${email}`)).status).toBe(404)
  await world.sendOne({ to: email })
  expect(await sentTo()).toEqual([email])
})

test('one that was suppressed by hand as well gets mail again once the project has lifted that', async () => {
  const email = 'twice@x.test'
  await erase(email)
  await world.drain()
  await world.call('POST', '/suppressions', { body: { emails: [email] } })
  expect((await world.call('DELETE', `/suppressions/${email}`)).status).toBe(204)
  await world.sendOne({ to: email })
  expect(await sentTo()).toEqual([email])
})

test('mail that waits is withheld at its time, and emptied after that', async () => {
  const email = 'later@x.test'
  const at = new Date(world.clock.now().getTime() + 7_200_000).toISOString()
  const id = await world.sendOne({ to: email, subject: 'For Laterperson', scheduledFor: at })
  await erase(email)
  await world.drain()
  expect(await tablesWith(world, 'later@x')).toEqual(['emails'])
  world.mail.clear()
  for (const hours of [2, 2]) {
    world.clock.advance(hours * 3_600_000 + 61_000)
    await world.drain()
  }
  expect(world.mail.sent).toEqual([])
  expect(await tablesWith(world, 'later@x')).toEqual([])
  expect(await tablesWith(world, 'laterperson')).toEqual([])
  expect(await world.email(id)).toMatchObject({ status: 'FAILED', to: 'erased' })
})

test('what is no address is refused', async () => {
  await expect(erase('nobody')).rejects.toThrow('The address is not valid')
})

async function importRows(rows: string): Promise<void> {
  const body = new FormData()
  body.set('file', new File([rows], 'people.csv', { type: 'text/csv' }))
  expect((await world.call('POST', '/contacts/import', { body })).status).toBe(202)
  await world.drain()
}

/** By a form, without confirming it. */
async function askByForm(email: string): Promise<void> {
  world.dns.set('x.test', 'mx', { exchange: 'mx.x.test', priority: 10 })
  await world.ctx.sql`
    update projects set default_sender = ${JSON.stringify({ email: sender, name: null, replyTo: null })}::jsonb
     where id = ${world.project.id}`
  const { body: form } = await world.call('POST', '/signup-forms', { body: { name: 'News' } })
  const issuedAt = new Date(world.clock.now().getTime() - 60_000)
  const ticket = makeTicket(world.ctx.vault, form.id, { issuedAt, nonce: 'nonce' })
  await world.call('POST', `/forms/${form.id}`, { body: new URLSearchParams({ email, ticket }) })
  await world.drain()
}

const only = (email: string) => ({
  logic: 'AND',
  groups: [{ filters: [{ field: 'email', operator: 'equals', value: email }] }],
})
