// How a project stands, and what a suspension does: to its mail, its campaigns, its members, and how it ends.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { sessionCookieName } from '../../src/http/guard'
import { day, hour } from '../../src/lib/time'
import type { SendResult } from '../../src/mail/message'
import { signSession } from '../../src/modules/accounts/users/guard'
import { reinstateProject, reviewProject, suspendProject } from '../../src/modules/oversight/security/service'
import { emailKinds } from '../../src/modules/sending/emails/kinds'
import { rollUpEmailCounts } from '../../src/modules/sending/emails/service'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { buildApp } from '../../src/server/app'
import { campaignWorld } from '../support/campaigns'
import { makeMember, makeProject, makeUser } from '../support/make'
import { type Answer, request } from '../support/request'
import { makeWorld, parse, type World } from '../support/world'

let world: World
let app: AnyElysia
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
beforeEach(async () => {
  world.mail.clear()
  await world.ctx.sql`delete from jobs`
  world.project = await world.newProject()
})
afterAll(() => world.close())

const unknownUser: SendResult = {
  outcome: 'refused',
  blame: 'address',
  response: '550 5.1.1 no such user',
  code: 550,
  stage: 'rcpt',
}

const call = (method: string, path: string, options: object = {}): Promise<Answer> =>
  request(app, method, path, { key: world.project.secretKey, ...options })
const security = async () => (await call('GET', `/users/@me/projects/${world.project.id}/security`)).body
const age = (ms: number) =>
  world.ctx
    .sql`update projects set created_at = created_at - make_interval(secs => ${ms / 1000}) where id = ${world.project.id}`

/** Messages of the past, as the ledger counts them. */
const past = (
  { created, bounced = 0, complained = 0 }: { created: number; bounced?: number; complained?: number },
  agoMs = 0,
  isSimulated = false,
) => {
  const at = new Date(world.clock.now().getTime() - agoMs)
  return world.ctx.sql`
    insert into email_day_deltas (project_id, hour, source_type, is_simulated, created, bounced, complained)
    values (${world.project.id}, date_trunc('hour', ${at}::timestamptz, 'UTC'), 'TRANSACTIONAL', ${isSimulated}, ${created},
            ${bounced}, ${complained})`
}

const state = async () => {
  const [row] = await world.ctx.sql`
    select disabled, disabled_reason as reason,
           (select count(*)::int from project_suspensions s where s.project_id = p.id) as suspensions,
           (select count(*)::int from audit_log a where a.project_id = p.id and a.action = 'project.suspended') as noted
      from projects p where id = ${world.project.id}`
  return row
}
const suspended = { disabled: true, reason: 'EMAIL_REPUTATION', suspensions: 1, noted: 1 }
const letters = () => world.mail.sent.filter(sent => Buffer.from(sent.raw).includes('was suspended'))
const suspend = () =>
  suspendProject(world.ctx, { projectId: world.project.id, reason: 'MANUAL', findings: [], actor: 'test' })

describe('GET security', () => {
  test('is all zeros and healthy for a new project', async () => {
    const zero = { total: 0, bounces: 0, complaints: 0, bounceRate: 0, complaintRate: 0 }
    expect(await security()).toMatchObject({
      status: {
        projectId: world.project.id,
        isHealthy: true,
        shouldDisable: false,
        twentyFourHour: zero,
        sevenDay: zero,
        allTime: zero,
        isNewProject: true,
        violations: [],
        warnings: [],
        countedSince: null,
      },
      levels: {
        bounce7Day: 'healthy',
        bounceAllTime: 'healthy',
        complaint7Day: 'healthy',
        complaintAllTime: 'healthy',
      },
      isDisabled: false,
      disabledReason: null,
      suspensions: [],
    })
  })

  test('is the same under the other address, for members as well', async () => {
    const member = await makeMember(world, world.project.id, 'MEMBER')
    const token = await signSession(world.ctx, { userId: member.id, version: member.sessionVersion })
    const { status, body } = await call('GET', `/projects/${world.project.id}/security`, {
      key: undefined,
      cookie: `${sessionCookieName}=${token}`,
    })
    expect(status).toBe(200)
    expect(body).toEqual(await security())
  })

  test('shows the thresholds it judges by', async () => {
    const { thresholds } = await security()
    expect(thresholds.rates.bounce7Day).toEqual({
      window: 'sevenDay',
      kind: 'bounces',
      minimumTotal: 100,
      warning: { percent: 5, count: 5 },
      critical: { percent: 10, count: 10 },
    })
    expect(thresholds.ceilingsOfNewProjects).toHaveLength(4)
    expect(thresholds.disablesAutomatically).toBe(true)
  })

  test('counts each span, rolled up or not, and leaves out the simulator', async () => {
    await past({ created: 200, bounced: 3 })
    await past({ created: 300, bounced: 2, complained: 1 }, 3 * day)
    await past({ created: 500, bounced: 10 }, 20 * day)
    await past({ created: 400, bounced: 400 }, 0, true)
    const expected = {
      twentyFourHour: { total: 200, bounces: 3, complaints: 0, bounceRate: 1.5, complaintRate: 0 },
      sevenDay: { total: 500, bounces: 5, complaints: 1, bounceRate: 1, complaintRate: 0.2 },
      allTime: { total: 1_000, bounces: 15, complaints: 1, bounceRate: 1.5, complaintRate: 0.1 },
    }
    expect((await security()).status).toMatchObject(expected)
    await rollUpEmailCounts(world.ctx)
    expect((await security()).status).toMatchObject(expected)
  })

  test('is not found for another project, and needs credentials', async () => {
    const other = await world.newProject()
    expect((await call('GET', `/projects/${other.id}/security`)).status).toBe(404)
    expect((await call('GET', `/projects/${world.project.id}/security`, { key: undefined })).status).toBe(401)
    expect((await call('GET', '/projects/nonsense/security')).status).toBe(422)
  })
})

describe('after a hard bounce', () => {
  const bounce = async (): Promise<void> => {
    world.mail.script(unknownUser)
    await world.sendOne({ to: `gone-${world.mail.attempts.length}@example.com` })
    await world.drain()
  }

  test('a project beyond the threshold is suspended, with one mail to each member', async () => {
    const name = 'Free prize! "Click"'
    await world.ctx.sql`update projects set name = ${name} where id = ${world.project.id}`
    const member = await makeMember(world, world.project.id, 'MEMBER')
    await past({ created: 100, bounced: 11 })
    await bounce()
    expect(await state()).toMatchObject(suspended)
    expect(await world.ctx.metrics.registry.metrics()).toContain(
      'waxwing_project_suspensions_total{reason="EMAIL_REPUTATION"} 1',
    )
    const owner = await world.ctx.sql`select email from users where id = ${world.project.ownerId}`
    expect(
      letters()
        .map(letter => letter.envelope.to)
        .sort(),
    ).toEqual([owner[0]!.email, member.email].sort())
    // The name is anybody's choice, and must not be taken for words of ours.
    const told = (await Promise.all(letters().map(parse))).map(({ subject, text }) => [subject, text])
    const said = `The project "Free prize! 'Click'" was suspended`
    for (const [subject, text] of told) expect([subject, text?.split(' because ')[0]]).toEqual([said, said])
    const { isDisabled, disabledReason, suspensions } = await security()
    expect([isDisabled, disabledReason]).toEqual([true, 'EMAIL_REPUTATION'])
    expect(suspensions).toEqual([
      {
        reason: 'EMAIL_REPUTATION',
        at: world.clock.now().toISOString(),
        liftedAt: null,
        findings: [expect.stringContaining('critical from 10 % on'), expect.stringContaining('of all time')],
      },
    ])
    const refused = await world.send({ to: 'ada@example.com' })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'PROJECT_DISABLED'])
  })

  test('a project that is only warned goes on', async () => {
    await age(40 * day)
    await past({ created: 99, bounced: 5 })
    await bounce()
    expect(await state()).toMatchObject({ disabled: false, suspensions: 0 })
    expect((await security()).status.warnings).toHaveLength(2)
  })

  test('an old project is judged by rates, a new one by ceilings too', async () => {
    await past({ created: 10_000, bounced: 25 })
    await age(31 * day)
    await reviewProject(world.ctx, world.project.id)
    expect((await state())!.disabled).toBe(false)
    await age(-31 * day)
    await reviewProject(world.ctx, world.project.id)
    expect((await state())!.disabled).toBe(true)
  })

  test('mail to the simulator suspends nobody', async () => {
    await past({ created: 1_000, bounced: 900 }, 0, true)
    await reviewProject(world.ctx, world.project.id)
    expect((await state())!.disabled).toBe(false)
  })

  test('nothing is done where AUTO_PROJECT_DISABLE is off', async () => {
    await past({ created: 100, bounced: 50 })
    const ctx = { ...world.ctx, config: { ...world.ctx.config, autoProjectDisable: false } }
    await reviewProject(ctx, world.project.id)
    expect((await state())!.disabled).toBe(false)
    expect((await security()).status.shouldDisable).toBe(true)
  })

  test('many at once suspend it once, with one mail a member', async () => {
    await past({ created: 100, bounced: 40 })
    for (let n = 0; n < 20; n++) await enqueue(world.ctx, emailKinds.review, { projectId: world.project.id })
    await Promise.all([
      world.drain(),
      world.drain(),
      ...Array.from({ length: 10 }, () => reviewProject(world.ctx, world.project.id)),
    ])
    await world.drain()
    expect(await state()).toMatchObject(suspended)
    expect(letters()).toHaveLength(1)
  })
})

describe('a suspended project', () => {
  test('has its waiting mail ended with the reason, and its counts', async () => {
    world.mail.always({ outcome: 'deferred', response: '451 later', code: 451 })
    const id = await world.sendOne()
    await world.drain()
    expect((await world.email(id)).status).toBe('PENDING')
    const fresh = await world.sendOne({ to: 'grace@example.com' })
    world.mail.clear()
    await suspend()
    await world.drain()
    for (const one of [id, fresh])
      expect(await world.email(one)).toMatchObject({
        status: 'FAILED',
        error: 'project is disabled',
        nextAttemptAt: null,
      })
    const jobs = await world.ctx.sql`
      select from jobs where project_id = ${world.project.id} and state = 'queued' and kind like 'email.%'`
    expect(jobs).toHaveLength(0)
    world.clock.advance(day)
    await world.drain()
    expect(world.mail.sent.filter(sent => !Buffer.from(sent.raw).includes('was suspended'))).toEqual([])
    const [counted] = await world.ctx.sql`
      select sum(failed)::int as failed from email_day_deltas where project_id = ${world.project.id}`
    expect(counted!.failed).toBe(2)
  })

  test('has its running campaign ended as SENT with what has left', async () => {
    const on = await campaignWorld(world)
    world.project = on.project
    await on.contacts(5)
    const id = await on.draft()
    let left = 0
    world.mail.always(() =>
      ++left <= 2
        ? { outcome: 'accepted', delivered: true, response: '250 ok' }
        : { outcome: 'deferred', response: '451 later', code: 451, stage: 'rcpt' },
    )
    await on.send(id)
    await on.drain()
    await suspend()
    await on.drain()
    const { status } = (await on.call('GET', `/campaigns/${id}`)).body
    expect(status).toBe('SENT')
    expect(await on.stats(id)).toMatchObject({ sentCount: 2, failedCount: 3 })
    const recipients = await on.recipients(id)
    expect(recipients.filter(one => one['status'] === 'FAILED').map(one => one['lastError'])).toEqual(
      Array(3).fill('project is disabled'),
    )
  })

  test('sends hardly more of a batch that was already taken', async () => {
    const on = await campaignWorld(world)
    world.project = on.project
    await on.contacts(90)
    const id = await on.draft()
    let left = 0
    let suspended: Promise<boolean> | undefined
    world.mail.always(async () => {
      // The relay is slow enough for the suspension to come in between.
      if (++left === 3) suspended = suspend()
      await suspended
      return { outcome: 'accepted', delivered: true, response: '250 ok' }
    })
    await on.send(id)
    await on.drain()
    world.clock.advance(hour)
    await on.drain()
    const letter = 1
    expect(world.mail.sent.length - letter).toBeLessThan(60)
    const { sentCount, failedCount, skippedCount } = await on.stats(id)
    expect(sentCount).toBe(world.mail.sent.length - letter)
    expect(sentCount + failedCount + skippedCount).toBe(90)
    expect((await on.call('GET', `/campaigns/${id}`)).body.status).toBe('SENT')
  })

  test('has a paused or half-expanded campaign ended, too', async () => {
    const on = await campaignWorld(world)
    world.project = on.project
    await on.contacts(3)
    const paused = await on.draft()
    await on.send(paused)
    await on.call('POST', `/campaigns/${paused}/pause`)
    const starting = await on.draft()
    await on.send(starting)
    await suspend()
    await on.drain()
    for (const id of [paused, starting]) {
      expect((await on.call('GET', `/campaigns/${id}`)).body).toMatchObject({ status: 'SENT', sentCount: 0 })
    }
    expect(world.mail.sent.filter(sent => !Buffer.from(sent.raw).includes('was suspended'))).toEqual([])
  })

  test('does not start what it scheduled', async () => {
    const on = await campaignWorld(world)
    world.project = on.project
    await on.contacts(1)
    const id = await on.draft()
    await on.send(id, new Date(world.clock.now().getTime() + hour).toISOString())
    await suspend()
    world.clock.advance(2 * hour)
    await on.sweep()
    await on.drain()
    expect((await on.call('GET', `/campaigns/${id}`)).body.status).toBe('CANCELLED')
  })

  test('keeps its members from creating other projects', async () => {
    const owner = await makeUser(world)
    world.project = await makeProject(world, { ownerId: owner.id })
    const token = await signSession(world.ctx, { userId: owner.id, version: owner.sessionVersion })
    await suspend()
    const refused = await call('POST', '/users/@me/projects', {
      key: undefined,
      cookie: `${sessionCookieName}=${token}`,
      body: { name: 'Another' },
    })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'PROJECT_DISABLED'])
  })

  test('can be neither reset nor deleted', async () => {
    await suspend()
    const refused = [
      await call('POST', `/users/@me/projects/${world.project.id}/reset`),
      await call('DELETE', `/users/@me/projects/${world.project.id}`),
    ]
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(
      Array(2).fill([403, 'PROJECT_DISABLED']),
    )
  })

  test('is let go on by hand, and its figures begin anew', async () => {
    await past({ created: 100, bounced: 40 })
    await reviewProject(world.ctx, world.project.id)
    expect((await state())!.disabled).toBe(true)
    world.clock.advance(hour)
    expect(await reinstateProject(world.ctx, world.project.id, 'test', 'PAYMENT_FAILED')).toBe(false)
    expect((await state())!.disabled).toBe(true)
    expect(await reinstateProject(world.ctx, world.project.id, 'test')).toBe(true)
    expect(await reinstateProject(world.ctx, world.project.id, 'test')).toBe(false)
    await reviewProject(world.ctx, world.project.id)
    const { isDisabled, disabledReason, suspensions, status } = await security()
    expect([isDisabled, disabledReason, status.isHealthy]).toEqual([false, null, true])
    expect(status.countedSince).toBe(world.clock.now().toISOString())
    expect(suspensions).toMatchObject([{ liftedAt: world.clock.now().toISOString() }])
    await world.sendOne()
    world.clock.advance(2 * day)
    await past({ created: 100, bounced: 30 })
    await reviewProject(world.ctx, world.project.id)
    expect(await state()).toMatchObject({ disabled: true, suspensions: 2 })
  })

  test('is suspended once, whoever comes second', async () => {
    expect(await Promise.all([suspend(), suspend(), suspend()])).toContainAllValues([true, false, false])
    expect((await state())!.suspensions).toBe(1)
  })
})
