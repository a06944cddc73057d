// The second factor of an account over HTTP: enrolled, asked for at sign-in, used once, lost, and taken off.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { day, hour, minute, second } from '../../src/lib/time'
import { userKinds } from '../../src/modules/accounts/users/kinds'
import { takeOffSecondFactor } from '../../src/modules/accounts/users/service'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { fillForm, openAccounts, password } from '../support/accounts'
import { makeProject, makeUser } from '../support/make'
import type { Answer } from '../support/request'

let world: Awaited<ReturnType<typeof openAccounts>>
beforeAll(async () => {
  world = await openAccounts({ trustProxy: true, disableSignups: false })
})
afterAll(() => world.close())

const own = '/users/@me/second-factor'
const post = (path: string, body: object, cookie?: string, client = '203.0.113.1'): Promise<Answer> =>
  world.call('POST', path, { body, cookie, headers: { 'x-forwarded-for': client } })
const logIn = (email: string, client?: string, given = password) =>
  post('/auth/login', { email, password: given }, undefined, client)
const cookieOf = ({ cookies }: Answer): string => cookies['waxwing_session']!
const codeNow = (secret: string, offset = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: world.clock.now().getTime() + offset,
  })
/** No code of before is good any more, and none stands in the way. */
const later = () => world.clock.advance(2 * minute)

/** Somebody whose account asks for a code, and who is signed in. */
async function enrolled() {
  const user = await makeUser(world, { password })
  const cookie = cookieOf(await logIn(user.email))
  const { body } = await post(own, { password }, cookie)
  const confirmed = await post(`${own}/confirm`, { code: codeNow(body.secret) }, cookie)
  later()
  const secret: string = body.secret
  return { ...user, cookie, secret, recoveryCodes: confirmed.body.recoveryCodes as string[] }
}

async function stepToken(email: string, client?: string, given?: string): Promise<string> {
  const { status, body } = await logIn(email, client, given)
  expect([status, body.error.code]).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
  return body.error.details.token
}
const enter = (token: string, code: string, client?: string) =>
  post('/auth/login/second-factor', { token, code }, undefined, client)
const state = async (cookie: string) => (await world.call('GET', own, { cookie })).body
const statuses = (answers: Answer[]): number[] => answers.map(({ status }) => status).sort()

describe('enrolling', () => {
  test('takes the password, and is in force with the first code', async () => {
    const { email } = await makeUser(world, { password })
    const cookie = cookieOf(await logIn(email))
    expect(await state(cookie)).toEqual({ enabled: false, confirmedAt: null, recoveryCodesLeft: 0 })
    expect((await post(own, { password: 'a wrong one' }, cookie)).status).toBe(401)
    const { status, body } = await post(own, { password }, cookie)
    expect(status).toBe(200)
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(body.uri).toStartWith(`otpauth://totp/Waxwing:${encodeURIComponent(email)}?`)
    expect((await logIn(email)).status).toBe(200)
    expect((await post(`${own}/confirm`, { code: '000000' }, cookie)).status).toBe(401)
    const confirmed = await post(`${own}/confirm`, { code: codeNow(body.secret) }, cookie)
    expect(confirmed.status).toBe(200)
    expect(new Set(confirmed.body.recoveryCodes).size).toBe(10)
    for (const code of confirmed.body.recoveryCodes)
      expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
    expect(await state(cookie)).toEqual({
      enabled: true,
      confirmedAt: world.clock.now().toISOString(),
      recoveryCodesLeft: 10,
    })
    expect((await logIn(email)).status).toBe(401)
  })

  test('the database holds neither the secret nor the recovery codes', async () => {
    const { id, secret, recoveryCodes } = await enrolled()
    const rows = JSON.stringify([
      await world.database.sql`select * from second_factors where user_id = ${id}`,
      await world.database.sql`select * from recovery_codes where user_id = ${id}`,
    ])
    for (const told of [secret, ...recoveryCodes, ...recoveryCodes.map(code => code.replaceAll('-', ''))])
      expect(rows).not.toContain(told)
  })

  test('begun anew, the secret before is void; of two that confirm at once, one does', async () => {
    const { email } = await makeUser(world, { password })
    const cookie = cookieOf(await logIn(email))
    const first = (await post(own, { password }, cookie)).body.secret
    const { secret } = (await post(own, { password }, cookie)).body
    expect((await post(`${own}/confirm`, { code: codeNow(first) }, cookie)).status).toBe(401)
    const code = codeNow(secret)
    const both = await Promise.all([0, 1].map(() => post(`${own}/confirm`, { code }, cookie)))
    expect(statuses(both)).toEqual([200, 409])
    expect((await post(own, { password }, cookie)).status).toBe(409)
    expect((await state(cookie)).recoveryCodesLeft).toBe(10)
  })

  test('what was begun and left asks for nothing, and is forgotten after a day', async () => {
    const { email, id } = await makeUser(world, { password })
    await post(own, { password }, cookieOf(await logIn(email)))
    const rows = async () =>
      (await world.database.sql`select 1 from second_factors where user_id = ${id}`).length
    expect(await rows()).toBe(1)
    world.clock.advance(day + hour)
    await enqueue(world.ctx, userKinds.clean, {})
    await world.mails()
    expect(await rows()).toBe(0)
  })

  test('is for proved addresses, and for accounts with a password', async () => {
    const cookie = await world.signUp('unproved@example.com')
    const unproved = await post(own, { password }, cookie)
    expect([unproved.status, unproved.body.error.code]).toEqual([403, 'EMAIL_VERIFICATION_REQUIRED'])
    const oauth = await makeUser(world, { password })
    const open = cookieOf(await logIn(oauth.email))
    await world.database
      .sql`update users set type = 'GITHUB_OAUTH', password_hash = null where id = ${oauth.id}`
    expect((await post(own, { password }, open)).status).toBe(400)
  })

  test('and taking off stand in the audit log of the projects', async () => {
    const { cookie, secret, id, email } = await enrolled()
    const project = await makeProject(world, { ownerId: id })
    await post(`${own}/remove`, { password, code: codeNow(secret) }, cookie)
    later()
    const { body } = await post(own, { password }, cookie)
    await post(`${own}/confirm`, { code: codeNow(body.secret) }, cookie)
    await takeOffSecondFactor(world.ctx, email)
    const log = await world.call('GET', `/projects/${project.id}/audit-log`, { key: project.secretKey })
    const entries = log.body.data.map((entry: Record<string, string>) => [
      entry['action'],
      entry['actor'],
      entry['subject'],
    ])
    expect(entries.slice(0, 3)).toEqual([
      ['member.secondFactorRemoved', 'system', email],
      ['member.secondFactorAdded', id, email],
      ['member.secondFactorRemoved', id, email],
    ])
  })
})

describe('signing in', () => {
  test('takes password and code, and opens a session with the second alone', async () => {
    const { email, id, secret } = await enrolled()
    const first = await logIn(email)
    expect(first.cookies).toEqual({})
    expect(JSON.stringify(first.body)).not.toContain(id)
    const answer = await enter(first.body.error.details.token, codeNow(secret))
    expect([answer.status, answer.body]).toEqual([200, { success: true, data: { id, email } }])
    expect((await world.call('GET', '/users/@me', { cookie: cookieOf(answer) })).status).toBe(200)
  })

  test('a wrong password is answered as everywhere', async () => {
    const { email } = await enrolled()
    const answers = [await logIn(email, '203.0.113.1', 'a wrong one'), await logIn('nobody@example.com')]
    for (const answer of answers)
      expect([answer.status, answer.body.error.code, answer.body.error.details]).toEqual([
        401,
        'INVALID_CREDENTIALS',
        undefined,
      ])
  })

  test.each([
    ['a step early', 30 * second, 200],
    ['a step late', -30 * second, 200],
    ['two steps early', 60 * second, 401],
    ['two steps late', -60 * second, 401],
  ])('a code that is %s', async (_, offset, status) => {
    const { email, secret } = await enrolled()
    expect((await enter(await stepToken(email), codeNow(secret, offset))).status).toBe(status)
  })

  test('a code is taken once, also by many at a time, and none before it after', async () => {
    const { email, secret } = await enrolled()
    const token = await stepToken(email)
    const code = codeNow(secret)
    const many = await Promise.all([0, 1, 2].map(() => enter(token, code)))
    expect(statuses(many)).toEqual([200, 401, 401])
    expect((await enter(token, code)).status).toBe(401)
    expect((await enter(await stepToken(email), codeNow(secret, -30 * second))).status).toBe(401)
    expect((await enter(await stepToken(email), codeNow(secret, 30 * second))).status).toBe(200)
  })

  test('the code that confirmed opens nothing', async () => {
    const { email } = await makeUser(world, { password })
    const cookie = cookieOf(await logIn(email))
    const { secret } = (await post(own, { password }, cookie)).body
    const code = codeNow(secret)
    await post(`${own}/confirm`, { code }, cookie)
    expect((await enter(await stepToken(email), code)).status).toBe(401)
  })

  test('a recovery code is good once, as it is typed, also by two at a time', async () => {
    const { email, cookie, recoveryCodes } = await enrolled()
    const token = await stepToken(email)
    const typed = ` ${recoveryCodes[3]!.replaceAll('-', ' ').toUpperCase()}`
    expect(statuses(await Promise.all([enter(token, typed), enter(token, typed)]))).toEqual([200, 401])
    expect((await state(cookie)).recoveryCodesLeft).toBe(9)
    expect((await enter(token, recoveryCodes[4]!)).status).toBe(200)
  })

  test('somebody else’s codes open nothing', async () => {
    const [one, other] = [await enrolled(), await enrolled()]
    const token = await stepToken(one.email)
    expect((await enter(token, codeNow(other.secret))).status).toBe(401)
    expect((await enter(token, other.recoveryCodes[0]!)).status).toBe(401)
  })

  test('of fifteen wrong codes at once five are looked at, whatever the client; then the right one is 429', async () => {
    const { email, secret } = await enrolled()
    const token = await stepToken(email)
    const guesses = await Promise.all(
      Array.from({ length: 15 }, (_, index) => enter(token, `${index + 100_000}`, `198.51.100.${index}`)),
    )
    expect(statuses(guesses)).toEqual([...Array(5).fill(401), ...Array(10).fill(429)])
    const right = await enter(token, codeNow(secret), '192.0.2.9')
    expect(right.status).toBe(429)
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await stepToken(email)).toBeString()
  })

  test('a new password does not open the door for more guesses, and a day has an end of them', async () => {
    const { email, secret } = await enrolled()
    const guess = async () => (await enter(await stepToken(email), '100000')).status
    for (let round = 0; round < 6; round++) {
      for (let count = 0; count < 5; count++) expect(await guess()).toBe(401)
      expect(await guess()).toBe(429)
      world.clock.advance(16 * minute)
    }
    expect(await guess()).toBe(429)
    world.clock.advance(day)
    expect((await enter(await stepToken(email), codeNow(secret))).status).toBe(200)
  })

  test('the token is over after five minutes, with the password, and is good for nothing else', async () => {
    const { email, secret, cookie } = await enrolled()
    const old = await stepToken(email)
    world.clock.advance(5 * minute)
    const over = await enter(old, codeNow(secret))
    expect([over.status, over.body.error.code]).toEqual([400, 'BAD_REQUEST'])
    const token = await stepToken(email)
    expect((await world.call('GET', '/users/@me', { cookie: `waxwing_session=${token}` })).status).toBe(401)
    await post('/users/@me/password', { currentPassword: password, newPassword: 'another good one' }, cookie)
    expect((await enter(token, codeNow(secret))).status).toBe(400)
    for (const forged of ['x', '1.', world.ctx.vault.seal('oauth-journey', '{}')])
      expect((await enter(forged, codeNow(secret))).status).toBe(400)
    expect((await post('/auth/login/second-factor', { token: 'x'.repeat(1_001), code: '1' })).status).toBe(
      422,
    )
    expect((await post('/auth/login/second-factor', { token, code: '1'.repeat(65) })).status).toBe(422)
  })

  test('a password that was reset by mail does not stand for the code', async () => {
    const { email, secret } = await enrolled()
    await post('/auth/request-password-reset', { email })
    const [letter] = await world.mails()
    const reset = await post('/auth/reset-password', {
      token: letter!.token,
      newPassword: 'another good one',
    })
    expect([reset.status, reset.cookies]).toEqual([200, {}])
    const token = await stepToken(email, undefined, 'another good one')
    expect((await enter(token, codeNow(secret))).status).toBe(200)
  })

  test('by the page of the instance asks for the code on a second one', async () => {
    const { email, secret } = await enrolled()
    const page = await world.call('POST', '/auth/login/form', {
      body: new URLSearchParams({ email, password }),
    })
    expect([page.status, page.cookies]).toEqual([200, {}])
    const wrong = fillForm(page, { code: '<script>' })
    expect(wrong.path).toBe('/auth/login-code/form')
    const again = await world.call('POST', wrong.path, { body: wrong.body })
    expect(again.status).toBe(401)
    const { path, body } = fillForm(again, { code: codeNow(secret) })
    const entered = await world.call('POST', path, { body })
    expect([entered.status, Object.keys(entered.cookies)]).toEqual([303, ['waxwing_session']])
    later()
    const over = fillForm(page, { code: codeNow(secret) })
    world.clock.advance(5 * minute)
    expect((await world.call('POST', over.path, { body: over.body })).status).toBe(400)
  })
})

describe('taking it off', () => {
  test('takes the password and a code; then the password is enough', async () => {
    const { email, cookie, secret, recoveryCodes } = await enrolled()
    const remove = (body: object) => post(`${own}/remove`, body, cookie)
    expect((await remove({ password: 'a wrong one', code: codeNow(secret) })).status).toBe(401)
    expect((await remove({ password, code: '000000' })).status).toBe(401)
    expect((await remove({ password })).status).toBe(422)
    expect((await state(cookie)).enabled).toBe(true)
    expect((await remove({ password, code: recoveryCodes[0] })).status).toBe(200)
    expect(await state(cookie)).toEqual({ enabled: false, confirmedAt: null, recoveryCodesLeft: 0 })
    expect((await logIn(email)).status).toBe(200)
    expect((await remove({ password, code: codeNow(secret) })).status).toBe(404)
  })

  test('new recovery codes take the place of the others', async () => {
    const { email, cookie, secret, recoveryCodes } = await enrolled()
    const { status, body } = await post(`${own}/recovery-codes`, { password, code: codeNow(secret) }, cookie)
    expect([status, body.recoveryCodes.length]).toEqual([200, 10])
    const token = await stepToken(email)
    expect((await enter(token, recoveryCodes[0]!)).status).toBe(401)
    expect((await enter(token, body.recoveryCodes[0])).status).toBe(200)
  })

  test('whoever runs the machine can, for an account that lost everything', async () => {
    const { email } = await enrolled()
    expect(await takeOffSecondFactor(world.ctx, email)).toBe(true)
    expect((await logIn(email)).status).toBe(200)
    expect(await takeOffSecondFactor(world.ctx, email)).toBe(false)
  })
})
