// Mail to a contact goes to the address that the contact has when it is sent, with the consent of that moment, whatever it was queued by.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { hour } from '../../src/lib/time'
import { type Reasoned, sentenceOf } from '../../src/platform/transports/reason'
import { jobHandlers } from '../../src/server/jobs'
import { campaignWorld } from '../support/campaigns'
import { drain } from '../support/drain'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
beforeEach(() => world.mail.clear())
afterAll(() => world.close())

const oldAddress = (name: string): string => `${name}@old.example`
const newAddress = (name: string): string => `${name}@new.example`

interface Waiting {
  name: string
  contactId: string
  call: (method: string, path: string, body?: unknown) => Promise<unknown>
  row: () => Promise<{ status: string; error: string | null; to: string }>
  sentTo: () => Promise<string[]>
}

/** Does all that is due but the sending. */
async function drainAllBut(...kinds: string[]): Promise<void> {
  await drain(world.ctx, new Map([...jobHandlers(world.ctx)].filter(([kind]) => !kinds.includes(kind))))
}

const triggered = (email: string, event: string) =>
  world.call('POST', '/v1/track', { key: world.project.publicKey, body: { email, event } })

async function sentTo(ms: number): Promise<string[]> {
  world.clock.advance(ms)
  await world.drain()
  return world.mail.sent.flatMap(({ envelope }) => envelope.to)
}

async function rowOf(contactId: string) {
  const [row] = await world.ctx.sql<Array<Reasoned & { status: string; to: string }>>`
    select status, reason, reason_detail as "reasonDetail", to_email as to from emails where contact_id = ${contactId}::uuid`
  return { ...row!, error: sentenceOf(row!) }
}

let counter = 0

const waiting: Array<[string, () => Promise<Waiting>]> = [
  [
    'of a campaign',
    async () => {
      const name = `campaign${++counter}`
      const on = await campaignWorld(world)
      const { body } = await on.call('POST', '/contacts', { email: oldAddress(name), data: { name } })
      await on.send(await on.draft())
      await drainAllBut('campaign.send')
      const row = () => rowOf(body.id)
      const call: Waiting['call'] = (method, path, body) =>
        world.call(method, path, { key: on.project.secretKey, body })
      return { name, contactId: body.id, call, row, sentTo: () => sentTo(61_000) }
    },
  ],
  [
    'of a workflow',
    async () => {
      const name = `workflow${++counter}`
      await world.chain(name, [
        { type: 'SEND_EMAIL', templateId: await world.template({ type: 'MARKETING' }) },
      ])
      await world.call('POST', '/contacts', { body: { email: oldAddress(name), subscribed: true } })
      await triggered(oldAddress(name), name)
      await drainAllBut('email.deliver', 'email.deliverWorkflow')
      const [contact] = await world.ctx.sql`select id from contacts where email = ${oldAddress(name)}`
      const call: Waiting['call'] = (method, path, body) => world.call(method, path, { body })
      const row = () => rowOf(contact!['id'])
      return { name, contactId: contact!['id'], call, row, sentTo: () => sentTo(61_000) }
    },
  ],
  [
    'that was scheduled',
    async () => {
      const name = `scheduled${++counter}`
      const scheduledFor = new Date(world.clock.now().getTime() + hour).toISOString()
      await world.sendOne({ to: oldAddress(name), scheduledFor })
      const [contact] = await world.ctx.sql`select id from contacts where email = ${oldAddress(name)}`
      const call: Waiting['call'] = (method, path, body) => world.call(method, path, { body })
      const row = () => rowOf(contact!['id'])
      return { name, contactId: contact!['id'], call, row, sentTo: () => sentTo(hour) }
    },
  ],
]

test.each(waiting)(
  'mail %s goes to the new address, also when another contact has the old one',
  async (_, make) => {
    const { name, contactId, call, row, sentTo } = await make()
    expect((await row()).to).toBe(oldAddress(name))
    await call('PATCH', `/contacts/${contactId}`, { email: newAddress(name) })
    await call('POST', '/contacts', { email: oldAddress(name), subscribed: false })
    expect(await sentTo()).toEqual([newAddress(name)])
    expect(await row()).toMatchObject({ status: 'DELIVERED', to: newAddress(name) })
    const [mail] = await world.received()
    expect(mail!.to![0]!.address).toBe(newAddress(name))
  },
)

test.each(waiting)(
  'mail %s is withheld where the new address is suppressed, and not where the old one is',
  async (_, make) => {
    const first = await make()
    await first.call('POST', '/suppressions', { emails: [newAddress(first.name)] })
    await first.call('PATCH', `/contacts/${first.contactId}`, { email: newAddress(first.name) })
    expect(await first.sentTo()).toEqual([])
    expect((await first.row()).error).toContain('suppressed')
    const second = await make()
    await second.call('POST', '/suppressions', { emails: [oldAddress(second.name)] })
    await second.call('PATCH', `/contacts/${second.contactId}`, { email: newAddress(second.name) })
    expect(await second.sentTo()).toEqual([newAddress(second.name)])
  },
)

test.each(waiting.slice(0, 2))(
  'mail %s is skipped where the contact with the new address has opted out',
  async (_, make) => {
    const { name, contactId, call, row, sentTo } = await make()
    await call('PATCH', `/contacts/${contactId}`, { email: newAddress(name), subscribed: false })
    expect(await sentTo()).toEqual([])
    expect(await row()).toMatchObject({ status: 'SKIPPED', error: 'contact is unsubscribed' })
  },
)

test('mail that is retried goes to the address of the next attempt', async () => {
  const { name, contactId, call, row, sentTo } = await waiting[0]![1]()
  world.mail.script({ outcome: 'deferred', response: '451 later' })
  await sentTo()
  expect(await row()).toMatchObject({ status: 'PENDING', to: oldAddress(name) })
  world.mail.clear()
  await call('PATCH', `/contacts/${contactId}`, { email: newAddress(name) })
  expect(await sentTo()).toEqual([newAddress(name)])
  expect((await row()).to).toBe(newAddress(name))
})

test('mail that was asked for now, and mail to another than the contact, keeps its address', async () => {
  const id = await world.sendOne({ to: 'asked@old.example' })
  const { contact_id: contactId } = (await world.ctx.sql`select contact_id from emails where id = ${id}`)[0]!
  await world.call('PATCH', `/contacts/${contactId}`, { body: { email: 'asked@new.example' } })
  await world.chain('boss', [
    {
      type: 'SEND_EMAIL',
      templateId: await world.template({ type: 'MARKETING' }),
      config: { recipient: { type: 'CUSTOM', customEmail: 'boss@old.example' } },
    },
  ])
  await world.call('POST', '/contacts', { body: { email: 'boss@old.example', subscribed: true } })
  await triggered('boss@old.example', 'boss')
  await drainAllBut('email.deliver', 'email.deliverWorkflow')
  const [boss] = await world.ctx.sql`select id from contacts where email = 'boss@old.example'`
  await world.call('PATCH', `/contacts/${boss!['id']}`, { body: { email: 'boss@new.example' } })
  expect((await sentTo(61_000)).sort()).toEqual(['asked@old.example', 'boss@old.example'])
})
