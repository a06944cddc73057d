// Every state of a connection against every command: what may be said when, and that nothing is kept before somebody has signed in.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startInbound } from '../../src/modules/sending/feedback'
import { openSubmission, plainLogin, type Submission, type Talk, talkTo } from '../support/submission'
import { makeWorld, sender, type World } from '../support/world'

const bounceDomain = 'bounce.acme.example'
const folder = mkdtempSync(join(tmpdir(), 'states-'))
let world: World
let strict: Submission
let plain: Submission
let inbound: Awaited<ReturnType<typeof startInbound>>
beforeAll(async () => {
  world = await makeWorld({ dataDir: folder, bounceDomain })
  strict = await openSubmission(world, { plainOnLoopback: false })
  plain = await openSubmission(world)
  inbound = await startInbound(world.ctx, [{ host: '127.0.0.1', port: 0, implicitTls: false }])
})
afterAll(async () => {
  await strict.stop()
  await plain.stop()
  await inbound.stop()
  await world.close()
  rmSync(folder, { recursive: true })
})

async function greeted(port: number): Promise<Talk> {
  const talk = await talkTo(port)
  await talk.reply()
  await talk.ask('EHLO client.example')
  return talk
}

async function upgraded(): Promise<Talk> {
  const talk = await (await greeted(strict.port)).secure()
  await talk.ask('EHLO client.example')
  return talk
}

async function after(talk: Promise<Talk>, ...lines: string[]): Promise<Talk> {
  for (const line of lines) await (await talk).ask(line)
  return await talk
}

const login = () => plainLogin(world.project.secretKey)
const wrong = plainLogin('sk_wrong')
const from = `MAIL FROM:<${sender}>`
const to = 'RCPT TO:<ada@example.com>'

const commands = [
  ...['AUTH', 'MAIL', 'RCPT', 'DATA', 'RSET', 'NOOP', 'STARTTLS', 'EHLO', 'VRFY', 'HELP', 'EXPN'],
  ...['XCLIENT', 'BDAT', 'NONSENSE'],
] as const

const lines: Record<(typeof commands)[number], () => string> = {
  AUTH: login,
  MAIL: () => from,
  RCPT: () => to,
  DATA: () => 'DATA',
  RSET: () => 'RSET',
  NOOP: () => 'NOOP',
  STARTTLS: () => 'STARTTLS',
  EHLO: () => 'EHLO My PC',
  VRFY: () => 'VRFY ada',
  HELP: () => 'HELP',
  EXPN: () => 'EXPN list',
  XCLIENT: () => 'XCLIENT ADDR=192.0.2.1',
  BDAT: () => 'BDAT 5 LAST',
  NONSENSE: () => 'NONSENSE',
}

/** Replies in the order of `commands`. */
const states: Array<[state: string, open: () => Promise<Talk>, replies: string]> = [
  ['before TLS', () => greeted(strict.port), '530 530 503 503 250 250 220 250 252 214 502 502 502 500'],
  [
    'before TLS, after RSET',
    () => after(greeted(strict.port), 'RSET'),
    '530 530 503 503 250 250 220 250 252 214 502 502 502 500',
  ],
  [
    'before TLS, after a key that was not asked for',
    () => after(greeted(strict.port), login()),
    '530 530 503 503 250 250 220 250 252 214 502 502 502 500',
  ],
  ['after TLS', upgraded, '235 530 530 530 250 250 503 250 252 214 502 502 502 500'],
  [
    'after TLS and a wrong key',
    () => after(upgraded(), wrong),
    '235 530 530 530 250 250 503 250 252 214 502 502 502 500',
  ],
  [
    'after TLS, a wrong key and RSET',
    () => after(upgraded(), wrong, 'RSET'),
    '235 530 530 530 250 250 503 250 252 214 502 502 502 500',
  ],
  [
    'signed in over TLS',
    () => after(upgraded(), login()),
    '503 250 503 503 250 250 503 250 252 214 502 502 502 500',
  ],
  [
    'signed in, after RSET and EHLO',
    () => after(upgraded(), login(), 'RSET', 'EHLO again.example'),
    '503 250 503 503 250 250 503 250 252 214 502 502 502 500',
  ],
  [
    'signed in, after MAIL',
    () => after(upgraded(), login(), from),
    '503 503 250 503 250 250 503 250 252 214 502 502 502 500',
  ],
  [
    'signed in, after MAIL and RSET',
    () => after(upgraded(), login(), from, to, 'RSET'),
    '503 250 503 503 250 250 503 250 252 214 502 502 502 500',
  ],
  [
    'signed in, after RCPT',
    () => after(upgraded(), login(), from, to),
    '503 503 250 354 250 250 503 250 252 214 502 502 502 500',
  ],
  [
    'signed in before TLS counts for nothing',
    async () => {
      const talk = await (await after(greeted(strict.port), login(), from)).secure()
      return await after(Promise.resolve(talk), 'EHLO client.example')
    },
    '235 530 530 530 250 250 503 250 252 214 502 502 502 500',
  ],
  [
    'on a plain listener, without a key',
    () => greeted(plain.port),
    '235 530 530 530 250 250 502 250 252 214 502 502 502 500',
  ],
  [
    'on a plain listener, signed in',
    () => after(greeted(plain.port), login()),
    '503 250 503 503 250 250 502 250 252 214 502 502 502 500',
  ],
  [
    'at the bounce port',
    () => greeted(Number(inbound.addresses[0]!.split(':').at(-1))),
    '502 250 503 503 250 250 220 250 252 214 502 502 502 500',
  ],
]

describe('a connection', () => {
  test.each(states)('%s', async (_, open, replies) => {
    const codes: string[] = []
    for (const command of commands) {
      const talk = await open()
      codes.push((await talk.ask(lines[command]())).slice(0, 3))
      talk.end()
    }
    expect(codes.join(' ')).toBe(replies)
  })

  test('that sends without TLS is told why, before anything is kept', async () => {
    const talk = await greeted(strict.port)
    expect(await talk.ask(from)).toBe('530 5.7.0 Must issue a STARTTLS command first')
    expect(await talk.ask('DATA')).toStartWith('503')
    talk.end()
    const open = await greeted(plain.port)
    expect(await open.ask(from)).toMatch(/^530 5\.7\.0 /)
    open.end()
    expect(await world.ctx.sql`select 1 from emails`).toHaveLength(0)
  })
})

describe('an old client', () => {
  test.each(['EHLO My PC', 'HELO  My PC at home'])('may greet with %s', async line => {
    const talk = await talkTo(plain.port)
    await talk.reply()
    expect(await talk.ask(line)).toStartWith('250')
    talk.end()
  })

  test('may leave out the brackets of addresses', async () => {
    const talk = await after(greeted(plain.port), login())
    expect(await talk.ask(`mail from:${sender} SIZE=100`)).toStartWith('250')
    expect(await talk.ask('RCPT TO: a@b.example')).toStartWith('250')
    expect(await talk.ask('RCPT TO:a@b@c.example')).toStartWith('501')
    expect(await talk.ask('DATA')).toStartWith('354')
    expect(await talk.ask(`From: ${sender}\r\nSubject: scan\r\n\r\nx\r\n.`)).toStartWith('250 2.6.0')
    talk.end()
    expect(await world.ctx.sql`select to_email from emails where subject = 'scan'`).toEqual([
      { to_email: 'a@b.example' },
    ] as never)
  })

  test.each(['RCPT TO:<postmaster>', 'RCPT TO:<Postmaster>', `RCPT TO:postmaster@${bounceDomain}`])(
    'finds the postmaster by %s',
    async line => {
      const talk = await greeted(Number(inbound.addresses[0]!.split(':').at(-1)))
      await talk.ask('MAIL FROM:<>')
      expect(await talk.ask(line)).toStartWith('250')
      talk.end()
    },
  )
})
