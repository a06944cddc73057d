// One sender can't keep all others out, with a key or without one: connections that say nothing, words that lead nowhere, messages that
// stop arriving. The clock is in the test's hand.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startInbound } from '../../src/modules/sending/feedback'
import type { MadeProject } from '../support/make'
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

const bounceDomain = 'bounce.acme.example'
const maxMessageBytes = 1_000_000
/** As many reports of full size as the bounce port holds for all. */
const heldReports = 4
const reportBytes = 5_000_000
const times = { visitLookMs: 1 }
const elsewhere = '127.0.1.1'
const folder = mkdtempSync(join(tmpdir(), 'shares-'))
let world: World
let other: MadeProject
let submission: Submission
let inbound: Awaited<ReturnType<typeof startInbound>>
let bouncePort: number
let returnPath: string
beforeAll(async () => {
  world = await makeWorld({ dataDir: folder, bounceDomain, maxMessageBytes })
  other = await world.newProject('Other')
  submission = await openSubmission(world, times)
  inbound = await startInbound(world.ctx, [{ host: '127.0.0.1', port: 0, implicitTls: false }], times)
  bouncePort = Number(inbound.addresses[0]!.split(':').at(-1))
  await world.sendOne()
  await world.drain()
  returnPath = world.mail.sent.at(-1)!.envelope.returnPath!
})
const open: Talk[] = []
afterEach(async () => {
  for (const talk of open.splice(0)) talk.end()
})
afterAll(async () => {
  await submission.stop()
  await inbound.stop()
  await world.close()
  rmSync(folder, { recursive: true })
})

function keep(talk: Talk): Talk {
  open.push(talk)
  return talk
}

async function connected(port: number, from?: string): Promise<Talk> {
  const talk = keep(await talkTo(port, from))
  await talk.reply()
  return talk
}

const many = <T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)))

const tooLong = '421 4.4.2 You took too long'

/** At DATA, with a key. */
async function sending(key: string, from?: string): Promise<Talk> {
  const talk = keep(await signedIn(submission.port, key, from))
  await talk.ask(`MAIL FROM:<${sender}>`)
  await talk.ask('RCPT TO:<ada@example.com>')
  expect(await talk.ask('DATA')).toStartWith('354')
  talk.write(`From: ${sender}\r\nSubject: Hello\r\n\r\n`)
  return talk
}

/** At DATA, as anybody. */
async function reporting(from?: string): Promise<Talk> {
  const talk = await connected(bouncePort, from)
  for (const line of ['EHLO a', 'MAIL FROM:<>', `RCPT TO:<${returnPath}>`]) await talk.ask(line)
  expect(await talk.ask('DATA')).toStartWith('354')
  talk.write('Subject: Hello\r\n\r\n')
  return talk
}

const line = `${'x'.repeat(998)}\r\n`
const text = (bytes: number): string => line.repeat(Math.floor(bytes / line.length))

async function finish(talk: Talk): Promise<string> {
  return await talk.ask('.')
}

describe('a message that stops arriving', () => {
  test('of one project leaves room for those of others, and is ended', async () => {
    const greedy = await many(4, () => sending(world.project.secretKey, elsewhere))
    for (const talk of greedy) talk.write(text(900_000))
    await until('it has its part of the whole', async () => {
      const late = await sending(world.project.secretKey, elsewhere)
      late.write(text(300_000))
      const answer = await finish(late)
      late.end()
      return answer.startsWith('451 4.3.0')
    })
    const neighbor = await sending(other.secretKey)
    neighbor.write(text(800_000))
    expect(await finish(neighbor)).toStartWith('250 2.6.0')
    world.clock.advance(60_000)
    expect(await many(4, at => greedy[at]!.reply())).toEqual(
      Array(4).fill(expect.stringMatching(/^421 .*took too long/)),
    )
    const again = await sending(world.project.secretKey, elsewhere)
    again.write(text(800_000))
    expect(await finish(again)).toStartWith('250 2.6.0')
  })

  test('at the bounce port leaves room for those of other networks, and is ended', async () => {
    const stopping = async (): Promise<Talk> => {
      const talk = await reporting(elsewhere)
      talk.write(text(reportBytes - 100_000))
      return talk
    }
    const greedy = await many(heldReports, stopping)
    await until('it has its part of the whole', async () => {
      const late = await reporting(elsewhere)
      late.write(text(1_000_000))
      const answer = await finish(late)
      late.end()
      if (answer.startsWith('451 4.3.0')) return true
      // Beside the late one a greedy one may have been the one that was too much.
      await stopping()
      return false
    })
    const neighbor = await reporting()
    neighbor.write(text(300_000))
    expect(await finish(neighbor)).toStartWith('250')
    world.clock.advance(60_000)
    expect(await many(heldReports, at => greedy[at]!.reply())).toEqual(
      Array(heldReports).fill(expect.stringMatching(/^421 .*took too long/)),
    )
    const again = await reporting(elsewhere)
    again.write(text(300_000))
    expect(await finish(again)).toStartWith('250')
  })
})

describe('without a message', () => {
  const say = async (talk: Talk, words: readonly string[]): Promise<string> => {
    let answer = ''
    for (const word of words) answer = await talk.ask(word)
    return answer
  }
  const hello = ['EHLO a']
  const login = () => ['EHLO a', plainLogin(world.project.secretKey)]
  const from = `MAIL FROM:<${sender}>`

  test.each<[string, () => readonly string[], string, number]>([
    ['silence', () => [], 'submission', 30],
    ['NOOP forever before AUTH', () => [...hello, 'NOOP'], 'submission', 30],
    ['EHLO forever', () => [...hello, ...hello], 'submission', 30],
    ['a wrong key', () => [...hello, plainLogin('sk_wrong')], 'submission', 30],
    ['NOOP forever after AUTH', () => [...login(), 'NOOP'], 'submission', 60],
    ['MAIL and RSET forever', () => [...login(), from, 'RSET'], 'submission', 60],
    ['an envelope that stays empty', () => [...login(), from, 'NOOP'], 'submission', 300],
    ['silence at the bounce port', () => [], 'bounces', 30],
    ['NOOP forever at the bounce port', () => [...hello, 'NOOP'], 'bounces', 30],
    ['MAIL and RSET at the bounce port', () => [...hello, 'MAIL FROM:<>', 'RSET'], 'bounces', 30],
  ])('%s is ended', async (_, words, place, seconds) => {
    const talk = await connected(place === 'bounces' ? bouncePort : submission.port)
    await say(talk, words())
    world.clock.advance((seconds - 1) * 1_000)
    await Bun.sleep(20)
    // The last word wins no time either.
    const last = words().at(-1) ?? ''
    if (last !== '') expect(await talk.ask(last === from ? 'NOOP' : last)).not.toStartWith('421')
    world.clock.advance(1_000)
    expect(await talk.reply()).toBe(tooLong)
  })

  test('a connection is kept for the next one after a message', async () => {
    const talk = await sending(world.project.secretKey)
    expect(await finish(talk)).toStartWith('250')
    world.clock.advance(290_000)
    await Bun.sleep(20)
    expect(await talk.ask('NOOP')).toStartWith('250')
    world.clock.advance(10_000)
    expect(await talk.reply()).toBe(tooLong)
  })
})

describe('connections of one network', () => {
  test.each<[string, () => number, number]>([
    ['submission', () => submission.port, 250],
    ['the bounce port', () => bouncePort, 50],
  ])('fill no more than half of %s, and the silent ones are ended', async (_, port, places) => {
    const greetings = await many(places + 5, async () => {
      const talk = keep(await talkTo(port(), elsewhere))
      return { talk, greeting: await talk.reply() }
    })
    const refused = greetings.filter(({ greeting }) => greeting.startsWith('421 4.7.0 Too many connections'))
    expect(refused).toHaveLength(5)
    expect((await connected(port())).said()).toStartWith('220')
    world.clock.advance(6_000)
    const silent = greetings.filter(({ greeting }) => greeting.startsWith('220'))
    await until('all but twenty are ended', () => {
      const ended = silent.filter(({ talk }) => talk.said().includes('421 4.4.2 Too many connections'))
      return ended.length === places - 20
    })
    expect((await connected(port(), elsewhere)).said()).toStartWith('220')
  })

  test('one project has half of them, from wherever', async () => {
    const places = 250
    const held = await many(places, at =>
      signedIn(submission.port, world.project.secretKey, at % 2 === 0 ? '127.0.0.1' : elsewhere),
    )
    for (const talk of held) keep(talk)
    const late = await connected(submission.port)
    await late.ask('EHLO a')
    expect(await late.ask(plainLogin(world.project.secretKey))).toStartWith('421')
    keep(await signedIn(submission.port, other.secretKey))
  })
})
