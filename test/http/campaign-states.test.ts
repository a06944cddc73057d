// The state machine of campaigns over HTTP: every action in every state, with the status, the words and the state after it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { buildApp } from '../../src/server/app'
import { type CampaignWorld, campaignWorld, message } from '../support/campaigns'
import { request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let on: CampaignWorld
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  on = await campaignWorld(world)
  await on.contacts(2)
})
afterAll(() => world.close())

const soon = (ms: number): string => new Date(world.clock.now().getTime() + ms).toISOString()
const tomorrow = '2026-03-02T12:00:00.000Z'

/** How a campaign comes into each state. */
const states = {
  DRAFT: async () => on.draft(),
  SCHEDULED: async () => {
    const id = await on.draft()
    await on.send(id, tomorrow)
    return id
  },
  SENDING: async () => {
    const id = await on.draft()
    await on.send(id)
    return id
  },
  PAUSED: async () => {
    const id = await states.SENDING()
    await on.call('POST', `/campaigns/${id}/pause`)
    return id
  },
  SENT: async () => {
    const id = await states.SENDING()
    await on.drain()
    return id
  },
  CANCELLED: async () => {
    const id = await states.SCHEDULED()
    await on.call('POST', `/campaigns/${id}/cancel`)
    return id
  },
}
type State = keyof typeof states

const actions = {
  update: (id: string) => on.call('PUT', `/campaigns/${id}`, { name: 'Other' }),
  'change the segment': async (id: string) => {
    const body = { name: 'Named', type: 'STATIC' }
    const made = await request(buildApp(world.ctx), 'POST', '/segments', { key: on.project.secretKey, body })
    return on.call('PUT', `/campaigns/${id}`, { segmentId: made.body.id })
  },
  send: (id: string) => on.send(id),
  schedule: (id: string) => on.send(id, tomorrow),
  unschedule: (id: string) => on.call('POST', `/campaigns/${id}/unschedule`),
  cancel: (id: string) => on.call('POST', `/campaigns/${id}/cancel`),
  pause: (id: string) => on.call('POST', `/campaigns/${id}/pause`),
  resume: (id: string) => on.call('POST', `/campaigns/${id}/resume`),
  'retry what failed': (id: string) => on.call('POST', `/campaigns/${id}/retry-failed`),
  delete: (id: string) => on.call('DELETE', `/campaigns/${id}`),
  copy: (id: string) => on.call('POST', `/campaigns/${id}/duplicate`),
  test: (id: string) => on.call('POST', `/campaigns/${id}/test`, { email: 'a@example.com' }),
  preview: (id: string) => on.call('POST', `/campaigns/${id}/preview`, {}),
  stats: (id: string) => on.call('GET', `/campaigns/${id}/stats`),
}
type Action = keyof typeof actions

const noUpdate = 'Cannot update campaign that is sending or has been sent'
const noSend = 'Campaign has already been sent or is currently sending'
const noUnschedule = 'Can only unschedule a campaign that is scheduled'
const noCancel = 'Can only cancel scheduled or sending campaigns'
const noPause = 'Can only pause a campaign that is sending'
const noResume = 'Can only resume a campaign that is paused'
const noDelete = 'Can only delete draft campaigns'
const noRetry = 'Can only retry a campaign that is sending or has been sent'

/** Allowed: the status and the state after it. Refused: the status and the words; the state stays. */
type Expected = [status: number, result: State | 'gone' | string]
const table: Record<Action, Record<State, Expected>> = {
  update: {
    DRAFT: [200, 'DRAFT'],
    SCHEDULED: [200, 'SCHEDULED'],
    SENDING: [409, noUpdate],
    PAUSED: [409, noUpdate],
    SENT: [409, noUpdate],
    CANCELLED: [409, 'Cannot update campaign that was cancelled'],
  },
  'change the segment': {
    DRAFT: [200, 'DRAFT'],
    SCHEDULED: [409, 'Cannot change segment for scheduled campaigns'],
    SENDING: [409, noUpdate],
    PAUSED: [409, noUpdate],
    SENT: [409, noUpdate],
    CANCELLED: [409, 'Cannot update campaign that was cancelled'],
  },
  send: {
    DRAFT: [200, 'SENDING'],
    SCHEDULED: [200, 'SENDING'],
    SENDING: [400, noSend],
    PAUSED: [400, noSend],
    SENT: [400, noSend],
    CANCELLED: [400, 'Campaign was cancelled'],
  },
  schedule: {
    DRAFT: [200, 'SCHEDULED'],
    SCHEDULED: [200, 'SCHEDULED'],
    SENDING: [400, noSend],
    PAUSED: [400, noSend],
    SENT: [400, noSend],
    CANCELLED: [400, 'Campaign was cancelled'],
  },
  unschedule: {
    DRAFT: [409, noUnschedule],
    SCHEDULED: [200, 'DRAFT'],
    SENDING: [409, noSend],
    PAUSED: [409, noSend],
    SENT: [409, noSend],
    CANCELLED: [409, noUnschedule],
  },
  cancel: {
    DRAFT: [400, noCancel],
    SCHEDULED: [200, 'CANCELLED'],
    SENDING: [200, 'CANCELLED'],
    PAUSED: [200, 'CANCELLED'],
    SENT: [400, noCancel],
    CANCELLED: [400, noCancel],
  },
  pause: {
    DRAFT: [409, noPause],
    SCHEDULED: [409, noPause],
    SENDING: [200, 'PAUSED'],
    PAUSED: [409, noPause],
    SENT: [409, noPause],
    CANCELLED: [409, noPause],
  },
  resume: {
    DRAFT: [409, noResume],
    SCHEDULED: [409, noResume],
    SENDING: [409, noResume],
    PAUSED: [200, 'SENDING'],
    SENT: [409, noResume],
    CANCELLED: [409, noResume],
  },
  'retry what failed': {
    DRAFT: [409, noRetry],
    SCHEDULED: [409, noRetry],
    SENDING: [200, 'SENDING'],
    PAUSED: [200, 'PAUSED'],
    SENT: [200, 'SENT'],
    CANCELLED: [409, noRetry],
  },
  delete: {
    DRAFT: [204, 'gone'],
    SCHEDULED: [409, noDelete],
    SENDING: [409, noDelete],
    PAUSED: [409, noDelete],
    SENT: [400, noDelete],
    CANCELLED: [400, noDelete],
  },
  copy: everywhere(201),
  test: everywhere(200),
  preview: everywhere(200),
  stats: everywhere(200),
}

function everywhere(status: number): Record<State, Expected> {
  const names: State[] = ['DRAFT', 'SCHEDULED', 'SENDING', 'PAUSED', 'SENT', 'CANCELLED']
  return Object.fromEntries(names.map(name => [name, [status, name]])) as Record<State, Expected>
}

const rows = Object.entries(table).flatMap(([action, byState]) =>
  Object.entries(byState).map(
    ([state, expected]) => [action as Action, state as State, ...expected] as const,
  ),
)

test.each(rows)('%s when %s: %d, %s', async (action, state, status, result) => {
  const id = await states[state]()
  const answer = await actions[action](id)
  expect(answer.status).toBe(status)
  const after = await on.call('GET', `/campaigns/${id}`)
  if (result === 'gone') expect(after.status).toBe(404)
  else if (status < 400) expect(stateOf(after.body)).toBe(result)
  else expect([answer.body.error.message, stateOf(after.body)]).toEqual([result, state])
})

function stateOf({ status, pausedAt }: { status: string; pausedAt: string | null }): string {
  return pausedAt ? 'PAUSED' : status
}

describe('sending', () => {
  test('at once: the answer says so, and what it holds is a SENDING campaign', async () => {
    const answer = await on.send(await on.draft())
    expect(answer.body).toMatchObject({
      success: true,
      message: 'Campaign is being sent',
      data: {
        status: 'SENDING',
        totalRecipients: 2,
        scheduledFor: null,
        sentAt: world.clock.now().toISOString(),
      },
    })
  })

  test.each([
    ['{"scheduledFor": "2099-01-01T00:00:00Z"', 400],
    ['scheduledFor=2099-01-01', 400],
    ['"2099-01-01T00:00:00Z"', 422],
    ['4070908800000', 422],
    ['["2099-01-01T00:00:00Z"]', 422],
    ['{"scheduledAt": "2099-01-01T00:00:00Z"}', 422],
  ])('what can not be understood starts nothing: %s', async (body, status) => {
    await on.contacts(1)
    const id = await on.draft()
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'x/y']) {
      const answer = await on.call('POST', `/campaigns/${id}/send`, new Blob([body], { type }))
      expect([type, answer.status, answer.body.error?.code]).toEqual([type, status, 'VALIDATION_ERROR'])
    }
    expect((await on.call('GET', `/campaigns/${id}`)).body.status).toBe('DRAFT')
  })

  test.each([undefined, '', ' ', 'null', '{}'])('the body %p means at once', async body => {
    await on.contacts(1)
    const id = await on.draft()
    const answer = await on.call('POST', `/campaigns/${id}/send`, body)
    expect(answer).toMatchObject({ status: 200, body: { data: { status: 'SENDING' } } })
  })

  test('a body is JSON, whatever its type says', async () => {
    await on.contacts(1)
    const body = new Blob(['{"scheduledFor": "2099-01-01T00:00:00Z"}'], { type: 'text/plain' })
    const answer = await on.call('POST', `/campaigns/${await on.draft()}/send`, body)
    expect(answer).toMatchObject({ status: 200, body: { data: { status: 'SCHEDULED' } } })
  })

  test.each([null, undefined])('scheduledFor %p means at once', async scheduledFor => {
    const id = await on.draft()
    const answer = await on.call('POST', `/campaigns/${id}/send`, { scheduledFor })
    expect([answer.status, answer.body.data.status]).toEqual([200, 'SENDING'])
  })

  test.each([
    [tomorrow, tomorrow],
    ['2026-03-02', '2026-03-02T00:00:00.000Z'],
    ['Mon, 02 Mar 2026 14:00:00 +0200', '2026-03-02T12:00:00.000Z'],
    ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00.000Z'],
  ])('scheduled for %s', async (given, expected) => {
    const answer = await on.send(await on.draft(), given)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      message: `Campaign scheduled for ${expected}`,
      data: { status: 'SCHEDULED', scheduledFor: expected, sentAt: null },
    })
  })

  test.each(['soon', '2026-13-45', 'x'.repeat(90), '', '   '])(
    '"%s" is no date: 400, and it stays a draft',
    async given => {
      const id = await on.draft()
      const answer = await on.send(id, given)
      expect([answer.status, answer.body.error.message]).toEqual([400, 'Invalid scheduledFor date format'])
      expect((await on.call('GET', `/campaigns/${id}`)).body.status).toBe('DRAFT')
    },
  )

  test.each(['now', '2099-01-01T00:00:00Z'])(
    'of a version that is no longer the newest is refused: 409 (%s)',
    async when => {
      const id = await on.draft()
      const scheduledFor = when === 'now' ? null : when
      await on.call('PUT', `/campaigns/${id}`, { subject: 'Changed by a colleague', expectedVersion: 1 })
      const send = (expectedVersion: number) =>
        on.call('POST', `/campaigns/${id}/send`, { scheduledFor, expectedVersion })
      const late = await send(1)
      expect([late.status, late.body.error.code, late.body.error.details]).toEqual([
        409,
        'CONFLICT',
        { version: 2 },
      ])
      expect((await on.call('GET', `/campaigns/${id}`)).body.status).toBe('DRAFT')
      expect((await send(2)).status).toBe(200)
    },
  )

  test.each([
    ['its subject', { subject: 'News for {{name' }],
    ['its body', { body: '<p>Hello {{name</p>' }],
    ['a variant', { abTest: { variants: [{ body: '<p>{% if name %}</p>' }], share: 20, afterHours: 4 } }],
  ])('a draft keeps what is broken in %s, and is not sent with it', async (_, broken) => {
    const made = await on.call('POST', '/campaigns', { ...message, ...broken })
    expect(made.status).toBe(201)
    const id = await on.draft()
    expect((await on.call('PUT', `/campaigns/${id}`, broken)).status).toBe(200)
    for (const scheduledFor of [null, '2099-01-01T00:00:00Z']) {
      const answer = await on.call('POST', `/campaigns/${id}/send`, { scheduledFor })
      expect([answer.status, answer.body.error.message]).toEqual([
        400,
        expect.stringContaining('Invalid template syntax'),
      ])
    }
    expect((await on.call('GET', `/campaigns/${id}`)).body.status).toBe('DRAFT')
    const whole = { subject: message.subject, body: message.body, abTest: null }
    await on.call('PUT', `/campaigns/${id}`, whole)
    expect((await on.send(id, '2099-01-01T00:00:00Z')).status).toBe(200)
    // What waits for its time is sent without anybody looking at it once more.
    const late = await on.call('PUT', `/campaigns/${id}`, broken)
    expect([late.status, late.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('a test of a broken draft is refused with the place', async () => {
    const id = await on.draft({ body: '<p>Hello {{name</p>' })
    const answer = await on.call('POST', `/campaigns/${id}/test`, { email: 'me@example.com' })
    expect([answer.status, answer.body.error.details]).toEqual([400, { field: 'body', line: 1, column: 10 }])
  })

  test('to nobody is refused, at once and scheduled', async () => {
    const filters = [{ field: 'email', operator: 'equals', value: 'nobody@example.com' }]
    const audienceCondition = { logic: 'AND', groups: [{ filters }] }
    const id = await on.draft({ audienceType: 'FILTERED', audienceCondition })
    for (const answer of [await on.send(id), await on.send(id, tomorrow)])
      expect([answer.status, answer.body.error.message]).toEqual([400, 'Campaign has no recipients'])
  })

  test('from a domain that is gone is 403', async () => {
    const id = await on.draft()
    await world.ctx.sql`delete from domains where project_id = ${on.project.id}`
    expect((await on.send(id)).status).toBe(403)
  })

  test('twice at the same moment starts it once', async () => {
    const id = await on.draft()
    const answers = await Promise.all([on.send(id), on.send(id), on.send(id)])
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 400, 400])
    await on.drain()
    expect(world.mail.sent).toHaveLength(2)
  })
})

describe('a schedule', () => {
  test('starts at its time and not before', async () => {
    const id = await on.draft()
    await on.send(id, new Date(world.clock.now().getTime() + 3_600_000).toISOString())
    world.clock.advance(3_599_000)
    await on.sweep()
    await on.drain()
    expect((await on.stats(id)).status).toBe('SCHEDULED')
    world.clock.advance(1_000)
    await on.sweep()
    await on.drain()
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', sentCount: 2 })
  })

  test('that is moved fires at the new time only', async () => {
    const id = await on.draft()
    const inHours = (hours: number) => new Date(world.clock.now().getTime() + hours * 3_600_000).toISOString()
    await on.send(id, inHours(1))
    await on.send(id, inHours(3))
    world.clock.advance(2 * 3_600_000)
    await on.sweep()
    await on.drain()
    expect((await on.stats(id)).status).toBe('SCHEDULED')
    world.clock.advance(2 * 3_600_000)
    await on.sweep()
    await on.drain()
    expect((await on.stats(id)).status).toBe('SENT')
  })

  test('that is past is due at once', async () => {
    const id = await on.draft()
    await on.send(id, '2020-01-01T00:00:00Z')
    await on.drain()
    expect((await on.stats(id)).status).toBe('SENT')
  })

  test('of a cancelled campaign sends nothing', async () => {
    const id = await on.draft()
    await on.send(id, new Date(world.clock.now().getTime() + 1_000).toISOString())
    await on.call('POST', `/campaigns/${id}/cancel`)
    world.clock.advance(10_000)
    await on.sweep()
    await on.drain()
    expect([world.mail.sent.length, (await on.stats(id)).status]).toEqual([0, 'CANCELLED'])
  })

  test('of a disabled project cancels it', async () => {
    const id = await on.draft()
    await on.send(id, new Date(world.clock.now().getTime() + 1_000).toISOString())
    await world.ctx.sql`update projects set disabled = true where id = ${on.project.id}`
    world.clock.advance(2_000)
    await on.sweep()
    await on.drain()
    expect([world.mail.sent.length, (await on.stats(id)).status]).toEqual([0, 'CANCELLED'])
  })

  test('that fails is paused with the reason, and those behind it start', async () => {
    const audienceCondition = {
      logic: 'AND',
      groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@' }] }],
    }
    const broken = await on.draft({ audienceType: 'FILTERED', audienceCondition })
    const good = await on.draft()
    await on.send(broken, soon(1_000))
    await on.send(good, soon(2_000))
    await world.ctx.sql`update campaigns set audience_condition = '{"groups": 1}' where id = ${broken}`
    world.clock.advance(3_000)
    await on.sweep()
    await on.drain()
    expect((await on.stats(good)).status).toBe('SENT')
    const reason = expect.stringContaining('could not be started because of an unexpected error')
    const paused = { status: 'SENDING', pausedAt: expect.any(String), pausedReason: reason }
    expect((await on.call('GET', `/campaigns/${broken}`)).body).toMatchObject(paused)
    await world.ctx
      .sql`update campaigns set audience_condition = ${audienceCondition as never} where id = ${broken}`
    expect((await on.call('POST', `/campaigns/${broken}/resume`)).status).toBe(200)
    await on.drain()
    expect((await on.stats(broken)).status).toBe('SENT')
  })

  test('that fails even to be paused is left for the next sweep, and those behind it start', async () => {
    const [broken, good] = [await on.draft(), await on.draft()]
    await on.send(broken, soon(1_000))
    await on.send(good, soon(2_000))
    await world.database.sql.unsafe(
      `alter table campaigns add constraint trap check (id <> '${broken}' or status <> 'SENDING')`,
    )
    world.clock.advance(3_000)
    await on.sweep()
    await on.drain()
    await world.ctx.sql`alter table campaigns drop constraint trap`
    expect([(await on.stats(broken)).status, (await on.stats(good)).status]).toEqual(['SCHEDULED', 'SENT'])
    await on.sweep()
    await on.drain()
    expect((await on.stats(broken)).status).toBe('SENT')
  })

  test('whose recipients can never be written down is paused and says so', async () => {
    const id = await on.draft()
    await world.database.sql.unsafe(
      `alter table campaign_slices add constraint trap check (campaign_id <> '${id}')`,
    )
    await on.send(id)
    for (let run = 0; run < 5; run++) {
      await world.drain()
      // The longest wait, ten minutes, is drawn out by a fifth at most.
      world.clock.advance(13 * 60_000)
    }
    await world.ctx.sql`alter table campaign_slices drop constraint trap`
    const reason = expect.stringContaining('unexpected error')
    expect(await on.stats(id)).toMatchObject({ status: 'SENDING', pausedReason: reason })
    await on.call('POST', `/campaigns/${id}/resume`)
    await on.drain()
    expect((await on.stats(id)).status).toBe('SENT')
  })

  test('whose sender is no longer verified starts paused and says why', async () => {
    const id = await on.draft()
    await on.send(id, new Date(world.clock.now().getTime() + 1_000).toISOString())
    await world.ctx.sql`delete from domains where project_id = ${on.project.id}`
    world.clock.advance(2_000)
    await on.sweep()
    await on.drain()
    expect(await on.stats(id)).toMatchObject({
      status: 'SENDING',
      pausedReason: 'Domain acme.example is not registered to this project',
    })
    expect(world.mail.sent).toEqual([])
    expect((await on.call('POST', `/campaigns/${id}/resume`)).status).toBe(403)
  })

  test('that finds nobody any more ends as SENT', async () => {
    const id = await on.draft()
    await on.send(id, new Date(world.clock.now().getTime() + 1_000).toISOString())
    await world.ctx.sql`update contacts set subscribed = false where project_id = ${on.project.id}`
    world.clock.advance(2_000)
    await on.sweep()
    await on.drain()
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', totalRecipients: 0, sentCount: 0 })
  })
})
