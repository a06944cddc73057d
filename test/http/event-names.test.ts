// One vocabulary of events for webhooks, workflows and segments, and an event for every end of a message, with what the other side said.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { makeApplication } from '../../src/http/application'
import { eventData } from '../../src/http/openapi/event-payloads'
import { ownEventNames } from '../../src/lib/event-names'
import { webhookEndpointRoutes } from '../../src/modules/api/webhooks/routes'
import { eventsRoutes } from '../../src/modules/audience/events/routes'
import { segmentsRoutes } from '../../src/modules/features/segments/routes'
import { workflowsRoutes } from '../../src/modules/features/workflows/routes'
import { failWaiting } from '../../src/modules/sending/emails'
import { applyReports } from '../../src/modules/sending/feedback/service/apply'
import { request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let app: ReturnType<typeof makeApplication>
beforeAll(async () => {
  world = await makeWorld()
  app = makeApplication(world.ctx, [webhookEndpointRoutes, workflowsRoutes, segmentsRoutes, eventsRoutes])
})
beforeEach(async () => {
  world.mail.clear()
  world.project = await world.newProject()
})
afterAll(() => world.close())

const post = (path: string, body: unknown) =>
  request(app, 'POST', path, { key: world.project.secretKey, body })
const suppress = (email: string) => world.ctx.sql`
  insert into suppressions (project_id, email, reason, source, created_at)
  values (${world.project.id}, ${email}, 'bounce', 'test', now())`
const later = () => new Date(world.clock.now().getTime() + 3_600_000).toISOString()
const ends = async () =>
  (await world.events())
    .filter(({ name }) => name === 'email.failed' || name === 'email.bounce')
    .map(({ name, contactId, emailId, data }) => {
      const { reason, code, response, copy } = data!
      return { name, hasContact: contactId !== null, emailId, reason, code, response, copy }
    })

describe('a message that does not arrive', () => {
  test('is an event where the other side refuses it, and a webhook gets the words', async () => {
    const url = 'https://hooks.example/in'
    await post('/webhook-endpoints', { url, eventTypes: ['email.failed', 'email.bounced'] })
    world.mail.script(
      {
        outcome: 'refused',
        blame: 'other',
        meaning: 'refused',
        response: '554 5.7.1 spam',
        enhanced: '5.7.1',
      },
      { outcome: 'refused', blame: 'address', response: '550 5.1.1 nobody', code: 550, enhanced: '5.1.1' },
    )
    const before = world.webhooks.calls.length
    const failed = await world.sendOne({ to: 'a@example.com' })
    await world.drain()
    const bounced = await world.sendOne({ to: 'b@example.com' })
    await world.drain()
    const told = world.webhooks.calls.slice(before).map(({ body }) => JSON.parse(body ?? ''))
    expect(told).toMatchObject([
      {
        type: 'email.failed',
        data: { emailId: failed, event: { reason: 'refused', code: '5.7.1', response: '554 5.7.1 spam' } },
      },
      {
        type: 'email.bounce',
        data: { emailId: bounced, event: { reason: 'dead', code: '5.1.1', response: '550 5.1.1 nobody' } },
      },
    ])
    for (const { type, data } of told)
      expect(Value.Errors(eventData(type), data.event).First()).toBeUndefined()
  })

  test.each([
    ['the address is suppressed when it is sent', 'suppressed', () => suppress('a@example.com'), undefined],
    ['it is suppressed meanwhile', 'suppressed', undefined, () => suppress('a@example.com')],
    [
      'the project is disabled',
      'projectDisabled',
      undefined,
      () => world.ctx.sql`update projects set disabled = true where id = ${world.project.id}`,
    ],
    [
      'the project is stopped, and what waits is ended at once',
      'projectDisabled',
      undefined,
      () => failWaiting(world.ctx, world.project.id, null, 10),
    ],
    ['it is cancelled', 'cancelled', undefined, (id: string) => world.call('POST', `/emails/${id}/cancel`)],
  ] as const)('is an event where %s', async (_, reason, before, meanwhile) => {
    await before?.()
    const id = await world.sendOne({ to: 'a@example.com', ...(meanwhile ? { scheduledFor: later() } : {}) })
    await meanwhile?.(id)
    world.clock.advance(3_600_000)
    await world.drain()
    expect(await ends()).toMatchObject([{ name: 'email.failed', hasContact: true, emailId: id, reason }])
    await world.ctx.sql`update projects set disabled = false where id = ${world.project.id}`
  })

  test('is one where a later report refuses it', async () => {
    const id = await world.sendOne({ to: 'a@example.com' })
    await world.drain()
    const report = { projectId: world.project.id, emailId: id, at: world.clock.now(), source: 'dsn' } as const
    const said = { kind: 'bounced', blame: 'other', detail: '552 too big', code: '5.3.4' } as const
    await applyReports(world.ctx, [{ ...report, ...said }])
    await applyReports(world.ctx, [{ ...report, ...said }])
    expect(await ends()).toMatchObject([
      { name: 'email.failed', reason: 'refused', code: '5.3.4', response: '552 too big' },
    ])
  })

  test('is one for each copy, which names the copy and not the contact', async () => {
    await suppress('gone@example.com')
    world.mail.script({
      ...{ outcome: 'accepted', delivered: true, response: '250 ok' },
      untaken: [
        {
          address: 'no@example.com',
          outcome: 'refused',
          blame: 'address',
          response: '550 nobody',
          code: 550,
        },
      ],
    })
    const id = await world.sendOne({ to: 'a@example.com', cc: ['gone@example.com'], bcc: 'no@example.com' })
    await world.drain()
    expect((await ends()).toSorted((a, b) => (a.name < b.name ? -1 : 1))).toMatchObject([
      {
        name: 'email.bounce',
        hasContact: false,
        reason: 'dead',
        code: '550',
        copy: { email: 'no@example.com' },
      },
      {
        name: 'email.failed',
        emailId: id,
        reason: 'suppressed',
        copy: { kind: 'cc', email: 'gone@example.com' },
      },
    ])
  })
})

const condition = (field: string) => ({
  name: field,
  condition: {
    logic: 'AND',
    groups: [{ filters: [{ field, operator: 'triggered' }] }],
  },
})

describe('a name', () => {
  test.each([
    ['email.delivered', 'email.delivery'],
    ['email.opened', 'email.open'],
    ['email.clicked', 'email.click'],
    ['email.bounced', 'email.bounce'],
    ['email.complained', 'email.complaint'],
    ['email.failed', 'email.failed'],
  ])('%s means %s everywhere', async (given, recorded) => {
    const endpoint = await post('/webhook-endpoints', {
      url: 'https://hooks.example/in',
      eventTypes: [given],
    })
    expect([endpoint.status, endpoint.body.eventTypes]).toEqual([201, [recorded]])
    const workflow = await post('/workflows', { name: 'W', eventName: given })
    expect(workflow.body.triggerConfig).toEqual({ eventName: recorded })
    for (const field of [given, `event.${given}`])
      expect((await post('/segments', condition(field))).status).toBe(201)
  })

  test.each([['email.deliverd'], ['email.*'], ['*'], ['contact.created']])(
    '%s that is never recorded is 422 with the list',
    async name => {
      const message = expect.stringContaining('email.delivery')
      const url = 'https://hooks.example/in'
      const endpoint = await post('/webhook-endpoints', { url, eventTypes: ['signed_up', name] })
      expect([endpoint.status, endpoint.body.error.errors]).toEqual([
        422,
        [expect.objectContaining({ field: 'eventTypes.1', message })],
      ])
      const workflow = await post('/workflows', { name: 'W', eventName: name })
      expect([workflow.status, workflow.body.error.errors]).toEqual([
        422,
        [expect.objectContaining({ field: 'eventName', message })],
      ])
    },
  )

  test('of an application that begins like ours is accepted once it was tracked', async () => {
    const body = { email: 'a@example.com', event: 'contact.created' }
    expect((await world.call('POST', '/v1/track', { body, key: world.project.publicKey })).status).toBe(200)
    const added = { url: 'https://hooks.example/in', eventTypes: ['contact.created'] }
    expect((await post('/webhook-endpoints', added)).status).toBe(201)
  })

  test('that no event has is refused in a condition', async () => {
    for (const field of ['email.deliverd', 'event.email.deliverd']) {
      const { status, body } = await post('/segments', condition(field))
      expect([status, JSON.stringify(body)]).toEqual([status, expect.stringContaining('email.delivery')])
      expect(status).toBeWithin(400, 423)
    }
  })

  test('is in one list, which the docs and the dashboard have too', async () => {
    const page = await Bun.file(`${import.meta.dir}/../../docs/events.md`).text()
    const choice = 'src/dashboard/pages/settings/webhooks/form.tsx'
    const offered = await Bun.file(`${import.meta.dir}/../../${choice}`).text()
    for (const name of ownEventNames.filter(each => each !== 'email.received'))
      expect(offered).toContain(`'${name}'`)
    for (const name of ownEventNames) expect(page).toContain(`\`${name}\``)
  })
})
