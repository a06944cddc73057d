// The background work of domains: checking all, dropping what stays unproven.

import { describe, expect, test } from 'bun:test'
import { day, hour } from '../../src/lib/time'
import { domainJobs, domainSchedules } from '../../src/modules/sending/domains/jobs'
import { makeKeyPair } from '../../src/modules/sending/domains/key'
import { domainKinds } from '../../src/modules/sending/domains/kinds'
import type { DomainAnswer } from '../../src/modules/sending/domains/model'
import { insertDomain } from '../../src/modules/sending/domains/queries'
import type { DomainRow } from '../../src/modules/sending/domains/schema'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { handlerTable } from '../../src/platform/jobs/kind'
import { testRandom } from '../support/context'
import { add, addVerified, call, dkimOf, domainsWorld, key, publish, realName } from '../support/domains'
import { drain } from '../support/drain'
import { makeProject } from '../support/make'

const world = domainsWorld()

/** A row as the service would write it, without the cost of a key each. */
function stored(projectId: string, domain: string, publicKey: string, verified: boolean): DomainRow {
  const now = world.ctx.clock.now()
  return {
    id: testRandom.uuid(now),
    projectId,
    domain,
    verified,
    sandbox: false,
    selector: 'wx1',
    publicKey,
    privateKey: 'sealed',
    relaySigns: false,
    dkimTokens: null,
    dkimZone: null,
    contested: false,
    dkimStatus: 'pending',
    spfStatus: 'pending',
    dmarcStatus: 'pending',
    pendingSince: verified ? null : now,
    checkedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

describe('in the background', () => {
  const run = async (kind: typeof domainKinds.check | typeof domainKinds.prune) => {
    await enqueue(world.ctx, kind, {})
    const runs = await drain(world.ctx, handlerTable(domainJobs))
    expect(runs.map(each => each.outcome.type)).toEqual(runs.map(() => 'completed'))
    return runs
  }
  const verifiedNames = async (): Promise<string[]> =>
    (await world.database.sql`select domain from domains where verified order by domain`).map(
      row => row['domain'],
    )

  test('every domain of every project is checked, page after page', async () => {
    const { publicKey } = await makeKeyPair()
    const names = Array.from({ length: 130 }, (_, index) => `d${String(index).padStart(3, '0')}.com`)
    const other = await makeProject(world)
    for (const [index, domain] of names.entries()) {
      const owner = index % 2 === 0 ? world.project : other
      await insertDomain(world.ctx, stored(owner.id, domain, publicKey, index === 7))
      if (index % 10 === 0) world.dns.set(`wx1._domainkey.${domain}`, 'txt', `p=${publicKey}`)
    }
    expect(await run(domainKinds.check)).toHaveLength(3)
    expect(await verifiedNames()).toEqual(names.filter((_, index) => index % 10 === 0))
    const unchecked = await world.database.sql`select 1 from domains where checked_at is null`
    expect(unchecked).toHaveLength(0)
  })

  test('a failed look-up costs nobody the verification, a missing record does', async () => {
    const kept = await addVerified(world, realName())
    const lost = await addVerified(world, realName())
    world.dns.fail(dkimOf(kept).name, 'SERVFAIL')
    world.dns.set(dkimOf(lost).name, 'txt')
    await run(domainKinds.check)
    expect(await verifiedNames()).toEqual([kept.domain])
  })

  test('two claims that are proven alike leave one holder and no failed job', async () => {
    const other = await makeProject(world)
    const domain = realName()
    const mine = await add(world, domain)
    const theirs = await add(world, domain, { as: key(other) })
    publish(world, mine, dkimOf(theirs).value)
    await run(domainKinds.check)
    await run(domainKinds.check)
    expect(await verifiedNames()).toEqual([domain])
  })

  test('claims that stay pending for 30 days are dropped; losing the proof begins new 30 days', async () => {
    const proven = await addVerified(world, realName())
    await add(world, realName())
    world.clock.advance(29 * day)
    const young = await add(world, realName())
    await run(domainKinds.prune)
    expect((await call(world, 'GET', `/domains/project/${world.project.id}`)).body).toHaveLength(3)
    world.clock.advance(2 * day)
    world.dns.set(dkimOf(proven).name, 'txt')
    await run(domainKinds.check)
    await run(domainKinds.prune)
    const left = (await call(world, 'GET', `/domains/project/${world.project.id}`)).body
    expect(left.map((each: DomainAnswer) => each.domain)).toEqual([young.domain, proven.domain])
    world.clock.advance(31 * day)
    await run(domainKinds.prune)
    expect((await call(world, 'GET', `/domains/project/${world.project.id}`)).body).toEqual([])
  })

  test('the checks run as often as configured', () => {
    const rhythms = domainSchedules({ ...world.ctx.config, domainCheckIntervalMs: 30_000 })
    expect(rhythms.map(each => [each.kind.kind, each.everyMs])).toEqual([
      ['domain.check', 30_000],
      ['domain.prune', hour],
    ])
  })
})
