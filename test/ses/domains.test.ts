// Sender domains where SES signs: its tokens are the records, its word decides, and what nobody claims is given back.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { day } from '../../src/lib/time'
import { suspendProject } from '../../src/modules/oversight/security/service'
import { domainRoutes } from '../../src/modules/sending/domains/routes'
import { dropDomainsOf, dropStaleClaims } from '../../src/modules/sending/domains/service'
import { type Context, inTransaction } from '../../src/platform/context'
import { memoryTransport } from '../../src/platform/transports/memory'
import { severalTransports } from '../../src/platform/transports/several/several'
import { buildApp } from '../../src/server/app'
import { jobHandlers } from '../../src/server/jobs'
import { domainsWorld, key, realName } from '../support/domains'
import { drain } from '../support/drain'
import { type MadeProject, makeProject } from '../support/make'
import { type Answer, request } from '../support/request'
import { type SesServer, startSes, transportTo } from '../support/ses'
import { until } from '../support/until'

const world = domainsWorld()
let ses: SesServer
let ctx: Context
beforeEach(() => {
  ses = startSes()
  const { region, ...mail } = { region: 'eu-central-1', ...transportTo(ses.url) }
  const config = { ...world.ctx.config, mailTransport: 'ses' as const, ses: { region } }
  ctx = { ...world.ctx, config, mail }
})
afterEach(async () => {
  await ctx.mail.close()
  ses.stop()
})

const call = (
  method: string,
  path: string,
  body?: object,
  of: MadeProject = world.project,
): Promise<Answer> =>
  request(buildApp(ctx, [domainRoutes]), method, path, { headers: key(of), ...(body ? { body } : {}) })
const verify = async (id: string, of?: MadeProject) =>
  (await call('GET', `/domains/${id}/verify`, undefined, of)).body
const succeed = (domain: string): void =>
  void Object.assign(ses.identities.get(domain)!, { status: 'SUCCESS' })
const work = () => drain(ctx, jobHandlers(ctx))

async function add(domain: string, of?: MadeProject): Promise<Answer['body']> {
  const { status, body } = await call('POST', '/domains', { domain }, of)
  expect(status).toBe(201)
  return body
}

test('a new domain answers the three CNAME records of SES', async () => {
  const domain = realName()
  const { dkimTokens, records, verified } = await add(domain)
  expect(verified).toBe(false)
  expect(dkimTokens).toEqual(ses.identities.get(domain)!.tokens)
  expect(records.filter((record: { purpose: string }) => record.purpose === 'dkim')).toEqual(
    dkimTokens.map((token: string) => ({
      type: 'CNAME',
      name: `${token}._domainkey.${domain}`,
      value: `${token}.dkim.eu-central-1.amazonses.com`,
      purpose: 'dkim',
      required: true,
      status: 'pending',
    })),
  )
  expect(records.find((record: { purpose: string }) => record.purpose === 'spf').value).toContain(
    'amazonses.com',
  )
})

test('GET /config names the region', async () => {
  expect((await call('GET', '/config')).body.aws.sesRegion).toBe('eu-central-1')
})

test('SES decides when it is verified, and when no longer', async () => {
  const domain = realName()
  const { id, dkimTokens } = await add(domain)
  expect(await verify(id)).toMatchObject({ status: 'Pending', verified: false, tokens: dkimTokens })
  succeed(domain)
  expect(await verify(id)).toMatchObject({ status: 'Success', verified: true })
  // Bounces are reported through SNS; nobody needs them as mail.
  expect(ses.identities.get(domain)!.forwards).toBe(false)
  ses.identities.get(domain)!.status = 'TEMPORARY_FAILURE'
  expect(await verify(id)).toMatchObject({ status: 'TemporaryFailure', verified: true })
  ses.identities.get(domain)!.status = 'PENDING'
  expect(await verify(id)).toMatchObject({ status: 'Pending', verified: false })
})

test('a verification that SES has given up is started again', async () => {
  const domain = realName()
  const { id } = await add(domain)
  ses.identities.get(domain)!.status = 'FAILED'
  expect(await verify(id)).toMatchObject({ status: 'Failed', verified: false })
  expect(await verify(id)).toMatchObject({ status: 'Pending' })
})

test('an identity that is gone is made again, with its new tokens', async () => {
  const domain = realName()
  const { id, dkimTokens } = await add(domain)
  ses.identities.clear()
  const { tokens, verified } = await verify(id)
  expect(verified).toBe(false)
  expect(tokens).toEqual(ses.identities.get(domain)!.tokens)
  expect(tokens).not.toEqual(dkimTokens)
})

test('nothing changes while SES does not answer, and nothing is claimed', async () => {
  const domain = realName()
  const { id } = await add(domain)
  succeed(domain)
  await verify(id)
  ses.script({ status: 500, type: 'InternalServiceErrorException', message: 'oops' })
  expect(await verify(id)).toMatchObject({ status: 'TemporaryFailure', verified: true })
  ses.script({ status: 403, type: 'AccessDeniedException', message: 'arn:aws:iam::1:user/x may not' })
  const refused = await call('POST', '/domains', { domain: realName() })
  expect([refused.status, refused.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect(JSON.stringify(refused.body)).not.toContain('arn:')
  expect((await call('GET', `/domains/project/${world.project.id}`)).body).toHaveLength(1)
})

test('a removed domain is given back to SES', async () => {
  const domain = realName()
  const { id } = await add(domain)
  expect((await call('DELETE', `/domains/${id}`)).status).toBe(200)
  await work()
  expect(ses.identities.has(domain)).toBe(false)
})

test('a claim that nobody proved in time is given back as well', async () => {
  const domain = realName()
  await add(domain)
  world.clock.advance(31 * day)
  expect(await dropStaleClaims(ctx)).toBe(1)
  await work()
  expect(ses.identities.has(domain)).toBe(false)
})

test('a deleted project gives its domains back', async () => {
  const domain = realName()
  await add(domain)
  await inTransaction(ctx, tx => dropDomainsOf(tx, world.project.id))
  await work()
  expect(ses.identities.has(domain)).toBe(false)
})

test('what another project claims, too, stays', async () => {
  const domain = realName()
  const { id } = await add(domain)
  await add(domain, await makeProject(world))
  await call('DELETE', `/domains/${id}`)
  await work()
  expect(ses.identities.has(domain)).toBe(true)
})

describe('an identity that somebody else made in the account', () => {
  test('is never deleted, and proves nothing by itself', async () => {
    const domain = realName()
    ses.identities.set(domain, { tokens: ['x', 'y', 'z'], status: 'SUCCESS', tags: [], forwards: true })
    const added = await add(domain)
    expect(await verify(added.id)).toMatchObject({ status: 'Pending', verified: false })
    const own = added.records.find(
      (record: { type: string; purpose: string }) => record.type === 'TXT' && record.purpose === 'dkim',
    )
    expect(own.required).toBe(true)
    world.dns.set(own.name, 'txt', own.value)
    expect(await verify(added.id)).toMatchObject({ status: 'Success', verified: true })
    await call('DELETE', `/domains/${added.id}`)
    await work()
    expect(ses.identities.has(domain)).toBe(true)
  })
})

describe('two projects that claim one name', () => {
  test('need their own keys in the DNS, because the tokens are the same for both', async () => {
    const domain = realName()
    const rightful = await add(domain)
    const squatter = await makeProject(world)
    const squatted = await add(domain, squatter)
    succeed(domain)
    expect(await verify(squatted.id, squatter)).toMatchObject({ verified: false })
    const { records } = await verify(rightful.id)
    const own = records.find(
      (record: { type: string; purpose: string }) => record.type === 'TXT' && record.purpose === 'dkim',
    )
    world.dns.set(own.name, 'txt', own.value)
    expect(await verify(squatted.id, squatter)).toMatchObject({ verified: false })
    expect(await verify(rightful.id)).toMatchObject({ verified: true })
    // Even when the rightful one goes, what it proved is not inherited.
    await call('DELETE', `/domains/${rightful.id}`)
    await work()
    expect(await verify(squatted.id, squatter)).toMatchObject({ verified: false })
  })

  test('are told of each other however close they come', async () => {
    const domain = realName()
    const projects = [world.project, await makeProject(world), await makeProject(world)]
    const added = await Promise.all(projects.map(project => add(domain, project)))
    succeed(domain)
    for (const [n, { id }] of added.entries()) expect((await verify(id, projects[n])).verified).toBe(false)
  })
})

describe('the calls of several projects', () => {
  test('go on while SES hangs over a domain of one', async () => {
    const [hanging, other] = [realName(), await makeProject(world)]
    const { id } = await add(hanging)
    ses.hang(hanging)
    const stuck = Array.from({ length: 5 }, () => verify(id).catch(() => undefined))
    const askedOfHanging = () => ses.asked.filter(path => path.includes(hanging)).length
    await until('the first of them hangs', () => askedOfHanging() === 2)
    const first = [
      add(realName(), other).then(() => 'the other one'),
      ...stuck.map(call => call.then(() => 'stuck')),
    ]
    expect(await Promise.race(first)).toBe('the other one')
    expect(askedOfHanging()).toBe(2)
    ses.stop()
    await Promise.all(stuck)
  })

  test('take turns, however many one of them makes', async () => {
    const other = await makeProject(world)
    const { id } = await add(realName())
    ses.delay(20)
    const many = Array.from({ length: 40 }, () => verify(id))
    await Bun.sleep(50)
    const before = ses.asked.length
    const domain = realName()
    await add(domain, other)
    const last = ses.asked.indexOf(`GET /v2/email/identities/${domain}`)
    expect(last - before).toBeLessThan(8)
    for (const answer of await Promise.all(many)) expect(answer.status).toBe('Pending')
  })

  test('wait together while the account is throttled, and all come through', async () => {
    const { id } = await add(realName())
    const throttled = { status: 429, type: 'TooManyRequestsException', message: 'Rate exceeded' }
    ses.script(...Array.from({ length: 3 }, () => throttled))
    const projects = await Promise.all(Array.from({ length: 4 }, () => makeProject(world)))
    await Promise.all([verify(id), ...projects.map(project => add(realName(), project))])
  })
})

test('nothing under the registered name of a suspended project can be claimed elsewhere', async () => {
  const domain = realName()
  const { id } = await add(`mail.${domain}`)
  succeed(`mail.${domain}`)
  expect((await verify(id)).verified).toBe(true)
  const other = await makeProject(world)
  await suspendProject(ctx, { projectId: world.project.id, reason: 'MANUAL', findings: [], actor: 'test' })
  for (const name of [domain, `mail.${domain}`, `news.${domain}`]) {
    const refused = await call('POST', '/domains', { domain: name }, other)
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN'])
  }
  await add(`x${domain}`, other)
})

describe('where SES is one of several transports', () => {
  const list: NonNullable<Context['config']['transports']> = [
    { name: 'ses', kind: 'ses' },
    { name: 'spare', kind: 'smtp', target: 'smtp://127.0.0.1:2525' },
  ]
  const addSpare = (): void => {
    const [ses, spare] = list.map(entry => entry)
    const mail = severalTransports(
      [
        { entry: ses!, transport: ctx.mail },
        { entry: spare!, transport: memoryTransport() },
      ],
      ctx.clock,
    )
    ctx = { ...ctx, mail, config: { ...ctx.config, transports: list } }
  }
  const ownRecord = (body: Answer['body']) =>
    body.records.find(({ name }: { name: string }) => name.startsWith('wx1._domainkey.'))

  test('a new domain proves the tokens of SES, and the key that signs for the other', async () => {
    addSpare()
    const domain = realName()
    const added = await add(domain)
    expect(ownRecord(added)).toMatchObject({ type: 'TXT', required: true, status: 'pending' })
    succeed(domain)
    expect(await verify(added.id)).toMatchObject({ verified: false })
    world.dns.set(ownRecord(added).name, 'txt', ownRecord(added).value)
    expect(await verify(added.id)).toMatchObject({ verified: true, status: 'Success' })
    // The key can be replaced, as with a relay alone.
    expect((await call('POST', `/domains/${added.id}/dkim/rotate`)).status).toBe(200)
  })

  test('one that SES verified before stays verified, and its page names the other record', async () => {
    const domain = realName()
    const added = await add(domain)
    succeed(domain)
    expect(await verify(added.id)).toMatchObject({ verified: true })
    expect(ownRecord(added)).toBeUndefined()
    addSpare()
    const after = await verify(added.id)
    expect(after).toMatchObject({ verified: true })
    expect(ownRecord(after)).toMatchObject({ required: false })
    const { body } = await call('GET', `/domains/${added.id}/health`)
    expect(body.findings.filter(({ code }: { code: string }) => code === 'dkim.missing')).not.toEqual([])
  })
})
