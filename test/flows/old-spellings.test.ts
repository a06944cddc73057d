// A database from before addresses had one spelling: an instance that starts on it sends nothing to a suppressed mailbox, however the
// suppression and what waits are spelled, and lets everybody in who had an account. Its operator reads what it did.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hour } from '../../src/lib/time'
import { silentLogger } from '../../src/platform/log'
import { databaseChecks } from '../../src/server/checks/database'
import { type Instance, startInstance } from '../../src/server/instance'
import { testConfig } from '../support/context'
import type { MadeUser } from '../support/make'
import { until } from '../support/until'
import { makeWorld, sender, type World } from '../support/world'

const secrets = {
  jwtSecret: 'test-jwt-secret-0123456789',
  encryptionKey: 'test-encryption-key-0123456789',
}
const folder = mkdtempSync(join(tmpdir(), 'waxwing-spellings-'))
const [old, now] = ['gone@xn--mnchen-3ya.example', 'gone@münchen.example']

let world: World
let instance: Instance
let operator: MadeUser
let waiting: string[]
/** The contact of the suppressed mailbox. */
let goneId: string
beforeAll(async () => {
  world = await makeWorld(secrets)
  const { sql } = world.ctx
  const { id, ownerId } = world.project
  const [first] = await sql<MadeUser[]>`select id, email from users where id = ${ownerId}`
  operator = { ...first!, password: `password of ${first!.email}` }
  const scheduledFor = new Date(world.clock.now().getTime() + hour).toISOString()
  const later = (body: object) => world.sendOne({ scheduledFor, ...body })
  waiting = [
    await later({ to: 'gone@y.example' }),
    await later({ to: 'well@y.example', cc: 'gone@z.example' }),
  ]
  await later({ to: 'well@y.example' })
  await sql`update users set email = 'ada@xn--mnchen-3ya.example' where id = ${ownerId}`
  await sql`update contacts set email = ${old} where email = 'gone@y.example'`
  goneId = (await sql`select id from contacts where email = ${old}`)[0]!['id']
  await sql`update emails set to_email = ${old} where to_email = 'gone@y.example'`
  await sql`update emails set copies = replace(copies::text, 'gone@z.example', ${old})::jsonb where copies is not null`
  await sql`
    insert into suppressions (project_id, email, reason, source, created_at) values (${id}, ${old}, 'complaint', 'old', now())`
  const place = { host: '127.0.0.1', port: 0, dataDir: folder, databaseUrl: world.database.url }
  instance = await startInstance(testConfig({ ...place, ...secrets }), silentLogger)
})
afterAll(async () => {
  await instance?.stop()
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await fetch(`${instance.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${world.project.secretKey}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: body && JSON.stringify(body),
  })
  return { answer, body: await answer.json() }
}

test('mail to the mailbox is withheld from the first request on', async () => {
  const mail = { from: sender, subject: 'S', body: 'B' }
  const { body } = await ask('POST', '/v1/send', { ...mail, to: now })
  const { email, contact } = body.data.emails[0]
  expect(contact.email).toBe(now)
  expect((await ask('GET', `/emails/${email}`)).body).toMatchObject({ status: 'FAILED', contactId: goneId })
})

test('what waits is withheld from a suppressed mailbox, and so is its copy', async () => {
  const emails = async () =>
    await Promise.all(waiting.map(async id => (await ask('GET', `/emails/${id}`)).body))
  await until('both are settled', async () =>
    (await emails()).every(({ status }) => status !== 'PENDING' && status !== 'SENDING'),
  )
  const [gone, copied] = await emails()
  expect(gone).toMatchObject({ to: now, status: 'FAILED', error: expect.stringMatching(/suppressed/) })
  const [row] = await world.ctx.sql`select status, copies from emails where id = ${copied.id}`
  expect(row).toMatchObject({ status: 'DELIVERED', copies: [{ email: now, status: 'FAILED' }] })
})

test('an account whose address was stored otherwise signs in with any spelling', async () => {
  for (const email of ['ada@münchen.example', 'Ada@xn--mnchen-3ya.example', ' ada@mün\u00adchen.example']) {
    const { answer } = await ask('POST', '/auth/login', { email, password: operator.password })
    expect([email, answer.status]).toEqual([email, 200])
  }
})

test('the operator reads what was respelled, here and in the doctor', async () => {
  const { answer } = await ask('POST', '/auth/login', {
    email: 'ada@münchen.example',
    password: operator.password,
  })
  const cookie = answer.headers.get('set-cookie')!.split(';')[0]!
  const { body } = await ask('GET', '/instance/findings', undefined, { cookie })
  const words = expect.stringMatching(
    /^.* on \d{4}-\d\d-\d\d \(accounts: 1, contacts renamed: 1, suppressions: 1, waiting emails: 2\)$/,
  )
  expect(body.findings.filter(({ about }: { about: string }) => about === 'addresses')).toMatchObject([
    { level: 'ok', words },
  ])
  const check = databaseChecks(testConfig(), world.ctx, true).find(({ about }) => about === 'addresses')
  expect(await check!.run()).toMatchObject([{ level: 'ok', words }])
})
