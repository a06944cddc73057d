// A campaign to those of the recipients of another one who did nothing with it, or something: the filter that names a campaign, and the copy.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { makeWorld, type World } from '../support/world'

let world: World
let on: CampaignWorld

beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  on = await campaignWorld(world)
})
afterAll(() => world.close())

/** Sent to six, of whom the first opened, the second clicked and the third bounced. */
async function sent(body: Record<string, unknown> = {}): Promise<string> {
  await on.contacts(6)
  const id = await on.draft(body)
  await on.send(id)
  await on.drain()
  const mark = (n: number, column: 'opened_at' | 'clicked_at' | 'bounced_at') => world.ctx.sql`
    update emails set ${world.ctx.sql(column)} = ${world.clock.now()}
     where project_id = ${on.project.id} and campaign_id = ${id} and to_email = ${`ada-${n}@example.com`}`
  await mark(1, 'opened_at')
  await mark(2, 'clicked_at')
  await mark(3, 'bounced_at')
  world.mail.clear()
  return id
}

const follow = (id: string, body: unknown) => on.call('POST', `/campaigns/${id}/duplicate`, body)
const got = (): string[] => world.mail.sent.map(({ envelope }) => envelope.to.split('@')[0]!).sort()

const audience = (id: string, value: unknown, operator = 'equals') => ({
  audienceType: 'FILTERED',
  audienceCondition: { logic: 'AND', groups: [{ filters: [{ field: `campaign.${id}`, operator, value }] }] },
})

describe('a campaign to recipients of another', () => {
  test.each([
    ['received', ['ada-1', 'ada-2', 'ada-4', 'ada-5', 'ada-6']],
    ['opened', ['ada-1', 'ada-2']],
    ['notOpened', ['ada-4', 'ada-5', 'ada-6']],
    ['clicked', ['ada-2']],
    ['notClicked', ['ada-1', 'ada-4', 'ada-5', 'ada-6']],
  ] as const)('who %s it goes to them alone', async (reaction, who) => {
    const id = await sent()
    await on.contacts(2, { prefix: 'new' })
    const { status, body } = await follow(id, { reaction, name: 'Again' })
    expect([status, body]).toMatchObject([
      201,
      { name: 'Again', status: 'DRAFT', subject: 'News for {{name ?? "you"}}', ...audience(id, reaction) },
    ])
    const { reached } = (await on.call('POST', '/campaigns/audience', audience(id, reaction))).body
    expect([body.totalRecipients, reached]).toEqual([who.length, who.length])
    await on.send(body.id)
    await on.drain()
    expect(got()).toEqual([...who])
  })

  test('is as things are when it is sent: without those who opened or left meanwhile', async () => {
    const id = await sent()
    const { body } = await follow(id, { reaction: 'notOpened' })
    await world.ctx.sql`
      update emails set opened_at = ${world.clock.now()}
       where project_id = ${on.project.id} and campaign_id = ${id} and to_email = 'ada-4@example.com'`
    const { body: found } = await on.call('GET', '/contacts?search=ada-5')
    await on.call('PATCH', `/contacts/${found.data[0].id}`, { subscribed: false })
    await on.send(body.id)
    await on.drain()
    expect(got()).toEqual(['ada-6'])
  })

  test('has the words of the variant that won', async () => {
    const id = await sent({
      abTest: { variants: [{ subject: 'B' }], share: 100, afterHours: 1, metric: 'OPENS', otherwise: 'A' },
    })
    const now = world.clock.now()
    await world.ctx.sql`
      update campaign_ab_tests set winner = 1, decided_at = ${now}, decided_by = 'PERSON', judged_at = ${now}, figures = '[]'
       where project_id = ${on.project.id} and campaign_id = ${id}`
    const { body } = await follow(id, { reaction: 'notOpened' })
    expect(body).toMatchObject({ subject: 'B', abTest: null, timing: null })
  })

  test('is refused before the other one was sent, and by what is no campaign or reaction', async () => {
    const id = await on.draft()
    const statuses = [
      await follow(id, { reaction: 'notOpened' }),
      await follow(id, { reaction: 'asleep' }),
      await on.call('POST', '/campaigns/audience', audience('x', 'opened')),
      await on.call('POST', '/campaigns/audience', audience(id, 'asleep')),
      await on.call('POST', '/campaigns/audience', audience(id, 'opened', 'notEquals')),
    ].map(({ status }) => status)
    expect(statuses).toEqual([400, 422, 422, 422, 422])
    expect((await follow(id, undefined)).status).toBe(201)
    // Of another project, or none: nobody is its recipient.
    await on.contacts(1)
    const foreign = (await on.call('POST', '/campaigns/audience', audience(Bun.randomUUIDv7(), 'received')))
      .body
    expect(foreign).toMatchObject({ matching: 0, reached: 0 })
  })
})
