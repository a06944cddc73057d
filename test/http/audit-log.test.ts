// The audit log: every change is there with who made it, nothing is there without its change, and no secret is ever in it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { recordAudit } from '../../src/modules/accounts/projects/service'
import { signSession } from '../../src/modules/accounts/users/guard'
import { startDueCampaigns } from '../../src/modules/features/campaigns/sending/service/send'
import { addSandboxDomain } from '../../src/modules/sending/domains/service'
import { inTransaction } from '../../src/platform/context'
import { buildApp } from '../../src/server/app'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { type MadeProject, makeMember, makeProject, makeUser } from '../support/make'
import { type RequestOptions, request } from '../support/request'

let database: TestDatabase
let world: ReturnType<typeof openWorld>
beforeAll(async () => {
  database = await cloneDatabase()
  world = openWorld()
})
afterAll(() => database.drop())

function openWorld() {
  const base = testContext(database, { rateLimitPerMinute: 0 })
  const app = buildApp(base.ctx)
  return {
    ...base,
    call: (method: string, path: string, options?: RequestOptions) => request(app, method, path, options),
    cookieOf: async (userId: string) =>
      `waxwing_session=${await signSession(base.ctx, { userId, version: 1 })}`,
    project: () => makeProject(base, { onCreated: [addSandboxDomain] }),
    log: (project: MadeProject, query = '') =>
      request(app, 'GET', `/projects/${project.id}/audit-log${query}`, { key: project.secretKey }),
  }
}

/** Actions, oldest first. */
async function actions(project: MadeProject): Promise<string[]> {
  const { body } = await world.log(project, '?limit=100')
  return body.data.map((entry: { action: string }) => entry.action).reverse()
}

describe('what is recorded', () => {
  test('settings, by the user who changed them, with what was set', async () => {
    const project = await world.project()
    const admin = await makeMember(world, project.id, 'ADMIN')
    const cookie = await world.cookieOf(admin.id)
    await world.call('PATCH', `/users/@me/projects/${project.id}`, {
      cookie,
      body: { name: 'New', language: 'de' },
    })
    const { body } = await world.log(project)
    expect(body).toEqual({
      data: [
        {
          id: expect.any(String),
          actor: admin.id,
          actorEmail: admin.email,
          action: 'project.updated',
          subject: null,
          details: { name: 'New', language: 'de' },
          createdAt: world.clock.now().toISOString(),
        },
        expect.objectContaining({ action: 'project.created', actor: project.ownerId }),
      ],
      cursor: null,
      hasMore: false,
      total: 2,
    })
  })

  test('new keys and secrets, by the key that asked for them, and none of the secrets themselves', async () => {
    const project = await world.project()
    const path = `/users/@me/projects/${project.id}`
    const rotated = await world.call('POST', `${path}/rotate-webhook-secret`, { key: project.secretKey })
    const { body } = await world.call('POST', `${path}/regenerate-keys`, { key: project.secretKey })
    const log = await world.log({ ...project, secretKey: body.secret })
    expect(log.body.data.slice(0, 2)).toMatchObject([
      {
        action: 'project.keysRegenerated',
        actor: project.secretKey.slice(0, 11),
        actorEmail: null,
        details: null,
      },
      { action: 'project.webhookSecretRotated', actor: project.secretKey.slice(0, 11) },
    ])
    const rows = JSON.stringify(await world.ctx.sql`select * from audit_log where project_id = ${project.id}`)
    for (const secret of [
      project.secretKey,
      project.publicKey,
      body.secret,
      body.public,
      rotated.body.webhookSecret,
    ])
      expect(rows).not.toContain(secret.slice(0, 16))
  })

  test('domains that were added and removed', async () => {
    const project = await world.project()
    const key = project.secretKey
    const { body } = await world.call('POST', '/domains', { key, body: { domain: 'Mail.Acme.test' } })
    await world.call('DELETE', `/domains/${body.id}`, { key })
    const { body: log } = await world.log(project, '?limit=2')
    expect(log.data).toMatchObject([
      { action: 'domain.removed', subject: 'mail.acme.test', actor: key.slice(0, 11) },
      { action: 'domain.added', subject: 'mail.acme.test', actor: key.slice(0, 11) },
    ])
  })

  test('what people did to a campaign, and what happened to it by itself', async () => {
    const project = await world.project()
    const key = project.secretKey
    await world.call('POST', '/contacts', { key, body: { email: 'ada@example.com' } })
    const [{ domain }] = (await world.call('GET', `/domains/project/${project.id}`, { key })).body
    const draft = { name: 'News', subject: 'S', body: 'B', from: `me@${domain}`, audienceType: 'ALL' }
    const { body: created } = await world.call('POST', '/campaigns', { key, body: draft })
    const { id } = created.data
    const act = (action: string, body?: object) =>
      world.call('POST', `/campaigns/${id}/${action}`, { key, body })
    const scheduledFor = new Date(world.clock.now().getTime() + 60_000).toISOString()
    await act('send', { scheduledFor })
    expect((await act('pause')).status).toBe(409)
    world.clock.advance(60_000)
    await startDueCampaigns(world.ctx)
    await act('pause')
    await act('resume')
    await act('cancel')
    const { body } = await world.log(project, '?limit=5')
    const by = key.slice(0, 11)
    expect(body.data.reverse()).toMatchObject([
      { action: 'campaign.scheduled', actor: by, subject: id, details: { name: 'News', scheduledFor } },
      {
        action: 'campaign.sent',
        actor: 'system',
        subject: id,
        details: { name: 'News', totalRecipients: 1 },
      },
      { action: 'campaign.paused', actor: by, subject: id },
      { action: 'campaign.resumed', actor: by, subject: id },
      { action: 'campaign.cancelled', actor: by, subject: id },
    ])
  })

  test('nothing of what was refused', async () => {
    const project = await world.project()
    const key = project.secretKey
    const member = await makeMember(world, project.id, 'MEMBER')
    const cookie = await world.cookieOf(member.id)
    const body = { name: 'New' }
    expect((await world.call('PATCH', `/users/@me/projects/${project.id}`, { cookie, body })).status).toBe(
      403,
    )
    await world.call('POST', '/domains', { key, body: { domain: 'twice.test' } })
    expect((await world.call('POST', '/domains', { key, body: { domain: 'twice.test' } })).status).toBe(400)
    expect(await actions(project)).toEqual(['project.created', 'domain.added'])
  })

  test('nothing of a change that was rolled back', async () => {
    const project = await world.project()
    const attempt = inTransaction(world.ctx, async tx => {
      await recordAudit(tx, { projectId: project.id, actor: 'system', action: 'project.suspended' })
      throw new Error('broken')
    })
    await expect(attempt).rejects.toThrow('broken')
    expect(await actions(project)).toEqual(['project.created'])
  })

  test('texts of any length and content, cut to their bounds', async () => {
    const project = await world.project()
    await recordAudit(world.ctx, {
      projectId: project.id,
      actor: 'system',
      action: 'suppression.added',
      subject: `${'x'.repeat(299)}\u{1f600}`,
      details: { note: `\0\ud800${'y'.repeat(600)}`, count: 3, left: null },
    })
    const { body } = await world.log(project, '?limit=1')
    expect(body.data[0]).toMatchObject({
      subject: 'x'.repeat(299),
      details: { note: `\ufffd${'y'.repeat(499)}`, count: 3, left: null },
    })
  })
})

describe('reading it', () => {
  test('goes page by page, newest first, and can be narrowed to one action', async () => {
    const project = await world.project()
    for (let index = 0; index < 5; index++) {
      world.clock.advance(1000)
      const action = index % 2 ? 'domain.added' : 'domain.removed'
      await recordAudit(world.ctx, { projectId: project.id, actor: 'system', action, subject: String(index) })
    }
    const first = (await world.log(project, '?limit=3')).body
    expect(first).toMatchObject({ hasMore: true, total: 6 })
    const second = (await world.log(project, `?limit=3&cursor=${first.cursor}`)).body
    expect(second).toMatchObject({ hasMore: false, cursor: null, total: 0 })
    const subjects = [...first.data, ...second.data].map(entry => entry.subject)
    expect(subjects).toEqual(['4', '3', '2', '1', '0', null])
    const added = (await world.log(project, '?action=domain.added')).body
    expect(added.data.map((entry: { subject: string }) => entry.subject)).toEqual(['3', '1'])
    expect(added.total).toBe(2)
  })

  test('is for administrators of the project', async () => {
    const project = await world.project()
    const stranger = await makeUser(world)
    const path = `/projects/${project.id}/audit-log`
    const member = await makeMember(world, project.id, 'MEMBER')
    const status = async (id: string) =>
      (await world.call('GET', path, { cookie: await world.cookieOf(id) })).status
    expect(await status(project.ownerId)).toBe(200)
    expect(await status(member.id)).toBe(403)
    expect(await status(stranger.id)).toBe(404)
    expect((await world.call('GET', path, { key: (await world.project()).secretKey })).status).toBe(404)
    expect((await world.call('GET', path)).status).toBe(401)
  })

  test('refuses an unknown action and a broken cursor with 400', async () => {
    const project = await world.project()
    expect((await world.log(project, '?action=domain.eaten')).status).toBe(400)
    expect((await world.log(project, '?cursor=nonsense')).status).toBe(400)
  })
})
