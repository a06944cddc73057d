// Teams over HTTP: members, roles, invitations and how people come in by them.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { day, minute } from '../../src/lib/time'
import { insertMembership } from '../../src/modules/accounts/projects/queries'
import { signSession } from '../../src/modules/accounts/users/guard'
import { createUser, findSessionUser } from '../../src/modules/accounts/users/service'
import { fillForm, openAccounts, password } from '../support/accounts'
import { type MadeProject, makeMember, makeProject, makeUser } from '../support/make'

type World = Awaited<ReturnType<typeof openAccounts>>
const opened: World[] = []
afterAll(() => Promise.all(opened.map(world => world.close())))

let world: World
async function open(changes: Parameters<typeof openAccounts>[0] = {}): Promise<World> {
  const made = await openAccounts(changes)
  opened.push(made)
  return made
}
beforeAll(async () => {
  world = await open()
})

let count = 0
const address = (): string => `somebody-${++count}@example.com`

/** The cookie of somebody who was made without HTTP. */
async function cookieOf(userId: string, of: World = world): Promise<string> {
  const user = await findSessionUser(of.ctx, { id: crypto.randomUUID(), userId, version: 1 })
  if (!user) throw new Error('the session of the test was ended')
  return `waxwing_session=${await signSession(of.ctx, { userId, version: 1 })}`
}

/** A project and what its owner may call; `as` calls as somebody else. */
async function team(of: World = world) {
  const project: MadeProject = await makeProject(of)
  const owner = await cookieOf(project.ownerId, of)
  const path = `/projects/${project.id}/members`
  const as = (cookie: string) => ({
    list: () => of.call('GET', path, { cookie }),
    add: (body: unknown) => of.call('POST', path, { cookie, body }),
    change: (userId: string, role: string) =>
      of.call('PATCH', `${path}/${userId}`, { cookie, body: { role } }),
    remove: (userId: string) => of.call('DELETE', `${path}/${userId}`, { cookie }),
    invitations: () => of.call('GET', `/projects/${project.id}/invitations`, { cookie }),
    revoke: (id: string) => of.call('DELETE', `/projects/${project.id}/invitations/${id}`, { cookie }),
  })
  const projectsOf = async (cookie: string) =>
    (await of.call('GET', '/users/@me/projects', { cookie })).body.map(
      ({ id, role }: { id: string; role: string }) => ({ id, role }),
    )
  return { project, path, owner: as(owner), as, projectsOf }
}

const ownerMail = async (project: MadeProject) =>
  (await world.database.sql`select email from users where id = ${project.ownerId}`)[0]!['email']

describe('members', () => {
  test('are listed from the oldest on, for every member and for the key', async () => {
    const { project, path, owner, as } = await team()
    world.clock.advance(minute)
    const member = await makeMember(world, project.id, 'MEMBER')
    const expected = [
      {
        userId: project.ownerId,
        email: await ownerMail(project),
        role: 'OWNER',
        createdAt: expect.any(String),
      },
      { userId: member.id, email: member.email, role: 'MEMBER', createdAt: expect.any(String) },
    ]
    const forAdministrators = expected.map(each => ({ ...each, secondFactor: 'OFF' }))
    expect((await owner.list()).body).toEqual(forAdministrators)
    expect((await as(await cookieOf(member.id)).list()).body).toEqual(expected)
    expect((await world.call('GET', path, { key: project.secretKey })).body).toEqual(forAdministrators)
  })

  test('an account is added at once, in any casing, and sees the project', async () => {
    const { project, owner, projectsOf } = await team()
    const user = await makeUser(world)
    const added = await owner.add({ email: user.email.toUpperCase() })
    expect(added.status).toBe(201)
    expect(added.body).toEqual({ userId: user.id, email: user.email, role: 'MEMBER', pending: false })
    expect(await projectsOf(await cookieOf(user.id))).toEqual([{ id: project.id, role: 'MEMBER' }])
    const again = await owner.add({ email: user.email, role: 'ADMIN' })
    expect([again.status, again.body.error.code]).toEqual([409, 'CONFLICT'])
    expect((await owner.list()).body).toHaveLength(2)
    expect(await world.mails()).toEqual([])
  })

  test('of several who add the same account at once, one does', async () => {
    const { owner } = await team()
    const { email } = await makeUser(world)
    const answers = await Promise.all([1, 2, 3].map(() => owner.add({ email })))
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 409, 409])
  })

  test.each([
    ['no address', {}, 'email'],
    ['text that is no address', { email: 'ada' }, 'email'],
    ['a second owner', { email: 'a@example.com', role: 'OWNER' }, 'role'],
    ['an endless address', { email: `${'a'.repeat(400)}@example.com` }, 'email'],
  ])('%s is 422', async (_, body, field) => {
    const { owner } = await team()
    const answer = await owner.add(body)
    expect(answer.status).toBe(422)
    expect(answer.body.error.errors[0].field).toBe(field)
  })

  test('roles change, but for the owner; an admin may step down', async () => {
    const { project, owner, as } = await team()
    const member = await makeMember(world, project.id, 'MEMBER')
    const changed = await owner.change(member.id, 'ADMIN')
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({ userId: member.id, email: member.email, role: 'ADMIN' })
    const admin = as(await cookieOf(member.id))
    expect((await admin.change(project.ownerId, 'MEMBER')).status).toBe(403)
    expect((await admin.remove(project.ownerId)).status).toBe(403)
    expect((await admin.change(member.id, 'MEMBER')).status).toBe(200)
    expect((await admin.change(member.id, 'ADMIN')).status).toBe(403)
    expect((await owner.change(member.id, 'OWNER')).status).toBe(422)
    const stranger = await makeUser(world)
    expect((await owner.change(stranger.id, 'ADMIN')).status).toBe(404)
    expect((await owner.change('42', 'ADMIN')).status).toBe(422)
  })

  test('somebody who was removed is out at once', async () => {
    const { project, owner } = await team()
    const member = await makeMember(world, project.id, 'ADMIN')
    const options = { cookie: await cookieOf(member.id), headers: { 'x-project-id': project.id } }
    expect((await world.call('GET', '/contacts', options)).status).toBe(200)
    const removed = await owner.remove(member.id)
    expect([removed.status, removed.body.success]).toEqual([200, true])
    expect((await world.call('GET', '/contacts', options)).status).toBe(403)
    expect((await owner.remove(member.id)).status).toBe(404)
  })

  test('a member may leave and remove nobody else; the owner may not leave', async () => {
    const { project, owner, as } = await team()
    const [leaving, staying] = [
      await makeMember(world, project.id, 'MEMBER'),
      await makeMember(world, project.id, 'MEMBER'),
    ]
    const member = as(await cookieOf(leaving.id))
    expect((await member.remove(staying.id)).status).toBe(403)
    expect((await member.remove(leaving.id)).status).toBe(200)
    expect((await owner.remove(project.ownerId)).status).toBe(403)
    expect((await owner.list()).body).toHaveLength(2)
  })

  test('members and keys may not change members, strangers find nothing', async () => {
    const { project, path, as } = await team()
    const member = await makeMember(world, project.id, 'MEMBER')
    const body = { email: address(), role: 'MEMBER' }
    expect((await as(await cookieOf(member.id)).add(body)).status).toBe(403)
    expect((await as(await cookieOf(member.id)).invitations()).status).toBe(403)
    const stranger = as(await cookieOf((await makeUser(world)).id))
    expect((await stranger.add(body)).status).toBe(404)
    expect((await stranger.list()).status).toBe(404)
    const { secretKey: key } = project
    expect((await world.call('POST', path, { key, body })).status).toBe(403)
    expect((await world.call('PATCH', `${path}/${member.id}`, { key, body })).status).toBe(403)
    expect((await world.call('DELETE', `${path}/${member.id}`, { key })).status).toBe(403)
    const foreign = (await makeProject(world)).secretKey
    expect((await world.call('GET', path, { key: foreign })).status).toBe(404)
    expect((await world.call('GET', path)).status).toBe(401)
    expect(await world.mails()).toEqual([])
  })

  test('a disabled project may still change its members', async () => {
    const { project, owner } = await team()
    await world.database.sql`update projects set disabled = true where id = ${project.id}`
    const { email } = await makeUser(world)
    expect((await owner.add({ email })).status).toBe(201)
  })

  test('every change is in the audit log', async () => {
    const { project, owner } = await team()
    const user = await makeUser(world)
    await owner.add({ email: user.email })
    await owner.change(user.id, 'ADMIN')
    await owner.remove(user.id)
    const invited = await owner.add({ email: address() })
    await owner.revoke(invited.body.invitationId)
    await world.mails()
    const rows = await world.database.sql`
      select action, actor from audit_log where project_id = ${project.id} and action not like 'project.%' order by id`
    expect(rows.map(row => row['action'])).toEqual([
      'member.added',
      'member.roleChanged',
      'member.removed',
      'member.invited',
      'invitation.revoked',
    ])
    expect(new Set(rows.map(row => row['actor']))).toEqual(new Set([project.ownerId]))
  })
})

describe('invitations', () => {
  const invite = async (of: World = world, role = 'ADMIN') => {
    const made = await team(of)
    const email = address()
    const answer = await made.owner.add({ email, role })
    const [mail] = await of.mails()
    return { ...made, email, answer, mail: mail! }
  }

  test('an unknown address is invited by mail and listed as open', async () => {
    const { owner, email, answer, mail } = await invite()
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ userId: null, email, role: 'ADMIN', pending: true })
    expect(mail).toMatchObject({ to: email, subject: 'You are invited to the project "Test project"' })
    expect(mail.text).toContain('on Waxwing as an admin.')
    expect((await owner.invitations()).body).toEqual([
      {
        id: answer.body.invitationId,
        email,
        role: 'ADMIN',
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
      },
    ])
    expect((await owner.list()).body).toHaveLength(1)
    const again = await owner.add({ email })
    expect(again.status).toBe(409)
    expect(await world.mails()).toEqual([])
  })

  test('the page of the link makes the account, proves its address, and lets it in', async () => {
    const { project, projectsOf, owner, email, mail } = await invite()
    const page = await world.call('GET', mail.link)
    expect(page.status).toBe(200)
    expect(page.body).toContain('Join Test project')
    expect(page.body).toContain(email)
    expect(page.body).toContain('invited as <strong>an admin</strong>')
    const short = fillForm(page, { password: 'short' })
    expect((await world.call('POST', short.path, { body: short.body })).status).toBe(422)
    const form = fillForm(page, { password })
    const done = await world.call('POST', form.path, { body: form.body })
    expect(done.status).toBe(200)
    const cookie = done.cookies['waxwing_session']!
    expect((await world.call('GET', '/users/@me', { cookie })).body).toMatchObject({
      email,
      emailVerified: true,
    })
    expect(await projectsOf(cookie)).toEqual([{ id: project.id, role: 'ADMIN' }])
    expect((await owner.invitations()).body).toEqual([])
    expect((await world.call('GET', mail.link)).status).toBe(404)
  })

  test('a sign-up with the token of the mail does the same, for that address only', async () => {
    const { project, projectsOf, email, mail } = await invite()
    const signUp = (from: string, invitationToken: string) =>
      world.call('POST', '/auth/signup', { body: { email: from, password, invitationToken } })
    expect((await signUp(address(), mail.token)).status).toBe(403)
    expect((await signUp(email, 'f'.repeat(64))).status).toBe(403)
    const answer = await signUp(email, mail.token)
    expect(answer.status).toBe(200)
    expect(await projectsOf(answer.cookies['waxwing_session']!)).toEqual([{ id: project.id, role: 'ADMIN' }])
  })

  test('whoever signs up without the link joins with a password that the address’ owner chose, and not before', async () => {
    const { project, projectsOf, email } = await invite()
    const cookie = await world.signUp(email)
    expect(await projectsOf(cookie)).toEqual([])
    const [mail] = await world.mails()
    expect(mail).toMatchObject({ to: email, subject: 'Confirm your e-mail address' })
    expect((await world.signIn(email)).status).toBe(200)
    expect(await projectsOf(cookie)).toEqual([])
    const page = await world.call('GET', mail!.link)
    expect(page.body).toContain('Set a new password')
    const form = fillForm(page, { password: 'chosen by the owner' })
    expect((await world.call('POST', form.path, { body: form.body })).status).toBe(200)
    const own = (await world.signIn(email, 'chosen by the owner')).cookies['waxwing_session']!
    expect(await projectsOf(own)).toEqual([{ id: project.id, role: 'ADMIN' }])
  })

  test('an invitation stays one when somebody makes an account for its address', async () => {
    const { owner, email, projectsOf } = await invite()
    const cookie = await world.signUp(email)
    expect((await owner.add({ email })).status).toBe(409)
    expect(await projectsOf(cookie)).toEqual([])
  })

  test('a stranger who signs up with an invited address is locked out by whatever its owner confirms', async () => {
    const { email } = await invite()
    const cookie = await world.signUp(email)
    expect((await world.call('POST', '/auth/request-verification', { cookie })).status).toBe(200)
    const mails = await world.mails()
    expect(mails).toHaveLength(2)
    for (const { token } of mails) {
      expect((await world.call('POST', '/auth/verify-email', { body: { token } })).status).toBe(400)
      expect((await world.call('GET', '/users/@me', { cookie })).body.emailVerified).toBe(false)
    }
    const newPassword = 'chosen by the owner'
    const { token } = mails[1]!
    expect((await world.call('POST', '/auth/reset-password', { body: { token, newPassword } })).status).toBe(
      200,
    )
    expect((await world.call('GET', '/users/@me', { cookie })).status).toBe(401)
    expect((await world.signIn(email)).status).toBe(401)
  })

  test('an account that is there by the time joins at its next sign-in, if its address is proved', async () => {
    const { project, projectsOf, email } = await invite()
    // Made in the moment between the look-up and the invitation.
    await world.database.sql`update invitations set email = 'moved' where email = ${email}`
    await createUser(world.ctx, { email, password })
    await world.database.sql`update invitations set email = ${email} where email = 'moved'`
    const cookie = (await world.signIn(email)).cookies['waxwing_session']!
    expect(await projectsOf(cookie)).toEqual([{ id: project.id, role: 'ADMIN' }])
  })

  test('one proof lets into every project that waits', async () => {
    const first = await team()
    const second = await team()
    const email = address()
    await first.owner.add({ email })
    await second.owner.add({ email, role: 'ADMIN' })
    const [mail] = await world.mails()
    const cookie = await world.signUp(email, { invitationToken: mail!.token })
    expect(await first.projectsOf(cookie)).toHaveLength(2)
  })

  describe('for an account whose address nobody proved', () => {
    /** Somebody signs up with an address that is not theirs, and the owner of a project adds that address later. */
    const squat = async () => {
      const made = await team()
      const email = address()
      const cookie = await world.signUp(email)
      const added = await made.owner.add({ email, role: 'ADMIN' })
      const [mail] = await world.mails()
      return { ...made, email, cookie, added, mail: mail! }
    }

    test('is made instead of a membership, and the account gets nothing', async () => {
      const { cookie, added, mail, email, owner, projectsOf } = await squat()
      expect(added.status).toBe(201)
      expect(added.body).toMatchObject({ userId: null, email, role: 'ADMIN', pending: true })
      expect(await projectsOf(cookie)).toEqual([])
      expect((await world.signIn(email)).status).toBe(200)
      expect(await projectsOf(cookie)).toEqual([])
      expect((await owner.list()).body).toHaveLength(1)
      expect(mail).toMatchObject({ to: email, link: expect.stringContaining('/auth/invitation?') })
      expect(mail.text).toContain('never confirmed')
      expect((await owner.add({ email })).status).toBe(409)
    })

    test('lets in whoever chooses a password by its link, and locks out whoever made the account', async () => {
      const { project, cookie, mail, email, projectsOf } = await squat()
      const form = fillForm(await world.call('GET', mail.link), { password: 'chosen by the owner' })
      const done = await world.call('POST', form.path, { body: form.body })
      expect(done.status).toBe(200)
      const own = done.cookies['waxwing_session']!
      expect(await projectsOf(own)).toEqual([{ id: project.id, role: 'ADMIN' }])
      expect((await world.call('GET', '/users/@me', { cookie: own })).body.emailVerified).toBe(true)
      expect((await world.call('GET', '/users/@me', { cookie })).status).toBe(401)
      expect((await world.signIn(email)).status).toBe(401)
      expect((await world.signIn(email, 'chosen by the owner')).status).toBe(200)
    })

    test('is not accepted by a link that was mailed before and asked for a click only', async () => {
      const { owner, projectsOf } = await team()
      const email = address()
      const cookie = await world.signUp(email)
      await world.call('POST', '/auth/request-verification', { cookie })
      const [early] = await world.mails()
      expect(early!.link).toContain('/auth/verify-email?')
      await owner.add({ email })
      const click = await world.call('POST', '/auth/verify-email', { body: { token: early!.token } })
      expect(click.status).toBe(400)
      expect((await world.signIn(email)).status).toBe(200)
      expect(await projectsOf(cookie)).toEqual([])
      await world.mails()
    })

    test('is not made for one that is a member already', async () => {
      const { owner, project } = await team()
      const email = address()
      const me = await world.call('GET', '/users/@me', { cookie: await world.signUp(email) })
      await insertMembership(world.ctx, { projectId: project.id, userId: me.body.id, role: 'MEMBER' })
      const again = await owner.add({ email })
      expect([again.status, again.body.error.message]).toEqual([
        409,
        'This person is a member of the project already',
      ])
      expect(await world.mails()).toEqual([])
    })

    test('does not take over an account whose address is proved', async () => {
      const { email, mail } = await invite()
      // Made in the moment between the look-up and the invitation.
      await world.database.sql`update invitations set email = 'moved' where email = ${email}`
      await createUser(world.ctx, { email, password })
      await world.database.sql`update invitations set email = ${email} where email = 'moved'`
      const body = { email, password: 'chosen by somebody', invitationToken: mail.token }
      expect((await world.call('POST', '/auth/signup', { body })).status).toBe(409)
      expect((await world.signIn(email)).status).toBe(200)
    })
  })

  test('an invitation that was taken back is dead', async () => {
    const { owner, answer, mail, email } = await invite()
    const { invitationId } = answer.body
    const other = await team()
    expect((await other.owner.revoke(invitationId)).status).toBe(404)
    expect((await owner.revoke(invitationId)).status).toBe(204)
    expect((await owner.revoke(invitationId)).status).toBe(404)
    expect((await world.call('GET', mail.link)).status).toBe(404)
    const late = await world.call('POST', '/auth/signup', {
      body: { email, password, invitationToken: mail.token },
    })
    expect(late.status).toBe(403)
  })

  test('an invitation is over after seven days and may be made again', async () => {
    const { project, as, mail, email } = await invite()
    world.clock.advance(7 * day)
    expect((await world.call('GET', mail.link)).status).toBe(404)
    const owner = as(await cookieOf(project.ownerId))
    expect((await owner.invitations()).body).toEqual([])
    expect((await owner.add({ email })).status).toBe(201)
    const [fresh] = await world.mails()
    expect((await world.call('GET', fresh!.link)).status).toBe(200)
  })

  test('of several who invite the same address at once, one does, and one mail leaves', async () => {
    const { owner } = await team()
    const email = address()
    const answers = await Promise.all([1, 2, 3].map(() => owner.add({ email })))
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 409, 409])
    expect(await world.mails()).toHaveLength(1)
  })

  test('a project sends a hundred invitations a day', async () => {
    const { owner } = await team()
    await owner.add({ email: address() })
    await world.mails()
    await world.database.sql`update account_attempts set failures = 100 where kind = 'invitation'`
    const refused = await owner.add({ email: address() })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1)
    expect(await world.mails()).toEqual([])
    expect((await owner.invitations()).body).toHaveLength(1)
  })

  describe('are bounded beyond the project', () => {
    /** An instance of its own, because its counts are changed. */
    const openCounted = async (changes: Parameters<typeof openAccounts>[0] = {}) => {
      const of = await open(changes)
      const first = await team(of)
      const second = await makeProject(of, { ownerId: first.project.ownerId })
      const cookie = await cookieOf(first.project.ownerId, of)
      const invite = (projectId: string, by = cookie) =>
        of.call('POST', `/projects/${projectId}/members`, { cookie: by, body: { email: address() } })
      return { of, first: first.project.id, second: second.id, invite }
    }

    test('a user sends a hundred a day, over all projects', async () => {
      const { of, first, second, invite } = await openCounted()
      for (let n = 0; n < 100; n++) expect((await invite(n % 2 === 0 ? first : second)).status).toBe(201)
      const refused = await invite(first)
      expect([refused.status, refused.body.error.message]).toEqual([
        429,
        'You sent too many invitations today',
      ])
      expect((await invite(second)).status).toBe(429)
      expect(await of.mails()).toHaveLength(100)
    })

    test('an instance sends MAX_INVITATIONS_PER_DAY of them, whoever asks', async () => {
      const { of, first, second, invite } = await openCounted({ maxInvitationsPerDay: 3 })
      const other = await makeProject(of)
      const otherCookie = await cookieOf(other.ownerId, of)
      const statuses = [await invite(first), await invite(second), await invite(other.id, otherCookie)]
      expect(statuses.map(answer => answer.status)).toEqual([201, 201, 201])
      const refused = await invite(other.id, otherCookie)
      expect([refused.status, refused.body.error.message]).toEqual([
        429,
        'This instance sent too many invitations today',
      ])
      expect(await of.mails()).toHaveLength(3)
    })

    test('who has not proved an address invites nobody where sign-up is open', async () => {
      const { of, invite } = await openCounted()
      const cookie = await of.signUp(address())
      const mine = await of.call('POST', '/users/@me/projects', { cookie, body: { name: 'Mine' } })
      const refused = await invite(mine.body.id, cookie)
      expect([refused.status, refused.body.error.code]).toEqual([403, 'EMAIL_VERIFICATION_REQUIRED'])
      expect(await of.mails()).toEqual([])
      await of.call('POST', '/auth/request-verification', { cookie })
      const [mail] = await of.mails()
      await of.call('POST', '/auth/verify-email', { body: { token: mail!.token } })
      expect((await invite(mine.body.id, cookie)).status).toBe(201)
    })

    test('the first account of a closed instance invites without that', async () => {
      const { of, invite } = await openCounted({ disableSignups: true })
      const user = await makeUser(of)
      await of.database.sql`update users set email_verified = false where id = ${user.id}`
      const project = await makeProject(of, { ownerId: user.id })
      expect((await invite(project.id, await cookieOf(user.id, of))).status).toBe(201)
    })
  })

  test('no token is kept in the clear', async () => {
    const { mail } = await invite()
    expect(JSON.stringify(await world.database.sql`select * from invitations`)).not.toContain(mail.token)
  })
})

describe('an instance that is closed to sign-ups', () => {
  let closed: World
  beforeAll(async () => {
    closed = await open({ disableSignups: true })
  })
  const invite = async () => {
    const owner = await createUser(closed.ctx, { email: address(), password })
    const project = await makeProject(closed, { ownerId: owner.id })
    const email = address()
    const cookie = await cookieOf(owner.id, closed)
    await closed.call('POST', `/projects/${project.id}/members`, { cookie, body: { email } })
    const [mail] = await closed.mails()
    return { project, email, token: mail!.token }
  }

  test('lets an invited address in by its link, and nobody else', async () => {
    const { email, token } = await invite()
    const stranger = await closed.call('POST', '/auth/signup', { body: { email: address(), password } })
    expect(stranger.status).toBe(403)
    const cookie = await closed.signUp(email, { invitationToken: token })
    expect((await closed.call('GET', '/users/@me/projects', { cookie })).body).toHaveLength(1)
  })

  test('lets whoever knows an invited address do nothing before it is proved', async () => {
    const { email } = await invite()
    let cookie = await closed.signUp(email)
    const make = () => closed.call('POST', '/users/@me/projects', { cookie, body: { name: 'Mine' } })
    const refused = await make()
    expect([refused.status, refused.body.error.code]).toEqual([403, 'EMAIL_VERIFICATION_REQUIRED'])
    // The invitation is over by the time; the account was made by its right all the same.
    await closed.database.sql`delete from invitations where email = ${email}`
    const [mail] = await closed.mails()
    const again = await closed.call('POST', '/auth/request-verification', { cookie })
    expect([again.status, (await closed.mails())[0]!.link]).toEqual([
      200,
      expect.stringContaining('reset-password'),
    ])
    const newPassword = 'chosen by the owner'
    await closed.call('POST', '/auth/reset-password', { body: { token: mail!.token, newPassword } })
    expect((await make()).status).toBe(401)
    cookie = (await closed.signIn(email, newPassword)).cookies['waxwing_session']!
    expect((await make()).status).toBe(201)
  })
})

describe('projects at a glance', () => {
  test('a key sees its project, a user sees all of theirs', async () => {
    const first = await team()
    const { project } = first
    const second = await makeProject(world, { ownerId: project.ownerId, name: 'Second' })
    const cookie = await cookieOf(project.ownerId)
    const seen = (id: string, name: string) => ({
      id,
      name,
      defaultSenderDomain: null,
      timeZone: null,
      createdAt: expect.any(String),
    })
    const byKey = await world.call('GET', '/projects', { key: project.secretKey })
    expect(byKey.body).toEqual(seen(project.id, 'Test project'))
    const bySession = await world.call('GET', '/projects', { cookie })
    expect(bySession.body).toEqual([seen(project.id, 'Test project'), seen(second.id, 'Second')])
    const one = await world.call('GET', `/projects/${second.id}`, { cookie })
    expect(one.body).toEqual(seen(second.id, 'Second'))
    const foreign = await world.call('GET', `/projects/${second.id}`, { key: project.secretKey })
    expect(foreign.status).toBe(404)
    expect((await world.call('GET', '/projects')).status).toBe(401)
    expect((await world.call('GET', '/projects', { key: project.publicKey })).status).toBe(401)
  })

  test('the set-up state tells what is there', async () => {
    const { project } = await team()
    const state = async () =>
      (await world.call('GET', `/projects/${project.id}/setup-state`, { key: project.secretKey })).body
    const nothing = {
      hasSubscription: false,
      hasVerifiedDomain: false,
      contactCount: 0,
      lastCampaignSentAt: null,
      hasEnabledWorkflow: false,
    }
    expect(await state()).toEqual(nothing)
    const { secretKey: key } = project
    await world.call('POST', '/domains', { key, body: { domain: 'acme.example' } })
    await world.call('POST', '/contacts', { key, body: { email: 'ada@example.com' } })
    await world.call('POST', '/contacts', { key, body: { email: 'bob@example.com' } })
    expect(await state()).toEqual({ ...nothing, hasVerifiedDomain: true, contactCount: 2 })
    const glance = await world.call('GET', '/projects', { key })
    expect(glance.body.defaultSenderDomain).toBe('acme.example')
    const workflow = await world.call('POST', '/workflows', {
      key,
      body: { name: 'W', eventName: 'signed up' },
    })
    await world.call('PATCH', `/workflows/${workflow.body.id}`, { key, body: { enabled: true } })
    await world.call('POST', '/contacts', { key, body: { email: 'eve@example.com', subscribed: true } })
    const campaign = await world.call('POST', '/campaigns', {
      key,
      body: { name: 'C', subject: 'S', body: '<p>B</p>', from: 'a@acme.example', audienceType: 'ALL' },
    })
    await world.call('POST', `/campaigns/${campaign.body.data.id}/send`, { key })
    const now = world.ctx.clock.now()
    await world.mails()
    expect(await state()).toMatchObject({
      contactCount: 3,
      hasEnabledWorkflow: true,
      lastCampaignSentAt: now.toISOString(),
    })
    const foreign = (await makeProject(world)).secretKey
    expect((await world.call('GET', `/projects/${project.id}/setup-state`, { key: foreign })).status).toBe(
      404,
    )
  })
})

describe('the default sender of a project', () => {
  const letter = { to: 'ada@example.com', subject: 'Hello', body: '<p>Hello</p>' }

  test('stands in where a send names none, and only there', async () => {
    const { project } = await team()
    const { secretKey: key } = project
    const patch = (body: object) => world.call('PATCH', `/users/@me/projects/${project.id}`, { key, body })
    await world.call('POST', '/domains', { key, body: { domain: 'acme.example' } })
    expect((await world.call('POST', '/v1/send', { key, body: letter })).status).toBe(422)
    const set = await patch({
      defaultSender: { email: 'Hello@Acme.example', name: 'Acme\r\nBcc: x', replyTo: 'help@acme.example' },
    })
    expect(set.body.defaultSender).toEqual({
      email: 'hello@acme.example',
      name: 'Acme Bcc: x',
      replyTo: 'help@acme.example',
    })
    const sent = await world.call('POST', '/v1/send', { key, body: letter })
    expect(sent.status).toBe(200)
    const named = await world.call('POST', '/v1/send', { key, body: { ...letter, from: 'b@acme.example' } })
    const mail = async (answer: typeof sent) =>
      (await world.call('GET', `/emails/${answer.body.data.emails[0].email}`, { key })).body
    expect(await mail(sent)).toMatchObject({ from: 'hello@acme.example', fromName: 'Acme Bcc: x' })
    expect((await mail(named)).from).toBe('b@acme.example')
    await world.mails()
    expect((await patch({ name: 'Still there' })).body.defaultSender).not.toBeNull()
    expect((await patch({ defaultSender: null })).body.defaultSender).toBeNull()
    expect((await world.call('POST', '/v1/send', { key, body: letter })).status).toBe(422)
  })

  test('needs a verified domain when it is used, and an address when it is set', async () => {
    const { project } = await team()
    const { secretKey: key } = project
    const patch = (defaultSender: object) =>
      world.call('PATCH', `/users/@me/projects/${project.id}`, { key, body: { defaultSender } })
    const wrong = await patch({ email: 'hello', replyTo: 'also wrong' })
    expect(wrong.status).toBe(422)
    expect(wrong.body.error.errors.map((fault: { field: string }) => fault.field)).toEqual([
      'defaultSender.email',
      'defaultSender.replyTo',
    ])
    expect((await patch({ email: 'hello@elsewhere.example' })).status).toBe(200)
    expect((await world.call('POST', '/v1/send', { key, body: letter })).status).toBe(403)
  })
})
