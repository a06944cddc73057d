// Whatever the order of imports, requests, pages, mail programs, bounces and complaints, and wherever in it a campaign starts: no marketing
// mail leaves for somebody whose ledger of consent does not say "subscribed" at that instant, and everybody whose ledger says so gets it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import fc from 'fast-check'
import { contactKinds } from '../../src/modules/contacts/kinds'
import { linkToken } from '../../src/modules/emails/links'
import { stopMailing } from '../../src/modules/emails/service/stop-mailing'
import { inTransaction } from '../../src/platform/context'
import { drain } from '../../src/platform/jobs/drain'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { buildApp } from '../../src/server/app'
import { jobHandlers } from '../../src/server/jobs'
import { message } from '../support/campaigns'
import type { MadeProject } from '../support/make'
import { type RequestOptions, request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let app: AnyElysia
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
afterAll(() => world.close())

const person = fc.integer({ min: 0, max: 3 })
const yes = fc.boolean()
const change = fc.oneof(
  fc.record({ by: fc.constantFrom('import', 'api', 'publicKey', 'page'), person, yes }),
  fc.record({ by: fc.constantFrom('one click', 'bounce', 'complaint', 'break', 'months'), person, yes }),
  fc.constant({ by: 'start', person: 0, yes: true }),
  fc.constant({ by: 'deliver', person: 0, yes: true }),
)
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never

interface Stage {
  project: MadeProject
  ids: string[]
}

const addressOf = (index: number): string => `p${index}@x.test`
const call = ({ project }: Stage, method: string, path: string, options: RequestOptions = {}) =>
  request(app, method, path, { key: project.secretKey, ...options })

async function open(): Promise<Stage> {
  const stage: Stage = { project: await world.newProject(), ids: [] }
  const body = { keepsOptOuts: true }
  await call(stage, 'PATCH', `/users/@me/projects/${stage.project.id}`, { body })
  for (const index of [0, 1, 2, 3]) {
    const made = { email: addressOf(index), subscribed: index % 2 === 0 }
    stage.ids.push((await call(stage, 'POST', '/contacts', { body: made })).body.id)
  }
  return stage
}

/** Everything that is due, but campaigns wait where they stand. */
async function drainOthers(): Promise<void> {
  const handlers = [...jobHandlers(world.ctx)].filter(([kind]) => kind !== 'campaign.send')
  await drain(world.ctx, new Map(handlers))
}

async function onPage(stage: Stage, index: number, page: string, fields: Record<string, string>) {
  const contactId = stage.ids[index]!
  const token = linkToken(world.ctx.vault, { projectId: stage.project.id, contactId })
  const options = { key: '', body: new URLSearchParams(fields) }
  await call(stage, 'POST', `/${page}/${contactId}?t=${token}`, options)
}

async function importOne(stage: Stage, email: string, yes: boolean): Promise<void> {
  const body = new FormData()
  const content = `email,subscribed\n${email},${yes ? 'yes' : 'no'}\n`
  body.set('file', new File([content], 'people.csv', { type: 'text/csv' }))
  await call(stage, 'POST', '/contacts/import', { body })
  await drainOthers()
}

async function apply(stage: Stage, { by, person, yes: subscribed }: Change): Promise<void> {
  const email = addressOf(person)
  const body = { email, subscribed, event: 'x' }
  switch (by) {
    case 'import':
      return await importOne(stage, email, subscribed)
    case 'api':
      return void (await call(stage, 'POST', '/contacts', { body: { email, subscribed } }))
    case 'publicKey':
      return void (await call(stage, 'POST', '/v1/track', { body, key: stage.project.publicKey }))
    case 'page':
      return await onPage(stage, person, 'manage', { action: subscribed ? 'subscribe' : 'unsubscribe' })
    case 'one click':
      return await onPage(stage, person, 'unsubscribe', { 'List-Unsubscribe': 'One-Click' })
    case 'break':
      return await onPage(stage, person, 'manage', { action: 'snooze', duration: '1_month' })
    case 'months':
      world.clock.advance(40 * 86_400_000)
      await enqueue(world.ctx, contactKinds.wake, {})
      return await drainOthers()
    case 'start':
      return await start(stage)
    case 'deliver':
      return await deliver(stage)
    default: {
      const reason = by === 'bounce' ? ('bounce' as const) : ('complaint' as const)
      const whose = { projectId: stage.project.id, contactId: stage.ids[person]!, toEmail: email }
      const stop = { ...whose, emailId: Bun.randomUUIDv7(), reason, detail: '', suppress: false }
      return await inTransaction(world.ctx, tx => stopMailing(tx, [stop]))
    }
  }
}

/** A campaign to everybody that has chosen its recipients, none of whom has got it yet. */
async function start(stage: Stage): Promise<void> {
  const made = await call(stage, 'POST', '/campaigns', { body: message })
  const { status } = await call(stage, 'POST', `/campaigns/${made.body.data.id}/send`, { body: {} })
  // One that nobody may get is refused.
  expect(status).toBe((await allowed(stage)).length > 0 ? 200 : 400)
  await drainOthers()
}

/** Who may be written to, by the newest entries of their ledgers. */
async function allowed(stage: Stage): Promise<string[]> {
  const newest = await Promise.all(
    stage.ids.map(async id => (await call(stage, 'GET', `/contacts/${id}/consent?limit=1`)).body.data[0]),
  )
  return stage.ids.flatMap((_, index) => (newest[index]?.after === 'subscribed' ? [addressOf(index)] : []))
}

/** Everything that waits leaves, if at all, for those whom the ledger allows at this instant. */
async function deliver(stage: Stage): Promise<void> {
  const may = await allowed(stage)
  world.mail.clear()
  // Who left a kind alone left it for a minute.
  world.clock.advance(61_000)
  await world.drain()
  const reached = new Set(world.mail.sent.flatMap(({ envelope }) => envelope.to))
  expect([...reached].filter(address => !may.includes(address))).toEqual([])
}

test('mail leaves for those whom the ledger allows, and for no one else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 12 }), async changes => {
      const stage = await open()
      for (const each of changes) await apply(stage, each)
      await deliver(stage)
      await start(stage)
      const may = await allowed(stage)
      await deliver(stage)
      expect(world.mail.sent.flatMap(({ envelope }) => envelope.to).sort()).toEqual(may)
    }),
    { numRuns: 8, endOnFailure: true },
  )
}, 120_000)
