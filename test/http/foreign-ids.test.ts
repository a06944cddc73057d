// A request may name rows by their ids in its body or query. An id of another project is answered exactly like an id that nothing has, and
// the same request works with an id of the own project, so that what was refused was the id.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { buildApp } from '../../src/server/app'
import type { MadeProject } from '../support/make'
import { type Answer, request } from '../support/request'
import { makeWorld, type World } from '../support/world'

type Kind = 'layout' | 'template' | 'topic' | 'segment' | 'contact' | 'step' | 'email' | 'campaign'
type Ids = Record<Kind | 'workflow' | 'running' | 'otherStep', string>

let world: World
let app: ReturnType<typeof buildApp>
let own: Ids
let foreign: Ids
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
  own = await furnish(world.project)
  foreign = await furnish(await world.newProject())
})
afterAll(() => world.close())

const text = { subject: 'S', body: '<p>B</p>', from: 'a@acme.example' }
const campaign = { name: 'C', audienceType: 'ALL', ...text }

async function furnish({ secretKey: key }: MadeProject): Promise<Ids> {
  const make = async (path: string, body: object): Promise<Answer['body']> => {
    const answer = await request(app, 'POST', path, { key, body })
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const { id: workflow } = await make('/workflows', { name: 'W', eventName: 'seen' })
  const step = async (): Promise<string> =>
    (await make(`/workflows/${workflow}/steps`, { type: 'EXIT', name: 'E', autoConnect: false })).id
  const { id: running } = await make('/workflows', { name: 'R', eventName: 'bought' })
  await make(`/workflows/${running}/steps`, { type: 'EXIT', name: 'E' })
  const on = await request(app, 'PATCH', `/workflows/${running}`, { key, body: { enabled: true } })
  expect(on.status).toBe(200)
  const sent = await make('/v1/send', { to: 'ada@example.com', ...text })
  return {
    layout: (await make('/layouts', { name: 'L', body: '<p>{{ content }}</p>' })).id,
    template: (await make('/templates', { name: 'T', ...text, body: '<a href="{{ confirmUrl }}">Yes</a>' }))
      .id,
    topic: (await make('/topics', { name: 'T' })).id,
    segment: (await make('/segments', { name: 'S', type: 'STATIC' })).id,
    contact: (await make('/contacts', { email: 'bob@example.com' })).id,
    email: sent.data.emails[0].email,
    campaign: (await make('/campaigns', campaign)).data.id,
    workflow,
    running,
    step: (await make(`/workflows/${workflow}/steps`, { type: 'DELAY', name: 'D', config: delay })).id,
    otherStep: await step(),
  }
}

const delay = { amount: 1, unit: 'days' }
const inSegment = (id: string) => ({
  logic: 'AND',
  groups: [{ filters: [{ field: `segment.${id}`, operator: 'memberOfSegment' }] }],
})
/** The ids of the prepared project, which a path needs. */
const at = (path: string): string => path.replace(/<(\w+)>/g, (_, kind: string) => own[kind as keyof Ids])

test.each<[what: string, kind: Kind, method: string, path: string, body: (id: string) => object]>([
  ['a template in a layout', 'layout', 'POST', '/templates', id => ({ name: 'T', ...text, layoutId: id })],
  ['a template moved into a layout', 'layout', 'PATCH', '/templates/<template>', id => ({ layoutId: id })],
  ['a preview in a layout', 'layout', 'POST', '/templates/preview', id => ({ ...text, layoutId: id })],
  ['a preview of a template', 'template', 'POST', '/templates/preview', id => ({ templateId: id })],
  ['a preview for a contact', 'contact', 'POST', '/templates/preview', id => ({ ...text, contactId: id })],
  ['a campaign in a layout', 'layout', 'POST', '/campaigns', id => ({ ...campaign, layoutId: id })],
  [
    'a campaign to a segment',
    'segment',
    'POST',
    '/campaigns',
    id => ({ ...campaign, audienceType: 'SEGMENT', segmentId: id }),
  ],
  [
    'a campaign to a filter of a segment',
    'segment',
    'POST',
    '/campaigns',
    id => ({ ...campaign, audienceType: 'FILTERED', audienceCondition: inSegment(id) }),
  ],
  ['a campaign on a topic', 'topic', 'POST', '/campaigns', id => ({ ...campaign, topicId: id })],
  ['a campaign changed to a topic', 'topic', 'PUT', '/campaigns/<campaign>', id => ({ topicId: id })],
  ['a campaign changed to a layout', 'layout', 'PUT', '/campaigns/<campaign>', id => ({ layoutId: id })],
  [
    'a campaign changed to a segment',
    'segment',
    'PUT',
    '/campaigns/<campaign>',
    id => ({ audienceType: 'SEGMENT', segmentId: id }),
  ],
  [
    'the size of an audience',
    'segment',
    'POST',
    '/campaigns/audience',
    id => ({ audienceType: 'SEGMENT', segmentId: id }),
  ],
  [
    'a campaign shown for a contact',
    'contact',
    'POST',
    '/campaigns/<campaign>/preview',
    id => ({ contactId: id }),
  ],
  [
    'a step with a template',
    'template',
    'POST',
    '/workflows/<workflow>/steps',
    id => ({ type: 'SEND_EMAIL', name: 'M', templateId: id, autoConnect: false }),
  ],
  [
    'a step with a topic',
    'topic',
    'POST',
    '/workflows/<workflow>/steps',
    id => ({
      ...{ type: 'SEND_EMAIL', name: 'M', autoConnect: false },
      ...{ templateId: own.template, config: { topicId: id } },
    }),
  ],
  [
    'a way to a step',
    'step',
    'POST',
    '/workflows/<workflow>/transitions',
    id => ({ fromStepId: id, toStepId: own.otherStep }),
  ],
  ['a start for a contact', 'contact', 'POST', '/workflows/<running>/executions', id => ({ contactId: id })],
  [
    'a schedule for a segment',
    'segment',
    'PATCH',
    '/workflows/<workflow>',
    id => ({ triggerType: 'SCHEDULE', triggerConfig: { cron: '0 9 * * 1', segmentId: id } }),
  ],
  ['an event of a contact', 'contact', 'POST', '/events/track', id => ({ name: 'e', contactId: id })],
  ['a send of a template', 'template', 'POST', '/v1/send', id => ({ to: 'a@example.com', template: id })],
  [
    'contacts put into a segment',
    'segment',
    'POST',
    '/contacts/bulk-add-to-segment',
    id => ({ contactIds: [own.contact], segmentId: id }),
  ],
  [
    'a decision about a topic',
    'topic',
    'PUT',
    '/contacts/<contact>/topics',
    id => ({ topics: [{ id, subscribed: true }] }),
  ],
  ['a form with a template', 'template', 'POST', '/signup-forms', id => ({ name: 'F', templateId: id })],
  [
    'a disabled form with a template',
    'template',
    'POST',
    '/signup-forms',
    id => ({ name: 'F', enabled: false, templateId: id }),
  ],
  [
    'a form with a topic',
    'topic',
    'POST',
    '/signup-forms',
    id => ({ name: 'F', enabled: false, topics: [id] }),
  ],
  ['a search by a segment', 'segment', 'POST', '/contacts/search', id => ({ filter: inSegment(id) })],
])('%s of another project is not found', async (_, kind, method, path, body) => {
  const ask = async (id: string) => {
    const answer = await request(app, method, at(path), { key: world.project.secretKey, body: body(id) })
    const { code, message, details } = answer.body?.error ?? {}
    return { status: answer.status, text: JSON.stringify({ code, message, details }).replaceAll(id, 'ID') }
  }
  const unknown = await ask(Bun.randomUUIDv7())
  expect(await ask(foreign[kind])).toEqual(unknown)
  expect([400, 404, 422]).toContain(unknown.status)
  expect((await ask(own[kind])).status).toBeLessThan(300)
})

test.each<[list: string, kind: Kind]>([
  ['/emails?contactId=', 'contact'],
  ['/emails?templateId=', 'template'],
  ['/emails?campaignId=', 'campaign'],
  ['/activity?contactId=', 'contact'],
  ['/workflows/<workflow>/executions?contactId=', 'contact'],
])('%s… of another project shows nothing', async (path, kind) => {
  const { status, body } = await request(app, 'GET', `${at(path)}${foreign[kind]}`, {
    key: world.project.secretKey,
  })
  expect([status, body.data]).toEqual([200, []])
})

test.each(['bulk-subscribe', 'bulk-unsubscribe', 'bulk-delete'])(
  '%s changes no contact of another project',
  async operation => {
    const stored = () =>
      world.ctx.sql`select subscribed, updated_at from contacts where id = ${foreign.contact}`
    const before = await stored()
    expect(before).toHaveLength(1)
    world.clock.advance(1_000)
    const body = { contactIds: [foreign.contact] }
    const key = world.project.secretKey
    expect((await request(app, 'POST', `/contacts/${operation}`, { key, body })).status).toBe(202)
    await world.drain()
    expect(await stored()).toEqual(before)
  },
)
