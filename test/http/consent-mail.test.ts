// Whatever the order of imports, requests, pages, mail programs, bounces and complaints, about all mail or about a topic, and wherever in it a
// campaign or a workflow starts: no marketing mail leaves for somebody whose ledger of consent does not say "subscribed" at that instant, of
// all mail and of the mail's topic, and everybody whose ledger says so gets it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import fc from 'fast-check'
import { contactKinds } from '../../src/modules/contacts/kinds'
import { linkToken } from '../../src/modules/emails/links'
import { stopMailing } from '../../src/modules/emails/service/stop-mailing'
import { importDecisions } from '../../src/modules/topics'
import { inTransaction } from '../../src/platform/context'
import { drain } from '../../src/platform/jobs/drain'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { buildApp } from '../../src/server/app'
import { jobHandlers } from '../../src/server/jobs'
import { message } from '../support/campaigns'
import type { MadeProject } from '../support/make'
import { type RequestOptions, request } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let app: AnyElysia
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
afterAll(() => world.close())

const person = fc.integer({ min: 0, max: 3 })
const yes = fc.boolean()
/** What a mail is about: no topic, one that holds until somebody leaves it, or one that holds for those who join. */
const subject = fc.constantFrom('all', 'in', 'out')
const topic = fc.constantFrom('in', 'out')
const change = fc.oneof(
  fc.record({
    by: fc.constantFrom('import', 'api', 'publicKey', 'page'),
    person,
    yes,
    about: fc.constant('all'),
  }),
  fc.record({
    by: fc.constantFrom('one click', 'bounce', 'complaint', 'break', 'months'),
    ...{ person, yes, about: fc.constant('all') },
  }),
  fc.record({ by: fc.constantFrom('import', 'api', 'page', 'one click'), person, yes, about: topic }),
  fc.record({ by: fc.constantFrom('start', 'event', 'deliver'), person, yes, about: subject }),
)
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never

/** A no between the start of mail and its leaving, which changes at random would seldom make. */
const race = fc
  .record({
    ...{ starts: fc.constantFrom('start', 'event'), about: subject, person },
    by: fc.constantFrom('import', 'api', 'page', 'one click'),
  })
  .map(({ starts, about, person, by }): Change[] => [
    { by: starts, about, person, yes: true },
    { by, about, person, yes: false },
    { by: 'deliver', about, person, yes: true },
  ])

const story = fc
  .array(fc.oneof({ weight: 4, arbitrary: change.map(one => [one]) }, { weight: 1, arbitrary: race }), {
    minLength: 4,
    maxLength: 10,
  })
  .map(parts => parts.flat())

interface Stage {
  project: MadeProject
  ids: string[]
  /** Ids of topics by what a mail is about. */
  topics: Record<string, string>
}

const addressOf = (index: number): string => `p${index}@x.test`
const call = ({ project }: Stage, method: string, path: string, options: RequestOptions = {}) =>
  request(app, method, path, { key: project.secretKey, ...options })

async function open(): Promise<Stage> {
  const stage: Stage = { project: await world.newProject(), ids: [], topics: {} }
  const body = { keepsOptOuts: true }
  await call(stage, 'PATCH', `/users/@me/projects/${stage.project.id}`, { body })
  for (const index of [0, 1, 2, 3]) {
    const made = { email: addressOf(index), subscribed: index % 2 === 0 }
    stage.ids.push((await call(stage, 'POST', '/contacts', { body: made })).body.id)
  }
  for (const name of ['in', 'out']) {
    const topic = { name, subscribedByDefault: name === 'in' }
    stage.topics[name] = (await call(stage, 'POST', '/topics', { body: topic })).body.id
  }
  for (const name of ['all', 'in', 'out']) await openWorkflow(stage, name)
  return stage
}

/** Its mail has what it is about for a subject, as that of campaigns has. */
async function openWorkflow(stage: Stage, about: string): Promise<void> {
  const letter = { name: about, subject: about, body: '<p>x</p>', from: sender, type: 'MARKETING' }
  const template = (await call(stage, 'POST', '/templates', { body: letter })).body.id
  const { id } = (await call(stage, 'POST', '/workflows', { body: { name: about, eventName: about } })).body
  const step = { type: 'SEND_EMAIL', name: 'Mail', position: { x: 0, y: 0 }, templateId: template }
  const config = { topicId: stage.topics[about] ?? null }
  expect((await call(stage, 'POST', `/workflows/${id}/steps`, { body: { ...step, config } })).status).toBe(
    201,
  )
  await call(stage, 'PATCH', `/workflows/${id}`, { body: { enabled: true, allowReentry: true } })
}

/** Everything that is due, but mail waits where it stands. */
async function drainOthers(): Promise<void> {
  const handlers = [...jobHandlers(world.ctx)].filter(([kind]) => !/^(campaign\.send|email\.)/.test(kind))
  await drain(world.ctx, new Map(handlers))
}

async function onPage(
  stage: Stage,
  index: number,
  page: string,
  fields: Record<string, string>,
  emailId = '',
) {
  const contactId = stage.ids[index]!
  const token = linkToken(world.ctx.vault, { projectId: stage.project.id, contactId })
  const options = { key: '', body: new URLSearchParams(fields) }
  await call(stage, 'POST', `/${page}/${contactId}?t=${token}&e=${emailId}`, options)
}

async function importOne(stage: Stage, email: string, yes: boolean): Promise<void> {
  const body = new FormData()
  const content = `email,subscribed\n${email},${yes ? 'yes' : 'no'}\n`
  body.set('file', new File([content], 'people.csv', { type: 'text/csv' }))
  await call(stage, 'POST', '/contacts/import', { body })
  await drainOthers()
}

async function applyToTopic(stage: Stage, { by, person, yes: subscribed, about }: Change): Promise<void> {
  const [id, contactId] = [stage.topics[about]!, stage.ids[person]!]
  switch (by) {
    case 'api':
      await call(stage, 'PUT', `/contacts/${contactId}/topics`, { body: { topics: [{ id, subscribed }] } })
      break
    case 'import':
      await importDecisions(world.ctx, stage.project.id, [{ contactId, topicId: id, subscribed }])
      break
    case 'page':
      await onPage(stage, person, 'manage', { action: subscribed ? 'join' : 'leave', topic: id })
      break
    default:
      await clickIn(stage, person, about)
  }
}

/** One click in the newest mail about it, if there is one. */
async function clickIn(stage: Stage, person: number, about: string): Promise<void> {
  const [mail] = await world.ctx.sql<{ id: string }[]>`
    select id from emails where contact_id = ${stage.ids[person]!} and subject = ${about} order by id desc limit 1`
  if (mail) await onPage(stage, person, 'unsubscribe', { 'List-Unsubscribe': 'One-Click' }, mail.id)
}

async function apply(stage: Stage, change: Change): Promise<void> {
  const { by, person, yes: subscribed, about } = change
  if (about !== 'all' && ['import', 'api', 'page', 'one click'].includes(by))
    return await applyToTopic(stage, change)
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
      return await start(stage, about)
    case 'event': {
      const came = { email, event: about }
      await call(stage, 'POST', '/v1/track', { body: came, key: stage.project.publicKey })
      return await drainOthers()
    }
    case 'deliver':
      return void (await deliver(stage))
    default: {
      const reason = by === 'bounce' ? ('bounce' as const) : ('complaint' as const)
      const whose = { projectId: stage.project.id, contactId: stage.ids[person]!, toEmail: email }
      const stop = { ...whose, emailId: Bun.randomUUIDv7(), reason, detail: '', suppress: false }
      return await inTransaction(world.ctx, tx => stopMailing(tx, [stop]))
    }
  }
}

/** A campaign to everybody that has chosen its recipients, none of whom has got it yet. */
async function start(stage: Stage, about: string): Promise<void> {
  const body = { ...message, subject: about, topicId: stage.topics[about] ?? null }
  const made = await call(stage, 'POST', '/campaigns', { body })
  const { status } = await call(stage, 'POST', `/campaigns/${made.body.data.id}/send`, { body: {} })
  // One that nobody may get is refused.
  expect(status).toBe((await allowed(stage))[about]!.length > 0 ? 200 : 400)
  await drainOthers()
}

/** Who may be written to about what, by the newest entries of their ledgers. */
async function allowed(stage: Stage): Promise<Record<string, string[]>> {
  const may: Record<string, string[]> = { all: [], in: [], out: [] }
  for (const [index, id] of stage.ids.entries()) {
    const { data } = (await call(stage, 'GET', `/contacts/${id}/consent?limit=100`)).body
    const newest = (topicId: string | null) =>
      data.find((entry: { topicId: string | null }) => entry.topicId === topicId)?.after
    if (newest(null) !== 'subscribed') continue
    may['all']!.push(addressOf(index))
    if ((newest(stage.topics['in']!) ?? 'subscribed') === 'subscribed') may['in']!.push(addressOf(index))
    if (newest(stage.topics['out']!) === 'subscribed') may['out']!.push(addressOf(index))
  }
  return may
}

/** Everything that waits leaves, if at all, for those whom the ledger allows at this instant. Returns who got what. */
async function deliver(stage: Stage): Promise<Record<string, string[]>> {
  const may = await allowed(stage)
  world.mail.clear()
  // Who left a kind alone left it for a minute.
  world.clock.advance(61_000)
  await world.drain()
  const got: Record<string, string[]> = { all: [], in: [], out: [] }
  for (const { subject, to } of await world.received()) got[subject!]!.push(to![0]!.address!)
  for (const about of Object.keys(got))
    expect(got[about]!.filter(address => !may[about]!.includes(address))).toEqual([])
  return got
}

test('mail leaves for those whom the ledger allows, and for no one else', async () => {
  await fc.assert(
    fc.asyncProperty(story, subject, async (changes, about) => {
      const stage = await open()
      for (const each of changes) await apply(stage, each)
      await deliver(stage)
      await start(stage, about)
      const may = await allowed(stage)
      expect((await deliver(stage))[about]!.sort()).toEqual(may[about]!)
    }),
    { numRuns: 8, endOnFailure: true },
  )
}, 120_000)
