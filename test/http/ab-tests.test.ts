// A/B tests of campaigns: who gets which variant, who wins and by what, and that the others get the winner once, whatever dies meanwhile.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { hour, minute, second } from '../../src/lib/time'
import { triedOn, variantNames } from '../../src/modules/features/campaigns/authoring/ab-test'
import { appendCounts } from '../../src/modules/features/campaigns/results/queries/counts'
import { judgeDueTests } from '../../src/modules/features/campaigns/sending/service/ab-decision'
import { feedbackKinds } from '../../src/modules/sending/feedback/kinds'
import { hitRecorder } from '../../src/modules/sending/feedback/service/record-hits'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { buildApp } from '../../src/server/app'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { request } from '../support/request'
import { makeWorld, parse, type World } from '../support/world'

let world: World
let app: AnyElysia
let on: CampaignWorld
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
beforeEach(async () => {
  await world.ctx.sql`delete from jobs`
  world.clock.set(new Date('2026-11-30T12:00:00Z'))
  on = await campaignWorld(world)
})
afterAll(() => world.close())

const link = '<a href="https://shop.example/one">one</a>'
const body = `<p>A ${link}</p>`
const abTest = { variants: [{ subject: 'B for {{name}}' }], share: 50, afterHours: 4 }

const contacts = async (count: number): Promise<void> =>
  void (await world.ctx.sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select uuid_v7(${world.clock.now()}::timestamptz, n), ${on.project.id}, 'c' || n || '@example.com', true,
           jsonb_build_object('name', 'N' || n), ${world.clock.now()}, ${world.clock.now()} from generate_series(1, ${count}::int) n`)

interface Row {
  contactId: string
  email: string
  subject: string
  fromName: string
  status: string
}
const rows = async (id: string): Promise<Row[]> => [
  ...(await world.ctx.sql<Row[]>`
    select contact_id as "contactId", to_email as email, subject, from_name as "fromName", status
      from emails where campaign_id = ${id} order by contact_id`),
]
const results = async (id: string) => (await on.call('GET', `/campaigns/${id}/ab-test`)).body
const status = async (id: string): Promise<string> => (await on.stats(id)).status
const choose = (id: string, variant: string) =>
  on.call('POST', `/campaigns/${id}/ab-test/winner`, { variant })
/** Addresses with the subjects that they got, since the mailbox was cleared. */
const inbox = async (): Promise<Record<string, string[]>> => {
  const got: Record<string, string[]> = {}
  for (const mail of await world.received()) {
    const to = mail.to![0]!.address!
    got[to] = [...(got[to] ?? []), mail.subject!]
  }
  return got
}

/** Who gets which variant of a campaign whose sending has begun. */
async function variantsOf(id: string): Promise<(contactId: string) => number | undefined> {
  const [split] = await world.ctx.sql<{ ends: number[] }[]>`
    select ends from campaign_ab_tests where campaign_id = ${id}`
  return contactId => triedOn(split!, id, contactId)
}

/** A test over a share of so many contacts, sent to it. */
async function started(
  count: number,
  given: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
) {
  await contacts(count)
  const test = { ...abTest, ...given }
  const id = await on.draft({ subject: 'A for {{name}}', body, abTest: test, ...more })
  await on.send(id)
  await on.drain()
  return { id, variantOf: await variantsOf(id) }
}

/** As if so many of each variant had reacted, more than got it, so that chance decides nothing; by HTTP that is one test's business. */
async function react(id: string, clicked: number[], opened: number[] = []): Promise<void> {
  const variants = await world.ctx.sql<{ id: string }[]>`
    select id from campaign_variants where campaign_id = ${id} order by number`
  const changes = variants.map((variant, n) => ({
    ...{ projectId: on.project.id, campaignId: variant.id, clicked: clicked[n] ?? 0, opened: opened[n] ?? 0 },
  }))
  await appendCounts(world.ctx, changes)
}

async function probeSoon(): Promise<void> {
  world.clock.advance(2 * minute)
  await on.sweep()
  await on.drain()
}

async function later(hours: number): Promise<void> {
  world.clock.advance(hours * hour)
  await on.sweep()
  await on.drain()
}

/** Opens the tracked link of each of these mails, as a browser does or as a program. */
async function follow(mails: typeof world.mail.sent, agent: string): Promise<void> {
  for (const mail of mails) {
    const html = (await parse(mail)).html!
    const url = html.match(/<a href="([^"]*\/t\/c\/[^"]*)">/)![1]!
    const path = new URL(url.replaceAll('&amp;', '&')).pathname
    await request(app, 'GET', path, { headers: { 'user-agent': agent } })
  }
  await hitRecorder(world.ctx).settled()
  world.clock.advance(6 * second)
  await enqueue(world.ctx, feedbackKinds.classify, {})
  await on.drain()
}

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe('a campaign with an A/B test', () => {
  test('tries its variants on the share, and the others get the one that people clicked more', async () => {
    const { id, variantOf } = await started(80, {
      variants: [{ subject: 'B for {{name}}' }, { fromName: 'Team C', body: `<p>C ${link}</p>` }],
      share: 60,
    })
    const all = await rows(id)
    const tried = all.filter(row => variantOf(row.contactId) !== undefined)
    expect(tried.length).toBeGreaterThan(20)
    expect(Object.keys(await inbox()).toSorted()).toEqual(tried.map(row => row.email).toSorted())
    expect(await status(id)).toBe('SENDING')
    for (const mail of await world.received()) {
      const { contactId } = all.find(row => row.email === mail.to![0]!.address)!
      const name = variantNames[variantOf(contactId)!]
      expect(mail.subject).toStartWith(name === 'B' ? 'B for N' : 'A for N')
      expect(mail.html).toContain(name === 'C' ? '<p>C <a' : '<p>A <a')
      expect(mail.from!.name).toBe(name === 'C' ? 'Team C' : 'Acme')
    }
    // People who got C click, and programs follow every link of A: those count for nothing.
    world.clock.advance(minute)
    const of = (name: string) =>
      world.mail.sent.filter(({ envelope }) => {
        const { contactId } = all.find(row => row.email === envelope.to)!
        return variantNames[variantOf(contactId)!] === name
      })
    await follow(of('C'), browser)
    await follow(of('A'), 'curl/8.5.0')
    const seen = await results(id)
    expect(seen).toMatchObject({
      state: 'TESTING',
      metric: 'CLICKS',
      winner: null,
      dueAt: expect.any(String),
    })
    const [a, b, c] = seen.variants
    expect([a.sentCount, b.sentCount, c.sentCount]).toEqual(
      [0, 1, 2].map(number => tried.filter(row => variantOf(row.contactId) === number).length),
    )
    expect([a.clickedCount, b.clickedCount, c.clickedCount]).toEqual([0, 0, c.sentCount])
    expect(c.probability).toBeGreaterThan(95)
    const listedFor = async (query: string) =>
      (await on.recipients(id, query)).map(({ contactId }) => contactId)
    for (const [number, name] of ['A', 'B', 'C'].entries())
      expect(await listedFor(`&variant=${name}`)).toEqual(
        all.filter(row => variantOf(row.contactId) === number).map(row => row.contactId),
      )
    world.mail.clear()
    await later(4)
    const others = all.filter(row => variantOf(row.contactId) === undefined)
    expect(Object.keys(await inbox()).toSorted()).toEqual(others.map(row => row.email).toSorted())
    for (const mail of await world.received()) {
      expect(mail.html).toContain('<p>C <a')
      expect(mail.from!.name).toBe('Team C')
    }
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', totalRecipients: 80, deliveredCount: 80 })
    expect(await results(id)).toMatchObject({
      ...{ state: 'DECIDED', winner: 'C', decidedBy: 'TEST', variants: seen.variants },
    })
    // Each is shown what it was sent, and listed as that.
    for (const row of await rows(id)) {
      const name = variantNames[variantOf(row.contactId) ?? 2]
      expect([row.subject.slice(0, 1), row.fromName]).toEqual(
        name === 'B' ? ['B', 'Acme'] : ['A', name === 'C' ? 'Team C' : 'Acme'],
      )
    }
    for (const name of ['A', 'C']) {
      const { contactId } = all.find(row => variantNames[variantOf(row.contactId) ?? 2] === name)!
      const { emailId } = (await on.recipients(id)).find(row => row['contactId'] === contactId)!
      expect((await on.call('GET', `/emails/${emailId}`)).body.body).toContain(`<p>${name} <a`)
    }
    const listed = await on.recipients(id)
    for (const { contactId, variant } of listed)
      expect(variant).toBe(variantNames[variantOf(contactId as string) ?? 2]!)
    const file = await on.call('GET', `/campaigns/${id}/recipients/export`)
    expect(file.body.split('\r\n')[0]).toEndWith(',variant')
    expect(file.body).toContain(`${all[0]!.email},`)
    // Those of the winner are who tried it and everybody else.
    const winners = all.filter(row => (variantOf(row.contactId) ?? 2) === 2).map(row => row.contactId)
    expect(await listedFor('&variant=C')).toEqual(winners)
    const clickers = tried.filter(row => variantOf(row.contactId) === 2).map(row => row.contactId)
    expect(await listedFor('&variant=C&reaction=clicked')).toEqual(clickers)
    expect(await listedFor('&variant=A&reaction=clicked')).toEqual([])
    const ofB = await on.call('GET', `/campaigns/${id}/recipients/export?variant=B`)
    const rowsOfB: string[] = ofB.body.trim().split('\r\n').slice(1)
    expect(rowsOfB.map(line => line.split(',')[0])).toEqual(
      all.filter(row => variantOf(row.contactId) === 1).map(row => row.email),
    )
    expect(rowsOfB.every(line => line.endsWith(',B'))).toBeTrue()
    const made = await on.call('POST', `/campaigns/${id}/recipients/segment`, { name: 'C', variant: 'C' })
    expect([made.status, made.body.memberCount]).toEqual([201, winners.length])
    const unknown = await on.call('GET', `/campaigns/${id}/recipients?variant=D`)
    expect([unknown.status, unknown.body.error.details]).toEqual([
      400,
      { variant: 'D', allowed: ['A', 'B', 'C'] },
    ])
    const log = await world.ctx.sql`
      select actor, details from audit_log where project_id = ${on.project.id} and action = 'campaign.decided'`
    expect(log).toEqual([{ actor: 'system', details: expect.objectContaining({ winner: 'C' }) }] as never)
  })

  test('by opens, where it says so', async () => {
    const { id } = await started(40, { metric: 'OPENS' })
    await react(id, [9, 0], [0, 200])
    await later(4)
    expect(await results(id)).toMatchObject({ winner: 'B', metric: 'OPENS' })
  })

  test('without a winner the others get A', async () => {
    const { id, variantOf } = await started(40)
    await react(id, [0, 0])
    world.mail.clear()
    await later(4)
    expect(await results(id)).toMatchObject({ state: 'DECIDED', winner: 'A', decidedBy: 'FALLBACK' })
    const others = (await rows(id)).filter(row => variantOf(row.contactId) === undefined)
    const got = await inbox()
    expect(Object.keys(got)).toHaveLength(others.length)
    expect(Object.values(got).every(([subject]) => subject!.startsWith('A for'))).toBeTrue()
    expect(await status(id)).toBe('SENT')
  })

  test('or wait for a person, who may take any', async () => {
    const { id } = await started(40, { otherwise: 'WAIT' })
    await react(id, [0, 0])
    world.mail.clear()
    await later(4)
    await later(200)
    expect(await results(id)).toMatchObject({ state: 'UNDECIDED', winner: null, dueAt: null })
    expect([await status(id), await inbox()]).toEqual(['SENDING', {}])
    expect((await choose(id, 'B')).body).toMatchObject({ state: 'DECIDED', winner: 'B', decidedBy: 'PERSON' })
    await on.drain()
    expect(Object.values(await inbox()).every(([subject]) => subject!.startsWith('B for'))).toBeTrue()
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', deliveredCount: 40 })
  })

  test('as sure as its author wishes: of two, one is always the better one with 50 %', async () => {
    const { id } = await started(40, { confidence: 50 })
    await later(4)
    expect(await results(id)).toMatchObject({ decidedBy: 'TEST' })
  })

  test('all of it may be tried on, and then it only tells', async () => {
    const { id } = await started(40, { share: 100 })
    expect([await status(id), Object.keys(await inbox()).length]).toEqual(['SENT', 40])
    await react(id, [0, 200])
    await later(4)
    expect(await results(id)).toMatchObject({ state: 'DECIDED', winner: 'B' })
  })

  test('of several pages asks about as many of each as the share says, and everybody once', async () => {
    const { id, variantOf } = await started(1_500, {
      variants: [{ subject: 'B' }, { subject: 'C' }, { subject: 'D' }, { subject: 'E' }],
      share: 20,
    })
    const all = await rows(id)
    const sent = all.filter(row => row.status === 'DELIVERED')
    expect(sent.map(row => row.email)).toEqual(
      all.filter(row => variantOf(row.contactId) !== undefined).map(row => row.email),
    )
    for (const [number, name] of variantNames.entries()) {
      const ofIt = sent.filter(row => row.subject.startsWith(name))
      expect(ofIt.every(row => variantOf(row.contactId) === number)).toBeTrue()
      expect(Math.abs(ofIt.length - 60)).toBeLessThan(45)
    }
    expect((await results(id)).variants.map((each: { sentCount: number }) => each.sentCount)).toEqual(
      variantNames.map(name => sent.filter(row => row.subject.startsWith(name)).length),
    )
    await choose(id, 'D')
    await on.drain()
    const got = await inbox()
    expect(Object.keys(got)).toHaveLength(1_500)
    expect(Object.values(got).every(subjects => subjects.length === 1)).toBeTrue()
    const others = (await rows(id)).filter(row => variantOf(row.contactId) === undefined)
    expect(others.every(row => row.subject === 'D')).toBeTrue()
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', sentCount: 1_500 })
  })
})

describe('a person', () => {
  test('may choose while it is being tried, and the choice is final', async () => {
    const { id } = await started(30)
    expect((await choose(id, 'C')).status).toBe(400)
    expect((await choose(id, 'B')).body).toMatchObject({ winner: 'B', decidedBy: 'PERSON' })
    const second = await choose(id, 'A')
    expect([second.status, second.body.error.code]).toEqual([409, 'CONFLICT'])
    await later(5)
    expect(await results(id)).toMatchObject({ winner: 'B', decidedBy: 'PERSON' })
    expect(await status(id)).toBe('SENT')
  })

  test('cannot choose before it is sent, nor after it was cancelled, nor of another project', async () => {
    await contacts(10)
    const id = await on.draft({ abTest })
    expect((await choose(id, 'B')).status).toBe(409)
    expect((await results(id)).state).toBe('DRAFT')
    const other = await world.newProject()
    for (const [method, path] of [
      ['GET', `/campaigns/${id}/ab-test`],
      ['POST', `/campaigns/${id}/ab-test/winner`],
    ] as const) {
      const answer = await on.call(method, path, method === 'POST' ? { variant: 'B' } : undefined, other)
      expect(answer.status).toBe(404)
    }
    expect((await on.call('GET', `/campaigns/${await on.draft()}/ab-test`)).status).toBe(404)
    await on.send(id)
    await on.drain()
    await on.call('POST', `/campaigns/${id}/cancel`)
    await on.drain()
    expect((await choose(id, 'B')).status).toBe(409)
    expect(await on.stats(id)).toMatchObject({ status: 'CANCELLED', totalRecipients: 10 })
    await later(10)
    expect(await results(id)).toMatchObject({ state: 'UNDECIDED', winner: null })
    expect((await rows(id)).filter(row => row.status === 'FAILED').length).toBeGreaterThan(0)
  })

  test('who comes at the same moment as its end decides, or is told that it is decided', async () => {
    const { id } = await started(40)
    await react(id, [0, 200])
    world.clock.advance(4 * hour)
    const [, , { status: answered }] = await Promise.all([
      judgeDueTests({ ...world.ctx }),
      judgeDueTests({ ...world.ctx }),
      choose(id, 'A'),
    ])
    const { winner, decidedBy } = await results(id)
    expect([answered, winner, decidedBy]).toEqual(
      answered === 200 ? [200, 'A', 'PERSON'] : [409, 'B', 'TEST'],
    )
    const log = await world.ctx.sql`
      select from audit_log where project_id = ${on.project.id} and action = 'campaign.decided'`
    expect(log).toHaveLength(1)
    await on.drain()
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', deliveredCount: 40 })
  })
})

describe('with what else there is', () => {
  test('paused: the test is judged, and the others get the winner when it goes on', async () => {
    const { id } = await started(30)
    await react(id, [0, 200])
    await on.call('POST', `/campaigns/${id}/pause`)
    world.mail.clear()
    await later(4)
    expect([(await results(id)).winner, await inbox()]).toEqual(['B', {}])
    await on.call('POST', `/campaigns/${id}/resume`)
    await on.drain()
    expect(Object.values(await inbox()).every(([subject]) => subject!.startsWith('B for'))).toBeTrue()
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', deliveredCount: 30 })
  })

  test('local times: the hours begin when the last of the share has had it, and the others get it at that time of their day', async () => {
    await request(app, 'PATCH', `/users/@me/projects/${on.project.id}`, {
      key: on.project.secretKey,
      body: { timeZoneField: 'timezone' },
    })
    await contacts(40)
    await world.ctx.sql`
      update contacts set data = data || jsonb_build_object('timezone', case when right(email, 13) < '5' then 'Asia/Tokyo' else 'America/New_York' end)
       where project_id = ${on.project.id}`
    const zone = new Map(
      (
        await world.ctx.sql<{ email: string; zone: string }[]>`
          select email, data ->> 'timezone' as zone from contacts where project_id = ${on.project.id}`
      ).map(row => [row.email, row.zone]),
    )
    const id = await on.draft({ abTest, timing: { localTime: '09:00' } })
    // Each zone twice: for its share, and a day later for the others.
    const { moments } = (await on.call('GET', `/campaigns/${id}/forecast`)).body
    expect(moments.map((each: { at: string }) => each.at)).toEqual([
      ...['2026-11-30T14:00:00.000Z', '2026-12-01T00:00:00.000Z'],
      ...['2026-12-01T14:00:00.000Z', '2026-12-02T00:00:00.000Z'],
    ])
    await on.send(id)
    const seen = new Map<string, number>()
    for (let n = 0; n < 60; n++) {
      await on.sweep()
      await on.drain()
      for (const { envelope } of world.mail.sent) seen.set(envelope.to, n)
      world.mail.clear()
      world.clock.advance(hour)
    }
    const all = await rows(id)
    const variantOf = await variantsOf(id)
    const hoursOf = (tried: boolean, name: string): number[] => {
      const of = all.filter(
        row => (variantOf(row.contactId) !== undefined) === tried && zone.get(row.email) === name,
      )
      return [...new Set(of.map(row => seen.get(row.email) ?? -1))]
    }
    // From noon UTC on: nine in New York is two hours away, in Tokyo twelve; the test ends four hours after that.
    expect([hoursOf(true, 'America/New_York'), hoursOf(true, 'Asia/Tokyo')]).toEqual([[2], [12]])
    expect([hoursOf(false, 'America/New_York'), hoursOf(false, 'Asia/Tokyo')]).toEqual([[26], [36]])
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', deliveredCount: 40 })
  })

  test('whom a rule holds, holds up no test', async () => {
    await request(app, 'PATCH', `/users/@me/projects/${on.project.id}`, {
      key: on.project.secretKey,
      body: { mailCap: { messages: 1, days: 7, whenHeld: 'LATER' } },
    })
    await contacts(20)
    await on.send(await on.draft())
    await on.drain()
    const id = await on.draft({ abTest })
    await on.send(id)
    await on.drain()
    expect((await results(id)).dueAt).not.toBeNull()
    await later(4)
    expect(await results(id)).toMatchObject({ winner: 'A', decidedBy: 'FALLBACK' })
    await later(7 * 24)
    await later(1)
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', deliveredCount: 20 })
  })

  test('an interruption: whoever is tried first is one of the share', async () => {
    await contacts(200)
    const id = await on.draft({ abTest: { ...abTest, share: 50 } })
    world.mail.always({ outcome: 'deferred', response: 'connection refused', stage: 'connect' })
    await on.send(id)
    await on.drain()
    expect((await on.stats(id)).pausedReason).toContain('transport fails')
    world.mail.clear()
    for (let n = 0; n < 30; n++) {
      world.clock.advance(2 * minute)
      await on.sweep()
      await on.drain()
    }
    expect(await on.stats(id)).toMatchObject({ pausedAt: null, status: 'SENDING' })
    const variantOf = await variantsOf(id)
    for (const row of await rows(id))
      expect(row.status === 'DELIVERED').toBe(variantOf(row.contactId) !== undefined)
    await choose(id, 'B')
    await on.drain()
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', deliveredCount: 200 })
  })

  test('an interruption while all of the share have been tried, and some are tried again: one of them tells when it is over', async () => {
    world.mail.always({ outcome: 'deferred', stage: 'rcpt', code: 450, response: '450 later' })
    const { id } = await started(60)
    const isTried = await variantsOf(id)
    const share = (await rows(id)).filter(
      row => row.status === 'PENDING' && isTried(row.contactId) !== undefined,
    )
    expect(share.length).toBeGreaterThan(20)
    expect(await on.stats(id)).toMatchObject({ pausedAt: null })
    world.mail.always({ outcome: 'deferred', response: 'connection refused', stage: 'connect' })
    world.clock.advance(10 * minute)
    await on.drain()
    expect((await on.stats(id)).pausedReason).toContain('transport fails')
    const tries = world.mail.attempts.length
    await probeSoon()
    // Still down: one of the share found that out, and the campaign stays where it is.
    expect(world.mail.attempts.length).toBe(tries + 1)
    expect((await on.stats(id)).pausedReason).toContain('transport fails')
    world.mail.clear()
    await probeSoon()
    expect(await on.stats(id)).toMatchObject({ pausedAt: null, status: 'SENDING' })
    world.clock.advance(30 * minute)
    await on.drain()
    expect(Object.keys(await inbox()).toSorted()).toEqual(share.map(row => row.email).toSorted())
  })

  test('while nobody has got it, there is nothing to judge: the hours begin anew', async () => {
    await contacts(20)
    const id = await on.draft({ subject: 'A for {{name}}', abTest: { ...abTest, afterHours: 1 } })
    world.mail.always({ outcome: 'deferred', response: 'connection refused', stage: 'connect' })
    await on.send(id)
    await on.drain()
    for (let n = 0; n < 3; n++) await later(1)
    expect(await results(id)).toMatchObject({ state: 'TESTING', judgedAt: null, winner: null })
    world.mail.clear()
    for (let n = 0; n < 12 && (await results(id)).winner === null; n++) await later(1)
    expect(await results(id)).toMatchObject({ state: 'DECIDED', decidedBy: 'FALLBACK' })
    const { variants } = await results(id)
    expect(variants.every(({ sentCount }: { sentCount: number }) => sentCount > 0)).toBeTrue()
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', deliveredCount: 20 })
  })

  test('a layout goes around each variant, also after it is gone', async () => {
    await contacts(20)
    const made = await request(app, 'POST', '/layouts', {
      key: on.project.secretKey,
      body: { name: 'L', body: '<html><body><i>Acme</i>{{content}}</body></html>' },
    })
    const layoutId = made.body.id
    const id = await on.draft({ layoutId, body, abTest: { ...abTest, variants: [{ body: '<p>B</p>' }] } })
    await on.send(id)
    await on.drain()
    await request(app, 'DELETE', `/layouts/${layoutId}`, { key: on.project.secretKey })
    await choose(id, 'B')
    await on.drain()
    const mails = await world.received()
    expect(mails).toHaveLength(20)
    expect(mails.every(mail => mail.html!.includes('<i>Acme</i>'))).toBeTrue()
    const copy = (await on.call('POST', `/campaigns/${id}/duplicate`)).body
    expect(copy.abTest.variants[0].body).toContain('<i>Acme</i>\n<p>B</p>')
  })
})

describe('killed at any write', () => {
  const written = [
    'campaigns',
    'campaign_ab_tests',
    'campaign_slices',
    'emails',
    'campaign_deltas',
    'audit_log',
    'jobs',
  ]

  /** From now on the n-th write fails, with all of its transaction; undefined: none. Answers how many there were since the last time. */
  async function dieAt(n: number | undefined): Promise<number> {
    const { sql } = world.ctx
    const [row] = await sql`select last_value::int as writes from death_count`
    await sql`select setval('death_count', 1)`
    await sql`update death_at set n = ${n ?? null}`
    return row!['writes']
  }

  beforeAll(async () => {
    const { sql } = world.ctx
    await sql`create sequence death_count`
    await sql`create table death_at as select null::bigint as n`
    await sql.unsafe(`create function die() returns trigger language plpgsql as $$
      begin
        if nextval('death_count') = (select n from death_at) then raise exception 'killed'; end if;
        return null;
      end $$`)
    for (const table of written)
      await sql.unsafe(
        `create trigger dies before insert or update on ${table} for each statement execute function die()`,
      )
  })
  afterAll(async () => {
    await world.ctx.sql`drop function die cascade`
  })

  /** The whole way of a test, with what comes back after each death. */
  async function whole(diesAt: number | undefined): Promise<number> {
    on = await campaignWorld(world)
    await contacts(24)
    const id = await on.draft({ subject: 'A', abTest: { ...abTest, variants: [{ subject: 'B' }] } })
    await on.send(id)
    await dieAt(diesAt)
    for (let n = 0; n < 40 && (await status(id)) !== 'SENT'; n++) {
      await on.sweep().catch(() => {})
      await world.drain().catch(() => {})
      world.clock.advance(10 * minute)
      if (n === 5) await react(id, [0, 200]).catch(() => react(id, [0, 200]))
    }
    const writes = await dieAt(undefined)
    const got = await inbox()
    const variantOf = await variantsOf(id)
    const expected = (await rows(id)).map(row => [row.email, [variantNames[variantOf(row.contactId) ?? 1]!]])
    expect(got).toEqual(Object.fromEntries(expected))
    expect(expected).toHaveLength(24)
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', sentCount: 24, totalRecipients: 24 })
    const log = await world.ctx.sql`
      select from audit_log where project_id = ${on.project.id} and action = 'campaign.decided'`
    expect([await results(id), log.length]).toMatchObject([{ winner: 'B', decidedBy: 'TEST' }, 1])
    return writes
  }

  test('everybody gets one message, and the one that is theirs', async () => {
    const writes = await whole(undefined)
    expect(writes).toBeGreaterThan(20)
    for (let at = 2; at <= writes; at += Math.ceil(writes / 7)) await whole(at)
  })
})

describe('a small audience', () => {
  const sent = async (count: number, variants: number, share: number) => {
    on = await campaignWorld(world)
    await contacts(count)
    const test = {
      ...abTest,
      variants: ['B', 'C', 'D'].slice(0, variants - 1).map(subject => ({ subject })),
      share,
    }
    const id = await on.draft({ subject: 'A', abTest: test })
    return { id, answer: await on.call('POST', `/campaigns/${id}/send`, {}) }
  }

  // What the dashboard says before sending: the share, rounded, in parts that differ by one at most.
  test('is tested on exactly as many as the share says, with somebody for each variant, or not at all', async () => {
    const seen: unknown[] = []
    const said: unknown[] = []
    for (let count = 1; count <= 20; count++) {
      const [variants, share] = [2 + (count % 3), [20, 34, 50, 75, 100][count % 5]!]
      const tested = Math.round((count * share) / 100)
      const { id, answer } = await sent(count, variants, share)
      world.mail.clear()
      await on.drain()
      const subjects = Object.values(await inbox()).flat()
      const sizes = ['A', 'B', 'C', 'D']
        .slice(0, variants)
        .map(name => subjects.filter(each => each === name).length)
      seen.push([count, variants, share, answer.status, sizes])
      const parts = sizes.map(
        (_, n) => Math.ceil(((n + 1) * tested) / variants) - Math.ceil((n * tested) / variants),
      )
      said.push([count, variants, share, ...(tested < variants ? [422, sizes.map(() => 0)] : [200, parts])])
      if (answer.status === 422) {
        expect(answer.body.error.errors).toMatchObject([{ field: 'abTest.share' }])
        expect(await status(id)).toBe('DRAFT')
      }
    }
    expect(seen).toEqual(said)
  })

  test('that has become too small when a scheduled campaign begins is tested as far as it goes', async () => {
    on = await campaignWorld(world)
    await contacts(6)
    const id = await on.draft({ subject: 'A', abTest: { ...abTest, variants: [{ subject: 'B' }] } })
    const scheduledFor = new Date(world.clock.now().getTime() + hour).toISOString()
    await on.call('POST', `/campaigns/${id}/send`, { scheduledFor })
    await world.ctx.sql`
      update contacts set subscribed = false where project_id = ${on.project.id} and email not in ('c1@example.com', 'c2@example.com')`
    await later(1)
    expect(
      Object.values(await inbox())
        .flat()
        .toSorted(),
    ).toEqual(['A', 'B'])
  })
})

describe('a draft', () => {
  test('keeps its test until it is changed or taken back, and a copy has one too', async () => {
    const id = await on.draft({ abTest })
    const whole = { metric: 'CLICKS', confidence: 95, otherwise: 'A', share: 50, afterHours: 4 }
    const own = { subject: 'B for {{name}}', fromName: null, body: null, editor: null }
    const read = async (path = id) => (await on.call('GET', `/campaigns/${path}`)).body
    expect((await read()).abTest).toEqual({ ...whole, variants: [own] })
    expect((await on.call('PUT', `/campaigns/${id}`, { name: 'Other' })).body.abTest).toEqual({
      ...{ ...whole, variants: [own] },
    })
    // What was read may be sent back.
    expect((await on.call('PUT', `/campaigns/${id}`, await read())).status).toBe(200)
    const variants = [{ fromName: 'C' }, { body: '<p>D</p>' }]
    const changed = {
      variants,
      share: 10,
      afterHours: 24,
      metric: 'OPENS',
      confidence: 99.5,
      otherwise: 'WAIT',
    }
    await on.call('PUT', `/campaigns/${id}`, { abTest: changed })
    const { body: copy } = await on.call('POST', `/campaigns/${id}/duplicate`)
    for (const found of [await read(), await read(copy.id)]) expect(found.abTest).toMatchObject(changed)
    expect((await on.call('GET', '/campaigns')).body.data[0].abTest).toBeUndefined()
    await on.call('PUT', `/campaigns/${id}`, { abTest: null })
    expect((await read()).abTest).toBeNull()
    expect((await read(copy.id)).abTest).toMatchObject(changed)
    expect((await on.call('DELETE', `/campaigns/${copy.id}`)).status).toBe(204)
  })

  test.each([
    ['no variant', { variants: [] }, 422],
    ['six of them', { variants: Array.from({ length: 5 }, () => ({ subject: 'x' })) }, 422],
    ['one that says nothing', { variants: [{}] }, 422],
    ['one that leaves all to A', { variants: [{ subject: null, fromName: '' }] }, 422],
    ['a line break in a subject', { variants: [{ subject: 'a\nb' }] }, 422],
    ['nobody to try it on', { share: 0 }, 422],
    ['more than everybody', { share: 101 }, 422],
    ['no time', { afterHours: 0 }, 422],
    ['more than a week', { afterHours: 169 }, 422],
    ['certainty', { confidence: 100 }, 422],
    ['another metric', { metric: 'SALES' }, 422],
  ])('%s is refused', async (_, given, refused) => {
    const answer = await on.call('POST', '/campaigns', {
      ...{ name: 'N', subject: 'S', body, from: 'hello@acme.example', audienceType: 'ALL' },
      abTest: { ...abTest, ...given },
    })
    expect([answer.status, answer.body.error.message.length > 0]).toEqual([refused, true])
  })

  test('shows each variant in a preview, and sends each as a test', async () => {
    const id = await on.draft({
      subject: 'A',
      body,
      abTest: { ...abTest, variants: [{ subject: 'B' }, { fromName: 'Team C', body: '<p>C</p>' }] },
    })
    const shown = async (variant?: string) =>
      (await on.call('POST', `/campaigns/${id}/preview`, variant ? { variant } : {})).body
    expect([(await shown()).subject, (await shown('A')).subject, (await shown('B')).subject]).toEqual([
      ...['A', 'A', 'B'],
    ])
    expect((await shown('C')).html).toContain('<p>C</p>')
    expect((await on.call('POST', `/campaigns/${id}/preview`, { variant: 'D' })).status).toBe(400)
    const tried = (variant: string) =>
      on.call('POST', `/campaigns/${id}/test`, { email: 'me@example.com', variant })
    await tried('C')
    const [mail] = await world.received()
    expect([mail!.from!.name, mail!.subject, mail!.html]).toEqual([
      ...['Team C', '[TEST] A'],
      expect.stringContaining('<p>C</p>'),
    ])
    expect((await tried('E')).status).toBe(400)
  })
})
