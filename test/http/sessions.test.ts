// The sessions of a person: which are listed, how they are ended, and what holds of cookies that older programs made.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { day, minute } from '../../src/lib/time'
import { signSession } from '../../src/modules/accounts/users/guard'
import { userKinds } from '../../src/modules/accounts/users/kinds'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { buildApp } from '../../src/server/app'
import { openAccounts, password } from '../support/accounts'
import { makeProject, makeUser } from '../support/make'
import { type Answer, request } from '../support/request'
import { until } from '../support/until'

let world: Awaited<ReturnType<typeof openAccounts>>
beforeAll(async () => {
  world = await openAccounts({ trustProxy: true, disableSignups: false })
})
afterAll(() => world.close())

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'

interface Listed {
  id: string
  current: boolean
  agent: string | null
  address: string | null
  createdAt: string
  lastSeenAt: string
}

const somebody = () => makeUser(world, { password })
async function open(email: string, agent = firefox): Promise<string> {
  const headers = { 'user-agent': agent, 'x-forwarded-for': '203.0.113.7' }
  const answer = await world.call('POST', '/auth/login', { body: { email, password }, headers })
  return answer.cookies['waxwing_session']!
}
const list = async (cookie: string, query = ''): Promise<Answer['body']> =>
  (await world.call('GET', `/users/@me/sessions${query}`, { cookie })).body
const listed = async (cookie: string): Promise<Listed[]> => (await list(cookie)).data
const status = async (cookie: string): Promise<number> =>
  (await world.call('GET', '/users/@me', { cookie })).status
const ownId = async (cookie: string): Promise<string> =>
  (await listed(cookie)).find(({ current }) => current)!.id

test('each sign-in is listed with its browser, newest first, and without its address', async () => {
  const { email } = await somebody()
  const first = await open(email)
  world.clock.advance(5 * minute)
  const second = await open(email, phone)
  const { data, total, hasMore } = await list(second)
  expect([total, hasMore]).toEqual([2, false])
  expect(data).toEqual([
    expect.objectContaining({ current: true, agent: 'Safari, iOS', address: null }),
    expect.objectContaining({ current: false, agent: 'Firefox, Linux', address: null }),
  ])
  expect((await listed(first)).map(({ current }) => current)).toEqual([false, true])
})

test('the address is kept where SESSION_ADDRESSES asks for it', async () => {
  const keeping = buildApp({ ...world.ctx, config: { ...world.ctx.config, sessionAddresses: true } })
  const { email } = await somebody()
  const headers = { 'x-forwarded-for': '203.0.113.7' }
  const { cookies } = await request(keeping, 'POST', '/auth/login', { body: { email, password }, headers })
  expect(await listed(cookies['waxwing_session']!)).toEqual([
    expect.objectContaining({ agent: null, address: '203.0.113.7' }),
  ])
})

test('a list goes on where a page ends', async () => {
  const { email } = await somebody()
  for (let count = 0; count < 4; count++) await open(email)
  const cookie = await open(email)
  const first = await list(cookie, '?limit=3')
  const second = await list(cookie, `?limit=3&cursor=${first.cursor}`)
  expect([first.data.length, first.hasMore, second.data.length, second.hasMore]).toEqual([3, true, 2, false])
  expect(new Set([...first.data, ...second.data].map(({ id }: Listed) => id)).size).toBe(5)
})

test('an ended session is over at once in every process, and no other one', async () => {
  const { email } = await somebody()
  const [mine, lost] = [await open(email), await open(email)]
  const other = buildApp(world.ctx)
  const elsewhere = async () => (await request(other, 'GET', '/users/@me', { cookie: lost })).status
  expect(await elsewhere()).toBe(200)
  const id = await ownId(lost)
  const end = () => world.call('DELETE', `/users/@me/sessions/${id.toUpperCase()}`, { cookie: mine })
  expect((await end()).status).toBe(204)
  expect([await elsewhere(), await status(lost), await status(mine)]).toEqual([401, 401, 200])
  expect(await listed(mine)).toHaveLength(1)
  expect((await end()).status).toBe(404)
})

test('of two that end a session at once, one finds it', async () => {
  const { email } = await somebody()
  const [mine, lost] = [await open(email), await open(email)]
  const id = await ownId(lost)
  const both = await Promise.all(
    [0, 1].map(() => world.call('DELETE', `/users/@me/sessions/${id}`, { cookie: mine })),
  )
  expect(both.map(answer => answer.status).sort()).toEqual([204, 404])
  expect(await status(lost)).toBe(401)
})

test('a session of somebody else is not found, and goes on', async () => {
  const [mine, theirs] = [await open((await somebody()).email), await open((await somebody()).email)]
  const id = await ownId(theirs)
  const answers = [
    await world.call('DELETE', `/users/@me/sessions/${id}`, { cookie: mine }),
    await world.call('DELETE', `/users/@me/sessions/${crypto.randomUUID()}`, { cookie: mine }),
  ]
  for (const answer of answers)
    expect([answer.status, answer.body.error.code]).toEqual([404, 'RESOURCE_NOT_FOUND'])
  expect((await listed(mine)).map(one => one.id)).not.toContain(id)
  expect(await status(theirs)).toBe(200)
})

test('ending the own session takes its cookie, too', async () => {
  const cookie = await open((await somebody()).email)
  const answer = await world.call('DELETE', `/users/@me/sessions/${await ownId(cookie)}`, { cookie })
  expect(answer.headers.getSetCookie()[0]).toContain('Max-Age=0')
  expect(await status(cookie)).toBe(401)
})

test('ending all others leaves this one, by a new cookie under the same id and until the same day', async () => {
  const { email, id: userId } = await somebody()
  const unseen = `waxwing_session=${await signSession(world.ctx, { userId, version: 1 })}`
  const [mine, other] = [await open(email), await open(email)]
  const before = (await listed(mine)).find(({ current }) => current)!
  world.clock.advance(day)
  const answer = await world.call('POST', '/users/@me/sessions/end-others', { cookie: mine })
  expect([answer.status, answer.body]).toEqual([200, { success: true }])
  expect(answer.headers.getSetCookie()[0]).toContain(`Max-Age=${(6 * day) / 1000}`)
  const next = answer.cookies['waxwing_session']!
  expect(await Promise.all([next, mine, other, unseen].map(status))).toEqual([200, 401, 401, 401])
  expect(await listed(next)).toEqual([
    expect.objectContaining({ id: before.id, createdAt: before.createdAt }),
  ])
})

test('of two that end all others at once, each with a session of its own, one stays', async () => {
  const { email } = await somebody()
  const cookies = [await open(email), await open(email)]
  const answers = await Promise.all(
    cookies.map(cookie => world.call('POST', '/users/@me/sessions/end-others', { cookie })),
  )
  expect(answers.map(answer => answer.status).sort()).toEqual([200, 401])
  const kept = answers.find(answer => answer.status === 200)!.cookies['waxwing_session']!
  expect(await status(kept)).toBe(200)
  expect(await listed(kept)).toHaveLength(1)
})

test('a new password ends all others, and the list shows the one that it opened', async () => {
  const { email } = await somebody()
  const [mine, other] = [await open(email), await open(email)]
  const body = { currentPassword: password, newPassword: 'another good one' }
  const { cookies } = await world.call('POST', '/users/@me/password', { cookie: mine, body })
  expect(await Promise.all([mine, other].map(status))).toEqual([401, 401])
  expect(await listed(cookies['waxwing_session']!)).toEqual([expect.objectContaining({ current: true })])
})

test('signing out takes a session off the list', async () => {
  const { email } = await somebody()
  const [mine, other] = [await open(email), await open(email)]
  await world.call('POST', '/auth/logout', { cookie: other })
  expect(await listed(mine)).toHaveLength(1)
})

test('a cookie of an older program works, is listed once it is seen, and can be ended', async () => {
  const { email, id: userId } = await somebody()
  const mine = await open(email)
  const old = `waxwing_session=${await signSession(world.ctx, { userId, version: 1 })}`
  world.clock.advance(day)
  expect(await listed(mine)).toHaveLength(1)
  const headers = { 'user-agent': 'curl/8.5.0' }
  expect((await world.call('GET', '/users/@me', { cookie: old, headers })).status).toBe(200)
  const now = world.clock.now()
  await until('the visit is written', async () => (await listed(mine)).length === 2)
  const found = (await listed(mine)).find(({ current }) => !current)!
  expect(found).toMatchObject({
    agent: 'curl/8.5.0',
    createdAt: new Date(now.getTime() - day).toISOString(),
    lastSeenAt: now.toISOString(),
  })
  expect((await world.call('DELETE', `/users/@me/sessions/${found.id}`, { cookie: mine })).status).toBe(204)
  expect(await status(old)).toBe(401)
})

test('an older program that signs somebody out takes the session off the list', async () => {
  const { email } = await somebody()
  const [mine, other] = [await open(email), await open(email)]
  const id = await ownId(other)
  await world.database
    .sql`insert into ended_sessions (id, expires_at) values (${id}, ${new Date(world.clock.now().getTime() + day)})`
  expect(await listed(mine)).toHaveLength(1)
  expect((await world.call('DELETE', `/users/@me/sessions/${id}`, { cookie: mine })).status).toBe(404)
})

test('when a session was seen is written at most once a minute', async () => {
  const { email } = await somebody()
  const cookie = await open(email)
  const seen = async () => new Date((await listed(cookie))[0]!.lastSeenAt).getTime()
  const began = await seen()
  world.clock.advance(minute - 1)
  await status(cookie)
  expect(await seen()).toBe(began)
  world.clock.advance(1)
  await status(cookie)
  await until('the visit is written', async () => (await seen()) === began + minute)
})

test('sessions that are over leave the list, and their rows go with the hourly chore', async () => {
  const { email, id: userId } = await somebody()
  await open(email)
  world.clock.advance(day)
  const mine = await open(email)
  const rows = async () => (await world.database.sql`select 1 from sessions where user_id = ${userId}`).length
  world.clock.advance(6 * day)
  expect(await listed(mine)).toHaveLength(1)
  await enqueue(world.ctx, userKinds.clean, {})
  await world.mails()
  expect(await rows()).toBe(1)
  await world.call('POST', '/auth/logout-everywhere', { cookie: mine })
  await enqueue(world.ctx, userKinds.clean, {})
  await world.mails()
  expect(await rows()).toBe(0)
})

test('sessions are for people: no key lists or ends them', async () => {
  const { secretKey: key } = await makeProject(world)
  for (const [method, path] of [
    ['GET', '/users/@me/sessions'],
    ['DELETE', `/users/@me/sessions/${crypto.randomUUID()}`],
    ['POST', '/users/@me/sessions/end-others'],
  ] as const)
    expect((await world.call(method, path, { key })).status).toBe(401)
})
