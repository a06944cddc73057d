// What programs submit leaves as it is: behind the header on top not one byte differs, and signatures over parts still verify, with programs
// of other people.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dkimVerify } from 'mailauth/lib/dkim/verify'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { counterpart, installed } from '../support/counterpart'
import { openSubmission, type Submission, signedIn } from '../support/submission'
import { makeWorld, sender, senderDomain, type World } from '../support/world'

const folder = mkdtempSync(join(tmpdir(), 'bytes-'))
let world: World
let server: Submission
beforeAll(async () => {
  // Measured unless somebody says otherwise: these messages are not.
  world = await makeWorld({ dataDir: folder })
  server = await openSubmission(world)
})
beforeEach(async () => {
  await world.drain()
  world.mail.clear()
})
afterAll(async () => {
  await server.stop()
  await world.close()
  rmSync(folder, { recursive: true })
})

/** Lines as they are written here. */
const crlf = (text: string): string => text.replace(/\r?\n/g, '\r\n')
const headOf = (raw: string): string => raw.slice(0, raw.indexOf('\r\n\r\n') + 2)
const bodyOf = (raw: string): string => raw.slice(raw.indexOf('\r\n\r\n') + 4)

/** The last line of the reply; bytes are one character each. */
async function handIn(raw: string, to = ['ada@example.com']): Promise<string> {
  const talk = await signedIn(server.port, world.project.secretKey)
  await talk.ask(`MAIL FROM:<${sender}>`)
  for (const one of to) await talk.ask(`RCPT TO:<${one}>`)
  await talk.ask('DATA')
  const stuffed = raw.replace(/(^|\n)\./g, '$1..')
  talk.write(Buffer.from(`${stuffed}${stuffed.endsWith('\r\n') ? '' : '\r\n'}.\r\n`, 'latin1'))
  const reply = await talk.reply()
  talk.end()
  return reply
}

/** What left, after it was taken. */
async function leaves(raw: string, to?: string[]): Promise<string[]> {
  expect(await handIn(raw, to)).toStartWith('250 2.6.0')
  await world.drain()
  return world.mail.sent.map(({ raw: sent }) => Buffer.from(sent).toString('latin1'))
}

const top = `From: Acme <${sender}>\nTo: Ada <ada@example.com>\nSubject: Hi\nMessage-ID: <ID>\nDate: Thu, 26 Nov 2026 10:00:00 +0100\n`
let ids = 0
const message = (rest: string, head = top): string =>
  crlf(`${head.replace('ID>', `${++ids}@shop.example>`)}${rest}`)

/** All headers that it had are there, in their order, and its body is the same; the answer is the rest of the header. */
function expectSame(sent: string, raw: string): string {
  expect(bodyOf(sent)).toBe(raw.endsWith('\r\n') ? bodyOf(raw) : `${bodyOf(raw)}\r\n`)
  const own = headOf(raw)
  expect(sent).toContain(own)
  return headOf(sent).replace(own, '')
}

/** What becomes of the signatures of our domain. */
async function signatures(sent: string): Promise<string[]> {
  const [domain] = await world.ctx.sql`
    select public_key from domains where project_id = ${world.project.id} and domain = ${senderDomain}`
  const { results } = await dkimVerify(Buffer.from(sent, 'latin1'), {
    resolver: async () => [[`v=DKIM1; k=rsa; p=${domain!.public_key}`]],
  })
  return results.map(({ status }) => status.result)
}

async function run(command: string[], stdin: string | Uint8Array = '', env: Record<string, string> = {}) {
  const child = Bun.spawn(command, {
    stdin: Buffer.from(stdin as string),
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, ...env },
  })
  const [out, err] = await Promise.all([
    new Response(child.stdout).arrayBuffer(),
    new Response(child.stderr).text(),
  ])
  return { code: await child.exited, out: Buffer.from(out).toString('latin1'), err }
}

const mixed = (parts: string, type = 'multipart/mixed; boundary="b=_1"'): string =>
  `MIME-Version: 1.0\nContent-Type: ${type}\n\npreamble\n--b=_1\n${parts}\n--b=_1--\n`

const invitation = 'BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VEVENT\nUID:1\nEND:VEVENT\nEND:VCALENDAR\n'

describe('byte for byte', () => {
  test.each<[string, string]>([
    ['a message of text', 'X-Tag: a\nX-Tag: b\n\nHi\n.\n..\n  two blanks  \n\n\n'],
    [
      'what is encrypted',
      mixed(
        'Content-Type: application/pgp-encrypted\n\nVersion: 1\n\n--b=_1\nContent-Type: application/octet-stream; name="encrypted.asc"\nContent-Disposition: inline; filename="encrypted.asc"\n\n-----BEGIN PGP MESSAGE-----\nabc\n-----END PGP MESSAGE-----\n',
        'multipart/encrypted; protocol="application/pgp-encrypted";\n boundary="b=_1"',
      ),
    ],
    [
      'what is enveloped',
      'MIME-Version: 1.0\nContent-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=smime.p7m\n\nMIIB\nAAEC\n',
    ],
    [
      'an invitation as Outlook writes it',
      mixed(
        `Content-Type: text/plain; charset="us-ascii"\n\nSee you\n--b=_1\nContent-Type: text/calendar; charset="utf-8"; method=REQUEST\nContent-Transfer-Encoding: 7bit\n\n${invitation}`,
        'multipart/alternative;\n\tboundary="b=_1"',
      ),
    ],
    [
      'an attached message',
      mixed(
        'Content-Type: text/plain\n\nsee below\n--b=_1\nContent-Type: message/rfc822\n\nFrom: x@y.example\nSubject: old\nBcc: z@y.example\n\nold text\n--b=_1\nContent-Type: message/rfc822; name=orig.eml\nContent-Disposition: attachment; filename=orig.eml\n\nSubject: two\n\nx',
      ),
    ],
    [
      'files as text',
      mixed(
        'Content-Type: text/plain\n\nhi\n--b=_1\nContent-Type: text/plain; name=log.txt\nContent-Disposition: inline; filename=log.txt\n\nline\n--b=_1\nContent-Type: text/csv\nContent-Transfer-Encoding: 7bit\nContent-Disposition: attachment; filename=a.csv\n\na,b\nc,d\n\n--b=_1\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: quoted-printable\n\n=00=01=\n=FF\n--b=_1\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\nContent-Disposition: attachment; filename=b.txt\n\ncaf\xe9',
      ),
    ],
    [
      'alternatives that few know',
      mixed(
        'Content-Type: text/plain\n\nhi\n--b=_1\nContent-Type: text/x-amp-html\n\n<html amp4email>\n--b=_1\nContent-Type: text/html; charset=utf-8\n\n<a href="https://acme.example/reset?t=1">reset</a>',
        'multipart/alternative; boundary="b=_1"',
      ),
    ],
    [
      'headers that are long, encoded and repeated',
      `X-Customer: =?UTF-8?Q?J=C3=B6rg?=\nList-ID: =?UTF-8?Q?Gr=C3=B6=C3=9Fe?= <news.acme.example>\nReply-To: A <a@acme.example>,\n B <b@acme.example>\nReferences:${Array.from({ length: 40 }, (_, n) => ` <thread-${n}.aaaaaaaaaaaaaaaaaaaaaaaaaa@x.example>`).join('\n')}\nX-Tag: one\nX-Tag: two\n\nx\n`,
    ],
  ])('%s', async (_, rest) => {
    const raw = message(rest)
    const [sent] = await leaves(raw)
    const added = expectSame(sent!, raw).split(/\r\n(?![ \t])/)
    expect(added.map(line => line.split(':')[0])).toEqual(['DKIM-Signature', ''])
    expect(sent).not.toContain('/t/c/')
    expect(await signatures(sent!)).toEqual(['pass'])
  })

  test('to everybody, whose messages share the Message-ID', async () => {
    const raw = message('Cc: Eve <eve@example.com>\n\nHi')
    const to = ['ada@example.com', 'eve@example.com', 'bob@example.com']
    const sent = await leaves(raw, to)
    expect(sent).toHaveLength(3)
    expect(new Set(sent.map(bodyOf)).size).toBe(1)
    for (const one of sent) expectSame(one, raw)
    const rows = await world.ctx.sql`
      select message_id, submitted_set from emails where message_id = ${`${ids}@shop.example`}`
    expect(rows).toHaveLength(3)
    expect(new Set(rows.map(({ submitted_set: set }) => set)).size).toBe(1)
  })

  test('a large one, which is stored in pieces; a refused one leaves none behind', async () => {
    const stored = async () => {
      const [row] = await world.ctx.sql<{ pieces: number; longest: number }[]>`
        select count(*)::int as pieces, max(size) as longest
          from attachments where project_id = ${world.project.id} and size > 100000`
      return row
    }
    const lines = Array.from(
      { length: 30_000 },
      (_, at) => `${'.'.repeat(at % 3)}line ${at}  with two blanks`,
    )
    const raw = message(`\n${lines.join('\n')}\n`)
    const [sent] = await leaves(raw)
    const added = expectSame(sent!, raw).split(/\r\n(?![ \t])/)
    expect(added.map(line => line.split(':')[0])).toEqual(['DKIM-Signature', ''])
    expect(await signatures(sent!)).toEqual(['pass'])
    const [email] = await world.ctx.sql`select id from emails order by id desc limit 1`
    const source = await world.call('GET', `/emails/${email!.id}/source`)
    expect(bodyOf(source.body as string)).toBe(bodyOf(sent!))
    const before = await stored()
    expect(before!.pieces).toBeGreaterThan(1)
    expect(before!.longest).toBeLessThanOrEqual(512 * 1024)
    const foreign = raw.replaceAll(sender, 'x@elsewhere.example').replace('shop.example', 'other.example')
    expect(await handIn(foreign)).toStartWith('5')
    expect(await handIn(raw)).toStartWith('250')
    expect(await stored()).toEqual(before!)
  })

  test('the source in the ledger, until it is no longer kept', async () => {
    const raw = message('\nHi')
    const reply = await handIn(raw)
    const id = reply.split(' ').at(-1)!
    await world.drain()
    const source = await world.call('GET', `/emails/${id}/source`)
    expect(source.status).toBe(200)
    const [sent] = world.mail.sent.map(one => Buffer.from(one.raw).toString('latin1'))
    expect(source.body as string).toBe(sent!)
    const again = await world.call('POST', `/emails/${id}/resend`)
    expect(again.status).toBeLessThan(300)
    await world.drain()
    const second = Buffer.from(world.mail.sent[1]!.raw).toString('latin1')
    expect(bodyOf(second)).toBe(bodyOf(sent!))
    expect(second).not.toContain(`${ids}@shop.example`)
  })
})

describe('what is signed still verifies', () => {
  const signedPart = 'Content-Type: text/plain; charset=utf-8\r\n\r\nOrder 4711\r\n- one\r\n  two  \r\n'

  test.skipIf(!installed('openssl'))('S/MIME, by OpenSSL', async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'smime.pem')]
    const subject = ['-subj', `/CN=Acme/emailAddress=${sender}`, '-days', '2']
    await run([
      'openssl',
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
      ...subject,
    ])
    const made = await run(['openssl', 'smime', '-sign', '-signer', cert, '-inkey', key], signedPart)
    const [sent] = await leaves(message(made.out))
    const verify = ['openssl', 'smime', '-verify', '-CAfile', cert, '-purpose', 'any']
    const checked = await run(verify, Buffer.from(sent!, 'latin1'))
    expect([checked.code, checked.err]).toEqual([0, expect.stringContaining('Verification successful')])
    expect(checked.out).toContain('Order 4711')
    const spoiled = await run(verify, Buffer.from(sent!.replace('4711', '4712'), 'latin1'))
    expect(spoiled.code).not.toBe(0)
  })

  test.skipIf(!installed('gpg'))('PGP/MIME, by GnuPG', async () => {
    const home = join(folder, 'gpg')
    mkdirSync(home, { mode: 0o700 })
    const gpg = ['gpg', '--homedir', home, '--batch', '--pinentry-mode', 'loopback', '--passphrase', '']
    await run([...gpg, '--quick-generate-key', sender, 'ed25519', 'sign', 'never'])
    const signature = await run([...gpg, '--armor', '--detach-sign'], signedPart)
    expect(signature.err).toBe('')
    const type =
      'multipart/signed; micalg="pgp-sha512"; protocol="application/pgp-signature"; boundary="b=_1"'
    const parts = `${signedPart}\n--b=_1\nContent-Type: application/pgp-signature; name="signature.asc"\n\n${signature.out}`
    const [sent] = await leaves(message(mixed(parts, type)))
    const [, part = '', last = ''] = sent!.split(/\r\n--b=_1(?:--)?\r\n/)
    const file = join(folder, 'signature.asc')
    writeFileSync(file, bodyOf(last))
    const checked = await run([...gpg, '--verify', file, '-'], part)
    expect([checked.code, checked.err]).toEqual([0, expect.stringContaining('Good signature')])
  })
})

describe('an invitation stays one', () => {
  async function submit(mail: SendMailOptions) {
    const transport = createTransport({
      ...{ host: '127.0.0.1', port: server.port, tls: { rejectUnauthorized: false } },
      auth: { user: 'x', pass: world.project.secretKey },
    })
    await transport.sendMail({
      from: sender,
      to: 'ada@example.com',
      subject: 'Lunch',
      text: 'Lunch?',
      ...mail,
    })
    transport.close()
    await world.drain()
    return Buffer.from(world.mail.sent[0]!.raw).toString('latin1')
  }

  test('of nodemailer', async () => {
    const sent = await submit({ icalEvent: { method: 'REQUEST', content: crlf(invitation) } })
    expect(sent).toMatch(/^Content-Type: multipart\/mixed/m)
    expect(sent).toMatch(/^Content-Type: text\/calendar; charset=utf-8; method=REQUEST\r$/m)
  })

  test.skipIf(!installed('python3'))("of Python's email and smtplib", async () => {
    const script = `
import smtplib, sys
from email.message import EmailMessage
m = EmailMessage()
m["From"], m["To"], m["Subject"] = "${sender}", "ada@example.com", "Grüße"
m.set_content("Lunch?")
m.add_alternative("BEGIN:VCALENDAR\\nMETHOD:REQUEST\\nEND:VCALENDAR\\n", subtype="calendar", params={"method": "REQUEST"})
m.add_attachment("a,b\\r\\nc,d\\r\\n", subtype="csv", filename="a.csv", cte="7bit")
with smtplib.SMTP("127.0.0.1", ${server.port}) as s:
    s.login("anybody", sys.argv[1]); print(s.send_message(m))
`
    const { code, err } = await run(['python3', '-c', script, world.project.secretKey])
    expect([code, err]).toEqual([0, ''])
    await world.drain()
    const sent = Buffer.from(world.mail.sent[0]!.raw).toString('latin1')
    expect(sent).toMatch(/^Content-Type: text\/calendar; charset="utf-8"; method="REQUEST"\r$/m)
    expect(sent).toContain('\r\n\r\na,b\r\nc,d\r\n')
  })

  const mailer = '/usr/share/php/libphp-phpmailer/autoload.php'
  test.skipIf(!installed('php') || !counterpart('PHPMailer', existsSync(mailer)))(
    'of PHPMailer',
    async () => {
      const script = `require '${mailer}';
      $m = new PHPMailer\\PHPMailer\\PHPMailer(true);
      $m->isSMTP(); $m->Host = '127.0.0.1'; $m->Port = ${server.port}; $m->SMTPAutoTLS = false;
      $m->SMTPAuth = true; $m->Username = 'x'; $m->Password = '${world.project.secretKey}';
      $m->setFrom('${sender}'); $m->addAddress('ada@example.com'); $m->Subject = 'Lunch';
      $m->isHTML(true); $m->Body = '<p>Lunch?</p>'; $m->AltBody = 'Lunch?';
      $m->Ical = "BEGIN:VCALENDAR\\r\\nMETHOD:REQUEST\\r\\nEND:VCALENDAR\\r\\n"; $m->send();`
      const { code, out } = await run(['php', '-r', script])
      expect([code, out]).toEqual([0, ''])
      await world.drain()
      const sent = Buffer.from(world.mail.sent[0]!.raw).toString('latin1')
      expect(sent).toMatch(/^Content-Type: text\/calendar; method=REQUEST; charset=[\w-]+\r$/m)
    },
  )
})

describe('the header on top', () => {
  test.each([
    'Subject:  two blanks\tand a tab  ',
    'Subject:tight',
    'Subject: folded\n\there\n  and there ',
    'SUBJECT: A',
  ])('keeps its subject to the byte: %j', async line => {
    const raw = crlf(`From: Acme <${sender}>\nTo: Ada <ada@example.com>\n${line}\n\nHi`)
    const [sent] = await leaves(raw)
    expect(sent).toContain(`\r\n${crlf(line)}\r\n`)
  })

  test('loses what is for others or for nobody, and lacks nothing', async () => {
    const raw = crlf(
      `Bcc: eve@example.com\nReturn-Path: <x@y.example>\nResent-From: a@b.example\nReceived: from a\nX-SMTPAPI: {}\nX-PM-Tag: a\nFrom: Acme <${sender}>\nX-Kept: 1\nnot a field\nSubject: a\n\nHi`,
    )
    const [sent] = await leaves(raw, ['eve@example.com'])
    const names = headOf(sent!)
      .split(/\r\n(?![ \t])/)
      .map(line => line.split(':')[0])
      .filter(Boolean)
    expect(names.filter(name => name !== 'DKIM-Signature')).toEqual([
      ...['From', 'X-Kept', 'Subject', 'To', 'Date', 'Message-ID'],
    ])
    expect(sent).toContain('To: undisclosed-recipients:;\r\n')
  })

  test('has one of each field, encoded where it is not ASCII, and no line that is too long', async () => {
    const utf8 = (text: string) => Buffer.from(text).toString('latin1')
    const references = Array.from({ length: 60 }, (_, n) => `<thread-number-${n}@x.example>`).join('')
    const raw = crlf(
      `From: ${utf8('Jörg')} <${sender}>\nTo: a@example.com\nTo: b@example.com\nSubject: ${utf8('Grüße')}\nSubject: two\nList-Id: ${utf8('Größe')} <n.acme.example>\nReferences: ${references}\n\nx`,
    )
    const [sent] = await leaves(raw)
    const head = headOf(sent!)
    expect(head).toMatch(/^[\t\r\n -~]+$/)
    expect(head).toContain(`From: =?UTF-8?Q?J=C3=B6rg?= <${sender}>\r\n`)
    expect(head).toContain('To: a@example.com,\r\n b@example.com\r\n')
    expect(head).toContain('List-Id: =?UTF-8?Q?Gr=C3=B6=C3=9Fe?= <n.acme.example>\r\n')
    expect(head.match(/^Subject: .*/gm)).toEqual(['Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?='])
    expect(Math.max(...head.split('\r\n').map(line => line.length))).toBeLessThan(999)
    expect(head.replace(/\r\n /g, ' ')).toContain(references.replaceAll('><', '> <'))
  })

  test('is encoded by the syntax of each field', async () => {
    const head = `From: ${sender}\nTo: "Größe, GmbH" <a@example.com>, people: b@example.com, "Zoë" <c@example.com>;\nReply-To: Grüß\nIn-Reply-To: <größe@x.example>\nReferences: <a@x.example> größe\nDate: Thu, 26 Nov 2026 10:00:00 +0100 (größe)\nSubject: x\nContent-Type: application/pdf; name="Größe.pdf"; x-own="a; b"\nContent-Disposition: attachment; filename="Größe, 2.pdf"\nContent-Transfer-Encoding: base64`
    const [sent] = await leaves(crlf(Buffer.from(`${head}\n\nAAAA\n`).toString('latin1')))
    const own = headOf(sent!)
      .split(/\r\n(?![ \t])/)
      .filter(line => !/^(?:DKIM-Signature|From|Subject|MIME-Version|Message-ID|$)/.test(line))
    expect(own).toEqual([
      'To: =?UTF-8?Q?Gr=C3=B6=C3=9Fe=2C_GmbH?= <a@example.com>, b@example.com,\r\n =?UTF-8?Q?Zo=C3=AB?= <c@example.com>',
      'Date: Thu, 26 Nov 2026 09:00:00 +0000',
      `Content-Type: application/pdf;\r\n name*=utf-8''Gr%C3%B6%C3%9Fe.pdf;\r\n x-own="a; b"`,
      `Content-Disposition: attachment;\r\n filename*=utf-8''Gr%C3%B6%C3%9Fe%2C%202.pdf`,
      'Content-Transfer-Encoding: base64',
    ])
    const [mail] = await world.received()
    expect(mail!.attachments.map(({ filename }) => filename)).toEqual(['Größe, 2.pdf'])
  })

  test('names the Message-ID of the program, unless the project has used it', async () => {
    const raw = message('\nHi')
    await leaves(raw)
    const [, second] = await leaves(raw.replace('Hi', 'Other'), ['bob@example.com'])
    expect(second).not.toContain(`${ids}@shop.example`)
    const [row] = await world.ctx.sql`
      select id, message_id, metadata from emails where to_email = 'bob@example.com' order by id desc limit 1`
    expect(row!['message_id']).toBe(`${row!['id']}@${senderDomain}`)
    expect(second).toContain(`Message-ID: <${row!['id']}@${senderDomain}>\r\n`)
    expect(row!['metadata']).toEqual({ messageId: `${ids}@shop.example` })
  })

  test.each([
    ['several From', `From: ${sender}\nFrom: x@evil.example\n\nx`, /several From headers/],
    ['From of several', `From: ${sender}, x@evil.example\n\nx`, /one address/],
    ['a field that can not be folded', `From: ${sender}\nX-A: ${'a'.repeat(1_200)}\n\nx`, /X-A has a line/],
  ])('is refused with words: %s', async (_, raw, words) => {
    const reply = await handIn(crlf(raw))
    expect(reply).toStartWith('554 5.6.0 ')
    expect(reply).toMatch(words)
  })
})

describe('lines that no server has to take', () => {
  const long = `${'word '.repeat(300)}end`
  test('are shorter, and say the same', async () => {
    const html = `<p>${long}</p>`
    const parts = `Content-Type: text/plain; charset=utf-8\n\nshort\n--b=_1\nContent-Type: text/html; charset=utf-8\nX-Own: 1\n\n${html}\n--b=_1\nContent-Type: application/x-test\nContent-Transfer-Encoding: base64\n\n${Buffer.from(long).toString('base64')}`
    const [sent] = await leaves(message(mixed(parts)))
    expect(Math.max(...sent!.split('\r\n').map(line => line.length))).toBeLessThan(999)
    expect(sent).toContain('\r\n--b=_1\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nshort\r\n--b=_1\r\n')
    const [mail] = await world.received()
    expect(mail!.html).toContain(html)
    expect(Buffer.from(mail!.attachments[0]!.content as ArrayBuffer).toString()).toBe(long)
  })

  test('in what is signed are refused', async () => {
    const type = 'multipart/signed; protocol="application/pgp-signature"; boundary="b=_1"'
    const parts = `Content-Type: text/plain\n\n${long}\n--b=_1\nContent-Type: application/pgp-signature\n\nx`
    expect(await handIn(message(mixed(parts, type)))).toMatch(
      /^554 5\.6\.0 .*must not be changed \(text\/plain\)/,
    )
  })

  test('and half line ends become whole ones', async () => {
    const [sent] = await leaves(`From: ${sender}\r\nTo: a@example.com\r\n\r\none\ntwo\rthree`)
    expect(bodyOf(sent!)).toBe('one\r\ntwo\r\nthree\r\n')
  })
})

describe('headers for us', () => {
  const html = '<p><a href="https://acme.example/reset">reset</a></p>'
  const parts = `Content-Type: text/plain\n\nreset https://acme.example/reset\n--b=_1\nContent-Type: text/html; charset=utf-8\n\n${html}\n--b=_1\nContent-Type: text/x-amp-html\n\n${html}`

  test('ask for measuring, of the HTML alone', async () => {
    const raw = message(`X-Waxwing-Track: opens, clicks\n${mixed(parts)}`)
    const [sent] = await leaves(raw)
    expect(sent).not.toContain('X-Waxwing')
    const [plain, shown, amp] = bodyOf(sent!).split('--b=_1').slice(1)
    expect(plain).toContain('reset https://acme.example/reset\r\n')
    expect(shown!.replace(/=\r\n/g, '')).toMatch(/\/t\/c\/[^"]+".*\/t\/o\//s)
    expect(amp).toContain(html)
  })

  test('are tags, metadata and a key, as for a request', async () => {
    const head = `X-Waxwing-Tag: reset\nX-Waxwing-Tag: =?UTF-8?Q?gr=C3=BCn?=\nX-Waxwing-Metadata: {"order": 4711,\n "vip": true}\nX-Waxwing-Idempotency-Key: order-4711\n`
    const sent = await leaves(message(`${head}\nHi`))
    expect(sent[0]).not.toContain('X-Waxwing')
    const [row] = await world.ctx.sql`select tags, metadata from emails order by id desc limit 1`
    expect(row!['tags']).toEqual(['reset', 'grün'])
    expect(row!['metadata']).toMatchObject({ order: 4711, vip: true })
    expect(await leaves(message(`${head}\nHi again`))).toHaveLength(1)
  })

  test.each([
    ['X-Waxwing-Track: yes', 'X-Waxwing-Track: must be'],
    ['X-Waxwing-Track: opens', 'X-Waxwing-Track: must be'],
    [`X-Waxwing-Tag: ${'a'.repeat(101)}`, 'X-Waxwing-Tag: must be one tag'],
    ['X-Waxwing-Metadata: ["a"]', 'X-Waxwing-Metadata: must be a JSON object'],
    ['X-Waxwing-Metadata: {"a": {}}', 'X-Waxwing-Metadata: values are'],
    ['X-Waxwing-Metadata: {a', 'X-Waxwing-Metadata: must be a JSON object'],
    ['X-Waxwing-Tracking: no', 'x-waxwing-tracking: is no header'],
    ['X-Waxwing-Track: none\nX-Waxwing-Track: none', 'X-Waxwing-Track: must be there once'],
  ])('that are wrong are refused with words: %s', async (head, words) => {
    const reply = await handIn(message(`${head}\n\nx`))
    expect(reply).toStartWith('554 5.6.0 ')
    expect(reply).toContain(words)
  })

  test('ask in vain where a part must not be changed', async () => {
    const type = 'multipart/signed; protocol="application/pgp-signature"; boundary="b=_1"'
    const raw = message(`X-Waxwing-Track: opens, clicks\n${mixed(`\n${html}\n--b=_1\n\nx`, type)}`)
    expect(await handIn(raw)).toMatch(/^554 5\.6\.0 X-Waxwing-Track: .*signed or encrypted/)
  })
})
