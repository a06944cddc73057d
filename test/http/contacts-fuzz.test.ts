// Nonsense of every kind at every route of contacts and preferences: each is answered, none with a 5xx, and none stops the jobs.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import fc from 'fast-check'
import { makeApplication } from '../../src/http/application'
import { contactJobs } from '../../src/modules/audience/contacts/jobs'
import { contactsRoutes } from '../../src/modules/audience/contacts/routes'
import { linkToken } from '../../src/modules/sending/emails/links'
import { preferencesRoutes } from '../../src/modules/sending/preferences/routes'
import type { Context } from '../../src/platform/context'
import { handlerTable } from '../../src/platform/jobs/kind'
import { anyCharacter } from '../support/any-character'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { drain } from '../support/drain'
import { type MadeProject, makeProject } from '../support/make'
import { request } from '../support/request'

let database: TestDatabase
let ctx: Context
let app: AnyElysia
let project: MadeProject
let contactId: string
const handlers = handlerTable(contactJobs)

beforeAll(async () => {
  database = await cloneDatabase()
  ctx = testContext(database, { rateLimitPerMinute: 0 }).ctx
  app = makeApplication(ctx, [contactsRoutes, preferencesRoutes])
  project = await makeProject({ ctx })
  const made = await request(app, 'POST', '/contacts', {
    key: project.secretKey,
    body: { email: 'a@x.test', data: { a: 1 } },
  })
  contactId = made.body.id
})
afterAll(() => database.drop())

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.constantFrom(
    '',
    '\0',
    'data.a',
    'a',
    '__proto__',
    'constructor',
    "' or 1=1 --",
    '%',
    '../..',
    '🙂',
    '\ud800',
    'x'.repeat(400),
    '{"a":1}',
    '1e999',
  ),
)
const encoded = text.map(value => encodeURIComponent(value.toWellFormed()))
/** Also what no browser would send. */
const segment = fc.oneof(encoded, fc.constantFrom('%', '%zz', '%00', '%F0%28', '.', '..', '%2e%2e', '?', '#'))
const query = fc
  .array(
    fc.tuple(fc.constantFrom('limit', 'cursor', 'search', 'status', 'sort', 'dir', 't', 'e', 'x'), segment),
    { maxLength: 4 },
  )
  .map(pairs => `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`)
const body = fc.oneof(
  fc.json(),
  text,
  fc
    .record({
      contactIds: fc.oneof(fc.jsonValue(), fc.array(fc.oneof(text, fc.uuid()), { maxLength: 5 })),
      mode: fc.option(text),
    })
    .map(value => JSON.stringify(value)),
  fc.record({ duration: fc.jsonValue() }).map(value => JSON.stringify(value)),
  fc.constantFrom(
    '[',
    'null',
    '"x"',
    `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
    'action=snooze&duration=__proto__',
    'List-Unsubscribe=One-Click',
  ),
)
const type = fc.constantFrom(
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'text/plain',
  'application/octet-stream',
  'nonsense',
)

/** `*` stands for nonsense. */
const routes: Array<[method: string, path: string]> = [
  ['GET', '/contacts/fields/*/values'],
  ['GET', '/contacts/fields/*/usage'],
  ['DELETE', '/contacts/fields/*'],
  ['POST', '/contacts/bulk-subscribe'],
  ['POST', '/contacts/bulk-unsubscribe'],
  ['POST', '/contacts/bulk-delete'],
  ['GET', '/contacts/bulk/*'],
  ['POST', '/contacts/import'],
  ['GET', '/contacts/import/*'],
  ['GET', '/contacts/export'],
  ['GET', '/contacts/public/*'],
  ['POST', '/contacts/public/*/snooze'],
  ['POST', '/contacts/public/*/unsubscribe'],
  ['POST', '/unsubscribe/*'],
  ['GET', '/unsubscribe/*'],
  ['POST', '/manage/*'],
  ['GET', '/subscribe/*'],
]

describe('never a 5xx', () => {
  test.each(routes)('%s %p', async (method, path) => {
    await fc.assert(
      fc.asyncProperty(segment, query, body, type, async (each, asked, content, contentType) => {
        const answer = await request(app, method, `${path.replace('*', () => each)}${asked}`, {
          key: project.secretKey,
          headers: { 'content-type': contentType },
          body: method === 'GET' ? undefined : content.toWellFormed(),
        })
        expect(answer.status).toBeLessThan(500)
      }),
      { numRuns: 60 },
    )
    await drain(ctx, handlers)
  })

  test('of a good link with any form', async () => {
    const token = linkToken(ctx.vault, { projectId: project.id, contactId })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('unsubscribe', 'subscribe', 'manage'),
        body,
        type,
        segment,
        async (page, content, contentType, e) => {
          const answer = await request(app, 'POST', `/${page}/${contactId}?t=${token}&e=${e}`, {
            headers: { 'content-type': contentType },
            body: content.toWellFormed(),
          })
          expect(answer.status).toBeLessThan(500)
        },
      ),
      { numRuns: 100 },
    )
  })

  test('of any file as an import, which always ends', async () => {
    const pieces = fc.array(
      fc.constantFrom(
        'email',
        'a@x.test',
        ',',
        '"',
        '\n',
        '\r\n',
        '\r',
        ';',
        '\t',
        ' ',
        '\0',
        'é',
        '🙂',
        '\ufeff',
        'subscribed',
        'true',
        'yes',
        '=1',
        'data.',
        '__proto__',
        'id',
        '9'.repeat(400),
        'b@x.test\n',
      ),
      { maxLength: 60 },
    )
    await fc.assert(
      fc.asyncProperty(pieces, fc.boolean(), async (parts, hasHeader) => {
        const form = new FormData()
        form.set(
          'file',
          new File([(hasHeader ? 'email,subscribed,a,"b c"\n' : '') + parts.join('')], 'x.csv'),
        )
        const queued = await request(app, 'POST', '/contacts/import', { key: project.secretKey, body: form })
        expect(queued.status).toBe(202)
        const runs = await drain(ctx, handlers)
        expect(runs.map(run => run.outcome.type)).toEqual(runs.map(() => 'completed'))
        const { body: job } = await request(app, 'GET', `/contacts/import/${queued.body.jobId}`, {
          key: project.secretKey,
        })
        expect(['completed', 'failed']).toContain(job.state)
      }),
      { numRuns: 150, examples: [[['email', '\t', '\0', 'b@x.test\n', 'email'], false]] },
    )
  })

  test('of any bytes as an import', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async bytes => {
        const form = new FormData()
        form.set('file', new File([Uint8Array.from(bytes)], 'x.csv'))
        const { status } = await request(app, 'POST', '/contacts/import', {
          key: project.secretKey,
          body: form,
        })
        expect([202, 400]).toContain(status)
        await drain(ctx, handlers)
      }),
      { numRuns: 60 },
    )
  })
})
