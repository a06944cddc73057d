// Links in mails of the platform: resetting a password and verifying an address, as JSON and by the hosted pages.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hour, minute } from '../../src/lib/time'
import { createUser } from '../../src/modules/accounts/users/service'
import { fillForm, openAccounts, password } from '../support/accounts'
import { makeProject } from '../support/make'

type World = Awaited<ReturnType<typeof openAccounts>>
const opened: World[] = []
afterAll(() => Promise.all(opened.map(world => world.close())))

async function open(changes: Parameters<typeof openAccounts>[0] = {}): Promise<World> {
  const world = await openAccounts(changes)
  opened.push(world)
  return world
}

const fresh = 'a wholly new password'
let count = 0
const address = (): string => `person-${++count}@example.com`

describe('a forgotten password', () => {
  let world: World
  beforeAll(async () => {
    world = await open()
  })
  const ask = (email: string) => world.call('POST', '/auth/request-password-reset', { body: { email } })
  const reset = (token: string, newPassword = fresh) =>
    world.call('POST', '/auth/reset-password', { body: { token, newPassword } })
  const account = async (): Promise<string> => {
    const email = address()
    await createUser(world.ctx, { email, password })
    return email
  }

  test('is replaced by the link of a mail; all sessions end, and the link works once', async () => {
    const email = await account()
    const session = (await world.signIn(email)).cookies['waxwing_session']!
    expect((await ask(email.toUpperCase())).body).toMatchObject({ success: true, data: {} })
    const [mail] = await world.mails()
    expect(mail).toMatchObject({ to: email, subject: 'Set a new password' })
    const answer = await reset(mail!.token)
    expect(answer.status).toBe(200)
    expect(answer.cookies).toEqual({})
    expect((await world.call('GET', '/users/@me', { cookie: session })).status).toBe(401)
    expect((await world.signIn(email)).status).toBe(401)
    expect((await world.signIn(email, fresh)).status).toBe(200)
    const again = await reset(mail!.token, 'something else again')
    expect(again.status).toBe(400)
    expect(again.body.error.code).toBe('BAD_REQUEST')
    expect((await world.signIn(email, fresh)).status).toBe(200)
  })

  test('the page of the link shows a form, changes nothing by itself, and sets the password by its button', async () => {
    const email = await account()
    await ask(email)
    const [mail] = await world.mails()
    await world.call('GET', mail!.link)
    const page = await world.call('GET', mail!.link)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.headers.get('referrer-policy')).toBe('same-origin')
    expect(page.headers.get('x-robots-tag')).toContain('noindex')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.body).not.toContain('<script')
    expect(page.body).not.toContain('http')
    expect((await world.signIn(email)).status).toBe(200)
    const short = fillForm(page, { password: 'short' })
    expect((await world.call('POST', short.path, { body: short.body })).status).toBe(422)
    const form = fillForm(page, { password: fresh })
    const done = await world.call('POST', form.path, {
      body: form.body,
      headers: { origin: 'http://localhost:3000' },
    })
    expect(done.status).toBe(200)
    expect(done.body).toContain('Your password is set')
    expect((await world.signIn(email, fresh)).status).toBe(200)
    expect((await world.call('GET', mail!.link)).status).toBe(404)
    expect((await world.call('POST', form.path, { body: form.body })).status).toBe(404)
  })

  test('may be asked for on a page, which tells nothing of who has an account', async () => {
    const email = await account()
    const page = await world.call('GET', '/auth/forgot-password')
    expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'same-origin'])
    const ask = async (typed: string) => {
      const form = fillForm(page, { email: typed })
      return await world.call('POST', form.path, { body: form.body })
    }
    const [known, unknown] = [await ask(email), await ask(address())]
    expect([known.status, unknown.body]).toEqual([200, known.body])
    expect((await ask('nobody')).status).toBe(422)
    expect((await world.mails()).map(mail => mail.to)).toEqual([email])
  })

  test('a foreign page can not send the form', async () => {
    const answer = await world.call('POST', '/auth/reset-password/form', {
      body: new URLSearchParams({ token: 'a'.repeat(64), password: fresh }),
      headers: { origin: 'https://evil.example' },
    })
    expect(answer.status).toBe(403)
  })

  test('known and unknown addresses get the same answer and the same work; one of them gets a mail', async () => {
    const email = await account()
    const rows = async () =>
      (await world.database.sql`select kind from jobs where kind = 'user.reset' or kind = 'system.mail'`)
        .length
    const before = await rows()
    const known = await ask(email)
    const between = await rows()
    const unknown = await ask(address())
    expect(between - before).toBe(1)
    expect((await rows()) - between).toBe(1)
    expect([known.status, unknown.status]).toEqual([200, 200])
    expect(unknown.body).toEqual(known.body)
    expect((await world.mails()).map(mail => mail.to)).toEqual([email])
  })

  test('an account that signs in with a provider gets no mail', async () => {
    const email = await account()
    await world.database
      .sql`update users set type = 'GITHUB_OAUTH', password_hash = null where email = ${email}`
    expect((await ask(email)).status).toBe(200)
    expect(await world.mails()).toEqual([])
  })

  test('three mails an hour for one address, and nobody is told', async () => {
    const email = await account()
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(email)))
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200, 200, 200])
    const mails = await world.mails()
    expect(mails).toHaveLength(3)
    world.clock.advance(hour + minute)
    await ask(email)
    expect(await world.mails()).toHaveLength(1)
  })

  test('a hundred mails an hour for one client, over any addresses', async () => {
    const other = await open()
    const email = address()
    await createUser(other.ctx, { email, password })
    const wish = (of: string) => other.call('POST', '/auth/request-password-reset', { body: { email: of } })
    await wish(address())
    await other.database.sql`update account_attempts set failures = 100 where kind = 'reset'`
    expect((await wish(email)).status).toBe(200)
    expect(await other.mails()).toEqual([])
    other.clock.advance(hour)
    await wish(email)
    expect(await other.mails()).toHaveLength(1)
  })

  test('a link is over after an hour', async () => {
    const email = await account()
    await ask(email)
    const [mail] = await world.mails()
    world.clock.advance(hour)
    expect((await reset(mail!.token)).status).toBe(400)
    expect((await world.call('GET', mail!.link)).status).toBe(404)
    expect((await world.signIn(email)).status).toBe(200)
  })

  test('used twice at once, the link sets one password', async () => {
    const email = await account()
    await ask(email)
    const [mail] = await world.mails()
    const both = await Promise.all(['first new one', 'second new one'].map(text => reset(mail!.token, text)))
    expect(both.map(answer => answer.status).sort()).toEqual([200, 400])
    const winner = both[0]!.status === 200 ? 'first new one' : 'second new one'
    expect((await world.signIn(email, winner)).status).toBe(200)
  })

  test('using one link voids the others', async () => {
    const email = await account()
    await ask(email)
    await ask(email)
    const [first, second] = await world.mails()
    expect((await reset(first!.token)).status).toBe(200)
    expect((await reset(second!.token)).status).toBe(400)
  })

  test('failed sign-ins are forgotten with the old password', async () => {
    const email = await account()
    for (let guess = 0; guess < 5; guess++) await world.signIn(email, `guess number ${guess}`)
    expect((await world.signIn(email)).status).toBe(429)
    await ask(email)
    const [mail] = await world.mails()
    await reset(mail!.token)
    expect((await world.signIn(email, fresh)).status).toBe(200)
  })

  test('no token is kept in the clear', async () => {
    await ask(await account())
    const [mail] = await world.mails()
    const dump = JSON.stringify([
      await world.database.sql`select * from account_tokens`,
      await world.database.sql`select * from system_mails`,
      await world.database.sql`select * from jobs`,
    ])
    expect(mail!.token).toHaveLength(64)
    expect(dump).not.toContain(mail!.token)
  })

  test.each([
    ['a short token', { token: 'abc', newPassword: fresh }, 'token'],
    ['a short password', { token: 'a'.repeat(64), newPassword: '1234567' }, 'newPassword'],
    ['no password', { token: 'a'.repeat(64) }, 'newPassword'],
  ])('%s is 422', async (_, body, field) => {
    const answer = await world.call('POST', '/auth/reset-password', { body })
    expect(answer.status).toBe(422)
    expect(answer.body.error.errors[0].field).toBe(field)
  })

  test('a token of another kind, and an unknown one, are 400', async () => {
    const cookie = await world.signUp(address())
    await world.call('POST', '/auth/request-verification', { cookie })
    const [mail] = await world.mails()
    expect((await reset(mail!.token)).status).toBe(400)
    expect((await reset('f'.repeat(64))).status).toBe(400)
  })
})

describe('verifying an address', () => {
  let world: World
  beforeAll(async () => {
    world = await open({ requireEmailVerification: true })
  })
  const me = async (cookie: string) => (await world.call('GET', '/users/@me', { cookie })).body
  const makeProjectOver = (cookie: string) =>
    world.call('POST', '/users/@me/projects', { cookie, body: { name: 'Acme' } })

  test('where it is required, nothing of a project works before it', async () => {
    const email = address()
    const cookie = await world.signUp(email)
    const refused = await makeProjectOver(cookie)
    expect(refused.status).toBe(403)
    expect(refused.body.error.code).toBe('EMAIL_VERIFICATION_REQUIRED')
    const { id } = await me(cookie)
    const project = await makeProject(world, { ownerId: id })
    const headers = { 'x-project-id': project.id }
    expect((await world.call('GET', '/contacts', { cookie, headers })).status).toBe(403)
    expect((await world.call('GET', `/projects/${project.id}/members`, { cookie })).status).toBe(403)
    // A key is not a person.
    expect((await world.call('GET', '/contacts', { key: project.secretKey })).status).toBe(200)

    const [mail] = await world.mails()
    expect(mail).toMatchObject({ to: email, subject: 'Confirm your e-mail address' })
    const verified = await world.call('POST', '/auth/verify-email', { body: { token: mail!.token } })
    expect(verified.status).toBe(200)
    expect(verified.body).toEqual({ success: true, data: { message: expect.any(String) } })
    expect(await me(cookie)).toMatchObject({ emailVerified: true })
    expect((await makeProjectOver(cookie)).status).toBe(201)
    expect((await world.call('GET', '/contacts', { cookie, headers })).status).toBe(200)
  })

  test('the page asks, and its button verifies', async () => {
    const cookie = await world.signUp(address())
    const [mail] = await world.mails()
    const page = await world.call('GET', mail!.link)
    expect(page.status).toBe(200)
    expect(await me(cookie)).toMatchObject({ emailVerified: false })
    const form = fillForm(page)
    expect((await world.call('POST', form.path, { body: form.body })).status).toBe(200)
    expect(await me(cookie)).toMatchObject({ emailVerified: true })
    expect((await world.call('GET', mail!.link)).status).toBe(404)
  })

  test('a link works once, for an hour, and of two at once one wins', async () => {
    await world.signUp(address())
    const [mail] = await world.mails()
    const verify = (token: string) => world.call('POST', '/auth/verify-email', { body: { token } })
    const both = await Promise.all([verify(mail!.token), verify(mail!.token)])
    expect(both.map(answer => answer.status).sort()).toEqual([200, 400])
    await world.signUp(address())
    const [late] = await world.mails()
    world.clock.advance(hour)
    expect((await verify(late!.token)).status).toBe(400)
    expect((await verify('0'.repeat(63))).status).toBe(422)
  })

  test('another mail may be asked for three times an hour, by the user alone', async () => {
    const cookie = await world.signUp(address())
    await world.mails()
    const ask = (options: object) => world.call('POST', '/auth/request-verification', options)
    expect((await ask({})).status).toBe(401)
    for (let time = 0; time < 3; time++) expect((await ask({ cookie })).status).toBe(200)
    const fourth = await ask({ cookie })
    expect(fourth.status).toBe(429)
    expect(fourth.body.error.code).toBe('RATE_LIMIT_EXCEEDED')
    expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(3_500)
    const mails = await world.mails()
    expect(mails).toHaveLength(3)
    await world.call('POST', '/auth/verify-email', { body: { token: mails[1]!.token } })
    const done = await ask({ cookie })
    expect(done.status).toBe(200)
    expect(done.body.data.message).toContain('already')
    expect(await world.mails()).toEqual([])
  })

  test('a reset by mail proves the address as well', async () => {
    const email = address()
    await world.signUp(email)
    await world.mails()
    await world.call('POST', '/auth/request-password-reset', { body: { email } })
    const [mail] = await world.mails()
    await world.call('POST', '/auth/reset-password', { body: { token: mail!.token, newPassword: fresh } })
    const cookie = (await world.signIn(email, fresh)).cookies['waxwing_session']!
    expect(await me(cookie)).toMatchObject({ emailVerified: true })
  })

  test('where nothing depends on it, a sign-up sends no mail', async () => {
    const other = await open()
    const cookie = await other.signUp(address())
    expect(await other.mails()).toEqual([])
    const answer = await other.call('POST', '/users/@me/projects', { cookie, body: { name: 'Acme' } })
    expect(answer.status).toBe(201)
  })
})

describe('sessions and passwords of somebody who is signed in', () => {
  let world: World
  beforeAll(async () => {
    world = await open()
  })
  const status = async (cookie: string) => (await world.call('GET', '/users/@me', { cookie })).status

  test('signing out everywhere ends every session of that user and of nobody else', async () => {
    const email = address()
    const [first, other] = [await world.signUp(email), await world.signUp(address())]
    const second = (await world.signIn(email)).cookies['waxwing_session']!
    const answer = await world.call('POST', '/auth/logout-everywhere', { cookie: second })
    expect(answer.body).toEqual({ success: true })
    expect(answer.headers.getSetCookie()[0]).toContain('Max-Age=0')
    expect([await status(first), await status(second), await status(other)]).toEqual([401, 401, 200])
    expect((await world.call('POST', '/auth/logout-everywhere')).status).toBe(401)
  })

  test('a changed password ends the other sessions and opens a new one here', async () => {
    const email = address()
    const elsewhere = await world.signUp(email)
    const here = (await world.signIn(email)).cookies['waxwing_session']!
    const answer = await world.call('POST', '/users/@me/password', {
      cookie: here,
      body: { currentPassword: password, newPassword: fresh },
    })
    expect(answer.status).toBe(200)
    expect(await status(answer.cookies['waxwing_session']!)).toBe(200)
    expect([await status(elsewhere), await status(here)]).toEqual([401, 401])
    expect((await world.signIn(email, fresh)).status).toBe(200)
  })

  test('guesses at the present password are counted like failed sign-ins', async () => {
    const email = address()
    const cookie = await world.signUp(email)
    const change = (currentPassword: string) =>
      world.call('POST', '/users/@me/password', { cookie, body: { currentPassword, newPassword: fresh } })
    for (let guess = 0; guess < 5; guess++) {
      const answer = await change(`guess ${guess}`)
      expect([answer.status, answer.body.error.code]).toEqual([401, 'INVALID_CREDENTIALS'])
    }
    expect((await change(password)).status).toBe(429)
    expect((await world.signIn(email)).status).toBe(429)
  })
})
