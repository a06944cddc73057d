// Who may send as whom, the sandbox, and one flow against a real name server.
import { describe, expect, test } from 'bun:test'
import { networkResolver } from '../../src/mail/dns/client'
import {
  addSandboxDomain,
  dkimKeyFor,
  requireVerifiedSender,
} from '../../src/modules/sending/domains/service'
import type { Context } from '../../src/platform/context'
import { knotInstalled, startKnot } from '../dns/knot'
import { testRandom } from '../support/context'
import {
  add,
  addVerified,
  call,
  dkimOf,
  domainsWorld,
  key,
  publish,
  realName,
  verify,
} from '../support/domains'
import { makeProject } from '../support/make'

const world = domainsWorld()

describe('the sender rule', () => {
  const refused = (address: string, ctx = world.ctx): Promise<unknown> =>
    requireVerifiedSender(ctx, world.project.id, address).then(
      domain => domain,
      error => [error.status, error.code],
    )

  test('takes addresses of a verified domain only, and of that very domain', async () => {
    const proven = await addVerified(world, realName())
    const pending = await add(world, realName())
    const other = await makeProject(world)
    const theirs = await addVerified(world, realName(), { as: key(other) })
    const no = [403, 'INTERNAL_SERVER_ERROR']
    const rows: Array<[string, unknown]> = [
      [`me@${proven.domain}`, proven.domain],
      [`me+tag@${proven.domain.toUpperCase()}`, proven.domain],
      [`me@sub.${proven.domain}`, no],
      [`me@${pending.domain}`, no],
      [`me@${theirs.domain}`, no],
      ['me@nowhere.com', no],
      [proven.domain, [400, 'BAD_REQUEST']],
      [`me@you@${proven.domain}`, [400, 'BAD_REQUEST']],
      ['me@', [400, 'BAD_REQUEST']],
    ]
    for (const [address, expected] of rows)
      expect([address, await refused(address)]).toEqual([address, expected])
  })

  test('a key is given for verified domains of the project only', async () => {
    const proven = await addVerified(world, realName())
    const pending = await add(world, realName())
    const other = await makeProject(world)
    expect((await dkimKeyFor(world.ctx, world.project.id, proven.domain.toUpperCase()))?.domain).toBe(
      proven.domain,
    )
    expect(await dkimKeyFor(world.ctx, world.project.id, pending.domain)).toBeUndefined()
    expect(await dkimKeyFor(world.ctx, other.id, proven.domain)).toBeUndefined()
    expect(await dkimKeyFor(world.ctx, world.project.id, 'no domain')).toBeUndefined()
  })
})

describe('the sandbox', () => {
  const smtp = (): Context => ({
    ...world.ctx,
    config: { ...world.ctx.config, mailTransport: 'smtp', smtpUrl: 'smtp://relay.net' },
  })

  test('a new project starts with a domain that it can send from, without DNS', async () => {
    const made = await makeProject(world, { name: 'My Shop', onCreated: [addSandboxDomain] })
    const twin = await makeProject(world, { name: 'My Shop', onCreated: [addSandboxDomain] })
    for (const each of [made, twin]) {
      const [domain] = (await call(world, 'GET', `/domains/project/${each.id}`, { as: key(each) })).body
      expect(domain).toMatchObject({ domain: 'my-shop.example', verified: true })
      expect(await requireVerifiedSender(world.ctx, each.id, 'hi@my-shop.example')).toBe('my-shop.example')
      expect(await dkimKeyFor(world.ctx, each.id, 'my-shop.example')).toBeDefined()
    }
    expect(world.dns.asked).toEqual([])
  })

  test('names that can never be real verify at once for several projects, all others need the DNS', async () => {
    const other = await makeProject(world)
    expect((await add(world, 'shop.test')).verified).toBe(true)
    const theirs = await add(world, 'shop.test', { as: key(other) })
    expect(theirs.verified).toBe(true)
    expect((await verify(world, theirs.id, { as: key(other) })).body).toMatchObject({
      status: 'Success',
      verified: true,
    })
    expect((await add(world, 'example.com')).verified).toBe(true)
    expect((await add(world, 'www.example.com')).verified).toBe(false)
  })

  test('through a relay nothing verifies at once, and what did no longer counts', async () => {
    const added = await add(world, 'shop.test')
    const made = await makeProject({ ctx: smtp() }, { onCreated: [addSandboxDomain] })
    expect(
      (await call(world, 'GET', `/domains/project/${made.id}`, { as: key(made), ctx: smtp() })).body,
    ).toEqual([])
    expect((await add(world, 'other.test', { as: key(world.project), ctx: smtp() })).verified).toBe(false)
    const [, listed] = (await call(world, 'GET', `/domains/project/${world.project.id}`, { ctx: smtp() }))
      .body
    expect(listed).toMatchObject({ domain: 'shop.test', verified: false })
    await expect(requireVerifiedSender(smtp(), world.project.id, 'me@shop.test')).rejects.toMatchObject({
      status: 403,
    })
    expect(await dkimKeyFor(smtp(), world.project.id, 'shop.test')).toBeUndefined()
    world.dns.failAll('timeout')
    expect((await verify(world, added.id, { ctx: smtp() })).body.verified).toBe(false)
    world.dns.failAll(undefined)
    publish(world, added)
    expect((await verify(world, added.id, { ctx: smtp() })).body.verified).toBe(true)
  })

  test('the SPF hint names the relay', async () => {
    const added = await add(world, realName(), { as: key(world.project), ctx: smtp() })
    expect(added.records.find(record => record.purpose === 'spf')?.value).toBe('v=spf1 mx a:relay.net ~all')
  })
})

describe.skipIf(!knotInstalled)('against a real name server', () => {
  test('a domain verifies once its records are published, its key in two strings', async () => {
    const domain = realName()
    const added = await add(world, domain)
    const { value } = dkimOf(added)
    const knot = await startKnot({
      [domain]: `wx1._domainkey TXT "${value.slice(0, 250)}" "${value.slice(250)}"\n@ TXT "v=spf1 mx ~all"\n`,
    })
    try {
      const dns = networkResolver({
        servers: [knot.address],
        timeoutMs: 60_000,
        tries: 1,
        random: testRandom,
      })
      const answer = await verify(world, added.id, { ctx: { ...world.ctx, dns } })
      expect(answer.body).toMatchObject({ status: 'Success', verified: true })
      expect(answer.body.records.map((each: { status: string }) => each.status)).toEqual([
        'verified',
        'verified',
        'pending',
      ])
    } finally {
      await knot.stop()
    }
    const gone = networkResolver({ servers: [knot.address], timeoutMs: 300, tries: 1, random: testRandom })
    const silent = await verify(world, added.id, { ctx: { ...world.ctx, dns: gone } })
    expect(silent.body).toMatchObject({ status: 'TemporaryFailure', verified: true })
  })
})
