// What the operator of an instance is told about it, and that nobody else is.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minute } from '../../src/lib/time'
import { signSession } from '../../src/modules/accounts/users/guard'
import { buildApp } from '../../src/server/app'
import { makeUser } from '../support/make'
import { type Answer, request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let app: ReturnType<typeof buildApp>
let operator: string
let other: string
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waxwing-instance-'))
  world = await makeWorld({ dataDir: folder })
  app = buildApp(world.ctx)
  operator = await signedInAs(world.project.ownerId)
  other = await signedInAs((await makeUser(world)).id)
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

const get = (path: string, cookie?: string): Promise<Answer> => request(app, 'GET', path, { cookie })

const signedInAs = async (userId: string): Promise<string> =>
  `waxwing_session=${await signSession(world.ctx, { userId, version: 1 })}`

/** A job that was given up, as the runner leaves it. */
async function fail(kind: string, minutesAgo: number): Promise<string> {
  const id = Bun.randomUUIDv7()
  const at = new Date(world.clock.now().getTime() - minutesAgo * minute)
  await world.ctx.sql`
    insert into jobs (id, kind, args, band, state, run_at, attempt, max_attempts, last_error, created_at, finished_at)
    values (${id}, ${kind}, '{}', 'system', 'failed', ${at}, 10, 10, ${`${kind} went wrong`}, ${at}, ${at})`
  return id
}

describe('the state of the instance', () => {
  test('is told to the account that was made first', async () => {
    const { status, body } = await get('/instance', operator)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      baseUrl: 'http://localhost:3000',
      transport: { name: 'outbox', host: null },
    })
    expect(body.database.bytes).toBeGreaterThan(1_000_000)
    expect((await get('/users/@me', operator)).body.operator).toBe(true)
  })

  test('says how much mail came back, and what became of it', async () => {
    expect((await get('/instance', operator)).body.returnedEmails).toEqual([])
    await world.ctx.sql`
      insert into returned_mail_days (day, outcome, mails) values
        (${world.clock.now()}::timestamptz - interval '2 days', 'applied', 3),
        (${world.clock.now()}::timestamptz, 'applied', 1), (${world.clock.now()}::timestamptz, 'notUnderstood', 2),
        (${world.clock.now()}::timestamptz - interval '31 days', 'answer', 9)`
    expect((await get('/instance', operator)).body.returnedEmails).toEqual([
      { outcome: 'applied', emails: 4 },
      { outcome: 'notUnderstood', emails: 2 },
    ])
  })

  test.each(['/instance', '/instance/findings', '/instance/failed-jobs'])(
    '%s is refused to everybody else',
    async path => {
      const refused = await get(path, other)
      expect(refused.status).toBe(403)
      expect(refused.body.error.suggestion).toContain('made first')
      expect((await get(path)).status).toBe(401)
      expect((await request(app, 'GET', path, { key: world.project.secretKey })).status).toBe(401)
      expect((await get('/users/@me', other)).body.operator).toBe(false)
    },
  )

  test('what the doctor finds, the database and its clock among it', async () => {
    const { status, body } = await get('/instance/findings', operator)
    expect(status).toBe(200)
    const about = body.findings.map((finding: { about: string }) => finding.about)
    expect(about).toContain('queue')
    expect(about).toContain('data directory')
    expect(about).toContain('mail transport (outbox)')
    for (const { level } of body.findings) expect(['ok', 'warn', 'fail']).toContain(level)
  })
})

describe('jobs', () => {
  test('failed ones are counted by kind and listed with the reason, page by page', async () => {
    const oldest = await fail('test.one', 30)
    const middle = await fail('test.two', 20)
    const newest = await fail('test.one', 10)
    const { body: state } = await get('/instance', operator)
    const kinds = Object.fromEntries(
      state.jobs.map((each: { kind: string; failed: number }) => [each.kind, each.failed]),
    )
    expect(kinds).toMatchObject({ 'test.one': 2, 'test.two': 1 })

    const first = await get('/instance/failed-jobs?limit=2', operator)
    expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual([newest, middle])
    expect(first.body.data[0]).toMatchObject({ kind: 'test.one', error: 'test.one went wrong', attempts: 10 })
    expect(first.body.hasMore).toBe(true)
    const second = await get(`/instance/failed-jobs?limit=2&cursor=${first.body.cursor}`, operator)
    expect(second.body.data.map(({ id }: { id: string }) => id)).toEqual([oldest])
    expect(second.body.hasMore).toBe(false)

    const ofKind = await get('/instance/failed-jobs?kind=test.two', operator)
    expect(ofKind.body.data.map(({ id }: { id: string }) => id)).toEqual([middle])
    expect((await get('/instance/failed-jobs?cursor=nonsense', operator)).status).toBe(400)
  })
})
