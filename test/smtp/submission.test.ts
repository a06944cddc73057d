// The submission server with clients of other people: nodemailer, swaks, Python's smtplib, msmtp. What leaves is what they meant, refusals say
// what the API says, and 250 means that it is stored.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { smtpSampleOf } from '../../src/dashboard/pages/reference/samples'
import { updateProject } from '../../src/modules/accounts/projects/queries'
import { installed } from '../support/counterpart'
import {
  openSubmission,
  plainLogin,
  type Submission,
  signedIn,
  talkOver,
  talkTo,
} from '../support/submission'
import { makeWorld, sender, type World } from '../support/world'

const folder = mkdtempSync(join(tmpdir(), 'submission-'))
let world: World
let server: Submission
let upgradable: Submission
let secured: Submission
beforeAll(async () => {
  world = await makeWorld({ dataDir: folder, maxMessageBytes: 300_000, maxAttachmentBytes: 100_000 })
  // What is tracked is not as it was written.
  await updateProject(world.ctx, world.project.id, { tracking: 'DISABLED' })
  server = await openSubmission(world)
  upgradable = await openSubmission(world, { plainOnLoopback: false })
  secured = await openSubmission(world, { implicitTls: true, plainOnLoopback: false })
})
beforeEach(async () => {
  await world.drain()
  world.mail.clear()
})
afterAll(async () => {
  await server.stop()
  await upgradable.stop()
  await secured.stop()
  await world.close()
  rmSync(folder, { recursive: true })
})

const auth = () => ({ user: 'anybody', pass: world.project.secretKey })

async function submit(mail: SendMailOptions, pass = world.project.secretKey) {
  const transport = createTransport({
    host: '127.0.0.1',
    port: server.port,
    auth: { user: 'x', pass },
    tls: { rejectUnauthorized: false },
  })
  try {
    return await transport.sendMail({
      from: sender,
      to: 'ada@example.com',
      subject: 'Hello',
      text: 'Hi',
      ...mail,
    })
  } finally {
    transport.close()
  }
}

/** The reply that refused it. */
async function refused(mail: SendMailOptions, pass?: string): Promise<string> {
  const error = await submit(mail, pass).then(
    info => new Error(`it was taken: ${info.response}`),
    (error: Error & { response?: string }) => error,
  )
  return ('response' in error ? error.response : undefined) ?? error.message
}

describe('a message of nodemailer', () => {
  test('is accepted with its parts as they are, and leaves', async () => {
    const info = await submit({
      from: '"Acme, Inc." <hello@acme.example>',
      to: '"Ada Lovelace" <Ada@example.com>',
      replyTo: 'Help <help@acme.example>',
      subject: 'Grüße {{name}}',
      text: 'Own words: {{name}} {% if %}',
      html: '<p>Own HTML: {{name}} <img src="cid:dot@x"></p>',
      headers: { 'X-Order': '4711', 'List-Id': 'Orders <orders.acme.example>', References: '<a@b> <c@d>' },
      attachments: [
        { filename: 'päper.txt', content: 'total: 42', contentType: 'text/plain' },
        { filename: 'dot.gif', content: Buffer.from('R0lGODlhAQABAAAAACw=', 'base64'), cid: 'dot@x' },
      ],
    })
    expect(info.response).toMatch(/^250 2\.6\.0 Accepted as [0-9a-f-]{36}$/)
    const id = info.response.split(' ').at(-1)!
    expect((await world.email(id)).status).toBe('PENDING')
    await world.drain()
    const [mail] = await world.received()
    expect(mail).toMatchObject({
      subject: 'Grüße {{name}}',
      from: { address: sender, name: 'Acme, Inc.' },
      to: [{ address: 'Ada@example.com', name: 'Ada Lovelace' }],
      replyTo: [{ address: 'help@acme.example', name: 'Help' }],
    })
    expect(mail!.text?.trim()).toBe('Own words: {{name}} {% if %}')
    expect(mail!.html?.trim()).toBe('<p>Own HTML: {{name}} <img src="cid:dot@x"></p>')
    const header = (name: string) => mail!.headers.find(({ key }) => key === name)?.value
    expect([header('x-order'), header('list-id'), header('references'), header('received')]).toEqual([
      '4711',
      'Orders <orders.acme.example>',
      '<a@b> <c@d>',
      undefined,
    ])
    expect(
      mail!.attachments.map(({ filename, disposition, contentId }) => [filename, disposition, contentId]),
    ).toEqual([
      ['dot.gif', 'inline', '<dot@x>'],
      ['päper.txt', 'attachment', undefined],
    ])
    expect((await world.email(id)).metadata).toEqual({ messageId: info.messageId.replace(/[<>]/g, '') })
  })

  test('goes to each recipient with To and Cc as written, and the blind ones are named to nobody', async () => {
    const info = await submit({ to: 'a@example.com', cc: 'B <b@example.com>', bcc: 'c@example.com' })
    expect(info.response).toBe('250 2.6.0 Accepted as 3 messages')
    await world.drain()
    const mails = await world.received()
    const written = { to: [{ address: 'a@example.com' }], cc: [{ address: 'b@example.com', name: 'B' }] }
    expect(mails).toMatchObject([written, written, written])
    expect(mails.map(({ bcc }) => bcc)).toEqual([undefined, undefined, undefined])
    const envelopes = world.mail.sent.map(({ envelope }) => envelope.to)
    expect(envelopes.sort()).toEqual(['a@example.com', 'b@example.com', 'c@example.com'])
  })

  test('with HTML alone that takes long to read gets none in the ledger either, and waits for nobody', async () => {
    const html = '<p>Dear <b>Ada</b></p>'.repeat(10_000)
    const { response } = await submit({ text: undefined, html })
    const { body: shown, text } = await world.email(response.split(' ').at(-1)!)
    expect([shown.trim(), text]).toEqual([html, ''])
  })

  test('with HTML alone gets no text but in the ledger, one of text alone no HTML, one of nothing is sent too', async () => {
    const { response } = await submit({ text: undefined, html: '<p>Dear <b>Ada</b></p><p>{{x}}</p>' })
    await submit({ text: 'Only words' })
    await submit({ text: '', subject: '' })
    await world.drain()
    const mails = await world.received()
    expect(mails.map(({ text, html, subject }) => [text?.trim(), html?.trim(), subject])).toEqual([
      [undefined, '<p>Dear <b>Ada</b></p><p>{{x}}</p>', 'Hello'],
      ['Only words', undefined, 'Hello'],
      [undefined, undefined, undefined],
    ])
    expect((await world.email(response.split(' ').at(-1)!)).text).toBe('Dear Ada\n\n{{x}}')
  })

  test('handed in twice is sent once, and told 250 both times', async () => {
    const mail = { messageId: '<order-1@shop.example>', to: ['a@example.com', 'b@example.com'] }
    const answers = [await submit(mail), await submit(mail), await submit({ ...mail, to: 'c@example.com' })]
    expect(answers[1]!.response).toBe('250 2.6.0 Accepted as 2 messages')
    await world.drain()
    expect(world.mail.sent.map(({ envelope }) => envelope.to).sort()).toEqual([
      'a@example.com',
      'b@example.com',
      'c@example.com',
    ])
    world.clock.advance(25 * 3_600_000)
    await submit(mail)
    await world.drain()
    expect(world.mail.sent).toHaveLength(5)
  })

  test('to a suppressed address is kept as FAILED, as for a request', async () => {
    await world.ctx.sql`
      insert into suppressions (project_id, email, reason, source, created_at)
      values (${world.project.id}, 'gone@example.com', 'bounce', 'test', now())`
    const { response } = await submit({ to: 'gone@example.com' })
    expect((await world.email(response.split(' ').at(-1)!)).status).toBe('FAILED')
  })
})

describe('a refusal', () => {
  test.each<[string, SendMailOptions, RegExp]>([
    ["of a domain that is not the project's", { from: 'a@other.example' }, /^550 5\.7\.1 .*other\.example/],
    ['of an address that is none', { envelope: { from: sender, to: ['a@localhost'] } }, /^553 5\.1\.3 /],
    [
      'of files that are too large',
      { attachments: [{ filename: 'a', content: Buffer.alloc(120_000) }] },
      /^552 5\.3\.4 attachments/,
    ],
    ['of a message that is too large', { text: 'x'.repeat(400_000) }, /^552 5\.3\.4 /],
    [
      'of too many files',
      { attachments: Array.from({ length: 101 }, () => ({ filename: 'a', content: 'a' })) },
      /^554 5\.6\.0 .*files/,
    ],
  ])('%s says what the API says', async (_, mail, reply) => {
    expect(await refused(mail)).toMatch(reply)
    await world.drain()
    expect(world.mail.sent).toEqual([])
  })

  test('of a wrong key, and of the public one', async () => {
    for (const pass of ['sk_nonsense', world.project.publicKey, ''])
      expect(await refused({}, pass)).toMatch(/535 5\.7\.8|Missing credentials/)
  })

  test('of a disabled project, also on a connection that it has opened before', async () => {
    const project = await world.newProject()
    const talk = await signedIn(server.port, project.secretKey)
    await world.ctx.sql`update projects set disabled = true where id = ${project.id}`
    await talk.ask(`MAIL FROM:<${sender}>`)
    await talk.ask('RCPT TO:<ada@example.com>')
    await talk.ask('DATA')
    const answer = await talk.ask(`From: ${sender}\r\nSubject: x\r\n\r\nx\r\n.`)
    expect(answer).toStartWith('550 5.7.1 This project is disabled')
    talk.end()
  })

  test('for a while, where requests are too many', async () => {
    const limited = await makeWorld({ dataDir: folder, rateLimitPerMinute: 2 })
    const own = await openSubmission(limited)
    const talk = await signedIn(own.port, limited.project.secretKey)
    const codes: string[] = []
    for (let n = 0; n < 3; n++) {
      await talk.ask(`MAIL FROM:<${sender}>`)
      await talk.ask('RCPT TO:<ada@example.com>')
      await talk.ask('DATA')
      codes.push((await talk.ask(`From: ${sender}\r\nSubject: x\r\n\r\nx\r\n.`)).slice(0, 9))
    }
    expect(codes).toEqual(['250 2.6.0', '250 2.6.0', '450 4.7.1'])
    talk.end()
    await own.stop()
    await limited.close()
  })
})

describe('other clients', () => {
  /** Answers its exit code and what it printed. */
  async function spawn(command: string[], stdin = '') {
    const child = Bun.spawn(command, { stdin: Buffer.from(stdin), stdout: 'pipe', stderr: 'pipe' })
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    return { code: await child.exited, output: out + err }
  }

  const letter = (subject: string) =>
    `From: ${sender}\nTo: ada@example.com\nSubject: ${subject}\n\nHi from there.\n.\nEnd\n`

  test.skipIf(!installed('swaks'))('swaks by STARTTLS and by TLS from the first byte', async () => {
    const common = ['--to', 'ada@example.com', '--from', sender, '--auth-user', 'x']
    const login = ['--auth-password', auth().pass, '--header', 'Subject: swaks', '--body', 'Hi']
    for (const [port, more] of [
      [upgradable.port, ['--tls', '--auth', 'PLAIN']],
      [upgradable.port, ['--tls', '--auth', 'LOGIN']],
      [secured.port, ['--tls-on-connect', '--auth', 'LOGIN']],
    ] as const) {
      const { code, output } = await spawn([
        'swaks',
        ...['--server', `127.0.0.1:${port}`],
        ...common,
        ...login,
        ...more,
      ])
      expect([code, output]).toEqual([0, expect.stringContaining('250 2.6.0 Accepted as')])
    }
    await world.drain()
    expect((await world.received()).map(mail => mail.subject)).toEqual(['swaks', 'swaks', 'swaks'])
  })

  test.skipIf(!installed('swaks'))('swaks, as the dashboard says it', async () => {
    const host = '127.0.0.1'
    for (const [port, isSecure] of [
      [upgradable.port, false],
      [secured.port, true],
    ] as const) {
      const line = smtpSampleOf({ host, port, isSecure, key: auth().pass, from: sender })
      const { code, output } = await spawn(['sh', '-c', line])
      expect([code, output]).toEqual([0, expect.stringContaining('250 2.6.0 Accepted as')])
    }
    await world.drain()
    const subjects = (await world.received()).map(mail => mail.subject)
    expect(subjects).toEqual(['Hello from Waxwing', 'Hello from Waxwing'])
  })

  test.skipIf(!installed('python3'))('smtplib of Python', async () => {
    const script = `
import smtplib, ssl, sys
from email.message import EmailMessage
m = EmailMessage()
m["From"], m["To"], m["Subject"] = "${sender}", "Ada <ada@example.com>", "Grüße"
m.set_content("text ä"); m.add_alternative("<p>html ä</p>", subtype="html")
m.add_attachment(b"42", maintype="application", subtype="x-test", filename="a.bin")
c = ssl.create_default_context(); c.check_hostname = False; c.verify_mode = ssl.CERT_NONE
with smtplib.SMTP("127.0.0.1", ${upgradable.port}) as s:
    s.starttls(context=c); s.login("anybody", sys.argv[1]); print(s.send_message(m))
`
    const { code, output } = await spawn(['python3', '-c', script, auth().pass])
    expect([code, output.trim()]).toEqual([0, '{}'])
    await world.drain()
    const [mail] = await world.received()
    expect([mail!.subject, mail!.text?.trim(), mail!.html?.trim(), mail!.attachments[0]!.filename]).toEqual([
      'Grüße',
      'text ä',
      '<p>html ä</p>',
      'a.bin',
    ])
  })

  test.skipIf(!installed('msmtp'))('msmtp, as cron uses it', async () => {
    const config = join(folder, 'msmtprc')
    const lines = [
      ...[
        'account default',
        'host 127.0.0.1',
        `port ${upgradable.port}`,
        `from ${sender}`,
        'auth on',
        'user x',
      ],
      ...[`password ${auth().pass}`, 'tls on', 'tls_starttls on', 'tls_certcheck off'],
    ]
    writeFileSync(config, `${lines.join('\n')}\n`, { mode: 0o600 })
    const { code, output } = await spawn(['msmtp', `--file=${config}`, '-t'], letter('msmtp'))
    expect([code, output]).toEqual([0, ''])
    await world.drain()
    const [mail] = await world.received()
    expect([mail!.subject, mail!.text?.replaceAll('\r\n', '\n').trim()]).toEqual([
      'msmtp',
      'Hi from there.\n.\nEnd',
    ])
  })
})

describe('commands that come in one packet', () => {
  /** Counts the TLS records that a server has sent through it. */
  async function relayTo(port: number) {
    const chunks: Buffer[] = []
    const relay = createServer(client => {
      const upstream = connect(port, '127.0.0.1')
      client.pipe(upstream).on('data', chunk => chunks.push(chunk))
      upstream.pipe(client)
      client.on('error', () => upstream.destroy())
    })
    await new Promise<void>(resolve => relay.listen(0, '127.0.0.1', resolve))
    const records = (): number => {
      const bytes = Buffer.concat(chunks)
      let count = 0
      for (let at = 0; at < bytes.length; at += 5 + bytes.readUInt16BE(at + 3)) count++
      return count
    }
    return { port: (relay.address() as AddressInfo).port, records, close: () => relay.close() }
  }

  test('are answered in one', async () => {
    const relay = await relayTo(secured.port)
    const socket = connectTls({ port: relay.port, host: '127.0.0.1', rejectUnauthorized: false })
    const talk = talkOver(socket)
    await talk.reply()
    await talk.ask('EHLO test.example')
    await talk.ask(plainLogin(auth().pass))
    const before = relay.records()
    talk.write(`MAIL FROM:<${sender}>\r\nRCPT TO:<a@example.com>\r\nRCPT TO:<b@example.com>\r\nDATA\r\n`)
    const replies = [await talk.reply(), await talk.reply(), await talk.reply(), await talk.reply()]
    expect(replies.map(reply => reply.slice(0, 3))).toEqual(['250', '250', '250', '354'])
    expect(relay.records() - before).toBe(1)
    talk.end()
    relay.close()
  })

  test('may begin with the end of the message before (RFC 2920, 3.1)', async () => {
    const talk = await signedIn(server.port, auth().pass)
    const commands = (to: string) => `MAIL FROM:<${sender}>\r\nRCPT TO:<${to}>\r\nDATA\r\n`
    const letter = (to: string) => `From: ${sender}\r\nTo: ${to}\r\nSubject: To ${to}\r\n\r\nHi\r\n.\r\n`
    const recipients = ['a@example.com', 'b@example.com', 'c@example.com']
    const [first, ...others] = recipients
    const pieces = [
      commands(first!),
      ...recipients.map((to, at) => letter(to) + commands(others[at] ?? first!)),
    ]
    const codes: string[] = []
    for (const [at, piece] of pieces.entries()) {
      talk.write(piece)
      for (let left = at === 0 ? 3 : 4; left > 0; left--) codes.push((await talk.reply()).slice(0, 3))
    }
    talk.end()
    const group = ['250', '250', '354']
    expect(codes).toEqual([...group, ...recipients.flatMap(() => ['250', ...group])])
    await world.drain()
    const mails = await world.received()
    expect(mails.map(({ to, subject }) => [to?.[0]?.address, subject])).toEqual(
      recipients.map(to => [to, `To ${to}`]),
    )
  })

  test('may end with STARTTLS', async () => {
    const talk = await talkTo(upgradable.port)
    await talk.reply()
    await talk.ask('EHLO x')
    talk.write('NOOP\r\nSTARTTLS\r\n')
    expect([await talk.reply(), await talk.reply()].map(reply => reply.slice(0, 3))).toEqual(['250', '220'])
    const upgraded = await talk.toTls()
    expect(await upgraded.ask('EHLO test.example')).toStartWith('250 ')
    upgraded.end()
  })
})

test('the sender has the name that the program wrote, and no other', async () => {
  await updateProject(world.ctx, world.project.id, { name: 'Acme Shop' })
  await submit({ from: sender })
  await world.drain()
  expect((await world.received())[0]!.from).toEqual({ address: sender, name: '' })
})

// Comes last: what follows it would wait until all of them have left.
test('a burst of 1,000 over pooled connections: all are stored when 250 is said', async () => {
  const transport = createTransport({
    pool: true,
    maxConnections: 10,
    host: '127.0.0.1',
    port: server.port,
    auth: auth(),
    tls: { rejectUnauthorized: false },
  })
  const sends = Array.from({ length: 1_000 }, (_, n) =>
    transport.sendMail({
      from: sender,
      to: `burst-${n}@example.com`,
      subject: `Order ${n}`,
      text: `Hi ${n}`,
    }),
  )
  const infos = await Promise.all(sends)
  transport.close()
  expect(infos.every(({ response }) => response.startsWith('250 2.6.0'))).toBe(true)
  const [row] = await world.ctx.sql`
    select count(*)::int as count, count(distinct to_email)::int as different from emails where to_email like 'burst-%'`
  expect(row).toEqual({ count: 1_000, different: 1_000 })
})
