// A project in which people's consent changes by every way in, and a model (consent-model.ts) that is told of the same. What people can do, they do by
// what has arrived in their inboxes.
import { expect } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { day, second } from '../../src/lib/time'
import { contactKinds } from '../../src/modules/audience/contacts/kinds'
import { eraseAddress } from '../../src/modules/oversight/privacy'
import { linkToken } from '../../src/modules/sending/emails/links'
import { stopMailing } from '../../src/modules/sending/emails/service/stop-mailing'
import { inTransaction } from '../../src/platform/context'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { buildApp } from '../../src/server/app'
import { jobHandlers } from '../../src/server/jobs'
import { message } from './campaigns'
import * as model from './consent-model'
import { drain } from './drain'
import { giveSender, ticketIn } from './forms'
import type { MadeProject } from './make'
import { type Answer, type RequestOptions, request } from './request'
import { sender, type World } from './world'

type Subject = model.Subject

/** A link that somebody got by mail: its path, and when the mail came. */
interface Link {
  path: string
  at: number
}

interface Person {
  email: string
  /** Of the contact that is there, or was there last. */
  contactId: string
  model: model.ModelledPerson
  /** The newest one-click links by what their mails were about, and the links of forms and to one's data. */
  oneClick: Partial<Record<Subject, Link & { contactId: string }>>
  forms: Partial<Record<Subject, Link & { askedAt: number; state: 'good' | 'asked again' | 'used' | 'dead' }>>
  data: (Link & { contactId: string }) | undefined
  /** When the form about it was last sent in their name. */
  askedAt: Partial<Record<Subject, number>>
}

/** What leaves by POST /v1/send, for which nobody's consent is asked. */
export const plainSend = 'send'
export type Got = Record<Subject | typeof plainSend, string[]>

export interface Stage {
  world: World
  app: AnyElysia
  project: MadeProject
  people: Person[]
  topicIds: Record<string, string>
  formIds: Record<Subject, string>
}

let stages = 0
const applications = new WeakMap<World, AnyElysia>()

/** Four people, two of whom are subscribed, two topics, and a form and a workflow about each subject. */
export async function openStage(world: World): Promise<Stage> {
  const app = applications.get(world) ?? buildApp(world.ctx)
  applications.set(world, app)
  const project = await world.newProject()
  const stage: Stage = {
    world,
    app,
    project,
    people: [],
    topicIds: {},
    formIds: { all: '', in: '', out: '' },
  }
  const domain = `s${++stages}.x.test`
  world.dns.set(domain, 'mx', { exchange: 'mx.x.test', priority: 10 })
  await giveSender(world, project)
  await call(stage, 'PATCH', `/users/@me/projects/${project.id}`, { body: { keepsOptOuts: true } })
  for (const index of [0, 1, 2, 3]) {
    const body = { email: `p${index}@${domain}`, subscribed: index % 2 === 0 }
    const contactId: string = (await call(stage, 'POST', '/contacts', { body })).body.id
    const links = { oneClick: {}, forms: {}, data: undefined, askedAt: {} }
    stage.people.push({ email: body.email, contactId, model: model.newPerson(body.subscribed), ...links })
  }
  for (const name of ['in', 'out']) {
    const body = { name, subscribedByDefault: name === 'in' }
    stage.topicIds[name] = (await call(stage, 'POST', '/topics', { body })).body.id
  }
  for (const about of model.subjects) {
    const body = { name: about, topics: about === 'all' ? [] : [stage.topicIds[about]] }
    stage.formIds[about] = (await call(stage, 'POST', '/signup-forms', { body })).body.id
    await openWorkflow(stage, about)
  }
  return stage
}

export const call = ({ app, project }: Stage, method: string, path: string, options: RequestOptions = {}) =>
  request(app, method, path, { key: project.secretKey, ...options })

/** Its mail has what it is about for a subject, as that of campaigns has. */
async function openWorkflow(stage: Stage, about: Subject): Promise<void> {
  const letter = { name: about, subject: about, body: '<p>x</p>', from: sender, type: 'MARKETING' }
  const templateId = (await call(stage, 'POST', '/templates', { body: letter })).body.id
  const { id } = (await call(stage, 'POST', '/workflows', { body: { name: about, eventName: about } })).body
  const config = { topicId: stage.topicIds[about] ?? null }
  const body = { type: 'SEND_EMAIL', name: 'Mail', position: { x: 0, y: 0 }, templateId, config }
  expect((await call(stage, 'POST', `/workflows/${id}/steps`, { body })).status).toBe(201)
  await call(stage, 'PATCH', `/workflows/${id}`, { body: { enabled: true, allowReentry: true } })
}

/** Everything that is due, but mail waits where it stands. */
async function drainOthers(stage: Stage): Promise<void> {
  const { ctx } = stage.world
  const handlers = [...jobHandlers(ctx)].filter(([kind]) => !/^(campaign\.send|email\.)/.test(kind))
  await drain(ctx, new Map(handlers))
  await openInboxes(stage)
}

/** Puts what has arrived into the inboxes; returns who got what, and makes sure that nothing came to an address that gets nothing. */
async function openInboxes(stage: Stage): Promise<Got> {
  const { world, people } = stage
  const got: Got = { all: [], in: [], out: [], send: [] }
  const at = world.clock.now().getTime()
  for (const { to, subject, text, headers } of await world.received()) {
    const person = people.find(({ email }) => email === to?.[0]?.address)
    if (!person) continue
    expect([person.email, person.model.isSuppressed]).toEqual([person.email, false])
    const path = /http:\/\/localhost:3000(\/(?:forms|privacy)\/[\w./?=-]+)/.exec(text ?? '')?.[1]
    const form = model.subjects.find(about => path?.includes(stage.formIds[about]))
    if (path && form) person.forms[form] = { path, at, askedAt: person.askedAt[form]!, state: 'good' }
    else if (path) person.data = { path, at, contactId: person.contactId }
    else {
      const about = subject as Subject
      got[about].push(person.email)
      const header = headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? ''
      const link = /<http:\/\/localhost:3000(\/[^>]+)>/.exec(header)?.[1]
      if (link) person.oneClick[about] = { path: link, at, contactId: person.contactId }
    }
  }
  world.mail.clear()
  return got
}

/** Everything that waits leaves, if at all, for those to whom it may go at this instant. Returns who got what. */
export async function deliver(stage: Stage): Promise<Got> {
  await compareLedgers(stage)
  const { world, people } = stage
  // Who left a kind alone left it for a minute.
  world.clock.advance(61 * second)
  await world.drain()
  const got = await openInboxes(stage)
  for (const about of model.subjects) {
    const may = people.filter(person => model.mayGet(person.model, about)).map(({ email }) => email)
    expect([about, got[about].filter(email => !may.includes(email))]).toEqual([about, []])
  }
  return got
}

/** The newest entries of everybody's ledger say what the model says. */
async function compareLedgers(stage: Stage): Promise<void> {
  for (const person of stage.people) {
    const answer = await call(stage, 'GET', `/contacts/${person.contactId}/consent?limit=100`)
    expect([person.email, answer.status === 200]).toEqual([person.email, person.model.standing !== undefined])
    if (answer.status !== 200) continue
    const newest = (topicId: string | null | undefined): string | undefined =>
      answer.body.data.find((entry: { topicId: string | null }) => entry.topicId === topicId)?.after
    const told = {
      all: newest(null) ?? 'notAsked',
      in: (newest(stage.topicIds['in']) ?? 'subscribed') === 'subscribed',
      out: newest(stage.topicIds['out']) === 'subscribed',
    }
    const { standing: all } = person.model
    const modelled = {
      all,
      in: model.holdsTopic(person.model, 'in'),
      out: model.holdsTopic(person.model, 'out'),
    }
    expect([person.email, told]).toEqual([person.email, modelled as typeof told])
  }
}

/** After what may have made a contact for the address. */
async function findAgain(stage: Stage, person: Person): Promise<void> {
  const [row] = await stage.world.ctx.sql<{ id: string }[]>`
    select id from contacts where project_id = ${stage.project.id} and email = ${person.email}`
  if (row) person.contactId = row.id
}

async function byFile(stage: Stage, person: Person, column: string, yes: boolean): Promise<void> {
  const body = new FormData()
  const content = `email,${column}\n${person.email},${yes ? 'yes' : 'no'}\n`
  body.set('file', new File([content], 'people.csv', { type: 'text/csv' }))
  expect((await call(stage, 'POST', '/contacts/import', { body })).status).toBe(202)
  await drainOthers(stage)
}

let clients = 0
/** A visitor of a page: each is another client. */
async function visit(
  stage: Stage,
  method: string,
  path: string,
  fields?: Record<string, string>,
): Promise<Answer> {
  const headers = { 'x-forwarded-for': `10.${++clients >> 16}.${(clients >> 8) & 255}.${clients & 255}` }
  const body = fields && new URLSearchParams(fields)
  return await request(stage.app, method, path, { headers, ...(body ? { body } : {}) })
}

async function onPage(
  stage: Stage,
  { contactId }: Person,
  page: string,
  fields: Record<string, string>,
): Promise<void> {
  const token = linkToken(stage.world.ctx.vault, { projectId: stage.project.id, contactId })
  await visit(stage, 'POST', `/${page}/${contactId}?t=${token}`, fields)
}

/** Each way in, as it is gone and as the model is told of it. */
const ways = {
  async import(stage: Stage, person: Person, yes: boolean, about: Subject) {
    await byFile(stage, person, about === 'all' ? 'subscribed' : `topic:${about}`, yes)
    if (about === 'all') model.setByStranger(person.model, yes)
    else model.importTopic(person.model, about, yes)
  },
  async api(stage: Stage, person: Person, yes: boolean, about: Subject) {
    if (about === 'all') {
      await call(stage, 'POST', '/contacts', { body: { email: person.email, subscribed: yes } })
      return model.setByRequest(person.model, yes)
    }
    const body = { topics: [{ id: stage.topicIds[about], subscribed: yes }] }
    await call(stage, 'PUT', `/contacts/${person.contactId}/topics`, { body })
    model.setTopic(person.model, about, yes)
  },
  async publicKey(stage: Stage, { email, model: person }: Person, subscribed: boolean) {
    const body = { email, subscribed, event: 'x' }
    await call(stage, 'POST', '/v1/track', { body, key: stage.project.publicKey })
    model.setByStranger(person, subscribed)
  },
  async page(stage: Stage, person: Person, yes: boolean, about: Subject) {
    const topic = stage.topicIds[about]
    if (about === 'all') {
      await onPage(stage, person, 'manage', { action: yes ? 'subscribe' : 'unsubscribe' })
      return model.decide(person.model, yes)
    }
    await onPage(stage, person, 'manage', { action: yes ? 'join' : 'leave', topic: topic! })
    model.setTopic(person.model, about, yes)
  },
  /** In the newest mail about it that arrived, if one did. */
  async 'one click'(stage: Stage, person: Person, _yes: boolean, about: Subject) {
    const link = person.oneClick[about]
    if (!link) return
    await visit(stage, 'POST', link.path, { 'List-Unsubscribe': 'One-Click' })
    if (link.contactId !== person.contactId) return
    if (about === 'all') model.decide(person.model, false)
    else model.setTopic(person.model, about, false)
  },
  async bounce(stage: Stage, person: Person, suppress: boolean) {
    await stop(stage, person, 'bounce', suppress)
    if (person.model.standing) model.bounce(person.model, suppress)
  },
  async complaint(stage: Stage, person: Person) {
    await stop(stage, person, 'complaint', false)
    model.decide(person.model, false)
  },
  async break(stage: Stage, person: Person) {
    await onPage(stage, person, 'manage', { action: 'snooze', duration: '1_month' })
    model.takeBreak(person.model, stage.world.clock.now().getTime() + 31 * day)
  },
  async months(stage: Stage) {
    stage.world.clock.advance(40 * day)
    await enqueue(stage.world.ctx, contactKinds.endSnoozes, {})
    await drainOthers(stage)
    for (const person of stage.people) model.wake(person.model, stage.world.clock.now().getTime())
  },
  /** Anybody may send a form in anybody's name: nothing follows from it but one mail. */
  async form(stage: Stage, person: Person, _yes: boolean, about: Subject) {
    const path = `/forms/${stage.formIds[about]}`
    const ticket = ticketIn((await visit(stage, 'GET', path)).body)
    stage.world.clock.advance(5 * second)
    const { email, forms, askedAt } = person
    expect((await visit(stage, 'POST', path, { ticket, email })).status).toBe(303)
    askedAt[about] = stage.world.clock.now().getTime()
    if (forms[about]?.state === 'good') forms[about].state = 'asked again'
    await drainOthers(stage)
  },
  /** By the newest link of the form, if one arrived. It works for a week, once, and not for somebody who was erased since. */
  async confirm({ world, ...rest }: Stage, person: Person, _yes: boolean, about: Subject) {
    const link = person.forms[about]
    if (!link) return
    const { status } = await visit({ world, ...rest }, 'POST', link.path)
    const now = world.clock.now().getTime()
    if (link.state === 'dead' || now >= link.at + 7 * day) return expect(status).toBe(404)
    if (link.state === 'good' && now < link.askedAt + 7 * day) expect(status).toBe(303)
    if (status !== 303 || link.state === 'used') return
    link.state = 'used'
    model.confirmForm(person.model, about)
  },
  async 'ask for data'(stage: Stage, person: Person) {
    const { contactId } = person
    const token = linkToken(stage.world.ctx.vault, { projectId: stage.project.id, contactId })
    await visit(stage, 'POST', `/privacy/${contactId}/link?t=${token}`)
    await drainOthers(stage)
  },
  /** By the mailed link, if one arrived: within a day, and not for whoever has the address later. */
  async 'erase oneself'(stage: Stage, person: Person) {
    if (!person.data) return
    const { path, at, contactId } = person.data
    const isGood =
      person.model.standing && contactId === person.contactId && stage.world.clock.now().getTime() < at + day
    const { status } = await visit(stage, 'POST', path, { action: 'erase', sure: '1' })
    expect([path, status]).toEqual([path, isGood ? 200 : 404])
    if (isGood) forget(person)
  },
  async erase(stage: Stage, person: Person) {
    await eraseAddress(stage.world.ctx, { projectId: stage.project.id, by: 'operator' }, person.email)
    forget(person)
  },
  async lift(stage: Stage, person: Person) {
    await call(stage, 'DELETE', `/suppressions/${person.email}`)
    model.lift(person.model)
  },
  async send(stage: Stage, { email, model: person }: Person) {
    const body = { to: email, from: sender, subject: plainSend, body: '<p>x</p>' }
    expect((await call(stage, 'POST', '/v1/send', { body })).status).toBe(200)
    model.mention(person, 'notAsked')
  },
  /** A workflow. */
  async event(stage: Stage, { email, model: person }: Person, _yes: boolean, event: Subject) {
    await call(stage, 'POST', '/v1/track', { body: { email, event }, key: stage.project.publicKey })
    model.mention(person, 'subscribed')
    await drainOthers(stage)
  },
  /** A campaign to everybody that has chosen its recipients, none of whom has got it yet. One that nobody may get is refused. */
  async start(stage: Stage, _person: Person, _yes: boolean, about: Subject) {
    const body = { ...message, subject: about, topicId: stage.topicIds[about] ?? null }
    const made = await call(stage, 'POST', '/campaigns', { body })
    const { status } = await call(stage, 'POST', `/campaigns/${made.body.data.id}/send`, { body: {} })
    expect(status).toBe(stage.people.some(person => model.agreesTo(person.model, about)) ? 200 : 400)
    await drainOthers(stage)
  },
  async deliver(stage: Stage) {
    await deliver(stage)
  },
}

export type Way = keyof typeof ways

export interface Change {
  by: Way
  person: number
  yes: boolean
  about: Subject
}

export async function apply(stage: Stage, { by, person: index, yes, about }: Change): Promise<void> {
  const person = stage.people[index]!
  await ways[by](stage, person, yes, about)
  await findAgain(stage, person)
}

function forget(person: Person): void {
  model.erase(person.model)
  for (const link of Object.values(person.forms)) link.state = 'dead'
}

async function stop(
  { world, project }: Stage,
  person: Person,
  reason: 'bounce' | 'complaint',
  suppress: boolean,
) {
  const whose = { projectId: project.id, contactId: person.contactId, toEmail: person.email }
  const stopped = { ...whose, emailId: Bun.randomUUIDv7(), reason, detail: '', suppress }
  await inTransaction(world.ctx, tx => stopMailing(tx, [stopped]))
}
