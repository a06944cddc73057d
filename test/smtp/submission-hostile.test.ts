// The submission server and those who mean it no good, or can't do better: nonsense, floods, smuggled commands, slow and idle connections.
// Nobody else notices, nothing that was told 250 is lost, and nothing is accepted that nobody signed in for.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { certificateSource, selfSigned } from '../../src/platform/smtp-server/certificate'
import { makeRandom } from '../support/random'
import {
  openSubmission,
  plainLogin,
  type Submission,
  signedIn,
  type Talk,
  talkTo,
} from '../support/submission'
import { until } from '../support/until'
import { makeWorld, sender, type World } from '../support/world'

const folder = mkdtempSync(join(tmpdir(), 'submission-'))
let world: World
let server: Submission
beforeAll(async () => {
  world = await makeWorld({ dataDir: folder, maxMessageBytes: 1_000_000, maxAttachmentBytes: 500_000 })
  server = await openSubmission(world)
})
afterAll(async () => {
  await server.stop()
  await world.close()
  rmSync(folder, { recursive: true })
})

const login = () => plainLogin(world.project.secretKey)
const countEmails = async (): Promise<number> => {
  const [row] = await world.ctx.sql<{ count: number }[]>`select count(*)::int as count from emails`
  return row!.count
}

async function envelope(talk: Talk, to = 'ada@example.com'): Promise<string> {
  await talk.ask(`MAIL FROM:<${sender}>`)
  await talk.ask(`RCPT TO:<${to}>`)
  return await talk.ask('DATA')
}

/** The server takes a message as ever. */
async function worksStill(): Promise<void> {
  const talk = await signedIn(server.port, world.project.secretKey)
  await envelope(talk)
  expect(await talk.ask(`From: ${sender}\r\nSubject: ok\r\n\r\nok\r\n.`)).toStartWith('250 2.6.0')
  talk.end()
}

describe('who has not signed in', () => {
  test.each([
    'MAIL FROM:<a@acme.example>',
    'RCPT TO:<a@example.com>',
    'DATA',
    'EXPN a',
    'XCLIENT ADDR=1.1.1.1',
  ])('gets nowhere with %s', async command => {
    const talk = await talkTo(server.port)
    await talk.reply()
    await talk.ask('EHLO x')
    expect(await talk.ask(command)).toMatch(/^5\d\d 5\.\d\.\d /)
    talk.end()
  })

  test('is sent away after a few tries', async () => {
    const talk = await talkTo(server.port)
    await talk.reply()
    await talk.ask('EHLO x')
    const answers: string[] = []
    for (let n = 0; n < 20 && answers.at(-1) !== ''; n++) answers.push(await talk.ask(plainLogin(`sk_${n}`)))
    expect(answers[0]).toStartWith('535 5.7.8')
    expect(answers.length).toBeLessThan(15)
  })

  test('is not asked for a key without TLS, unless that was said', async () => {
    const strict = await openSubmission(world, { plainOnLoopback: false })
    const talk = await talkTo(strict.port)
    await talk.reply()
    await talk.ask('EHLO x')
    expect(talk.said()).toContain('STARTTLS')
    expect(talk.said()).not.toContain('AUTH')
    expect(await talk.ask(login())).toMatch(/^5\d\d /)
    const secured = await talk.secure()
    await secured.ask('EHLO x')
    expect(secured.said()).toContain('AUTH PLAIN LOGIN')
    expect(await secured.ask(login())).toStartWith('235 2.7.0')
    secured.end()
    await strict.stop()
  })
})

describe('what is put into the wrong place', () => {
  test('commands behind STARTTLS in the same packet are thrown away', async () => {
    const strict = await openSubmission(world, { plainOnLoopback: false })
    const talk = await talkTo(strict.port)
    await talk.reply()
    await talk.ask('EHLO x')
    talk.socket.removeAllListeners('data')
    talk.write(`STARTTLS\r\n${login()}\r\nMAIL FROM:<${sender}>\r\n`)
    await new Promise<void>(resolve => talk.socket.once('data', () => resolve()))
    talk.socket.removeAllListeners('data')
    const secured = connectTls({ socket: talk.socket, rejectUnauthorized: false })
    await new Promise<void>(resolve => secured.once('secureConnect', () => resolve()))
    let said = ''
    const enough = new Promise<void>(resolve =>
      secured.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        if (/^5\d\d/m.test(said)) resolve()
      }),
    )
    secured.write('EHLO y\r\nMAIL FROM:<a@acme.example>\r\n')
    await enough
    expect(said).not.toContain('235')
    expect(said).toMatch(/^530 5\.7\.0 /m)
    secured.destroy()
    await strict.stop()
  })

  const ends = ['\n.\n', '\n.\r\n', '\r.\r', '\r\n.\n', '\r\n.\r', '\r.\r\n', '\n\r.\r\n', '\r\n\0.\r\n']
  test.each(ends)('%j ends no message, so nothing behind it is a command', async end => {
    const before = await countEmails()
    const talk = await signedIn(server.port, world.project.secretKey)
    await envelope(talk)
    const smuggled = `MAIL FROM:<${sender}>\r\nRCPT TO:<evil@example.com>\r\nDATA\r\nFrom: ${sender}\r\n\r\nevil\r\n`
    talk.write(`From: ${sender}\r\nSubject: x\r\n\r\nbefore${end}${smuggled}`)
    expect(await talk.ask('.')).toStartWith('250 2.6.0')
    expect(await talk.ask('NOOP')).toStartWith('250')
    talk.end()
    expect(await countEmails()).toBe(before + 1)
    const [row] = await world.ctx.sql`select to_email, text from emails order by id desc limit 1`
    expect(row!['to_email']).toBe('ada@example.com')
    expect(row!['text']).toContain('RCPT TO:<evil@example.com>')
  })

  test('line breaks in headers and addresses make no headers', async () => {
    const talk = await signedIn(server.port, world.project.secretKey)
    await envelope(talk)
    const head = `From: =?utf-8?q?A=0D=0ABcc:_x@example.com?= <${sender}>\r\nSubject: =?utf-8?q?a=0D=0ABcc:_evil@example.com?=`
    expect(await talk.ask(`${head}\r\nX-A: =?utf-8?q?1=0AX-B:_2?=\r\n\r\nx\r\n.`)).toStartWith('250')
    talk.end()
    world.mail.clear()
    await world.drain()
    const raw = Buffer.from(world.mail.sent.at(-1)!.raw).toString()
    expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^(?:Bcc|X-B):/im)
  })

  test('a message in small pieces is the same message, dots and all', async () => {
    const talk = await signedIn(server.port, world.project.secretKey)
    await envelope(talk)
    const text = `From: ${sender}\r\nSubject: pieces\r\n\r\n..one\r\n...two\r\nthree\r\n..\r\nfour\r\n.\r\n`
    for (const char of text) {
      talk.write(char)
      await Bun.sleep(0)
    }
    expect(await talk.reply()).toStartWith('250 2.6.0')
    talk.end()
    const [row] = await world.ctx.sql`select text from emails where subject = 'pieces'`
    expect(row!['text'].replaceAll('\r\n', '\n').trim()).toBe('.one\n..two\nthree\n.\nfour')
  })
})

describe('nonsense and floods', () => {
  test('random bytes and half commands end no process', async () => {
    const random = makeRandom(20_301)
    const words = [
      'EHLO',
      'MAIL FROM:<',
      'RCPT TO:',
      'DATA',
      'AUTH PLAIN',
      'AUTH LOGIN',
      'RSET',
      'STARTTLS',
      'BDAT 5',
      '\0',
      '>',
      '\r',
      '\n',
      '\r\n',
      ' ',
      'ä',
      '.',
      'A'.repeat(600),
    ]
    for (let round = 0; round < 60; round++) {
      const talk = await talkTo(server.port)
      const junk = Array.from({ length: 1 + random(40) }, () => words[random(words.length)]).join(
        random(2) ? '' : ' ',
      )
      talk.write(random(3) === 0 ? Uint8Array.from({ length: 1 + random(2_000) }, () => random(256)) : junk)
      talk.write('\r\nQUIT\r\n')
      await Bun.sleep(random(5))
      talk.end()
    }
    await worksStill()
  })

  test('a line without end, and thousands of commands at once', async () => {
    const long = await talkTo(server.port)
    await long.reply()
    long.write('E'.repeat(200_000))
    long.write('\r\n')
    expect(await long.reply()).toMatch(/^5\d\d|^421|^$/)
    long.end()
    const many = await signedIn(server.port, world.project.secretKey)
    many.write('NOOP\r\n'.repeat(5_000))
    many.write('QUIT\r\n')
    for (let answer = await many.reply(); answer !== ''; answer = await many.reply())
      expect(answer).toMatch(/^(?:250|221|421)/)
    await worksStill()
  })

  test('a whole conversation in one packet is answered in order', async () => {
    const talk = await signedIn(server.port, world.project.secretKey)
    const one = `MAIL FROM:<${sender}>\r\nRCPT TO:<a@example.com>\r\nRCPT TO:<nobody@localhost>\r\nRCPT TO:<b@example.com>\r\nDATA\r\n`
    const body = `From: ${sender}\r\nSubject: x\r\n\r\nx\r\n.\r\n`
    talk.write(`${one}${body}${one}${body}QUIT\r\n`)
    const codes: string[] = []
    for (let answer = await talk.reply(); answer !== ''; answer = await talk.reply())
      codes.push(answer.slice(0, 3))
    expect(codes).toEqual([
      ...['250', '250', '553', '250', '354', '250'],
      ...['250', '250', '553', '250', '354', '250', '221'],
    ])
  })

  test('mail of borders, tags and headers without end', async () => {
    const bodies = [
      `Content-Type: multipart/mixed; boundary=a\r\n\r\n${'--a\r\n'.repeat(50_000)}`,
      `Content-Type: text/html\r\n\r\n${'<p><a href=x>'.repeat(40_000)}`,
      `${'X-A: 1\r\n'.repeat(50_000)}\r\nx`,
      `Content-Type: message/rfc822\r\n\r\n${'Content-Type: message/rfc822\r\n\r\n'.repeat(10_000)}`,
      `Subject: ${'=?utf-8?q?=?='.repeat(20_000)}\r\n\r\nx`,
      `To: ${'('.repeat(100_000)}\r\n\r\nx`,
    ]
    for (const body of bodies) {
      const talk = await signedIn(server.port, world.project.secretKey)
      await envelope(talk)
      expect(await talk.ask(`From: ${sender}\r\n${body}\r\n.`)).toMatch(
        /^(?:250 2\.6\.0|55[24] 5\.\d\.\d|450 )/,
      )
      talk.end()
    }
    await worksStill()
  })

  test('a connection that breaks within its message leaves nothing behind', async () => {
    const before = await countEmails()
    const talk = await signedIn(server.port, world.project.secretKey)
    await envelope(talk)
    talk.write(`From: ${sender}\r\nSubject: half\r\n\r\n${'x'.repeat(50_000)}`)
    await Bun.sleep(20)
    talk.end()
    await worksStill()
    expect(await countEmails()).toBe(before + 1)
  })
})

describe('200 idle connections and 200 slow ones', () => {
  test('are borne in little memory, and others are served beside them', async () => {
    const rss = (): number => process.memoryUsage.rss()
    Bun.gc(true)
    const before = rss()
    const idle = await Promise.all(Array.from({ length: 200 }, () => talkTo(server.port, '127.0.1.1')))
    const slow = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const talk = await signedIn(server.port, world.project.secretKey)
        await envelope(talk)
        talk.write(`From: ${sender}\r\nSubject: slow ${n}\r\n\r\n`)
        return talk
      }),
    )
    for (let round = 0; round < 5; round++) for (const talk of slow) talk.write(`${'x'.repeat(1_000)}\r\n`)
    await worksStill()
    Bun.gc(true)
    expect((rss() - before) / 2 ** 20).toBeLessThan(150)
    for (const talk of slow) talk.write('.\r\n')
    const answers = await Promise.all(slow.map(talk => talk.reply()))
    expect(new Set(answers.map(answer => answer.slice(0, 9)))).toEqual(new Set(['250 2.6.0']))
    const [row] = await world.ctx.sql`
      select count(distinct subject)::int as count from emails where subject like 'slow %'`
    expect(row).toEqual({ count: 200 })
    for (const talk of [...idle, ...slow]) talk.end()
  })
})

describe('the certificate', () => {
  const subjectOf = (port: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate()?.subject ?? 'none')
        socket.destroy()
      })
      socket.once('error', reject)
    })

  test('that is made here is kept, names the host, and is good for years', async () => {
    const source = certificateSource(world.ctx, { listeners: [], plainOnLoopback: false })
    const first = await source.read()
    const again = await source.read()
    const certificate = new X509Certificate(first.cert)
    expect(new X509Certificate(again.cert).fingerprint).toBe(certificate.fingerprint)
    expect([
      certificate.subject,
      certificate.checkHost('localhost'),
      certificate.verify(certificate.publicKey),
    ]).toEqual(['CN=localhost', 'localhost', true])
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(world.clock.now().getTime() + 300 * 86_400_000)
  })

  test('from files is served, and the renewed one once the files are others', async () => {
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    const write = (name: string): void => {
      const { cert, key } = selfSigned(name, new Date())
      writeFileSync(certFile, cert)
      writeFileSync(keyFile, key)
    }
    write('first.example')
    const own = await openSubmission(world, {
      implicitTls: true,
      certificate: { certFile, keyFile },
      certificateLookMs: 1,
    })
    expect(await subjectOf(own.port)).toBe('CN=first.example')
    writeFileSync(certFile, 'half')
    await Bun.sleep(120)
    expect(await subjectOf(own.port)).toBe('CN=first.example')
    write('second.example')
    await until('the new one is shown', async () => (await subjectOf(own.port)) === 'CN=second.example')
    await own.stop()
  })
})
