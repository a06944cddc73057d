// A domain's signing key, or none of ours where the relay signs. It is replaced without a gap: the next one signs when the DNS has it, and the record of the old one may stay.
import { describe, expect, test } from 'bun:test'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { dkimVerify } from 'mailauth/lib/dkim/verify'
import { day, minute } from '../../src/lib/time'
import type { SigningKeys } from '../../src/modules/sending/domains/model'
import {
  checkDomains,
  dkimKeyFor,
  dropStaleClaims,
  prunePreviousKeys,
  senderKeyOf,
} from '../../src/modules/sending/domains/service'
import { buildApp } from '../../src/server/app'
import { jobHandlers } from '../../src/server/jobs'
import {
  type As,
  add,
  addVerified,
  call,
  dkimOf,
  domainsWorld,
  key,
  realName,
  signedIn,
  verify,
} from '../support/domains'
import { drain } from '../support/drain'
import { makeMember, makeProject } from '../support/make'
import { request } from '../support/request'

const world = domainsWorld()

const keys = (id: string, method = 'GET', as?: As) =>
  call(world, method, `/domains/${id}/dkim${method === 'GET' ? '' : '/rotate'}`, as ? { as } : {})

async function rotate(id: string): Promise<SigningKeys> {
  const { status, body } = await keys(id, 'POST')
  expect(status).toBe(200)
  return body
}

const publishNext = ({ next }: SigningKeys): void => world.dns.set(next!.name, 'txt', next!.value)

/** What signs now, and whether it belongs to the record with this selector. */
async function signer(domain: string): Promise<{ selector: string; published: string }> {
  const found = (await dkimKeyFor(world.ctx, world.project.id, domain))!
  const publicKey = createPublicKey(createPrivateKey(found.privateKey))
  const der = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  return { selector: found.selector, published: `v=DKIM1; k=rsa; p=${der}` }
}

describe('a rotation', () => {
  test('signs with the old key until the record of the new one is there, and then with the new one', async () => {
    const { id, domain, ...added } = await addVerified(world, realName())
    const old = dkimOf({ id, domain, ...added })
    expect((await keys(id)).body).toEqual({
      domain,
      signedBy: 'waxwing',
      current: { selector: 'wx1', name: old.name, value: old.value },
      next: null,
      previous: null,
    })
    const begun = await rotate(id)
    expect(begun.current.selector).toBe('wx1')
    expect(begun.next).toMatchObject({ selector: 'wx2', name: `wx2._domainkey.${domain}` })
    expect(JSON.stringify(begun)).not.toMatch(/private/i)
    expect((await verify(world, id)).body.verified).toBe(true)
    expect(await signer(domain)).toEqual({ selector: 'wx1', published: old.value })

    publishNext(begun)
    const verified = (await verify(world, id)).body
    expect(verified).toMatchObject({ verified: true, status: 'Success' })
    const { name, value } = begun.next!
    expect(dkimOf(verified)).toMatchObject({ name, value, purpose: 'dkim', status: 'verified' })
    expect(await signer(domain)).toEqual({ selector: 'wx2', published: begun.next!.value })
    const at = world.clock.now()
    expect((await keys(id)).body).toEqual({
      domain,
      signedBy: 'waxwing',
      current: { selector: 'wx2', name: begun.next!.name, value: begun.next!.value },
      next: null,
      previous: {
        selector: 'wx1',
        name: old.name,
        replacedAt: at.toISOString(),
        removableAt: new Date(at.getTime() + 7 * day).toISOString(),
      },
    })
  })

  test('needs the old record no longer: a domain with the new one alone is verified', async () => {
    const { id, domain } = await addVerified(world, realName())
    const begun = await rotate(id)
    world.dns.set(begun.current.name, 'txt')
    publishNext(begun)
    expect((await verify(world, id)).body.verified).toBe(true)
    expect((await signer(domain)).selector).toBe('wx2')
  })

  test('is found by the check that goes round, and survives name servers that do not answer', async () => {
    const { id, domain } = await addVerified(world, realName())
    const begun = await rotate(id)
    world.dns.fail(begun.next!.name, 'SERVFAIL')
    await checkDomains(world.ctx, undefined)
    expect((await signer(domain)).selector).toBe('wx1')
    world.dns.fail(begun.next!.name, undefined)
    publishNext(begun)
    world.clock.advance(minute)
    await checkDomains(world.ctx, undefined)
    expect((await signer(domain)).selector).toBe('wx2')
  })

  test.each([
    ['another key', 'v=DKIM1; k=rsa; p=AAAA'],
    ['a key that is revoked', 'v=DKIM1; k=rsa; p='],
    ['something else', 'hello'],
  ])('does not switch to %s at its name', async (_, value) => {
    const { id, domain } = await addVerified(world, realName())
    const { next } = await rotate(id)
    world.dns.set(next!.name, 'txt', value)
    expect((await verify(world, id)).body.verified).toBe(true)
    expect((await signer(domain)).selector).toBe('wx1')
  })

  test('asked for many times at once makes one key', async () => {
    const { id } = await addVerified(world, realName())
    const answers = await Promise.all([1, 2, 3, 4].map(() => rotate(id)))
    expect(new Set(answers.map(({ next }) => next!.value)).size).toBe(1)
    expect((await rotate(id)).next).toEqual(answers[0]!.next)
    const noted = await world.database.sql`
      select details from audit_log where project_id = ${world.project.id} and action = 'domain.keyRotated'`
    expect(noted.map(({ details }) => details)).toEqual([{ selector: 'wx2' }])
  })

  test('found by many checks at once switches once', async () => {
    const { id, domain } = await addVerified(world, realName())
    const begun = await rotate(id)
    publishNext(begun)
    await Promise.all([1, 2, 3, 4].map(() => verify(world, id)))
    expect(await signer(domain)).toEqual({ selector: 'wx2', published: begun.next!.value })
    expect((await keys(id)).body.previous.selector).toBe('wx1')
  })

  test('can be given up, and begun anew with another key', async () => {
    const { id, domain } = await addVerified(world, realName())
    const first = await rotate(id)
    expect((await keys(id, 'DELETE')).body).toMatchObject({ next: null, current: { selector: 'wx1' } })
    publishNext(first)
    await verify(world, id)
    expect((await signer(domain)).selector).toBe('wx1')
    expect((await rotate(id)).next!.value).not.toBe(first.next!.value)
  })

  test('follows another one, in whose place it is kept', async () => {
    const { id, domain } = await addVerified(world, realName())
    for (const selector of ['wx2', 'wx3']) {
      publishNext(await rotate(id))
      await verify(world, id)
      expect((await signer(domain)).selector).toBe(selector)
    }
    expect((await keys(id)).body.previous.selector).toBe('wx2')
    world.clock.advance(31 * day)
    await prunePreviousKeys(world.ctx)
    await dropStaleClaims(world.ctx)
    expect((await keys(id)).body).toMatchObject({ current: { selector: 'wx3' }, previous: null })
  })

  test('goes with its domain', async () => {
    const { id } = await addVerified(world, realName())
    await rotate(id)
    expect((await call(world, 'DELETE', `/domains/${id}`)).status).toBe(200)
    expect(await world.database.sql`select 1 from dkim_rotations`).toHaveLength(0)
  })
})

describe('a relay that signs', () => {
  const choose = (id: string, signedBy: string, as?: As) =>
    call(world, 'PUT', `/domains/${id}/dkim`, { body: { signedBy }, ...(as ? { as } : {}) })

  test('signs instead of us while it is so chosen; the domain goes on proving itself by the key here', async () => {
    const added = await addVerified(world, realName())
    const { id, domain } = added
    expect((await keys(id)).body.signedBy).toBe('waxwing')
    const { status, body } = await choose(id, 'relay')
    expect([status, body.signedBy, body.current.value]).toEqual([200, 'relay', dkimOf(added).value])
    expect(await dkimKeyFor(world.ctx, world.project.id, domain)).toBeUndefined()
    expect(await senderKeyOf(world.ctx, domain)).toBeUndefined()
    expect((await verify(world, id)).body).toMatchObject({ verified: true, status: 'Success' })
    const { findings } = (await call(world, 'GET', `/domains/${id}/health`)).body
    const about = findings.filter((finding: { about: string }) => finding.about === 'dkim')
    expect(about).toMatchObject([{ level: 'ok', code: 'dkim.byRelay' }])
    expect((await choose(id, 'waxwing')).body.signedBy).toBe('waxwing')
    expect((await signer(domain)).published).toBe(dkimOf(added).value)
  })

  test('leaves messages and campaigns unsigned, and when it no longer does, they are signed again', async () => {
    const { id, domain } = await addVerified(world, realName())
    const app = buildApp(world.ctx)
    const handlers = jobHandlers(world.ctx)
    const post = (path: string, body: object) =>
      request(app, 'POST', path, { key: world.project.secretKey, body })
    const from = `news@${domain}`
    await post('/contacts', { email: 'ada@example.com', subscribed: true })
    /** By subject, in whose name the mail is signed, as somebody else's verifier finds it. */
    const signed = async (): Promise<Record<string, string[]>> => {
      world.mail.clear()
      // Keys are remembered for a burst.
      world.clock.advance(minute)
      await post('/v1/send', { from, to: 'ada@example.com', subject: 'message', body: 'Hello' })
      const draft = { from, name: 'News', subject: 'campaign', body: 'Hello', audienceType: 'ALL' }
      await post(`/campaigns/${(await post('/campaigns', draft)).body.data.id}/send`, {})
      await drain(world.ctx, handlers)
      const found: Record<string, string[]> = {}
      for (const { raw } of world.mail.sent) {
        const text = Buffer.from(raw).toString()
        const { results } = await dkimVerify(Buffer.from(raw), { resolver })
        const names = results.map(({ status, signingDomain }) => `${status.result} ${signingDomain}`)
        found[/^subject: (.*)\r$/im.exec(text)![1]!] = /^dkim-signature:/im.test(text) ? names : []
      }
      return found
    }
    const resolver = async (name: string): Promise<string[][]> => {
      const answer = await world.dns.txt(name)
      return answer.status === 'found' ? answer.records.map(text => [text]) : []
    }
    const byUs = [`pass ${domain}`]
    expect(await signed()).toEqual({ message: byUs, campaign: byUs })
    expect((await choose(id, 'relay')).status).toBe(200)
    expect(await signed()).toEqual({ message: [], campaign: [] })
    expect((await choose(id, 'waxwing')).status).toBe(200)
    expect(await signed()).toEqual({ message: byUs, campaign: byUs })
  })

  test('is chosen once, however often one asks, and by nobody else', async () => {
    const { id } = await addVerified(world, realName())
    await Promise.all([1, 2, 3].map(() => choose(id, 'relay')))
    const noted = await world.database.sql`
      select details from audit_log where project_id = ${world.project.id} and action = 'domain.signerChanged'`
    expect(noted.map(({ details }) => details)).toEqual([{ signedBy: 'relay' }])
    expect((await choose(id, 'waxwing', key(await makeProject(world)))).status).toBe(404)
    expect((await choose(id, 'nobody')).status).toBe(422)
    expect((await keys(id)).body.signedBy).toBe('relay')
  })

  test('is no matter for a name of the sandbox', async () => {
    const { id } = await add(world, 'play.example')
    expect((await choose(id, 'relay')).status).toBe(409)
  })
})

describe('who may', () => {
  test('not another project', async () => {
    const { id } = await add(world, realName())
    const theirs = key(await makeProject(world))
    for (const method of ['GET', 'POST', 'DELETE']) expect((await keys(id, method, theirs)).status).toBe(404)
  })

  test('a member sees the keys and does not replace them', async () => {
    const { id } = await add(world, realName())
    const member = await signedIn(world, await makeMember(world, world.project.id, 'MEMBER'))
    expect((await keys(id, 'GET', member)).status).toBe(200)
    for (const method of ['POST', 'DELETE']) expect((await keys(id, method, member)).status).toBe(403)
  })

  test('nobody where a provider signs and replaces its keys by itself', async () => {
    const { id } = await addVerified(world, realName())
    const identities = {} as NonNullable<typeof world.ctx.mail.identities>
    const ctx = { ...world.ctx, mail: { ...world.ctx.mail, identities } }
    const { status, body } = await call(world, 'POST', `/domains/${id}/dkim/rotate`, { ctx })
    expect([status, body.error.message]).toEqual([409, expect.stringContaining('Amazon SES')])
    expect(await world.database.sql`select 1 from dkim_rotations`).toHaveLength(0)
  })

  test('nobody for a name that is for trying things out', async () => {
    const { id } = await add(world, 'fernway.example')
    const { status, body } = await keys(id, 'POST')
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
  })
})
