// POST /v1/verify.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { minute } from '../../src/lib/time'
import { networkResolver } from '../../src/mail/dns/client'
import { verifyRoutes } from '../../src/modules/audience/verify/routes'
import { buildApp } from '../../src/server/app'
import { knotInstalled, startKnot } from '../dns/knot'
import { anyCharacter } from '../support/any-character'
import { testContext, testRandom } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { type MadeProject, makeProject } from '../support/make'
import { request } from '../support/request'

let database: TestDatabase
let world: ReturnType<typeof testContext>
let project: MadeProject
let app: ReturnType<typeof buildApp>

beforeAll(async () => {
  database = await cloneDatabase()
})
beforeEach(async () => {
  world = testContext(database, { rateLimitPerMinute: 100_000 })
  project = await makeProject(world)
  app = buildApp(world.ctx, [verifyRoutes])
})
afterAll(async () => await database.drop())

const verify = (body: unknown) => request(app, 'POST', '/v1/verify', { key: project.secretKey, body })

function publish(domain: string, ...exchanges: string[]): void {
  world.dns.set(domain, 'ns', 'ns1.host.net')
  world.dns.set(domain, 'a', '192.0.2.1')
  world.dns.set(domain, 'mx', ...exchanges.map(exchange => ({ exchange, priority: 10 })))
}

const good = {
  valid: true,
  isDisposable: false,
  isAlias: false,
  isTypo: false,
  isPlusAddressed: false,
  isPersonalEmail: false,
  domainExists: true,
  hasWebsite: true,
  hasMxRecords: true,
  reasons: ['The domain exists and accepts mail'],
}

describe('POST /v1/verify', () => {
  test('answers the documented fields in the wrapper, and nothing else', async () => {
    publish('acme.com', 'mx.acme.com')
    const { status, body } = await verify({ email: 'Ada@ACME.com' })
    expect(status).toBe(200)
    expect(body).toEqual({ success: true, data: { email: 'ada@acme.com', ...good } })
  })

  test('takes an address with blanks around it, as contacts do', async () => {
    publish('acme.com', 'mx.acme.com')
    const { status, body } = await verify({ email: ' ada@acme.com ' })
    expect([status, body.data?.email]).toEqual([200, 'ada@acme.com'])
  })

  test('creates no contact and records no event', async () => {
    publish('acme.com', 'mx.acme.com')
    expect((await verify({ email: 'ada@acme.com' })).status).toBe(200)
    const rows = await database.sql`
      select id from contacts where project_id = ${project.id}
      union all
      select id from events where project_id = ${project.id}`
    expect(rows).toHaveLength(0)
  })

  test('asks for an international domain in ASCII and answers the address as it is stored', async () => {
    publish('xn--bcher-kva.de', 'mx.host.net')
    const { body } = await verify({ email: 'ada@Bücher.de' })
    expect(body.data).toEqual({ email: 'ada@bücher.de', ...good })
    expect(world.dns.asked).toContain('MX xn--bcher-kva.de')
  })

  test('suggests what was meant', async () => {
    publish('gmial.com', 'mx.parked.net')
    const { body } = await verify({ email: 'ada+shop@gmial.com' })
    expect(body.data).toMatchObject({
      valid: true,
      isTypo: true,
      isPlusAddressed: true,
      suggestedEmail: 'ada+shop@gmail.com',
    })
    expect(body.data.reasons.join()).toContain('gmail.com')
  })

  test('finds a disposable address valid', async () => {
    publish('mailinator.com', 'mx.mailinator.com')
    const { body } = await verify({ email: 'ada@mailinator.com' })
    expect(body.data).toMatchObject({ valid: true, isDisposable: true, hasMxRecords: true })
  })

  test.each(['tempmail.com', 'tempmailo.com', 'tempmail.net'])(
    'knows that %s is disposable',
    async domain => {
      publish(domain, 'mx.host.net')
      const { body } = await verify({ email: `ada@${domain}` })
      expect(body.data).toMatchObject({ valid: true, isDisposable: true })
    },
  )

  test('answers 200 for a domain that does not exist', async () => {
    const { status, body } = await verify({ email: 'ada@no-such-shop.com' })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      valid: false,
      domainExists: false,
      hasWebsite: false,
      hasMxRecords: false,
      reasons: ['The domain no-such-shop.com does not exist'],
    })
  })

  test('holds a failing resolver against nobody, says so, and asks again next time', async () => {
    publish('acme.com', 'mx.acme.com')
    world.dns.failAll('SERVFAIL')
    const first = await verify({ email: 'ada@acme.com' })
    expect(first.status).toBe(200)
    expect(first.body.data).toMatchObject({ valid: true, domainExists: true, hasMxRecords: false })
    expect(first.body.data.reasons.join()).toContain('no name server answered')
    world.dns.failAll(undefined)
    const second = await verify({ email: 'ada@acme.com' })
    expect(second.body.data).toEqual({ email: 'ada@acme.com', ...good })
  })
})

describe('the memory of look-ups', () => {
  test('spares the second question about a domain, also for another project and spelling', async () => {
    publish('acme.com', 'mx.acme.com')
    const other = await makeProject(world)
    await verify({ email: 'ada@acme.com' })
    const asked = world.dns.asked.length
    await verify({ email: 'grace@acme.com' })
    await request(app, 'POST', '/v1/verify', { key: other.secretKey, body: { email: 'x@ACME.COM' } })
    expect(world.dns.asked).toHaveLength(asked)
  })

  test('is shared by those who ask at the same time', async () => {
    publish('acme.com', 'mx.acme.com')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => verify({ email: `${n}@acme.com` })),
    )
    expect(answers.map(answer => answer.body.data.valid)).toEqual(answers.map(() => true))
    expect(world.dns.asked).toHaveLength(4)
  })

  test('ends after some minutes', async () => {
    publish('acme.com')
    expect((await verify({ email: 'ada@acme.com' })).body.data.valid).toBe(false)
    publish('acme.com', 'mx.acme.com')
    expect((await verify({ email: 'ada@acme.com' })).body.data.valid).toBe(false)
    world.clock.advance(6 * minute)
    expect((await verify({ email: 'ada@acme.com' })).body.data.valid).toBe(true)
  })
})

describe('a refused request', () => {
  test.each<[string, unknown, string]>([
    ['no e-mail address', { email: 'ada' }, 'invalid_string'],
    ['an address with a space', { email: 'ada lovelace@acme.com' }, 'invalid_string'],
    ['a bare host', { email: 'ada@localhost' }, 'invalid_string'],
    ['an address literal', { email: 'ada@[192.0.2.1]' }, 'invalid_string'],
    ['two at signs', { email: 'a@b@acme.com' }, 'invalid_string'],
    ['a line break', { email: 'ada@acme.com\nx' }, 'invalid_string'],
    ['an empty text', { email: '' }, 'invalid_string'],
    ['an over-long text', { email: `${'a'.repeat(400)}@acme.com` }, 'too_big'],
    ['a number', { email: 7 }, 'invalid_type'],
    ['null', { email: null }, 'invalid_type'],
    ['no field', {}, 'invalid_type'],
  ])('%s is 422 and asks no name server', async (_, body, code) => {
    const answer = await verify(body)
    expect(answer.status).toBe(422)
    expect(answer.body.error).toMatchObject({ code: 'VALIDATION_ERROR', statusCode: 422 })
    expect(answer.body.error.errors).toMatchObject([{ field: 'email', code }])
    expect(world.dns.asked).toEqual([])
  })

  test.each<[string, (project: MadeProject) => Record<string, string>]>([
    ['no key', () => ({})],
    ['the public key', ({ publicKey }) => ({ authorization: `Bearer ${publicKey}` })],
    ['an unknown key', () => ({ authorization: `Bearer sk_${'0'.repeat(64)}` })],
  ])('%s is 401, whatever the body says, and asks no name server', async (_, headers) => {
    for (const body of [{ email: 'ada@acme.com' }, { email: 7 }]) {
      const answer = await request(app, 'POST', '/v1/verify', { headers: headers(project), body })
      expect(answer.status).toBe(401)
      expect(answer.body.success).toBe(false)
    }
    expect(world.dns.asked).toEqual([])
  })

  test('a disabled project may still verify', async () => {
    await database.sql`update projects set disabled = true, disabled_reason = 'MANUAL' where id = ${project.id}`
    publish('acme.com', 'mx.acme.com')
    expect((await verify({ email: 'ada@acme.com' })).body.data?.valid).toBe(true)
  })

  test('no body whatsoever makes the server fail', async () => {
    const local = fc.stringMatching(/^[a-z+.]{1,8}$/)
    const email = fc.oneof(
      fc.emailAddress(),
      fc.tuple(local, fc.domain()).map(parts => parts.join('@')),
      fc.tuple(local, fc.string({ unit: anyCharacter })).map(parts => parts.join('@')),
      fc.webUrl(),
    )
    const body = fc.oneof(fc.jsonValue(), fc.record({ email: fc.oneof(email, fc.jsonValue()) }))
    await fc.assert(
      fc.asyncProperty(body, async value => {
        const { status, body: answer } = await verify(JSON.stringify(value))
        expect([200, 400, 422]).toContain(status)
        if (status === 200) {
          expect(answer.data.email).toBe((value as { email: string }).email)
          expect(answer.data.reasons.length).toBeGreaterThan(0)
        }
      }),
      // Members that are named like what every object has: texts can't be made of such.
      { numRuns: 300, examples: [[{ email: { toString: 0 } }], [{ email: { toString: 0, valueOf: 0 } }]] },
    )
  })
})

describe.skipIf(!knotInstalled)('over a real name server', () => {
  test('tells mail, no mail, refused mail, no such name and no answer apart', async () => {
    const knot = await startKnot({
      'shop.test': [
        '@ MX 10 mx',
        '@ AAAA 2001:db8::1',
        'news MX 10 mx',
        'quiet MX 0 .',
        'plain A 192.0.2.1',
        '',
      ].join('\n'),
    })
    try {
      const dns = networkResolver({
        servers: [knot.address],
        timeoutMs: 60_000,
        tries: 1,
        random: testRandom,
      })
      app = buildApp({ ...world.ctx, dns }, [verifyRoutes])
      const verdict = async (domain: string) => {
        const { data } = (await verify({ email: `ada@${domain}` })).body
        return [data.valid, data.domainExists, data.hasMxRecords, data.hasWebsite]
      }
      expect(await verdict('shop.test')).toEqual([true, true, true, true])
      expect(await verdict('news.shop.test')).toEqual([true, true, true, false])
      expect(await verdict('quiet.shop.test')).toEqual([false, true, false, false])
      expect(await verdict('plain.shop.test')).toEqual([false, true, false, true])
      expect(await verdict('absent.shop.test')).toEqual([false, false, false, false])
      // Not a zone of this server: it refuses to say anything.
      expect(await verdict('elsewhere.test')).toEqual([true, true, false, false])
    } finally {
      await knot.stop()
    }
  })
})
