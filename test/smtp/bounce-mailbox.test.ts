// A mailbox that reports are delivered to, read by IMAP from a real Dovecot.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minute } from '../../src/lib/time'
import { feedbackKinds } from '../../src/modules/sending/feedback/kinds'
import type { Context } from '../../src/platform/context'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { selfSigned } from '../../src/platform/smtp-server/certificate'
import { allSchedules } from '../../src/server/jobs'
import type { MailboxSettings } from '../../src/settings/formats'
import { counterpart } from '../support/counterpart'
import { type Dovecot, dovecotMissing, startDovecot } from '../support/dovecot'
import { arf, dsn } from '../support/dsn'
import { type FeedbackWorld, makeFeedbackWorld } from '../support/feedback'
import { zooCertificate } from '../support/smtp-zoo'

const hasDovecot = counterpart('dovecot-imapd, run as root', dovecotMissing() === undefined)

const bounceDomain = 'bounce.acme.example'
const mailbox: MailboxSettings = {
  host: '127.0.0.1',
  port: 0,
  implicitTls: false,
  needsTls: false,
  user: 'bounces',
  password: 'geheim-genug',
  folder: 'INBOX',
  doneFolder: undefined,
  caFile: undefined,
}

describe.skipIf(!hasDovecot)('a mailbox', () => {
  let dovecot: Dovecot
  let world: FeedbackWorld
  beforeAll(async () => {
    dovecot = await startDovecot(mailbox.password)
    Object.assign(mailbox, { port: dovecot.port })
    world = await makeFeedbackWorld({ bounceDomain, bounceMailbox: mailbox })
  })
  beforeEach(async () => {
    world.mail.clear()
    await world.ctx.sql`delete from jobs`
    Object.assign(mailbox, { doneFolder: undefined, password: 'geheim-genug', needsTls: false })
    world.project = await world.newProject()
  })
  afterAll(async () => {
    await world.close()
    await dovecot.stop()
  })

  async function left(
    to = 'ada@example.com',
  ): Promise<{ id: string; messageId: string; returnPath: string }> {
    const id = await world.sendOne({ subscribed: true, to })
    await world.drain()
    const { messageId } = await world.email(id)
    return { id, messageId, returnPath: world.mail.sent.at(-1)!.envelope.returnPath! }
  }

  /** What the tick of each minute sets off. */
  async function look(ctx: Context = world.ctx): Promise<void> {
    await enqueue(ctx, feedbackKinds.checkMailbox, {})
    await world.drain()
  }

  const statusOf = async (id: string): Promise<string> => (await world.email(id)).status
  const unread = (): string[] => dovecot.files().filter(name => !/:2,.*S/.test(name))

  test('is read: reports that name a message, and those that came to its return path', async () => {
    const [named, byPath, complained] = [
      await left(),
      await left('b@example.com'),
      await left('c@example.com'),
    ]
    dovecot.deliver(dsn({ messageId: named.messageId }))
    dovecot.deliver(
      dsn({
        messageId: '',
        original: 'none',
        headers: [`Delivered-To: ${byPath.returnPath}`],
      }),
    )
    dovecot.deliver(arf(complained.messageId).replace('<hello@acme.example>', `<${complained.returnPath}>`))
    dovecot.deliver('From: ada@example.com\r\nSubject: Away\r\n\r\nBack on Monday')
    await look()
    const statuses = await Promise.all([named, byPath, complained].map(({ id }) => statusOf(id)))
    expect(statuses).toEqual(['BOUNCED', 'BOUNCED', 'COMPLAINED'])
    expect(unread()).toEqual([])
    // Read once, and nothing happens at the next look.
    await look()
    expect((await world.eventNames()).filter(name => name === 'email.bounce')).toHaveLength(2)
  })

  test('hands mails on to a folder, which is made', async () => {
    Object.assign(mailbox, { doneFolder: 'Waxwing' })
    const { id, messageId, returnPath } = await left()
    dovecot.deliver(dsn({ messageId }))
    await look()
    expect(await statusOf(id)).toBe('BOUNCED')
    expect(unread()).toEqual([])
    expect(dovecot.files('Waxwing').length).toBeGreaterThan(0)
    dovecot.deliver(arf(messageId).replace('<hello@acme.example>', `<${returnPath}>`))
    await look()
    expect(await statusOf(id)).toBe('COMPLAINED')
  })

  test('keeps a mail as new while it can not be stored', async () => {
    const { id, messageId } = await left()
    dovecot.deliver(dsn({ messageId }))
    await world.ctx.sql`alter table feedback_receipts rename to feedback_receipts_away`
    await look()
    await world.ctx.sql`alter table feedback_receipts_away rename to feedback_receipts`
    expect(unread()).toHaveLength(1)
    await look()
    expect([await statusOf(id), unread()]).toEqual(['BOUNCED', []])
  })

  test('that does not answer is left alone for longer and longer, and then read', async () => {
    const { id, messageId } = await left()
    await dovecot.halt()
    await look()
    await dovecot.start()
    dovecot.deliver(dsn({ messageId }))
    await look()
    expect(await statusOf(id)).toBe('DELIVERED')
    world.clock.advance(minute)
    await look()
    expect(await statusOf(id)).toBe('BOUNCED')
    const failed = await world.ctx.sql`select 1 from jobs where kind like 'mailbox%'`
    expect(failed).toHaveLength(0)
  })

  test.each<[string, Partial<MailboxSettings>]>([
    ['refuses the password', { password: 'wrong' }],
    ['offers no TLS where it is demanded', { needsTls: true }],
  ])('that %s is not read', async (_, changes) => {
    Object.assign(mailbox, changes)
    const { id, messageId } = await left()
    dovecot.deliver(dsn({ messageId }))
    await look()
    expect(await statusOf(id)).toBe('DELIVERED')
    Object.assign(mailbox, { password: 'geheim-genug', needsTls: false })
    world.clock.advance(minute)
    await look()
    expect(await statusOf(id)).toBe('BOUNCED')
  })

  test('is read by one job at a time, however many looks come together', async () => {
    await world.ctx.sql`delete from jobs`
    for (let count = 0; count < 3; count++)
      await enqueue(world.ctx, feedbackKinds.readMailbox, {}, { uniqueKey: feedbackKinds.readMailbox.kind })
    expect(await world.ctx.sql`select 1 from jobs where kind = 'mailbox.read'`).toHaveLength(1)
    await world.drain()
  })
})

describe.skipIf(!hasDovecot)('a mailbox over TLS', () => {
  let dovecot: Dovecot
  let world: FeedbackWorld
  let folder: string
  const settings = { ...mailbox }
  const certificate = zooCertificate()
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'waxwing-authorities-'))
    writeFileSync(join(folder, 'ours.pem'), certificate.cert)
    writeFileSync(join(folder, 'theirs.pem'), selfSigned('localhost', new Date()).cert)
    dovecot = await startDovecot(settings.password, certificate)
    world = await makeFeedbackWorld({ bounceMailbox: settings })
  })
  afterAll(async () => {
    await world.close()
    await dovecot.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function look(): Promise<void> {
    await enqueue(world.ctx, feedbackKinds.checkMailbox, {})
    await world.drain()
  }

  const byStartTls = () => ({ port: dovecot.port, implicitTls: false, needsTls: true })
  const byTls = () => ({ port: dovecot.tlsPort, implicitTls: true, needsTls: false })

  test.each<[string, () => Partial<MailboxSettings>]>([
    ['STARTTLS', byStartTls],
    ['TLS from the first byte', byTls],
  ])('is read by %s where its certificate is trusted, and by nobody else', async (_, way) => {
    world.project = await world.newProject()
    const signIns = dovecot.signIns()
    const id = await world.sendOne({ subscribed: true, to: 'ada@example.com' })
    await world.drain()
    const { messageId } = await world.email(id)
    dovecot.deliver(dsn({ messageId }))
    const statusBy = async (changes: Partial<MailboxSettings>): Promise<string> => {
      Object.assign(settings, { host: '127.0.0.1', caFile: undefined }, way(), changes)
      await look()
      world.clock.advance(30 * minute)
      return (await world.email(id)).status
    }
    const [ours, theirs] = [join(folder, 'ours.pem'), join(folder, 'theirs.pem')]
    expect(await statusBy({})).toBe('DELIVERED')
    expect(await statusBy({ caFile: theirs })).toBe('DELIVERED')
    // A name that is not in the certificate, of the same machine.
    expect(await statusBy({ host: '127.0.0.2', caFile: ours })).toBe('DELIVERED')
    expect(await statusBy({ caFile: join(folder, 'missing.pem') })).toBe('DELIVERED')
    expect(dovecot.signIns()).toBe(signIns)
    expect(await statusBy({ caFile: ours })).toBe('BOUNCED')
    expect(dovecot.signIns()).toBe(signIns + 1)
  })
})

test('nothing looks where no mailbox is set', async () => {
  const names = (bounceMailbox?: MailboxSettings): string[] =>
    allSchedules({ domainCheckIntervalMs: minute, ...(bounceMailbox ? { bounceMailbox } : {}) } as never).map(
      ({ kind }) => kind.kind,
    )
  expect(names()).not.toContain('mailbox.check')
  expect(names(mailbox)).toContain('mailbox.check')
})
