// The delivery ledger: paging, the filter, one message with its tries, and nobody else's mail.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

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

const list = (query = '', key = world.project.secretKey): Promise<Answer> =>
  world.call('GET', `/emails${query}`, { key })

/** Accepts messages one after the other, every two of them in the same millisecond. */
async function accept(count: number, to = 'ada@example.com'): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    if (n % 2 === 0) world.clock.advance(1)
    ids.push(await world.sendOne({ to, subject: `S${n}` }))
  }
  return ids
}

const idsOf = (answer: Answer): string[] => answer.body.data.map((item: { id: string }) => item.id)

describe('the list', () => {
  test('is empty at first', async () => {
    expect(await list()).toMatchObject({
      status: 200,
      body: { data: [], cursor: null, hasMore: false, total: 0 },
    })
  })

  test('shows the newest first, without bodies', async () => {
    const ids = await accept(3)
    const { body } = await list()
    expect(idsOf({ body } as Answer)).toEqual(ids.toReversed())
    expect(body).toMatchObject({ hasMore: false, cursor: null, total: 3 })
    expect(Object.keys(body.data[0])).not.toContain('body')
    expect(body.data[0]).toMatchObject({
      to: 'ada@example.com',
      from: sender,
      subject: 'S2',
      status: 'PENDING',
    })
  })

  test('pages to the end without gap or repetition, while messages come in, and counts on the first page only', async () => {
    const ids = await accept(7)
    const seen: string[] = []
    const totals: number[] = []
    let cursor: string | null = null
    do {
      const answer: Answer = await list(`?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      seen.push(...idsOf(answer))
      totals.push(answer.body.total)
      expect(answer.body.hasMore).toBe(answer.body.cursor !== null)
      cursor = answer.body.cursor
      await accept(1)
    } while (cursor)
    expect(seen).toEqual(ids.toReversed())
    expect(totals).toEqual([7, 0, 0, 0])
  })

  test('shows 20 by default and at most 100', async () => {
    await world.send({ to: Array.from({ length: 105 }, (_, n) => `l${n}@example.com`) })
    const sizes = await Promise.all(
      ['', '?limit=100', '?limit=5000'].map(async query => idsOf(await list(query)).length),
    )
    expect(sizes).toEqual([20, 100, 100])
  })

  test('can be asked about one contact', async () => {
    await accept(2)
    const [mine] = await accept(1, 'bob@example.com')
    const { contactId } = await world.email(mine!)
    const answer = await list(`?contactId=${contactId}`)
    expect([idsOf(answer), answer.body.total]).toEqual([[mine!], 1])
    const paged = await list(`?contactId=${contactId}&limit=1`)
    expect(paged.body.hasMore).toBe(false)
    for (const unknown of ['018f4f3e-0000-7000-8000-000000000000'])
      expect((await list(`?contactId=${unknown}`)).body).toEqual({
        data: [],
        cursor: null,
        hasMore: false,
        total: 0,
        searchedTo: null,
      })
  })

  test('is of the own project only, also by the id of a foreign contact', async () => {
    const [id] = await accept(1)
    const { contactId } = await world.email(id!)
    const other = await world.newProject()
    for (const query of ['', `?contactId=${contactId}`])
      expect((await list(query, other.secretKey)).body).toMatchObject({ data: [], total: 0 })
  })

  test('refuses a cursor that is none', async () => {
    for (const cursor of ['x', 'bnVsbA', '%F0%9F%98%80', Buffer.from('["2026","x"]').toString('base64url')]) {
      const { status, body } = await list(`?cursor=${cursor}`)
      expect([cursor, status, body.error.code]).toEqual([cursor, 400, 'BAD_REQUEST'])
    }
  })

  test('is refused without a secret key', async () => {
    expect((await list('', world.project.publicKey)).status).toBe(401)
  })
})

describe('one message', () => {
  test('is shown with its body, its headers and what was said to each try', async () => {
    world.mail.script({ outcome: 'deferred', response: '451 later', code: 451, stage: 'rcpt' })
    const id = await world.sendOne({
      body: '<p>Hello {{email}}</p>',
      headers: { 'X-Ref': '7' },
      reply: 'r@example.com',
    })
    await world.drain()
    const email = await world.email(id)
    expect(email).toMatchObject({
      id,
      replyTo: 'r@example.com',
      headers: { 'X-Ref': '7' },
      attempts: 1,
      tries: [
        { attempt: 1, outcome: 'deferred', code: 451, stage: 'rcpt', enhanced: null, response: '451 later' },
      ],
    })
    expect(email.body).toContain('<p>Hello ada@example.com</p>')
    expect(email.text).toBe('Hello ada@example.com')
  })

  test('of another project is not there', async () => {
    const id = await world.sendOne()
    const other = await world.newProject()
    const { status, body } = await world.call('GET', `/emails/${id}`, { key: other.secretKey })
    expect([status, body.error.code, body.error.details]).toEqual([
      404,
      'RESOURCE_NOT_FOUND',
      { resource: 'E-mail', id },
    ])
  })

  test('needs a UUID', async () => {
    const { status, body } = await world.call('GET', '/emails/x')
    expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
  })
})
