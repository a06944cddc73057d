// Mails of the platform itself: they leave with the transaction that wrote them, or not at all, and keep no secret afterwards.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { dkimVerify } from 'mailauth/lib/dkim/verify'
import { day, hour } from '../../src/lib/time'
import { projectKinds } from '../../src/modules/accounts/projects/kinds'
import { addMember } from '../../src/modules/accounts/projects/service'
import {
  deliverSystemMail,
  pruneSystemMails,
  sendSystemMail,
} from '../../src/modules/accounts/system-emails/service'
import { userKinds } from '../../src/modules/accounts/users/kinds'
import { makeResetLink } from '../../src/modules/accounts/users/service'
import { inTransaction } from '../../src/platform/context'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { jobHandlers } from '../../src/server/jobs'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { drain } from '../support/drain'
import { jobRun, overRun } from '../support/job-run'
import { makeProject, makeUser } from '../support/make'
import { parse } from '../support/world'

let database: TestDatabase
let world: ReturnType<typeof testContext>

beforeAll(async () => {
  database = await cloneDatabase()
  world = testContext(database, { systemEmailFrom: 'no-reply@mail.example.com' })
})
afterAll(() => database.drop())
beforeEach(async () => {
  world.mail.clear()
  await database.sql`delete from system_mails`
  await database.sql`delete from jobs`
})

const letter = {
  to: 'ada@example.com',
  subject: 'Reset your password',
  text: 'Follow https://example.com/secret-link',
  html: '<p><a href="https://example.com/secret-link">Reset</a></p>',
}

const run = () => drain(world.ctx, jobHandlers(world.ctx))
const send = (changes: Partial<typeof letter> = {}) =>
  inTransaction(world.ctx, tx => sendSystemMail(tx, { ...letter, ...changes }))
const rows = () => database.sql`select * from system_mails`

test('a mail leaves as text and HTML from the sender of the platform, and its content is forgotten', async () => {
  const id = await send()
  expect((await rows())[0]).toMatchObject({ id, status: 'PENDING', attempts: 0 })
  expect(JSON.stringify(await rows())).not.toContain('secret-link')
  await run()
  const [message] = world.mail.sent
  expect(message!.envelope).toEqual({ from: 'no-reply@mail.example.com', to: 'ada@example.com' })
  const mail = await parse(message!)
  expect(mail.from).toEqual({ name: 'Waxwing', address: 'no-reply@mail.example.com' })
  expect(mail).toMatchObject({ subject: letter.subject, messageId: `<${id}@mail.example.com>` })
  expect(mail.text?.trim()).toBe(letter.text)
  expect(mail.html?.trim()).toBe(letter.html)
  expect(mail.headers.find(header => header.key === 'auto-submitted')?.value).toBe('auto-generated')
  expect((await rows())[0]).toMatchObject({ status: 'SENT', content_sealed: null, attempts: 1 })
})

test('nothing is sent when the transaction that wrote it is rolled back', async () => {
  const work = inTransaction(world.ctx, async tx => {
    await sendSystemMail(tx, letter)
    throw new Error('changed my mind')
  })
  await expect(work).rejects.toThrow('changed my mind')
  await run()
  expect(world.mail.attempts).toEqual([])
  expect(await rows()).toHaveLength(0)
})

test('a temporary failure is tried again by the plan of other mails, with the same bytes', async () => {
  world.mail.script({ outcome: 'deferred', response: '451 later', code: 451 })
  await send()
  await run()
  expect((await rows())[0]).toMatchObject({ status: 'PENDING', response: '451 later' })
  await run()
  expect(world.mail.attempts).toHaveLength(1)
  world.clock.advance(10_000)
  await run()
  expect(world.mail.attempts.map(each => Buffer.from(each.raw).toString())).toEqual([
    Buffer.from(world.mail.sent[0]!.raw).toString(),
    Buffer.from(world.mail.sent[0]!.raw).toString(),
  ])
})

test('a refusal is final, and so is a day of trying', async () => {
  world.mail.always({ outcome: 'refused', blame: 'address', response: '550 5.1.1 nobody', code: 550 })
  await send()
  await run()
  expect((await rows())[0]).toMatchObject({
    status: 'FAILED',
    content_sealed: null,
    response: '550 5.1.1 nobody',
  })
  world.mail.always({ outcome: 'deferred', response: '451 later' })
  await send({ to: 'bob@example.com' })
  for (let hours = 0; hours < 27; hours++) {
    await run()
    world.clock.advance(hour)
  }
  expect((await rows()).map(row => row['status'])).toEqual(['FAILED', 'FAILED'])
})

test('a job that comes twice sends one mail', async () => {
  const id = await send()
  await run()
  await deliverSystemMail(world.ctx, id, jobRun().signal)
  expect(world.mail.sent).toHaveLength(1)
})

test('a run that is over sends nothing, and the next one does', async () => {
  const id = await send()
  await expect(deliverSystemMail(world.ctx, id, overRun().signal)).rejects.toThrow('it ran longer')
  expect(world.mail.attempts).toEqual([])
  await run()
  expect(world.mail.sent).toHaveLength(1)
})

test('a subject can hold no second header', async () => {
  await send({ subject: 'Hello\r\nBcc: eve@example.com' })
  await run()
  const mail = await parse(world.mail.sent[0]!)
  expect(mail.bcc).toBeUndefined()
  expect(mail.subject).toBe('Hello Bcc: eve@example.com')
})

test('a domain that a project has proved signs the mails of the platform', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const record = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const { id: projectId } = await makeProject(world)
  const now = world.ctx.clock.now()
  await database.sql`
    insert into domains (id, project_id, domain, verified, sandbox, selector, public_key, private_key,
                         dkim_status, spf_status, dmarc_status, created_at, updated_at)
    values (gen_random_uuid(), ${projectId}, 'mail.example.com', true, false, 'wx1', ${record},
            ${world.ctx.vault.seal('dkim', pem)}, 'verified', 'pending', 'pending', ${now}, ${now})`
  await send()
  await run()
  const { results } = await dkimVerify(Buffer.from(world.mail.sent.at(-1)!.raw), {
    resolver: async () => [[`v=DKIM1; k=rsa; p=${record}`]],
  })
  expect(results[0]).toMatchObject({ signingDomain: 'mail.example.com', status: { result: 'pass' } })
})

test('mails are forgotten after thirty days', async () => {
  await send()
  world.clock.advance(29 * day)
  expect(await pruneSystemMails(world.ctx)).toBe(0)
  world.clock.advance(2 * day)
  expect(await pruneSystemMails(world.ctx)).toBe(1)
})

test('the hourly chores forget mails, links and invitations whose time is over', async () => {
  const user = await makeUser(world)
  const { id: projectId } = await makeProject(world, { ownerId: user.id })
  const count = async (): Promise<number[]> => {
    const [row] = await database.sql`
      select (select count(*)::int from account_tokens) as links, (select count(*)::int from invitations) as invitations`
    return [row!['links'], row!['invitations']]
  }
  await makeResetLink(world.ctx, user.email)
  await addMember(world.ctx, { projectId, role: 'OWNER', by: user.id }, { email: 'eve@example.com' })
  const clean = async () => {
    await enqueue(world.ctx, userKinds.clean, {})
    await enqueue(world.ctx, projectKinds.clean, {})
    await run()
  }
  await clean()
  expect(await count()).toEqual([1, 1])
  world.clock.advance(hour)
  await clean()
  expect(await count()).toEqual([0, 1])
  world.clock.advance(7 * day)
  await clean()
  expect(await count()).toEqual([0, 0])
})
