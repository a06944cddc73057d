// Mail that is in no ledger, while all mail stays in the outbox: who sees what of it, and what a test's links and an invitation's do.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { day } from '../../src/lib/time'
import { pruneOutbox } from '../../src/modules/accounts/system-emails/service'
import { signSession } from '../../src/modules/accounts/users/guard'
import { testRecipient } from '../../src/modules/sending/emails/links'
import { buildApp } from '../../src/server/app'
import { password } from '../support/accounts'
import { type MadeProject, makeMember, makeProject } from '../support/make'
import { request } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let app: ReturnType<typeof buildApp>
let operator: MadeProject
let project: MadeProject
let other: MadeProject
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
  // The account that was made first runs the instance.
  operator = world.project
  project = await world.newProject('Acme')
  other = await world.newProject('Other')
})
afterAll(() => world.close())

const cookieOf = async (userId: string): Promise<string> =>
  `waxwing_session=${await signSession(world.ctx, { userId, version: 1 })}`

/** A request of somebody about a project. */
async function as(userId: string, of: MadeProject, method: string, path: string, body?: unknown) {
  const headers = { cookie: await cookieOf(userId), 'x-project-id': of.id }
  return await request(app, method, path, { headers, body })
}

/** What somebody sees in the outbox of a project. */
async function seen(
  userId: string,
  of: MadeProject,
): Promise<Array<{ id: string; kind: string; to: string }>> {
  await world.drain()
  return (await as(userId, of, 'GET', '/outbox')).body.data
}

const kindsSeen = async (userId: string, of: MadeProject): Promise<string[]> =>
  (await seen(userId, of)).map(({ kind }) => kind).sort()

async function sendTest(email: string, type = 'MARKETING'): Promise<string> {
  const body = {
    ...{
      name: 'C',
      subject: 'News',
      body: '<p><a href="{{manageUrl}}">m</a> <a href="{{browserUrl}}">b</a></p>',
    },
    ...{ from: sender, audienceType: 'ALL', type },
  }
  const made = (await as(project.ownerId, project, 'POST', '/campaigns', body)).body
  const path = `/campaigns/${made.data.id}/test`
  expect((await as(project.ownerId, project, 'POST', path, { email })).status).toBe(200)
  return made.data.id
}

async function invite(email: string): Promise<string> {
  const made = await as(project.ownerId, project, 'POST', `/projects/${project.id}/members`, { email })
  return made.body.invitationId
}

describe('a test of a campaign', () => {
  test('is what a reader gets, and its links say that it was a test and change nothing', async () => {
    const { body: contact } = await as(project.ownerId, project, 'POST', '/contacts', {
      email: 'ada@example.com',
    })
    world.mail.clear()
    const id = await sendTest('ada@example.com')
    const [mail] = await world.received()
    const headers = new Map(mail!.headers.map(({ key, value }) => [key, value]))
    expect(mail!.subject).toBe('[TEST] News')
    expect(mail!.html).toContain('Unsubscribe')
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const oneClick = /<(http[^>]+)>/.exec(headers.get('list-unsubscribe')!)![1]!
    const links = [...mail!.html!.matchAll(/href="(http[^"]+)"/g)].map(([, url]) =>
      url!.replaceAll('&amp;', '&'),
    )
    expect(links).toHaveLength(3)
    const browser = links.find(link => link.includes('/message/'))!
    const { pathname: page, search: token } = new URL(browser)
    const read = await request(app, 'GET', page + token)
    expect([read.status, read.body.includes('>b</a>'), read.body.includes('ada@')]).toEqual([
      200,
      true,
      false,
    ])
    const forged = await request(app, 'GET', `${page}?t=${new URL(links[0]!).searchParams.get('t')}`)
    expect(forged.status).toBe(404)
    for (const link of [...links.filter(each => each !== browser), oneClick]) {
      const { pathname, search } = new URL(link)
      expect(pathname).toContain(testRecipient)
      const opened = await request(app, 'GET', pathname + search)
      expect([opened.status, opened.body.includes('This was a test')]).toEqual([200, true])
      const body = new URLSearchParams({ action: 'unsubscribe' })
      const pressed = await request(app, 'POST', pathname + search, { body })
      expect([pressed.status, pressed.body.includes('Nothing was changed')]).toEqual([200, true])
      await request(app, 'POST', pathname + search, { body: 'List-Unsubscribe=One-Click' })
    }
    const now = (await as(project.ownerId, project, 'GET', `/contacts/${contact.id}`)).body
    const campaign = (await as(project.ownerId, project, 'GET', `/campaigns/${id}`)).body
    expect(now.subscribed).toBe(true)
    expect((await as(project.ownerId, project, 'GET', '/emails')).body.data).toEqual([])
    expect(JSON.stringify(campaign)).not.toContain(testRecipient)
  })

  test('is in the outbox of its project, for every member of it and for nobody else', async () => {
    const member = await makeMember(world, project.id, 'MEMBER')
    for (const userId of [project.ownerId, member.id])
      expect(await kindsSeen(userId, project)).toContain('TEST')
    const mail = (await seen(member.id, project)).find(({ kind }) => kind === 'TEST')!
    const whole = (await as(member.id, project, 'GET', `/outbox/${mail.id}`)).body
    expect(whole).toMatchObject({ kind: 'TEST', to: 'ada@example.com', subject: '[TEST] News' })
    expect(whole.body).toContain('Unsubscribe')
    expect(await seen(other.ownerId, other)).toEqual([])
    expect((await as(other.ownerId, other, 'GET', `/outbox/${mail.id}`)).status).toBe(404)
    expect((await as(other.ownerId, project, 'GET', '/outbox')).status).toBe(403)
    expect((await request(app, 'GET', '/outbox', { key: project.secretKey })).status).toBe(403)
  })

  test('is in no outbox where mail leaves the machine', async () => {
    const before = (await seen(project.ownerId, project)).length
    const { config } = world.ctx
    const sending = buildApp({ ...world.ctx, config: { ...config, mailTransport: 'smtp' } })
    await world.ctx.sql`update domains set sandbox = false where project_id = ${project.id}::uuid`
    const { data } = (await as(project.ownerId, project, 'GET', '/campaigns')).body
    const headers = { cookie: await cookieOf(project.ownerId), 'x-project-id': project.id }
    const body = { email: 'ada@example.com' }
    const answer = await request(sending, 'POST', `/campaigns/${data[0].id}/test`, { headers, body })
    await world.ctx.sql`update domains set sandbox = true where project_id = ${project.id}::uuid`
    expect([answer.status, (await seen(project.ownerId, project)).length]).toEqual([200, before])
  })
})

describe('an invitation', () => {
  test('is seen by those who may invite, with a link that can be handed on and proves nothing', async () => {
    const email = 'new@example.com'
    const id = await invite(email)
    const member = await makeMember(world, project.id, 'MEMBER')
    expect(await kindsSeen(member.id, project)).not.toContain('INVITATION')
    const shown = (await seen(project.ownerId, project)).find(({ kind }) => kind === 'INVITATION')!
    expect((await as(member.id, project, 'GET', `/outbox/${shown.id}`)).status).toBe(404)
    const path = `/projects/${project.id}/invitations/${id}/link`
    expect((await as(member.id, project, 'GET', path)).status).toBe(403)
    const { url } = (await as(project.ownerId, project, 'GET', path)).body
    const { text } = (await as(project.ownerId, project, 'GET', `/outbox/${shown.id}`)).body
    expect(text).toContain(url)
    // What was mailed proves the address, and is shown to nobody.
    const mailed = (await world.received()).findLast(({ to }) =>
      to?.some(({ address }) => address === email),
    )!
    const tokenIn = (from: string): string => /token=([0-9a-f]{64})/.exec(from)![1]!
    expect(tokenIn(mailed.text!)).not.toBe(tokenIn(url))

    const page = await request(app, 'GET', new URL(url).pathname + new URL(url).search)
    expect([page.status, page.body.includes('Acme')]).toEqual([200, true])
    const elsewhere = await request(app, 'POST', '/auth/signup', {
      body: { email: 'else@example.com', password, invitationToken: tokenIn(url) },
    })
    expect(elsewhere.status).toBe(403)
    // Another project waits for the same address, and for its proof.
    const theirs = { email, role: 'ADMIN' }
    await as(other.ownerId, other, 'POST', `/projects/${other.id}/members`, theirs)
    const joined = await request(app, 'POST', '/auth/signup', {
      body: { email, password, invitationToken: tokenIn(url) },
    })
    expect([joined.status, joined.body.emailVerified ?? joined.body.user?.emailVerified]).not.toContain(true)
    const members = (await as(project.ownerId, project, 'GET', `/projects/${project.id}/members`)).body
    expect(members.map((each: { email: string }) => each.email)).toContain(email)
    const strangers = (await as(other.ownerId, other, 'GET', `/projects/${other.id}/members`)).body
    expect(strangers.map((each: { email: string }) => each.email)).not.toContain(email)
    const [user] = await world.ctx.sql`select email_verified from users where email = ${email}`
    expect(user!['email_verified']).toBe(false)
    expect((await as(project.ownerId, project, 'GET', path)).status).toBe(404)
  })

  test('that is revoked has no link any more', async () => {
    const id = await invite('gone@example.com')
    const path = `/projects/${project.id}/invitations/${id}`
    const { url } = (await as(project.ownerId, project, 'GET', `${path}/link`)).body
    await as(project.ownerId, project, 'DELETE', path)
    expect((await as(project.ownerId, project, 'GET', `${path}/link`)).status).toBe(404)
    expect((await request(app, 'GET', new URL(url).pathname + new URL(url).search)).status).toBe(404)
  })
})

test('a link that opens an account is seen by the operator alone', async () => {
  const [owner] = await world.ctx.sql`select email from users where id = ${project.ownerId}::uuid`
  const body = { email: owner!['email'] }
  await world.ctx.sql`update users set type = 'PASSWORD' where id = ${project.ownerId}::uuid`
  await request(app, 'POST', '/auth/request-password-reset', { body })
  const own = await seen(operator.ownerId, operator)
  const reset = own.find(({ kind, to }) => kind === 'ACCOUNT' && to === body.email)!
  const whole = (await as(operator.ownerId, operator, 'GET', `/outbox/${reset.id}`)).body
  expect(whole.text).toContain('/auth/reset-password?token=')
  for (const { ownerId, of } of [
    { ownerId: project.ownerId, of: project },
    { ownerId: other.ownerId, of: other },
  ]) {
    expect(await kindsSeen(ownerId, of)).not.toContain('ACCOUNT')
    expect((await as(ownerId, of, 'GET', `/outbox/${reset.id}`)).status).toBe(404)
  }
})

test('what was kept goes after a week, and with the project', async () => {
  const made = await makeProject(world)
  await world.ctx.sql`
    insert into outbox_mails (id, project_id, kind, audience, to_email, subject, content_sealed, created_at)
    select ${crypto.randomUUID()}::uuid, ${made.id}::uuid, kind, audience, to_email, subject, content_sealed, created_at
      from outbox_mails where kind = 'TEST' limit 1`
  const [{ count: before }] = (await world.ctx.sql`select count(*) from outbox_mails`) as unknown as [
    { count: number },
  ]
  expect(before).toBeGreaterThan(1)
  world.clock.advance(8 * day)
  await pruneOutbox(world.ctx)
  const [{ count }] = (await world.ctx.sql`select count(*) from outbox_mails`) as unknown as [
    { count: number },
  ]
  expect(count).toBe(0)
})
