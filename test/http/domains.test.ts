// The domain routes: claim, list, prove and drop.
import { describe, expect, test } from 'bun:test'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { minute } from '../../src/lib/time'
import { createCampaign } from '../../src/modules/features/campaigns/authoring/service/write'
import type { DomainAnswer } from '../../src/modules/sending/domains/model'
import { dkimKeyFor, requireVerifiedSender } from '../../src/modules/sending/domains/service'
import { createTemplate } from '../../src/modules/sending/templates/service'
import {
  add,
  addVerified,
  call,
  dkimOf,
  domainsWorld,
  key,
  publish,
  realName,
  signedIn,
  verify,
} from '../support/domains'
import { makeMember, makeProject } from '../support/make'

const world = domainsWorld()

describe('POST /domains', () => {
  test('answers the pending domain with the records to create', async () => {
    const domain = realName()
    const { status, body } = await call(world, 'POST', '/domains', {
      body: { domain: ` ${domain.toUpperCase()}. ` },
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ domain, verified: false, dkimTokens: null, projectId: world.project.id })
    expect(body.project).toEqual({ name: 'Test project' })
    expect(body.createdAt).toBe('2026-03-01T12:00:00.000Z')
    expect(body.records.map((each: { purpose: string }) => each.purpose)).toEqual(['dkim', 'spf', 'dmarc'])
    expect(dkimOf(body)).toMatchObject({
      type: 'TXT',
      name: `wx1._domainkey.${domain}`,
      required: true,
      status: 'pending',
    })
    expect(JSON.stringify(body)).not.toMatch(/private/i)
  })

  test.each<[string, (id: string) => unknown, number, string]>([
    ['the project of the key', id => ({ domain: 'a-shop.com', projectId: id }), 201, ''],
    ['its id in capitals', id => ({ domain: 'b-shop.com', projectId: id.toUpperCase() }), 201, ''],
    [
      'another project',
      () => ({ domain: 'c-shop.com', projectId: crypto.randomUUID() }),
      404,
      'RESOURCE_NOT_FOUND',
    ],
    ['a project that is no id', () => ({ domain: 'd-shop.com', projectId: 'x' }), 422, 'VALIDATION_ERROR'],
    ['no domain', () => ({}), 422, 'VALIDATION_ERROR'],
    ['no text', () => ({ domain: 7 }), 422, 'VALIDATION_ERROR'],
    ['no dotted name', () => ({ domain: 'localhost' }), 422, 'VALIDATION_ERROR'],
    ['an address', () => ({ domain: 'me@shop.com' }), 422, 'VALIDATION_ERROR'],
    ['an over-long name', () => ({ domain: `${'abcdefghi.'.repeat(30)}com` }), 422, 'VALIDATION_ERROR'],
  ])('%s', async (_, body, status, code) => {
    const answer = await call(world, 'POST', '/domains', { body: body(world.project.id) })
    expect(answer.status).toBe(status)
    if (status !== 201) expect(answer.body.error.code).toBe(code)
    if (status === 422) expect(answer.body.error.errors[0].field).toMatch(/^(domain|projectId)$/)
  })

  test('a second time in one project is 400, in any spelling', async () => {
    await add(world, 'bücher-shop.com')
    for (const domain of ['BÜCHER-shop.com', 'xn--bcher-shop-9db.com.']) {
      const answer = await call(world, 'POST', '/domains', { body: { domain } })
      expect(answer.status).toBe(400)
      expect(answer.body.error.code).toBe('BAD_REQUEST')
    }
  })

  test('twice in the same moment is one domain', async () => {
    const domain = realName()
    const answers = await Promise.all(
      [1, 2, 3].map(() => call(world, 'POST', '/domains', { body: { domain } })),
    )
    expect(answers.map(answer => answer.status).toSorted()).toEqual([201, 400, 400])
    expect((await call(world, 'GET', `/domains/project/${world.project.id}`)).body).toHaveLength(1)
  })

  test('root and sub-domain are two domains', async () => {
    const domain = realName()
    await add(world, domain)
    await add(world, `mail.${domain}`)
  })

  test('a pending claim blocks nobody, a verified one does', async () => {
    const other = await makeProject(world)
    const domain = realName()
    await add(world, domain, { as: key(other) })
    const mine = await addVerified(world, domain)
    const third = await makeProject(world)
    const refused = await call(world, 'POST', '/domains', { body: { domain }, as: key(third) })
    expect(refused.status).toBe(403)
    expect(refused.body.error.code).toBe('FORBIDDEN')
    await call(world, 'DELETE', `/domains/${mine.id}`)
    await add(world, domain, { as: key(third) })
  })

  test('OWNER, ADMIN and the key may add, a MEMBER may not', async () => {
    const member = await signedIn(world, await makeMember(world, world.project.id, 'MEMBER'))
    const refused = await call(world, 'POST', '/domains', { body: { domain: realName() }, as: member })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN'])
    await add(world, realName(), {
      as: await signedIn(world, await makeMember(world, world.project.id, 'ADMIN')),
    })
  })

  test('a public key, a wrong key and no key get 401', async () => {
    for (const as of [
      { authorization: `Bearer ${world.project.publicKey}` },
      { authorization: 'Bearer sk_x' },
      {},
    ]) {
      const answer = await call(world, 'POST', '/domains', {
        body: { domain: realName() },
        as: as as Record<string, string>,
      })
      expect(answer.status).toBe(401)
    }
    expect((await call(world, 'GET', `/domains/project/${world.project.id}`)).body).toEqual([])
  })

  test('a disabled project may look but not add', async () => {
    await world.database
      .sql`update projects set disabled = true, disabled_reason = 'MANUAL' where id = ${world.project.id}`
    const answer = await call(world, 'POST', '/domains', { body: { domain: realName() } })
    expect([answer.status, answer.body.error.code]).toEqual([403, 'PROJECT_DISABLED'])
    expect((await call(world, 'GET', `/domains/project/${world.project.id}`)).status).toBe(200)
  })

  test('the private key is sealed in the database and belongs to the published one', async () => {
    const domain = realName()
    const added = await addVerified(world, domain)
    const [row] = await world.database.sql`select private_key as "sealed" from domains where id = ${added.id}`
    expect(row!['sealed']).not.toContain('PRIVATE')
    const { privateKey, selector } = (await dkimKeyFor(world.ctx, world.project.id, domain))!
    const derived = createPublicKey(createPrivateKey(privateKey)).export({ type: 'spki', format: 'der' })
    expect(dkimOf(added).value).toBe(`v=DKIM1; k=rsa; p=${derived.toString('base64')}`)
    expect(selector).toBe('wx1')
  })
})

describe('GET /domains/project/:projectId', () => {
  test('lists the own domains, newest first, as a bare array', async () => {
    const other = await makeProject(world)
    await add(world, realName(), { as: key(other) })
    const first = await add(world, realName())
    world.clock.advance(minute)
    const second = await add(world, realName())
    const member = await signedIn(world, await makeMember(world, world.project.id, 'MEMBER'))
    const { status, body } = await call(world, 'GET', `/domains/project/${world.project.id}`, { as: member })
    expect(status).toBe(200)
    expect(body.map((each: DomainAnswer) => each.id)).toEqual([second.id, first.id])
    expect(body[0].records).toHaveLength(3)
  })

  test('the id of another project is 404, what is no id 422', async () => {
    const other = await makeProject(world)
    expect((await call(world, 'GET', `/domains/project/${other.id}`)).status).toBe(404)
    expect((await call(world, 'GET', '/domains/project/nonsense')).status).toBe(422)
  })
})

test('GET /domains lists the own ones, whoever asks', async () => {
  const other = await makeProject(world)
  const first = await add(world, realName())
  const theirs = await add(world, realName(), { as: key(other) })
  const ids = async (options = {}): Promise<string[]> =>
    (await call(world, 'GET', '/domains', options)).body.map((each: DomainAnswer) => each.id)
  expect(await ids()).toContain(first.id)
  expect(await ids()).not.toContain(theirs.id)
  expect(await ids({ as: key(other) })).toEqual([theirs.id])
  const member = await signedIn(world, await makeMember(world, world.project.id, 'MEMBER'))
  expect(await ids({ as: member })).toEqual(await ids())
  expect((await call(world, 'GET', '/domains')).body).toEqual(
    (await call(world, 'GET', `/domains/project/${world.project.id}`)).body,
  )
})

describe('GET /domains/:id/verify', () => {
  test('flips both ways with the DNS record, and warns about the others', async () => {
    const added = await add(world, realName())
    expect((await verify(world, added.id)).body).toMatchObject({
      domain: added.domain,
      tokens: [],
      status: 'Pending',
      verified: false,
    })
    publish(world, added, 'unrelated')
    world.dns.set(added.domain, 'txt', 'v=spf1 mx ~all', 'v=spf1 -all')
    world.clock.advance(minute)
    const member = await signedIn(world, await makeMember(world, world.project.id, 'MEMBER'))
    const proven = await verify(world, added.id, { as: member })
    expect(proven.body).toMatchObject({ status: 'Success', verified: true })
    expect(proven.body.records.map((each: { status: string }) => each.status)).toEqual([
      'verified',
      'failed',
      'pending',
    ])
    const [listed] = (await call(world, 'GET', `/domains/project/${world.project.id}`)).body
    expect(listed).toMatchObject({ verified: true, updatedAt: '2026-03-01T12:01:00.000Z' })
    world.dns.set(dkimOf(added).name, 'txt', 'v=DKIM1; p=AAAA')
    expect((await verify(world, added.id)).body).toMatchObject({ status: 'Failed', verified: false })
  })

  test('an alias to the key verifies as well', async () => {
    const added = await add(world, realName())
    world.dns.set(dkimOf(added).name, 'cname', 'keys.provider.net')
    world.dns.set('keys.provider.net', 'txt', dkimOf(added).value)
    expect((await verify(world, added.id)).body.verified).toBe(true)
  })

  test('servers that do not answer change nothing', async () => {
    const proven = await addVerified(world, realName())
    const pending = await add(world, realName())
    world.dns.failAll('timeout')
    expect((await verify(world, proven.id)).body).toMatchObject({
      status: 'TemporaryFailure',
      verified: true,
    })
    expect((await verify(world, pending.id)).body).toMatchObject({
      status: 'TemporaryFailure',
      verified: false,
    })
    await requireVerifiedSender(world.ctx, world.project.id, `me@${proven.domain}`)
  })

  test('of two projects that prove the same name at once, one holds it and the other is told', async () => {
    const other = await makeProject(world)
    const domain = realName()
    const mine = await add(world, domain)
    const theirs = await add(world, domain, { as: key(other) })
    publish(world, mine, dkimOf(theirs).value)
    const answers = await Promise.all([verify(world, mine.id), verify(world, theirs.id, { as: key(other) })])
    expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 403])
    const holders = await world.database
      .sql`select project_id from domains where domain = ${domain} and verified`
    expect(holders).toHaveLength(1)
    const [holder, loser] = answers[0]!.status === 200 ? [mine, theirs] : [theirs, mine]
    const loserKey = loser === mine ? key(world.project) : key(other)
    publish(world, loser)
    expect(
      (await verify(world, holder.id, { as: loser === mine ? key(other) : key(world.project) })).body
        .verified,
    ).toBe(false)
    expect((await verify(world, loser.id, { as: loserKey })).body.verified).toBe(true)
  })

  test('another tenant, an unknown id and a text that is no id', async () => {
    const other = await makeProject(world)
    const theirs = await add(world, realName(), { as: key(other) })
    expect((await verify(world, theirs.id)).status).toBe(404)
    expect((await verify(world, crypto.randomUUID())).status).toBe(404)
    expect((await verify(world, 'nonsense')).status).toBe(422)
  })
})

describe('DELETE /domains/:id', () => {
  test('removes the domain, which may then be added again with another key', async () => {
    const added = await add(world, realName())
    expect(await call(world, 'DELETE', `/domains/${added.id}`)).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect((await call(world, 'DELETE', `/domains/${added.id}`)).status).toBe(404)
    const again = await add(world, added.domain)
    expect(dkimOf(again).value).not.toBe(dkimOf(added).value)
  })

  test('another tenant gets 404, no id 422, a MEMBER 403; the domain stays', async () => {
    const other = await makeProject(world)
    const added = await add(world, realName())
    const member = await signedIn(world, await makeMember(world, world.project.id, 'MEMBER'))
    expect((await call(world, 'DELETE', `/domains/${added.id}`, { as: key(other) })).status).toBe(404)
    expect((await call(world, 'DELETE', '/domains/nonsense')).status).toBe(422)
    expect((await call(world, 'DELETE', `/domains/${added.id}`, { as: member })).status).toBe(403)
    expect((await call(world, 'GET', `/domains/project/${world.project.id}`)).body).toHaveLength(1)
  })

  test('a domain that a template sends from is 409, its parent and other tenants are not concerned', async () => {
    const domain = 'bücher-mail.com'
    const used = await addVerified(world, domain)
    const child = await addVerified(world, `news.${domain}`)
    const other = await makeProject(world)
    const theirs = await add(world, 'elsewhere.com', { as: key(other) })
    const template = { name: 'n', subject: 's', body: '<p>b</p>', type: 'TRANSACTIONAL' as const }
    await createTemplate(world.ctx, world.project.id, { ...template, from: `Me@${domain.toUpperCase()}` })
    const refused = await call(world, 'DELETE', `/domains/${used.id}`)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFLICT'])
    expect((await call(world, 'DELETE', `/domains/${child.id}`)).status).toBe(200)
    expect((await call(world, 'DELETE', `/domains/${theirs.id}`, { as: key(other) })).status).toBe(200)
    await world.database.sql`delete from templates where project_id = ${world.project.id}`
    expect((await call(world, 'DELETE', `/domains/${used.id}`)).status).toBe(200)
  })

  test('a domain that an unfinished campaign sends from is 409 until the campaign is gone', async () => {
    const used = await addVerified(world, 'letters.com')
    const body = { name: 'n', subject: 's', body: 'b', from: 'me@letters.com', audienceType: 'ALL' as const }
    await createCampaign(world.ctx, world.project.id, body)
    const remove = () => call(world, 'DELETE', `/domains/${used.id}`)
    expect((await remove()).status).toBe(409)
    await world.database.sql`delete from campaigns where project_id = ${world.project.id}`
    expect((await remove()).status).toBe(200)
  })
})
