// Searching the ledger: every filter, rows that are looked at in bounded steps, what went wrong with messages, what was recorded about
// one, and sending it again; and nobody else's mail.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { listEmails } from '../../src/modules/sending/emails/service'
import type { Answer } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  world.mail.clear()
  await world.ctx.sql`delete from jobs`
  world.project = await world.newProject()
})
afterAll(() => world.close())

const list = (query: string, key = world.project.secretKey): Promise<Answer> =>
  world.call('GET', `/emails?${query}`, { key })
const subjects = async (query: string): Promise<string[]> =>
  (await list(query)).body.data.map((item: { subject: string }) => item.subject)

async function accept(to: string, subject: string, more: object = {}): Promise<string> {
  world.clock.advance(1)
  return await world.sendOne({ to, subject, ...more })
}

describe('a search', () => {
  test('finds by address, part of it, subject, state and span, each and together', async () => {
    await accept('ada@example.com', 'First letter')
    await accept('bob@example.org', 'Second LETTER')
    const since = world.clock.now().toISOString()
    await accept('ada@example.com', 'A receipt 100%')
    expect(await subjects('to=ada@example.com')).toEqual(['A receipt 100%', 'First letter'])
    expect(await subjects('to=EXAMPLE.ORG')).toEqual(['Second LETTER'])
    expect(await subjects('subject=letter')).toEqual(['Second LETTER', 'First letter'])
    expect(await subjects('subject=%25')).toEqual(['A receipt 100%'])
    expect(await subjects('subject=letter&to=ada@example.com')).toEqual(['First letter'])
    expect(await subjects(`since=${since}`)).toEqual(['A receipt 100%', 'Second LETTER'])
    expect(await subjects(`until=${since}`)).toEqual(['First letter'])
    expect(await subjects('status=DELIVERED')).toEqual([])
    expect(await subjects('to=nobody@example.com')).toEqual([])
    expect(await subjects('status=PENDING&limit=1')).toEqual(['A receipt 100%'])
  })

  test('finds what was made of a template', async () => {
    const { body } = await world.call('POST', '/templates', {
      body: {
        name: 'T',
        subject: 'Made',
        body: '<p>x</p>',
        type: 'TRANSACTIONAL',
        from: 'hello@acme.example',
      },
    })
    await accept('ada@example.com', 'Plain')
    await world.send({ to: 'ada@example.com', template: body.id, subject: undefined, body: undefined })
    expect(await subjects(`templateId=${body.id}`)).toEqual(['Made'])
    expect((await list('templateId=none')).status).toBe(400)
    expect(await subjects(`campaignId=${body.id}`)).toEqual([])
    expect(await subjects(`workflowId=${body.id}`)).toEqual([])
  })

  test('pages without gap or repetition, also where a page finds nothing', async () => {
    for (let n = 0; n < 12; n++) await accept('ada@example.com', n % 5 === 0 ? `Rare ${n}` : `S${n}`)
    const found: string[] = []
    let cursor: string | undefined
    let steps = 0
    do {
      const page = await listEmails(world.ctx, world.project.id, {
        subject: 'rare',
        limit: 1,
        most: 3,
        cursor,
      })
      const shown = page.rows.slice(0, 1)
      found.push(...shown.map(row => row.subject))
      const last = page.rows.length > 1 ? shown.at(-1) : page.stoppedAt
      cursor = last
        ? Buffer.from(JSON.stringify([last.createdAt.toISOString(), last.id])).toString('base64url')
        : undefined
      steps++
    } while (cursor)
    expect(found).toEqual(['Rare 10', 'Rare 5', 'Rare 0'])
    expect(steps).toBe(5)
  })

  test('is of the own project only', async () => {
    await accept('ada@example.com', 'Secret')
    const other = await world.newProject()
    for (const query of ['to=ada@example.com', 'subject=secret', 'trouble=any', 'status=PENDING'])
      expect((await list(query, other.secretKey)).body.data).toEqual([])
  })

  test('refuses texts that are too long', async () => {
    expect((await list(`subject=${'x'.repeat(201)}`)).status).toBe(422)
    expect((await list(`to=${'x'.repeat(321)}`)).status).toBe(422)
  })
})

describe('what went wrong', () => {
  const troubles = async () => (await world.call('GET', '/emails/troubles')).body
  const none = { waiting: 0, failed: 0, bounced: 0, complained: 0, suppressed: 0 }

  test('only troubled messages are noted, each once, and no longer when it has arrived', async () => {
    await accept('fine@example.com', 'Fine')
    await world.drain()
    expect(await troubles()).toEqual(none)
    world.mail.script({ outcome: 'deferred', response: '451 later', code: 451, stage: 'rcpt' })
    await accept('slow@example.com', 'Slow')
    await world.drain()
    expect(await troubles()).toEqual({ ...none, waiting: 1 })
    expect(await subjects('trouble=waiting')).toEqual(['Slow'])
    world.clock.advance(60_000)
    await world.drain()
    expect(await troubles()).toEqual(none)
  })

  test('a refused address bounces, and the next message to it is suppressed', async () => {
    const gone = {
      outcome: 'refused',
      blame: 'address',
      response: '550 no such user',
      code: 550,
      stage: 'rcpt',
    } as const
    world.mail.script(gone, { ...gone, blame: 'other' })
    await accept('gone@example.com', 'Gone')
    await world.drain()
    await accept('odd@example.com', 'Odd')
    await world.drain()
    await accept('gone@example.com', 'Again')
    await world.drain()
    expect(await troubles()).toEqual({ ...none, bounced: 1, failed: 1, suppressed: 1 })
    expect(await subjects('trouble=any')).toEqual(['Again', 'Odd', 'Gone'])
    expect(await subjects('trouble=any&to=gone@example.com')).toEqual(['Again', 'Gone'])
    expect(await subjects('trouble=any&limit=2')).toEqual(['Again', 'Odd'])
    const { body } = await list('trouble=any&limit=2')
    expect(await subjects(`trouble=any&limit=2&cursor=${body.cursor}`)).toEqual(['Gone'])
  })

  test('is of the own project only', async () => {
    world.mail.script({ outcome: 'refused', blame: 'other', response: '550 no', code: 550, stage: 'data' })
    await accept('odd@example.com', 'Odd')
    await world.drain()
    const other = await world.newProject()
    expect((await world.call('GET', '/emails/troubles', { key: other.secretKey })).body).toEqual(none)
  })
})

describe('one message', () => {
  test('tells what was recorded about it, and nobody else', async () => {
    const id = await accept('ada@example.com', 'Hello')
    await world.drain()
    await accept('ada@example.com', 'Other')
    await world.drain()
    const { body } = await world.call('GET', `/emails/${id}/events`)
    expect(body.events.map((event: { name: string }) => event.name)).toEqual(['email.sent', 'email.delivery'])
    const other = await world.newProject()
    expect((await world.call('GET', `/emails/${id}/events`, { key: other.secretKey })).status).toBe(404)
  })

  test('is sent again as a new one with the same content', async () => {
    const id = await accept('ada@example.com', 'Hello', {
      body: '<p>Dear {{email}}</p>',
      headers: { 'X-Mine': 'a' },
    })
    await world.drain()
    const { status, body } = await world.call('POST', `/emails/${id}/resend`)
    expect(status).toBe(201)
    expect(body.id).not.toBe(id)
    await world.drain()
    const [first, second] = await world.received()
    expect(second).toMatchObject({ subject: 'Hello', text: first!.text })
    expect(second!.html).toContain('<p>Dear ada@example.com</p>')
    expect(second!.messageId).not.toBe(first!.messageId)
    expect(await world.email(body.id)).toMatchObject({ status: 'DELIVERED', headers: { 'X-Mine': 'a' } })
  })

  test('is not sent again while it is on its way, to a suppressed address, without its content, or by others', async () => {
    const resend = (id: string, key = world.project.secretKey) =>
      world.call('POST', `/emails/${id}/resend`, { key })
    const waiting = await accept('ada@example.com', 'Hello')
    expect((await resend(waiting)).status).toBe(409)
    world.mail.script({ outcome: 'refused', blame: 'address', response: '550 no', code: 550, stage: 'rcpt' })
    await world.drain()
    const refused = await resend(waiting)
    expect([refused.status, refused.body.error.message]).toEqual([409, 'The address is suppressed (bounce)'])
    const empty = await accept('bob@example.com', 'Hello')
    await world.drain()
    await world.ctx.sql`update emails set html = '', text = '' where id = ${empty}`
    expect((await resend(empty)).status).toBe(409)
    const other = await world.newProject()
    expect((await resend(empty, other.secretKey)).status).toBe(404)
  })
})
