// What a workflow sends, at the moment of sending: whoever opted out, was suppressed or is gone since it was queued gets nothing. And
// once the whole way to a real mail server.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { smtpTransport } from '../../src/platform/transports/smtp'
import { jobHandlers } from '../../src/server/jobs'
import { drain } from '../support/drain'
import { startSink } from '../support/sink'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
afterAll(() => world.close())

let counter = 0

interface Queued {
  contactId: string
  emailId: string
}

/** A contact whose workflow has put a message into the ledger that has not left yet. */
async function queued(
  type: 'MARKETING' | 'HEADLESS' | 'TRANSACTIONAL',
  config: Record<string, unknown> = {},
): Promise<Queued> {
  const event = `mail.${++counter}`
  const templateId = await world.template({ type })
  await world.chain(event, [{ type: 'SEND_EMAIL', templateId, config }])
  const { body } = await world.call('POST', '/v1/track', {
    key: world.project.publicKey,
    body: { email: `follower${counter}@example.com`, event, subscribed: true },
  })
  const contactId: string = body.data.contact
  const handlers = jobHandlers(world.ctx)
  const early = new Map(
    [...handlers].filter(([kind]) => !['email.deliver', 'email.deliverWorkflow'].includes(kind)),
  )
  // A kind that nobody knows is left for a minute.
  await drain(world.ctx, early)
  const [row] = await world.ctx.sql<{ id: string; status: string }[]>`
    select id, status from emails where contact_id = ${contactId}`
  expect(row?.status).toBe('PENDING')
  return { contactId, emailId: row!.id }
}

async function deliver({ emailId }: Queued): Promise<[status: string, error: string | null]> {
  world.mail.clear()
  world.clock.advance(61_000)
  await world.drain()
  const { status, error } = await world.email(emailId)
  return [status, error]
}

const optOut = ({ contactId }: Queued) =>
  world.call('PATCH', `/contacts/${contactId}`, { body: { subscribed: false } })
const suppress = async ({ contactId }: Queued) => {
  await world.ctx.sql`
    insert into suppressions (project_id, email, reason, source, created_at)
    select project_id, email, 'complaint', 'test', now() from contacts where id = ${contactId}`
}

test.each(['MARKETING', 'HEADLESS'] as const)(
  'a %s message leaves while its contact subscribes',
  async type => {
    expect(await deliver(await queued(type))).toEqual(['DELIVERED', null])
    expect(world.mail.sent).toHaveLength(1)
  },
)

test.each(['MARKETING', 'HEADLESS'] as const)(
  'a %s message of somebody who opted out meanwhile is left out',
  async type => {
    const mail = await queued(type)
    expect((await optOut(mail)).status).toBe(200)
    expect(await deliver(mail)).toEqual(['SKIPPED', 'contact is unsubscribed'])
    expect(world.mail.attempts).toEqual([])
  },
)

test('a transactional message leaves whether they subscribe or not', async () => {
  const mail = await queued('TRANSACTIONAL')
  await optOut(mail)
  expect(await deliver(mail)).toEqual(['DELIVERED', null])
})

test('a template that is not to be tracked is not, also after a version that was', async () => {
  const templateId = await world.template({
    type: 'MARKETING',
    body: '<p><a href="https://x.example/">x</a></p>',
  })
  const event = `mail.${++counter}`
  await world.chain(event, [{ type: 'SEND_EMAIL', templateId, config: {} }])
  const follow = async (email: string): Promise<boolean | null> => {
    await world.call('POST', '/v1/track', { key: world.project.publicKey, body: { email, event } })
    await world.drain()
    const [row] = await world.ctx.sql<{ tracking: boolean | null }[]>`
      select tracking from emails where to_email = ${email}`
    return row!.tracking
  }
  expect(await follow('before@example.com')).toBeNull()
  await world.call('PATCH', `/templates/${templateId}`, { body: { tracking: false } })
  expect(await follow('after@example.com')).toBe(false)
})

test('opting out says nothing about a message to another address than the own', async () => {
  const mail = await queued('MARKETING', { recipient: { type: 'CUSTOM', customEmail: 'boss@example.com' } })
  await optOut(mail)
  expect(await deliver(mail)).toEqual(['DELIVERED', null])
  expect(world.mail.sent.map(message => message.envelope.to)).toEqual(['boss@example.com'])
})

test('a message to an address that was suppressed meanwhile is left out; a transactional one has failed', async () => {
  const marketing = await queued('MARKETING')
  await suppress(marketing)
  expect(await deliver(marketing)).toEqual(['SKIPPED', 'address is suppressed (complaint)'])
  const transactional = await queued('TRANSACTIONAL')
  await suppress(transactional)
  expect(await deliver(transactional)).toEqual(['FAILED', 'address is suppressed (complaint)'])
})

test('a message whose contact was deleted meanwhile is left out', async () => {
  const mail = await queued('MARKETING')
  await world.ctx.sql`delete from contacts where id = ${mail.contactId}`
  expect(await deliver(mail)).toEqual(['SKIPPED', 'contact was deleted'])
})

test('a message of a project that was disabled meanwhile is left out', async () => {
  const mail = await queued('MARKETING')
  await world.ctx.sql`update projects set disabled = true where id = ${world.project.id}`
  const outcome = await deliver(mail)
  await world.ctx.sql`update projects set disabled = false where id = ${world.project.id}`
  expect(outcome).toEqual(['SKIPPED', 'project is disabled'])
})

test('from the event to a real mail server', async () => {
  const sink = startSink()
  const mail = smtpTransport({ url: sink.url })
  try {
    const event = `mail.${++counter}`
    const templateId = await world.template()
    await world.chain(event, [
      { type: 'CONDITION', config: { field: 'event.amount', operator: 'greaterThan', value: 5 } },
    ])
    const { id } = await world.chain(event, [
      { type: 'UPDATE_CONTACT', config: { updates: { came: 'yes' } } },
      { type: 'SEND_EMAIL', templateId },
    ])
    const ctx = { ...world.ctx, mail }
    await world.call('POST', '/v1/track', {
      key: world.project.publicKey,
      body: { email: 'real@example.com', event, subscribed: true, data: { amount: 7 } },
    })
    await drain(ctx, jobHandlers(ctx))
    const { status, stepExecutions } = await world.execution(id)
    expect(status).toBe('COMPLETED')
    const { emailId } = stepExecutions.at(-1).output
    const row = await world.email(emailId)
    expect(row.status).toBe('DELIVERED')
    expect(sink.received).toEqual([{ to: 'real@example.com', messageId: row.messageId }])
  } finally {
    await mail.close()
    sink.stop()
  }
})
