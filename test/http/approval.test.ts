// Approval by a second member: who asks and decides, what it is bound to, and what becomes of a campaign that is sent or due without it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { profile } from '../../src/dashboard/texts/en/profile'
import { day, hour } from '../../src/lib/time'
import { signSession } from '../../src/modules/accounts/users/guard'
import { startDueCampaigns } from '../../src/modules/features/campaigns/sending/service/send'
import { buildApp } from '../../src/server/app'
import { makeMember } from '../support/make'
import { type Answer, type RequestOptions, request } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let app: ReturnType<typeof buildApp>
/** Options of requests, by who makes them. */
let by: Record<'owner' | 'anna' | 'ben' | 'editor' | 'key', RequestOptions>
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
afterAll(() => world.close())

const sessionOf = async (userId: string): Promise<RequestOptions> => ({
  cookie: `waxwing_session=${await signSession(world.ctx, { userId, version: 1 })}`,
  headers: { 'x-project-id': world.project.id },
})
const call = (method: string, path: string, body?: unknown, as: RequestOptions = by.key): Promise<Answer> =>
  request(app, method, path, { ...as, body })
async function must(
  method: string,
  path: string,
  body?: unknown,
  as?: RequestOptions,
): Promise<Answer['body']> {
  const answer = await call(method, path, body, as)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const settings = () => `/users/@me/projects/${world.project.id}`
const requireIt = () => must('PATCH', settings(), { approvalRequired: true })

beforeEach(async () => {
  world.project = await world.newProject()
  const make = async (role: 'MEMBER' | 'EDITOR') =>
    await sessionOf((await makeMember(world, world.project.id, role)).id)
  by = {
    owner: await sessionOf(world.project.ownerId),
    anna: await make('MEMBER'),
    ben: await make('MEMBER'),
    editor: await make('EDITOR'),
    key: { key: world.project.secretKey },
  }
  await requireIt()
  await must('POST', '/contacts', { email: 'reader@example.com', subscribed: true, data: { plan: 'p' } })
})

const filter = (value: string) => ({
  logic: 'AND',
  groups: [{ filters: [{ field: 'data.plan', operator: 'notEquals', value }] }],
})
const text = { subject: 'S', body: '<p>B</p>', from: sender }
async function makeCampaign(more: object = {}): Promise<string> {
  return (await must('POST', '/campaigns', { name: 'C', audienceType: 'ALL', ...text, ...more })).data.id
}
const ask = (id: string, body: object = {}, as = by.editor) =>
  must('POST', `/campaigns/${id}/request-approval`, body, as)
async function approve(id: string, as = by.anna): Promise<Answer> {
  const { fingerprint } = await must('GET', `/campaigns/${id}/approval`, undefined, as)
  return await call('POST', `/campaigns/${id}/approve`, { fingerprint }, as)
}
async function approved(more: object = {}, asked: object = {}): Promise<string> {
  const id = await makeCampaign(more)
  await ask(id, asked)
  expect((await approve(id)).status).toBe(200)
  return id
}
const send = (id: string, body: object = {}, as = by.anna) => call('POST', `/campaigns/${id}/send`, body, as)
const refusedFor = (approval: string) => ({ status: 409, body: { error: { details: { approval } } } })
const later = (ms: number) => new Date(world.clock.now().getTime() + ms).toISOString()

describe('asking and deciding', () => {
  test('without it nobody sends, not even the owner or a key; with it, whoever may', async () => {
    const id = await makeCampaign()
    for (const as of [by.owner, by.anna, by.key])
      expect(await send(id, {}, as)).toMatchObject(refusedFor('missing'))
    expect(await ask(id)).toMatchObject({ required: true, state: 'REQUESTED', recipients: 1 })
    expect(await send(id)).toMatchObject(refusedFor('undecided'))
    expect((await must('GET', '/campaigns/awaiting-approval')).data).toMatchObject([{ id, name: 'C' }])
    expect((await approve(id)).body).toMatchObject({ state: 'APPROVED', fault: null })
    expect((await must('GET', '/campaigns/awaiting-approval')).data).toEqual([])
    expect((await send(id, {}, by.key)).status).toBe(200)
  })

  test('requests for campaigns that were deleted hide no open one', async () => {
    await world.ctx.sql`
      insert into approvals (project_id, campaign_id, state, fingerprint, requested_by, requested_at)
      select ${world.project.id}::uuid, gen_random_uuid(), 'REQUESTED', 'f', gen_random_uuid(), '2020-01-01'
        from generate_series(1, 100)`
    const id = await makeCampaign()
    await ask(id)
    expect((await must('GET', '/campaigns/awaiting-approval')).data).toMatchObject([{ id, name: 'C' }])
  })

  test('neither who asked decides, nor a key, nor somebody who may not send', async () => {
    const id = await makeCampaign()
    await ask(id, {}, by.anna)
    for (const as of [by.anna, by.editor, by.key]) expect((await approve(id, as)).status).toBe(403)
    expect((await approve(id, by.ben)).status).toBe(200)
  })

  test('it is declined with a sentence, and asked for again', async () => {
    const id = await makeCampaign()
    const { fingerprint } = await ask(id)
    const body = { fingerprint, reason: 'The date is wrong.' }
    expect((await call('POST', `/campaigns/${id}/decline`, body, by.ben)).body).toMatchObject({
      state: 'DECLINED',
      reason: 'The date is wrong.',
    })
    expect(await send(id)).toMatchObject(refusedFor('declined'))
    expect(await ask(id)).toMatchObject({ state: 'REQUESTED', reason: null })
  })

  test('of two who decide at once one does', async () => {
    const id = await makeCampaign()
    await ask(id)
    const both = await Promise.all([approve(id, by.anna), approve(id, by.ben)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('what is approved is what was looked at', async () => {
    const id = await makeCampaign()
    const { fingerprint: seen } = await ask(id)
    await must('PUT', `/campaigns/${id}`, { subject: 'Unseen' })
    expect((await call('POST', `/campaigns/${id}/approve`, { fingerprint: seen }, by.ben)).status).toBe(409)
    await ask(id)
    expect((await call('POST', `/campaigns/${id}/approve`, { fingerprint: seen }, by.ben)).status).toBe(409)
    expect((await approve(id, by.ben)).status).toBe(200)
  })
})

describe('who decides', () => {
  const unprove = async (as: RequestOptions) => {
    const { body } = await call('GET', '/users/@me', undefined, as)
    await world.database.sql`update users set email_verified = false where id = ${body.id}::uuid`
  }
  /** The suggestion names the button of the profile page. */
  const suggestion = expect.stringContaining(`"${profile.sendLink}"`)
  const unproved = { status: 403, body: { error: { code: 'EMAIL_VERIFICATION_REQUIRED', suggestion } } }

  test('has a verified address, or is the owner', async () => {
    const id = await makeCampaign()
    await ask(id)
    await unprove(by.anna)
    await unprove(by.owner)
    expect(await approve(id, by.anna)).toMatchObject(unproved)
    expect((await approve(id, by.owner)).status).toBe(200)
  })

  test('decides about the version that they name', async () => {
    const id = await makeCampaign()
    const { version } = await ask(id)
    await must('PUT', `/campaigns/${id}`, { subject: 'Unseen' })
    const { fingerprint, version: newer } = await ask(id)
    expect(newer).toBe(version + 1)
    const approveAs = (expectedVersion: number) =>
      call('POST', `/campaigns/${id}/approve`, { fingerprint, expectedVersion }, by.anna)
    expect((await approveAs(version)).status).toBe(409)
    expect((await approveAs(newer)).status).toBe(200)
  })

  test('gets recipients counted only if their number decides', async () => {
    const audienceCondition = {
      logic: 'AND',
      groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@' }] }],
    }
    const id = await makeCampaign({ audienceType: 'FILTERED', audienceCondition })
    const other = await makeCampaign({ audienceType: 'FILTERED', audienceCondition })
    await ask(other)
    // Counting fails.
    await world.database
      .sql`update campaigns set audience_condition = '{"groups": 1}' where id in ${world.database.sql([id, other])}`
    expect(await must('GET', `/campaigns/${id}/approval`)).toMatchObject({ state: 'NONE' })
    expect(await must('GET', `/campaigns/${other}/approval`)).toMatchObject({ state: 'REQUESTED' })
    expect((await approve(other)).status).toBe(500)
    expect((await call('GET', `/campaigns/${other}/approval`)).status).toBe(500)
    await must('PATCH', settings(), { approvalRequired: false }, by.owner)
    expect(await must('GET', `/campaigns/${other}/approval`)).toMatchObject({ state: 'APPROVED' })
  })
})

test('a draft is stored while others of the project are busy', async () => {
  const id = await makeCampaign()
  await world.database.sql.begin(async sql => {
    await sql`select from projects where id = ${world.project.id}::uuid for share`
    const change = { subject: 'Stored' }
    expect((await call('PUT', `/campaigns/${id}`, change, by.anna)).status).toBe(200)
  })
})

describe('it ends with a change', () => {
  test.each<[string, object]>([
    ['of the subject', { subject: 'Other' }],
    ['of the text', { body: '<p>Other</p>' }],
    ['of the sender', { fromName: 'Other' }],
    ['of the audience', { audienceType: 'FILTERED', audienceCondition: filter('x') }],
    ['of the variants', { abTest: { variants: [{ subject: 'B' }], share: 50, afterHours: 4 } }],
    ['of the hours', { timing: { spreadHours: 3 } }],
  ])('%s', async (_, change) => {
    const id = await approved()
    await must('PUT', `/campaigns/${id}`, change)
    expect(await must('GET', `/campaigns/${id}/approval`)).toMatchObject({ state: 'ENDED', fault: 'changed' })
    expect((await send(id)).status).toBeGreaterThanOrEqual(400)
  })

  test('of its layout', async () => {
    const layout = await must('POST', '/layouts', { name: 'L', body: '<p>{{ content }}</p>' })
    const id = await approved({ layoutId: layout.id })
    await must('PATCH', `/layouts/${layout.id}`, { body: '<b>{{ content }}</b>' })
    expect(await send(id)).toMatchObject(refusedFor('changed'))
  })

  test('of what is sent with it: the brand, also in its layout and in a variant, and the name of a sender without one', async () => {
    const layout = await must('POST', '/layouts', {
      name: 'L',
      body: '<p>{{ content }}</p>{{ brand.footer }}',
    })
    const variant = { body: '<p>{{ brand.footer }}</p>' }
    const ids = await Promise.all([
      approved({ body: '<p>{{ brand.footer }}</p>' }),
      approved({ layoutId: layout.id }),
      approved({ abTest: { variants: [variant], share: 50, afterHours: 4 } }),
    ])
    const unbranded = await approved({ fromName: 'Ada' })
    await must('PATCH', `/projects/${world.project.id}/brand`, { footerText: 'Another' })
    for (const id of ids)
      expect(await must('GET', `/campaigns/${id}/approval`)).toMatchObject({ state: 'ENDED' })
    const unnamed = await approved()
    await must('PATCH', settings(), { name: 'Other' })
    expect(await send(unnamed)).toMatchObject(refusedFor('changed'))
    expect((await send(unbranded)).status).toBe(200)
  })

  test('of the condition of a segment, also of one that its segment names', async () => {
    const inner = await must('POST', '/segments', { name: 'I', type: 'DYNAMIC', condition: filter('a') })
    const member = [{ filters: [{ field: `segment.${inner.id}`, operator: 'memberOfSegment' }] }]
    const condition = { logic: 'AND', groups: member }
    const outer = await must('POST', '/segments', { name: 'O', type: 'DYNAMIC', condition })
    const id = await approved({ audienceType: 'SEGMENT', segmentId: outer.id })
    await must('PATCH', `/segments/${inner.id}`, { condition: filter('b') })
    expect(await send(id)).toMatchObject(refusedFor('changed'))
  })

  test('of the number of recipients by more than ten, and more than a tenth', async () => {
    const id = await approved()
    const add = async (count: number, from: number) => {
      for (let at = from; at < from + count; at++)
        await must('POST', '/contacts', { email: `more-${at}@example.com`, subscribed: true })
    }
    await add(11, 0)
    expect(await send(id)).toMatchObject(refusedFor('moreRecipients'))
    await ask(id)
    await approve(id)
    await add(5, 20)
    expect((await send(id)).status).toBe(200)
  })

  test('of the send time', async () => {
    const id = await approved({}, { scheduledFor: later(day) })
    expect(await send(id)).toMatchObject(refusedFor('otherTime'))
    expect(await send(id, { scheduledFor: later(day + hour) })).toMatchObject(refusedFor('otherTime'))
    expect((await send(id, { scheduledFor: later(day) })).status).toBe(200)
    const now = await approved()
    expect((await send(now, { delaySeconds: 60 })).status).toBe(200)
  })
})

describe('a scheduled campaign whose time has come', () => {
  const isDue = async () => {
    world.clock.advance(day + hour)
    await startDueCampaigns(world.ctx)
  }
  const statusOf = async (id: string) => (await must('GET', `/campaigns/${id}`)).status

  test('is sent as it was approved', async () => {
    const at = later(day)
    const id = await approved({}, { scheduledFor: at })
    await send(id, { scheduledFor: at })
    await isDue()
    expect(await statusOf(id)).toBe('SENDING')
  })

  test('is a draft again if it changed meanwhile, and the members are told', async () => {
    const at = later(day)
    const id = await approved({}, { scheduledFor: at })
    await send(id, { scheduledFor: at })
    await must('PUT', `/campaigns/${id}`, { subject: 'Other' })
    await isDue()
    expect(await statusOf(id)).toBe('DRAFT')
    const entries = await must('GET', `/projects/${world.project.id}/audit-log`)
    expect(entries.data[0]).toMatchObject({
      action: 'campaign.approvalEnded',
      details: { reason: 'changed' },
    })
    const mails = await world.database.sql`select to_email from system_mails order by id desc limit 4`
    expect(mails.length).toBe(4)
  })

  test('whose audience can’t be counted starts paused, and is judged again when somebody resumes it', async () => {
    const audienceCondition = filter('x')
    const at = later(day)
    const [one, two] = await Promise.all(
      [1, 2].map(() => approved({ audienceType: 'FILTERED', audienceCondition }, { scheduledFor: at })),
    )
    for (const id of [one!, two!]) {
      await send(id, { scheduledFor: at })
      await world.database.sql`update campaigns set audience_condition = '{"groups": 1}' where id = ${id}`
    }
    await isDue()
    const paused = { status: 'SENDING', pausedReason: expect.stringContaining('could not be started') }
    for (const id of [one!, two!]) {
      expect(await must('GET', `/campaigns/${id}`)).toMatchObject(paused)
      await world.database
        .sql`update campaigns set audience_condition = ${audienceCondition as never} where id = ${id}`
    }
    expect((await call('POST', `/campaigns/${one}/resume`)).status).toBe(200)
    for (let n = 0; n < 11; n++)
      await must('POST', '/contacts', {
        email: `grown-${n}@example.com`,
        subscribed: true,
        data: { plan: 'q' },
      })
    expect(await call('POST', `/campaigns/${two}/resume`)).toMatchObject(refusedFor('moreRecipients'))
  })

  test('is a draft again if it would reach more than were approved', async () => {
    const at = later(day)
    const id = await approved({}, { scheduledFor: at })
    await send(id, { scheduledFor: at })
    for (let n = 0; n < 11; n++)
      await must('POST', '/contacts', { email: `late-${n}@example.com`, subscribed: true })
    await isDue()
    expect(await statusOf(id)).toBe('DRAFT')
  })

  test('is a draft again if approval is required since, unless it was approved while it waited', async () => {
    await must('PATCH', settings(), { approvalRequired: false }, by.owner)
    const [one, two] = [await makeCampaign(), await makeCampaign()]
    for (const id of [one, two]) await must('POST', `/campaigns/${id}/send`, { scheduledFor: later(day) })
    await requireIt()
    await ask(two)
    await approve(two)
    await isDue()
    expect([await statusOf(one), await statusOf(two)]).toEqual(['DRAFT', 'SENDING'])
  })
})

describe('the setting', () => {
  test('is turned off by the owner alone, and each change is in the audit log', async () => {
    for (const as of [by.key, by.anna])
      expect((await call('PATCH', settings(), { approvalRequired: false }, as)).status).toBe(403)
    await must('PATCH', settings(), { approvalRequired: false }, by.owner)
    const id = await makeCampaign()
    expect((await call('POST', `/campaigns/${id}/request-approval`, {}, by.editor)).status).toBe(409)
    expect((await send(id)).status).toBe(200)
    const { data } = await must('GET', `/projects/${world.project.id}/audit-log`)
    const actions = data.map(({ action }: { action: string }) => action)
    expect(actions.filter((action: string) => action.startsWith('project.approval'))).toEqual([
      'project.approvalOptional',
      'project.approvalRequired',
    ])
  })

  test('needs a second member who may send, and whose address is proved', async () => {
    world.project = await world.newProject()
    await makeMember(world, world.project.id, 'EDITOR')
    const key = { key: world.project.secretKey }
    expect((await call('PATCH', settings(), { approvalRequired: true }, key)).status).toBe(409)
    const { id } = await makeMember(world, world.project.id, 'MEMBER')
    await world.database.sql`update users set email_verified = false where id = ${id}::uuid`
    expect((await call('PATCH', settings(), { approvalRequired: true }, key)).status).toBe(409)
    await world.database.sql`update users set email_verified = true where id = ${id}::uuid`
    expect((await call('PATCH', settings(), { approvalRequired: true }, key)).status).toBe(200)
  })
})
