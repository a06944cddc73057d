// A receiver that refuses a campaign for the sender's sake: the campaign pauses for that one, says so, tries again, and a person may decide.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { hour, minute } from '../../src/lib/time'
import type { FinishedMessage, SendResult } from '../../src/mail/message'
import { selectOpenSlices } from '../../src/modules/features/campaigns/sending/queries/slices'
import { expandCampaign } from '../../src/modules/features/campaigns/sending/service/expand'
import { learnFromSettled } from '../../src/modules/features/campaigns/sending/service/receivers'
import { makeSliceSending } from '../../src/modules/features/campaigns/sending/service/slice'
import { type EmailSettlement, heldForReceiver, settleBatch } from '../../src/modules/sending/emails'
import { applyReports } from '../../src/modules/sending/feedback/service/apply'
import { inTransaction } from '../../src/platform/context'
import { Snooze } from '../../src/platform/jobs/outcome'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { makeWorld, type World } from '../support/world'

let world: World
let on: CampaignWorld
/** Domains whose receiver refuses us, and those to whom nobody refuses anything. */
let refusing: Set<string>
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  // Campaigns of earlier tests wait for their receivers.
  await world.ctx.sql`delete from jobs`
  on = await campaignWorld(world)
  refusing = new Set(['outlook.com', 'hotmail.com'])
  world.mail.always(answer)
})
afterAll(() => world.close())

const words =
  "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Part of their network is on our block list (S3150)."
const refusal: SendResult = {
  ...{ outcome: 'refused', blame: 'other', meaning: 'refused' },
  ...{ stage: 'mail', code: 550, enhanced: '5.7.1', response: words },
}

function answer({ envelope }: FinishedMessage): SendResult {
  const domain = envelope.to.split('@')[1]!
  return refusing.has(domain)
    ? refusal
    : { outcome: 'accepted', delivered: true, response: '250 ok', code: 250 }
}

/** Contacts at a domain, made at once. */
async function people(count: number, domain: string): Promise<void> {
  const names = Array.from({ length: count }, (_, n) => `p${n + 1}@${domain}`)
  for (const email of names) await on.call('POST', '/contacts', { email, subscribed: true })
}

async function sentCampaign(body: Record<string, unknown> = {}): Promise<string> {
  const id = await on.draft(body)
  await on.send(id)
  await on.drain()
  return id
}

const campaign = async (id: string) => (await on.call('GET', `/campaigns/${id}`)).body
const decide = (id: string, action: string, receiver = 'outlook') =>
  on.call('POST', `/campaigns/${id}/receivers/${receiver}/${action}`)

async function counts(id: string): Promise<Record<string, number>> {
  const rows = await on.recipients(id)
  return Object.fromEntries(
    [...Map.groupBy(rows, row => String(row['status']))].map(([k, v]) => [k, v.length]),
  )
}

const audit = async (): Promise<readonly unknown[]> =>
  await world.ctx.sql`
    select action, actor, details - 'name' as details from audit_log
     where project_id = ${on.project.id} and action like 'campaign.%' order by id`

describe('a receiver that refuses nearly everything', () => {
  test('gets nothing more, while the others get theirs, and the campaign says so', async () => {
    await people(35, 'outlook.com')
    await people(35, 'hotmail.com')
    await people(5, 'acme.example')
    const id = await sentCampaign()
    const { FAILED: failed, PENDING: held, DELIVERED: delivered } = await counts(id)
    expect(delivered).toBe(5)
    expect(failed).toBeGreaterThanOrEqual(10)
    expect(failed! + held!).toBe(70)
    expect(held).toBeGreaterThan(10)
    const { status, pausedAt, receivers } = await campaign(id)
    expect({ status, pausedAt }).toEqual({ status: 'SENDING', pausedAt: null })
    expect(receivers).toEqual([
      {
        receiver: 'outlook',
        state: 'PAUSED',
        since: world.clock.now().toISOString(),
        nextTryAt: new Date(world.clock.now().getTime() + 30 * minute).toISOString(),
        heldCount: held,
        response: words,
      },
    ])
    expect(await on.stats(id)).toMatchObject({ heldCount: held, failedCount: failed })
    expect(await audit()).toContainEqual({
      ...{ action: 'campaign.paused', actor: 'system' },
      details: { receiver: 'outlook', reason: words },
    })
  })

  test('is tried again by one message, and gets the rest when that is taken', async () => {
    await people(70, 'outlook.com')
    const id = await sentCampaign()
    const { PENDING: held = 0, FAILED: failed = 0 } = await counts(id)
    world.mail.attempts.length = 0
    world.clock.advance(30 * minute)
    await on.drain()
    expect(world.mail.attempts).toHaveLength(1)
    expect(await counts(id)).toEqual({ PENDING: held, FAILED: failed })
    const [paused] = (await campaign(id)).receivers
    expect(paused).toMatchObject({
      heldCount: held,
      nextTryAt: new Date(world.clock.now().getTime() + hour).toISOString(),
    })
    refusing.clear()
    world.clock.advance(hour)
    await on.drain()
    expect(await counts(id)).toEqual({ DELIVERED: held, FAILED: failed })
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', heldCount: 0, sentCount: held })
    expect(await audit()).toContainEqual({
      ...{ action: 'campaign.resumed', actor: 'system' },
      details: { receiver: 'outlook' },
    })
  })

  test('gets the rest at once where a person goes on, and is paused again if it goes on refusing', async () => {
    await people(70, 'outlook.com')
    const id = await sentCampaign()
    const { PENDING: held = 0 } = await counts(id)
    const answered = await decide(id, 'resume')
    expect(answered).toMatchObject({ status: 200, body: { receivers: [] } })
    await on.drain()
    const { PENDING: heldAgain = 0 } = await counts(id)
    expect(heldAgain).toBeLessThan(held)
    // All that waited may have been taken at once: then nothing is left to wait.
    const expected = heldAgain > 0 ? [{ state: 'PAUSED', heldCount: heldAgain }] : []
    expect((await campaign(id)).receivers).toMatchObject(expected)
    refusing.clear()
    if ((await campaign(id)).receivers.length > 0) await decide(id, 'resume')
    await on.drain()
    expect((await counts(id))['PENDING']).toBeUndefined()
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', heldCount: 0 })
  })

  test('is left out where a person wants that, until the campaign is sent again to those it did not reach', async () => {
    await people(70, 'outlook.com')
    await people(1, 'acme.example')
    const id = await sentCampaign()
    const { PENDING: held = 0, FAILED: failed = 0 } = await counts(id)
    expect((await decide(id, 'leave-out')).body.receivers).toMatchObject([{ state: 'LEFT_OUT' }])
    await on.drain()
    expect(await counts(id)).toEqual({ DELIVERED: 1, SKIPPED: held, FAILED: failed })
    expect(await on.stats(id)).toMatchObject({ status: 'SENT', heldCount: 0, skippedCount: held })
    expect((await on.recipients(id, '&status=SKIPPED'))[0]!['lastError']).toBe(
      'outlook rejected the campaign',
    )
    refusing.clear()
    expect((await on.call('POST', `/campaigns/${id}/retry-failed`)).body.requeued).toBe(held + failed)
    await on.drain()
    expect(await counts(id)).toEqual({ DELIVERED: held + failed + 1 })
  })

  test('does not hold a message that somebody asked for', async () => {
    await people(70, 'outlook.com')
    await sentCampaign()
    world.mail.always({ outcome: 'accepted', delivered: true, response: '250 ok', code: 250 })
    world.project = on.project
    const emailId = await world.sendOne({ to: 'p1@outlook.com' })
    await on.drain()
    expect((await world.email(emailId)).status).toBe('DELIVERED')
  })

  test('is not paused for dead addresses, or by a few refusals among many', async () => {
    await people(9, 'outlook.com')
    await people(60, 'acme.example')
    const id = await sentCampaign()
    expect(await counts(id)).toEqual({ FAILED: 9, DELIVERED: 60 })
    world.mail.always({ ...refusal, blame: 'address', meaning: 'dead', response: '550 5.1.1 no such user' })
    const other = await campaignWorld(world)
    on = other
    world.mail.always({ ...refusal, blame: 'address', meaning: 'dead', response: '550 5.1.1 no such user' })
    await people(30, 'outlook.com')
    const gone = await sentCampaign()
    expect(await counts(gone)).toEqual({ BOUNCED: 30 })
  })
})

describe('domains that one operator receives for', () => {
  test('are one receiver, and each stands for itself while the DNS does not answer', async () => {
    for (const n of Array(14).keys()) {
      refusing.add(`firm${n}.example`).add(`lost${n}.example`)
      world.dns.set(`firm${n}.example`, 'mx', {
        exchange: `firm${n}.mail.protection.outlook.com`,
        priority: 0,
      })
      world.dns.fail(`lost${n}.example`, 'timeout')
    }
    for (const n of Array(14).keys()) {
      await people(4, `firm${n}.example`)
      await people(2, `lost${n}.example`)
    }
    const id = await sentCampaign()
    const { receivers } = await campaign(id)
    expect(receivers.map((one: { receiver: string }) => one.receiver)).toEqual(['outlook'])
    const open = await on.recipients(id, '&status=PENDING')
    expect(open.length).toBeGreaterThan(0)
    expect(open.every(({ email }) => String(email).includes('@firm'))).toBe(true)
  })
})

/** What outlook answered to some messages of the campaign. */
function refusals(campaignId: string, count: number): EmailSettlement[] {
  const campaignIds = { projectId: on.project.id, campaignId, contactId: crypto.randomUUID() }
  return Array.from({ length: count }, () => ({
    email: { ...campaignIds, id: crypto.randomUUID(), toEmail: 'ada@outlook.com' },
    outcome: { status: 'FAILED', reason: 'refused', reasonDetail: { words }, sentAt: null },
    tries: [{}],
  })) as unknown as EmailSettlement[]
}

describe('several processes', () => {
  test('pause a campaign for a receiver once, and only one of them tries again', async () => {
    await people(95, 'outlook.com')
    const id = await on.draft()
    await on.send(id)
    const others = [makeSliceSending(world.ctx), makeSliceSending(world.ctx)]
    await on.drain()
    const [slice] = await selectOpenSlices(world.ctx, on.project.id, id)
    const run = () =>
      Promise.allSettled(
        others.map(one => one.sendSlice(slice!.id, { signal: new AbortController().signal })),
      )
    world.mail.attempts.length = 0
    world.clock.advance(30 * minute)
    for (const result of await run())
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(Snooze)
    expect(world.mail.attempts).toHaveLength(1)
    const paused = (await audit()).filter(entry => JSON.stringify(entry).includes('campaign.paused'))
    expect(paused).toHaveLength(1)
    const [row] = (await campaign(id)).receivers
    expect(row.heldCount).toBe((await counts(id))['PENDING'] ?? 0)
  })

  test('learn of refusals at the same moment, and pause once', async () => {
    await people(30, 'outlook.com')
    const id = await on.draft()
    await on.send(id)
    const learnAll = (count: number) =>
      inTransaction(world.ctx, tx => learnFromSettled(tx, refusals(id, count)))
    await Promise.all([learnAll(4), learnAll(3), learnAll(2)])
    expect((await campaign(id)).receivers).toEqual([])
    await Promise.all([learnAll(4), learnAll(4), learnAll(4)])
    expect((await campaign(id)).receivers).toMatchObject([{ receiver: 'outlook', state: 'PAUSED' }])
    const paused = (await audit()).filter(entry => JSON.stringify(entry).includes('campaign.paused'))
    expect(paused).toHaveLength(1)
  })

  test('count those whom one of them held before the refusals were stored', async () => {
    await people(30, 'outlook.com')
    const id = await on.draft()
    await on.send(id)
    const ids = { projectId: on.project.id, campaignId: id }
    await expandCampaign(world.ctx, ids, { signal: new AbortController().signal })
    const taken = await world.ctx.sql<{ id: string; contactId: string; attempts: number }[]>`
      update emails set status = 'SENDING', attempts = attempts + 1 where id in (
        select id from emails where campaign_id = ${id} limit 12)
      returning id, contact_id as "contactId", attempts`
    const until = new Date(world.clock.now().getTime() + hour)
    const settlementOf = (row: (typeof taken)[number]) => ({
      email: { ...ids, ...row, toEmail: 'p@outlook.com' },
      receiver: { name: 'outlook', isProbe: false },
    })
    const held = taken.map(row => ({
      ...settlementOf(row),
      outcome: heldForReceiver('outlook', until),
      tries: [],
    }))
    await settleBatch(world.ctx, held as unknown as EmailSettlement[])
    expect((await campaign(id)).receivers).toEqual([])
    await inTransaction(world.ctx, tx => learnFromSettled(tx, refusals(id, 12)))
    expect((await campaign(id)).receivers).toMatchObject([{ state: 'PAUSED', heldCount: 12 }])
    await on.drain()
    expect(await counts(id)).toEqual({ PENDING: 30 })
    expect((await campaign(id)).receivers).toMatchObject([{ state: 'PAUSED', heldCount: 30 }])
  })

  test('leave nobody waiting whom one of them held while a person went on', async () => {
    await people(70, 'outlook.com')
    const id = await sentCampaign()
    await decide(id, 'resume')
    const [row] = await world.ctx.sql<[{ id: string; attempts: number }]>`
      update emails set status = 'SENDING', attempts = attempts + 1 where id = (
        select id from emails where campaign_id = ${id} and status = 'PENDING' limit 1)
      returning id, attempts`
    const due = {
      projectId: on.project.id,
      campaignId: id,
      contactId: crypto.randomUUID(),
      toEmail: 'p@outlook.com',
    }
    const held = {
      email: { ...due, ...row },
      outcome: heldForReceiver('outlook', new Date(world.clock.now().getTime() + hour)),
      tries: [],
      receiver: { name: 'outlook', isProbe: false },
    } as unknown as EmailSettlement
    await settleBatch(world.ctx, [held])
    const [after] = await world.ctx.sql<[{ status: string; at: Date }]>`
      select status, next_attempt_at as at from emails where id = ${row.id}`
    expect(after).toMatchObject({ status: 'PENDING', at: world.clock.now() })
  })
})

describe('refusals that are reported later', () => {
  test('count like those at once, in place of the answer that had taken the message', async () => {
    refusing.clear()
    await people(12, 'outlook.com')
    await people(1, 'slow.example')
    world.mail.always(message =>
      message.envelope.to.endsWith('@slow.example')
        ? { outcome: 'deferred', stage: 'rcpt', code: 451, response: '451 later' }
        : answer(message),
    )
    const id = await sentCampaign()
    const sent = (await on.recipients(id, '&status=DELIVERED')).map(row => String(row['emailId']))
    const report = (emailIds: string[]) =>
      inTransaction(world.ctx, tx =>
        applyReports(
          tx,
          emailIds.map(emailId => ({
            ...{ projectId: on.project.id, emailId, at: world.clock.now(), source: 'webhook', detail: words },
            ...{ kind: 'bounced', blame: 'other', failure: 'refused', code: '5.7.1' },
          })),
        ),
      )
    await report(sent.slice(0, 9))
    expect((await campaign(id)).receivers).toEqual([])
    await report(sent.slice(8, 12))
    expect((await campaign(id)).receivers).toMatchObject([
      { receiver: 'outlook', state: 'PAUSED', heldCount: 0, response: words },
    ])
  })
})

describe('decisions', () => {
  test('about a receiver that is not paused are 404, and 409 where nothing is sent', async () => {
    await people(1, 'acme.example')
    const draft = await on.draft()
    for (const action of ['resume', 'leave-out']) expect((await decide(draft, action)).status).toBe(409)
    world.mail.always({ outcome: 'deferred', stage: 'rcpt', code: 451, response: '451 later' })
    const id = await sentCampaign()
    for (const action of ['resume', 'leave-out']) expect((await decide(id, action)).status).toBe(404)
  })
})
