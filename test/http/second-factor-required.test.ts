// A project that asks its members for a second factor: who may set the rule, who is turned away by it, and what holds while it does.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { minute } from '../../src/lib/time'
import { takeOffSecondFactor } from '../../src/modules/accounts/users/service'
import { openAccounts, password } from '../support/accounts'
import { type MadeUser, makeMember, makeProject, makeUser } from '../support/make'
import type { Answer, RequestOptions } from '../support/request'

let world: Awaited<ReturnType<typeof openAccounts>>
beforeAll(async () => {
  world = await openAccounts({ trustProxy: true, disableSignups: false })
})
afterAll(() => world.close())

const own = '/users/@me/second-factor'
const call = (method: string, path: string, options: RequestOptions = {}): Promise<Answer> =>
  world.call(method, path, options)

const inProject = (id: string) => ({ 'x-project-id': id })

interface Person extends MadeUser {
  cookie: string
  secret?: string
}

async function signedIn(): Promise<Person> {
  const user = await makeUser(world, { password })
  return { ...user, cookie: (await world.signIn(user.email)).cookies['waxwing_session']! }
}

function codeOf({ secret }: Person): string {
  world.clock.advance(2 * minute)
  const timestamp = world.clock.now().getTime()
  return new TOTP({ secret: Secret.fromBase32(secret!) }).generate({ timestamp })
}

async function enrol(person: Person): Promise<Person> {
  const { cookie } = person
  const { body } = await call('POST', own, { cookie, body: { password } })
  const enrolled = { ...person, secret: body.secret as string }
  const confirmed = await call('POST', `${own}/confirm`, { cookie, body: { code: codeOf(enrolled) } })
  expect(confirmed.status).toBe(200)
  return enrolled
}

const turnOff = (person: Person): Promise<Answer> =>
  call('POST', `${own}/remove`, { cookie: person.cookie, body: { password, code: codeOf(person) } })

/** A project with an owner who has a second factor, an admin and a member who have none. */
async function team(name = 'Fernway') {
  const owner = await enrol(await signedIn())
  const project = await makeProject(world, { ownerId: owner.id, name })
  const [admin, member] = [await signedIn(), await signedIn()]
  await makeMember(world, project.id, 'ADMIN', admin)
  await makeMember(world, project.id, 'MEMBER', member)
  const require = (cookie: string | undefined, secondFactorRequired = true, more: RequestOptions = {}) =>
    call('PATCH', `/users/@me/projects/${project.id}`, { cookie, body: { secondFactorRequired }, ...more })
  /** The three kinds of routes of a project that a session can call. */
  const visit = async ({ cookie }: Person): Promise<Answer[]> => [
    await call('GET', '/contacts', { cookie, headers: inProject(project.id) }),
    await call('GET', `/projects/${project.id}/members`, { cookie }),
    await call('POST', `/users/@me/projects/${project.id}/regenerate-keys`, { cookie }),
  ]
  return { owner, admin, member, project, require, visit }
}

const statuses = (answers: Answer[]): number[] => answers.map(({ status }) => status)

describe('the rule is set', () => {
  test('by the owner alone, with the second factor that it asks for', async () => {
    const { owner, admin, member, project, require } = await team()
    for (const { cookie } of [admin, member]) expect((await require(cookie)).status).toBe(403)
    expect((await require(undefined, true, { key: project.secretKey })).status).toBe(403)
    expect((await require((await signedIn()).cookie)).status).toBe(404)
    expect(await require(owner.cookie)).toMatchObject({ status: 200, body: { secondFactorRequired: true } })
    expect((await require(owner.cookie, false)).body.secondFactorRequired).toBe(false)
  })

  test('not by an owner without one, who is told where to get it; nothing of the request is kept', async () => {
    const owner = await signedIn()
    const { id } = await makeProject(world, { ownerId: owner.id, name: 'Bare' })
    const { status, body } = await call('PATCH', `/users/@me/projects/${id}`, {
      cookie: owner.cookie,
      body: { secondFactorRequired: true, name: 'Renamed' },
    })
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
    expect(body.error.suggestion).toContain('/app/account')
    const [listed] = (await call('GET', '/users/@me/projects', { cookie: owner.cookie })).body
    expect(listed).toMatchObject({ name: 'Bare', secondFactorRequired: false })
  })

  test('with an entry in the audit log each time', async () => {
    const { owner, project, require } = await team()
    await require(owner.cookie)
    await require(owner.cookie, false)
    const { body } = await call('GET', `/projects/${project.id}/audit-log`, { cookie: owner.cookie })
    expect(body.data.slice(0, 2)).toMatchObject([
      { action: 'project.secondFactorOptional', actor: owner.id },
      { action: 'project.secondFactorRequired', actor: owner.id },
    ])
  })
})

describe('whoever has none', () => {
  test('is turned away from every kind of route, and told where to set one up', async () => {
    const { owner, admin, member, require, visit } = await team()
    await require(owner.cookie)
    for (const person of [admin, member]) {
      const answers = await visit(person)
      expect(statuses(answers)).toEqual([403, 403, 403])
      for (const { body } of answers) {
        expect(body.error.code).toBe('SECOND_FACTOR_MISSING')
        expect(body.error.suggestion).toContain('/app/account')
      }
    }
    expect(statuses(await visit(owner))).toEqual([200, 200, 200])
  })

  test('sees no secret of the project in the own list, but that it asks for one', async () => {
    const { owner, admin, require } = await team()
    const list = async () => (await call('GET', '/users/@me/projects', { cookie: admin.cookie })).body[0]
    expect((await list()).secret).toStartWith('sk_')
    await require(owner.cookie)
    const turnedAway = await list()
    expect(turnedAway).toMatchObject({ secondFactorRequired: true, secondFactorMissing: true })
    expect(JSON.stringify(turnedAway)).not.toMatch(/sk_|whsec_/)
    await enrol(admin)
    const back = await list()
    expect([back.secret.slice(0, 3), 'secondFactorMissing' in back]).toEqual(['sk_', false])
  })

  test('keeps the own account and other projects, and is in again with a second factor', async () => {
    const { owner, member, require, visit } = await team()
    const other = await makeProject(world, { ownerId: member.id })
    await require(owner.cookie)
    const { cookie } = member
    const elsewhere = [
      await call('GET', '/users/@me', { cookie }),
      await call('GET', '/users/@me/projects', { cookie }),
      await call('GET', '/users/@me/sessions', { cookie }),
      await call('GET', '/contacts', { cookie, headers: inProject(other.id) }),
      await call('GET', `/projects/${other.id}`, { cookie }),
    ]
    expect(statuses(elsewhere)).toEqual([200, 200, 200, 200, 200])
    await enrol(member)
    expect(statuses(await visit(member))).toEqual([200, 200, 403])
  })

  test('begun and not confirmed is none', async () => {
    const { owner, member, require, visit } = await team()
    await require(owner.cookie)
    await call('POST', own, { cookie: member.cookie, body: { password } })
    expect(statuses(await visit(member))).toEqual([403, 403, 403])
  })

  test('says nothing about a project to somebody who is not in it', async () => {
    const { owner, require, visit } = await team()
    await require(owner.cookie)
    const [byHeader, byPath] = await visit(await signedIn())
    expect([byHeader!.body.error.code, byPath!.status]).toEqual(['PROJECT_ACCESS_DENIED', 404])
  })
})

test('keys, and people who sign in with a provider, are not asked', async () => {
  const { owner, member, project, require, visit } = await team()
  await world.database
    .sql`update users set type = 'GITHUB_OAUTH', password_hash = null where id = ${member.id}`
  await require(owner.cookie)
  expect((await call('GET', '/contacts', { key: project.secretKey })).status).toBe(200)
  expect(statuses(await visit(member))).toEqual([200, 200, 403])
  const byProvider = await team()
  await takeOffSecondFactor(world.ctx, byProvider.owner.email)
  await world.database
    .sql`update users set type = 'GITHUB_OAUTH', password_hash = null where id = ${byProvider.owner.id}`
  expect((await byProvider.require(byProvider.owner.cookie)).status).toBe(200)
})

test('administrators see who has one; members see only who is there', async () => {
  const { owner, admin, member, project } = await team()
  const listed = async (options: RequestOptions) =>
    (await call('GET', `/projects/${project.id}/members`, options)).body.map(
      ({ secondFactor }: { secondFactor?: string }) => secondFactor,
    )
  await world.database
    .sql`update users set type = 'GOOGLE_OAUTH', password_hash = null where id = ${member.id}`
  for (const options of [{ cookie: owner.cookie }, { cookie: admin.cookie }, { key: project.secretKey }])
    expect(await listed(options)).toEqual(['ON', 'OFF', 'PROVIDER'])
  expect(await listed({ cookie: member.cookie })).toEqual([undefined, undefined, undefined])
})

describe('turning the own one off', () => {
  test('is refused with the names of the projects that require it, and uses no recovery code up', async () => {
    const { owner, require } = await team('Fernway')
    await require(owner.cookie)
    const { status, body } = await turnOff(owner)
    expect([status, body.error.code, body.error.details]).toEqual([
      409,
      'CONFLICT',
      { projects: ['Fernway'] },
    ])
    expect(body.error.message).toContain('"Fernway"')
    const codes = (await call('GET', own, { cookie: owner.cookie })).body
    expect(codes).toMatchObject({ enabled: true, recoveryCodesLeft: 10 })
    await require(owner.cookie, false)
    expect((await turnOff(owner)).status).toBe(200)
  })

  test('is open to the operator, for whoever has lost it', async () => {
    const { owner, require, visit } = await team()
    await require(owner.cookie)
    expect(await takeOffSecondFactor(world.ctx, owner.email)).toBe(true)
    expect(statuses(await visit(owner))).toEqual([403, 403, 403])
    await enrol(owner)
    expect((await visit(owner))[0]!.status).toBe(200)
  })

  test('while the rule is set: one of the two is refused', async () => {
    for (let round = 0; round < 4; round++) {
      const { owner, require } = await team()
      const code = codeOf(owner)
      const removal = { cookie: owner.cookie, body: { password, code } }
      const [set, off] = await Promise.all([require(owner.cookie), call('POST', `${own}/remove`, removal)])
      expect([set!.status, off!.status].sort()).toEqual([200, 409])
      const { body } = await call('GET', own, { cookie: owner.cookie })
      expect(body.enabled).toBe(set!.status === 200)
    }
  })
})
