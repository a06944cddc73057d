// What comes back by SMTP: each message leaves with a return path of its own, and the server at its domain takes reports for those and for
// feedback loops, and nothing else. With swaks, nodemailer and bare conversations.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { signMessage } from '../../src/mail/dkim/sign'
import { startInbound } from '../../src/modules/sending/feedback'
import { returnPathOf } from '../../src/platform/transports/return-path'
import { arf, dsn } from '../support/dsn'
import { type FeedbackWorld, makeFeedbackWorld } from '../support/feedback'
import { startMailbox } from '../support/mailbox'
import { type Talk, talkTo } from '../support/submission'

const bounceDomain = 'bounce.acme.example'
const folder = mkdtempSync(join(tmpdir(), 'inbound-'))
let world: FeedbackWorld
let server: Awaited<ReturnType<typeof startInbound>>
let port: number
beforeAll(async () => {
  world = await makeFeedbackWorld({ bounceDomain, dataDir: folder })
  server = await startInbound(world.ctx, [{ host: '127.0.0.1', port: 0, implicitTls: false }])
  port = Number(server.addresses[0]!.split(':').at(-1))
})
beforeEach(async () => {
  world.mail.clear()
  world.project = await world.newProject()
})
afterAll(async () => {
  await server.stop()
  await world.close()
  rmSync(folder, { recursive: true })
})

/** A message that left, with its return path. */
async function left(body: Record<string, unknown> = {}): Promise<{ id: string; returnPath: string }> {
  const id = await world.sendOne({ subscribed: true, ...body })
  await world.drain()
  return { id, returnPath: world.mail.sent.at(-1)!.envelope.returnPath! }
}

/** Hands a report over as a mail server does; answers the last reply. */
async function deliver(to: string | string[], raw: string, from = ''): Promise<string> {
  const transport = createTransport({ host: '127.0.0.1', port, tls: { rejectUnauthorized: false } })
  try {
    const info = await transport.sendMail({ envelope: { from, to }, raw })
    return info.response
  } catch (error) {
    return (error as { response?: string }).response ?? String(error)
  } finally {
    transport.close()
  }
}

async function greeted(): Promise<Talk> {
  const talk = await talkTo(port)
  await talk.reply()
  await talk.ask('EHLO mx.example.com')
  return talk
}

const statusOf = async (id: string): Promise<string> => (await world.email(id)).status
const foreign = '<nobody@elsewhere.example>'

describe('a message that leaves', () => {
  test('has a return path of its own, in any case of letters, that mail servers take', async () => {
    const [one, two] = [await left(), await left({ to: 'b@example.com' })]
    expect(one.returnPath).not.toBe(two.returnPath)
    for (const { id, returnPath } of [one, two]) {
      expect(returnPath).toEndWith(`@${bounceDomain}`)
      expect(returnPath.split('@')[0]!.length).toBeLessThanOrEqual(64)
      expect(returnPath).toMatch(/^[a-z0-9-]+@/)
      expect(returnPath).toContain(id.replaceAll('-', ''))
    }
    // The header still names the sender, and the same message has the same path at each try.
    expect(Buffer.from(world.mail.sent.at(-1)!.raw).toString()).not.toContain(bounceDomain)
    expect(world.mail.sent.at(-1)!.envelope.from).toBe('hello@acme.example')
    expect(returnPathOf(world.ctx.vault, bounceDomain, two.id)).toBe(two.returnPath)
  })

  test('has none where no domain is set', async () => {
    const plain = await makeFeedbackWorld()
    await plain.sendOne()
    await plain.drain()
    expect(plain.mail.sent.at(-1)!.envelope.returnPath).toBeUndefined()
    await plain.close()
  })
})

describe('a report to the return path', () => {
  test('bounces the message, although it names none', async () => {
    const { id, returnPath } = await left()
    expect(await deliver(returnPath.toUpperCase(), dsn({ messageId: '', original: 'none' }))).toStartWith(
      '250',
    )
    expect(await world.email(id)).toMatchObject({ status: 'BOUNCED', bouncedAt: '2026-03-01T11:59:30.000Z' })
    expect((await world.contact()).subscribed).toBe(false)
  })

  test('is about that message, whatever else it names', async () => {
    const [mine, other] = [await left(), await left({ to: 'b@example.com' })]
    const { messageId } = await world.email(other.id)
    await deliver(mine.returnPath, dsn({ messageId }))
    expect([await statusOf(mine.id), await statusOf(other.id)]).toEqual(['BOUNCED', 'DELIVERED'])
  })

  test('may come twice, and may be a complaint', async () => {
    const { id, returnPath } = await left()
    const raw = arf(foreign)
    for (const _ of [1, 2]) expect(await deliver(returnPath, raw)).toStartWith('250')
    expect(await statusOf(id)).toBe('COMPLAINED')
    const names = await world.eventNames()
    expect(names.filter(name => name === 'email.complaint')).toHaveLength(1)
  })

  test('that is no report is taken and forgotten', async () => {
    const { id, returnPath } = await left()
    const away =
      'From: ada@example.com\r\nAuto-Submitted: auto-replied\r\nSubject: Away\r\n\r\nBack on Monday'
    expect(await deliver(returnPath, away)).toStartWith('250')
    expect(await statusOf(id)).toBe('DELIVERED')
  })

  test('is answered with 451 while it can not be stored, and comes again', async () => {
    const { id, returnPath } = await left()
    const raw = dsn({ messageId: foreign })
    await world.ctx.sql`alter table feedback_receipts rename to feedback_receipts_away`
    const answer = await deliver(returnPath, raw)
    await world.ctx.sql`alter table feedback_receipts_away rename to feedback_receipts`
    expect(answer).toStartWith('451')
    expect(await statusOf(id)).toBe('DELIVERED')
    expect(await deliver(returnPath, raw)).toStartWith('250')
    expect(await statusOf(id)).toBe('BOUNCED')
  })
})

describe('a feedback loop', () => {
  test.each(['fbl', 'Abuse', 'postmaster'])('may complain to %s@, naming the message', async name => {
    const { id, returnPath } = await left()
    const { messageId } = await world.email(id)
    const raw = arf(messageId).replace('<hello@acme.example>', `<${returnPath}>`)
    expect(await deliver(`${name}@${bounceDomain}`, raw)).toStartWith('250')
    expect(await statusOf(id)).toBe('COMPLAINED')
  })

  test('that does not show the return path stops mail to that address, and counts for nothing', async () => {
    const { id } = await left()
    const { messageId } = await world.email(id)
    expect(await deliver(`fbl@${bounceDomain}`, arf(messageId))).toStartWith('250')
    expect(await statusOf(id)).toBe('DELIVERED')
    expect(await world.eventNames()).not.toContain('email.complaint')
    const rows = await world.ctx.sql`select reason from suppressions where project_id = ${world.project.id}`
    expect(rows.map(row => row['reason'])).toEqual(['complaint'])
  })

  test('that a known feedback loop has signed counts without the return path', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    world.dns.set('one._domainkey.mail.yahoo.com', 'txt', `v=DKIM1; p=${key}`)
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    const results: string[] = []
    for (const [from, domain] of [
      ['feedback@arf.mail.yahoo.com', 'mail.yahoo.com'],
      ['somebody@mail.yahoo.com', 'mail.yahoo.com'],
      ['feedback@arf.mail.yahoo.com', 'attacker.example'],
    ] as const) {
      const { id } = await left({ to: `reader-${results.length}@example.com` })
      const raw = arf((await world.email(id)).messageId).replace('abusedesk@example.com', from)
      const signed = await signMessage(Buffer.from(raw), { domain, selector: 'one', privateKey: pem })
      await deliver(`fbl@${bounceDomain}`, Buffer.from(signed).toString())
      results.push(await statusOf(id))
    }
    expect(results).toEqual(['COMPLAINED', 'DELIVERED', 'DELIVERED'])
  })

  test('counts three times in a week from one network, if no known loop has signed it', async () => {
    const statuses: string[] = []
    for (const _ of [1, 2, 3, 4]) {
      const { id, returnPath } = await left({ to: `reader-${statuses.length}@example.com` })
      await deliver(returnPath, arf((await world.email(id)).messageId))
      statuses.push(await statusOf(id))
    }
    expect(statuses).toEqual(['COMPLAINED', 'COMPLAINED', 'COMPLAINED', 'DELIVERED'])
    const rows = await world.ctx.sql`select from suppressions where project_id = ${world.project.id}`
    expect(rows.count).toBe(4)
  })

  test('that two servers copy word for word is one for each message', async () => {
    const [one, two] = [await left(), await left({ to: 'b@example.com' })]
    const raw = dsn({ messageId: foreign })
    await deliver(one.returnPath, raw)
    await deliver(two.returnPath, raw)
    expect([await statusOf(one.id), await statusOf(two.id)]).toEqual(['BOUNCED', 'BOUNCED'])
  })

  test.each([
    ['notUnderstood', 'From: ada@example.com\r\nSubject: Hello\r\n\r\nHi'],
    [
      'answer',
      'From: ada@example.com\r\nAuto-Submitted: auto-replied\r\nSubject: Away\r\n\r\nBack on Monday',
    ],
  ])('leaves a trace where it is %s', async (outcome, raw) => {
    const { returnPath } = await left()
    const count = async () => {
      const rows = await world.ctx.sql`select mails from returned_mail_days where outcome = ${outcome}`
      return Number(rows[0]?.['mails'] ?? 0)
    }
    const before = await count()
    await deliver(returnPath, raw)
    expect(await count()).toBe(before + 1)
  })

  test('in the words of qmail is believed at the return path alone', async () => {
    const { id, returnPath } = await left()
    const { messageId } = await world.email(id)
    const raw = [
      'From: MAILER-DAEMON@mx.example.com',
      'Subject: failure notice',
      '',
      'Hi. This is the qmail-send program at mx.example.com.',
      "I'm afraid I wasn't able to deliver your message to the following addresses.",
      '',
      '<ada@example.com>:',
      'Sorry, no mailbox here by that name. (#5.1.1)',
      '',
      '--- Below this line is a copy of the message.',
      '',
      `Message-ID: ${messageId}`,
      '',
    ].join('\r\n')
    await deliver(`postmaster@${bounceDomain}`, raw)
    expect(await statusOf(id)).toBe('DELIVERED')
    await deliver(returnPath, raw)
    expect(await statusOf(id)).toBe('BOUNCED')
  })

  test('may name the sender of the envelope alone', async () => {
    const { id, returnPath } = await left()
    const raw = arf(foreign).replace('<hello@acme.example>', `<${returnPath}>`)
    await deliver(`fbl@${bounceDomain}`, raw)
    expect(await statusOf(id)).toBe('COMPLAINED')
  })

  test('may not make one up', async () => {
    const { id, returnPath } = await left()
    const forged = returnPath.replace(/.@/, digit => (digit === '0@' ? '1@' : '0@'))
    const raw = arf(foreign).replace('<hello@acme.example>', `<${forged}>`)
    expect(await deliver(`fbl@${bounceDomain}`, raw)).toStartWith('250')
    expect(await statusOf(id)).toBe('DELIVERED')
  })

  test('is not believed about failures: anybody can write there', async () => {
    const { id } = await left()
    const { messageId } = await world.email(id)
    expect(await deliver(`fbl@${bounceDomain}`, dsn({ messageId }))).toStartWith('250')
    expect(await statusOf(id)).toBe('DELIVERED')
  })
})

describe('nothing else is taken', () => {
  test('no other domain, no unknown address, no other signature', async () => {
    const { id, returnPath } = await left()
    const talk = await greeted()
    await talk.ask('MAIL FROM:<>')
    const forged = returnPath.replace(/.@/, digit => (digit === '0@' ? '1@' : '0@'))
    const answers: Array<[address: string, answer: string]> = [
      ['ada@example.com', '550 5.7.1'],
      [returnPath.replace(bounceDomain, 'example.com'), '550 5.7.1'],
      [`${returnPath}.evil.example`, '550 5.7.1'],
      [`ada%example.com@${bounceDomain}`, '550 5.1.1'],
      [`nobody@${bounceDomain}`, '550 5.1.1'],
      [forged, '550 5.1.1'],
      [returnPathOf(world.ctx.vault, bounceDomain, id).replace(/^b-/, 'c-'), '550 5.1.1'],
      [`b-${'0'.repeat(32)}-${'0'.repeat(20)}@${bounceDomain}`, '550 5.1.1'],
    ]
    for (const [address, answer] of answers)
      expect(await talk.ask(`RCPT TO:<${address}>`)).toStartWith(answer)
    expect(await talk.ask('DATA')).toStartWith('503')
    expect(await talk.ask(`RCPT TO:<${returnPath}>`)).toStartWith('250')
    talk.end()
  })

  test('nobody signs in, and nobody is told who is there', async () => {
    const talk = await greeted()
    for (const command of ['AUTH PLAIN AGEAYg==', 'EXPN fbl'])
      expect(await talk.ask(command)).toStartWith('502')
    // The same for every address.
    for (const name of ['postmaster', 'nobody']) expect(await talk.ask(`VRFY ${name}`)).toStartWith('252')
    expect(talk.said()).not.toContain('250-AUTH')
    expect(talk.said()).toContain('STARTTLS')
    talk.end()
  })

  test('no report of more than five megabytes', async () => {
    const { id, returnPath } = await left()
    const long = `${dsn({ messageId: foreign })}\r\n${'x'.repeat(70)}\r\n`.padEnd(
      5 * 1024 ** 2 + 10_000,
      'y\r\n',
    )
    expect(await deliver(returnPath, long)).toMatch(/^55[24]/)
    expect(await statusOf(id)).toBe('DELIVERED')
  })

  test('a second message does not hide behind a bare line end', async () => {
    const [one, two] = [await left(), await left({ to: 'b@example.com' })]
    const talk = await greeted()
    await talk.ask('MAIL FROM:<>')
    await talk.ask(`RCPT TO:<${one.returnPath}>`)
    await talk.ask('DATA')
    talk.write(`Subject: x\r\n\r\nHi\n.\nMAIL FROM:<>\nRCPT TO:<${two.returnPath}>\nDATA\n`)
    talk.write(`${dsn({ messageId: foreign })}\r\n.\r\n`)
    expect(await talk.reply()).toMatch(/^[245]\d\d/)
    talk.end()
    expect([await statusOf(one.id), await statusOf(two.id)]).toEqual(['DELIVERED', 'DELIVERED'])
  })
})

test('the transport of SMTP uses the return path', async () => {
  const mailbox = await startMailbox()
  const { returnPath } = await left()
  await mailbox.transport.send(world.mail.sent.at(-1)!)
  expect(mailbox.taken[0]!.envelope.from).toBe(returnPath)
  await mailbox.stop()
})

test('swaks is answered like any server', async () => {
  const { id, returnPath } = await left()
  const file = join(folder, 'report.eml')
  await Bun.write(file, dsn({ messageId: foreign }))
  const child = Bun.spawn(
    [
      'swaks',
      '--server',
      `127.0.0.1:${port}`,
      '--tls',
      '--from',
      '<>',
      '--to',
      returnPath,
      '--data',
      `@${file}`,
    ],
    { stdout: 'pipe', stderr: 'pipe' },
  )
  const [said, exit] = [await new Response(child.stdout).text(), await child.exited]
  expect([exit, said]).toEqual([0, expect.stringContaining('250')])
  expect(await statusOf(id)).toBe('BOUNCED')
})
