// A corpus of mails that are built to hold up the process, by each way in: the bounce port, submission, /webhooks/dsn, and mail that came in
// through SES. While each is taken or refused, /health is answered.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startInbound } from '../../src/modules/sending/feedback'
import { signatureHeaders } from '../../src/platform/webhook/signature'
import { type HostileMail, hostileMails, hostileSubmissions } from '../data/hostile-mails'
import { type FeedbackWorld, makeFeedbackWorld } from '../support/feedback'
import { maxBlockMs, watchLoop } from '../support/longest-block'
import { request } from '../support/request'
import { envelope } from '../support/sns'
import { openSubmission, type Submission } from '../support/submission'
import { sender } from '../support/world'

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
const bounceDomain = 'bounce.acme.example'
const folder = mkdtempSync(join(tmpdir(), 'hostile-mails-'))
let world: FeedbackWorld
let submission: Submission
let inbound: Awaited<ReturnType<typeof startInbound>>
let toReturnPath: Way
let toPostmaster: Way
let submit: Way
beforeAll(async () => {
  world = await makeFeedbackWorld({ bounceDomain, dataDir: folder, feedbackWebhookSecret: secret })
  submission = await openSubmission(world)
  inbound = await startInbound(world.ctx, [{ host: '127.0.0.1', port: 0, implicitTls: false }])
  await world.sendOne({ subscribed: true })
  await world.drain()
  const returnPath = world.mail.sent.at(-1)!.envelope.returnPath!
  const port = Number(inbound.addresses[0]!.split(':').at(-1))
  toReturnPath = handOver(port, '-', returnPath)
  toPostmaster = handOver(port, '-', `postmaster@${bounceDomain}`)
  submit = handOver(submission.port, world.project.secretKey, 'ada@example.com')
  // What is loaded and compiled at the first use is no part of what a mail costs.
  const small = { name: 'small', raw: () => 'Content-Type: multipart/report; boundary=a\r\n\r\n--a--\r\n' }
  for (const way of [toReturnPath, submit, bySignedCall, throughSes]) await way(small)()
})
afterEach(() => {
  for (const file of readdirSync(folder)) if (file.endsWith('.eml')) rmSync(join(folder, file))
})
afterAll(async () => {
  await submission.stop()
  await inbound.stop()
  await world.close()
  rmSync(folder, { recursive: true })
})

const head = `From: ${sender}\r\nTo: ada@example.com\r\n`

/** Makes the mail, and then hands it over: what making it costs is no part of what receiving it does. */
type Way = (mail: HostileMail) => () => Promise<string>

/** By a program of its own, like anybody's. */
function handOver(port: number, key: string, to: string): Way {
  return ({ raw }) => {
    const file = join(folder, `${Bun.randomUUIDv7()}.eml`)
    writeFileSync(file, `${head}${raw()}`.replace(/^\./gm, '..'), 'latin1')
    return async () => {
      const program = join(import.meta.dir, '../support/mail-sender.ts')
      const child = Bun.spawn(['bun', program, String(port), key, sender, to, file], { stdout: 'pipe' })
      return await new Response(child.stdout).text()
    }
  }
}

/** Signed by who knows the secret. */
const bySignedCall: Way = ({ raw }) => {
  const body = `${head}${raw()}`
  const headers = signatureHeaders(secret, { id: crypto.randomUUID(), sentAt: world.clock.now(), body })
  const blob = new Blob([body])
  return async () => {
    const call = { body: blob.stream(), headers: { 'content-type': 'message/rfc822', ...headers } }
    return String((await request(world.app, 'POST', '/webhooks/dsn', call)).status)
  }
}

/** As much of it as SNS carries. */
const throughSes: Way = ({ raw }) => {
  const content = Buffer.from(`${head}${raw().slice(0, 1_000_000)}`).toString('base64')
  const verdict = { status: 'PASS' }
  const receipt = {
    ...{ recipients: ['support@acme.example'], action: { encoding: 'BASE64' } },
    ...{ spfVerdict: verdict, dkimVerdict: verdict },
  }
  const mail = {
    messageId: crypto.randomUUID(),
    source: 'ada@example.com',
    timestamp: '2026-03-01T12:00:00Z',
  }
  const Message = JSON.stringify({ notificationType: 'Received', content, mail, receipt })
  const blob = new Blob([JSON.stringify(envelope({ Message }))])
  return async () => {
    const call = { body: blob.stream(), headers: { 'content-type': 'text/plain' } }
    return String((await request(world.app, 'POST', '/webhooks/sns', call)).status)
  }
}

async function holdsUpNobody(work: () => Promise<string>, answer: RegExp): Promise<void> {
  // What making the mail left behind is not collected while it is received.
  Bun.gc(true)
  const { result, longestMs, healthAnswers } = await watchLoop(world.app, work)
  expect(result).toMatch(answer)
  expect(longestMs).toBeLessThan(maxBlockMs)
  expect(healthAnswers).toBeGreaterThan(0)
}

test('the corpus is as large as it was', () => {
  expect(hostileMails.length).toBeGreaterThanOrEqual(45)
  expect(hostileSubmissions.length).toBeGreaterThanOrEqual(4)
})

const table = (mails: readonly HostileMail[]) => mails.map(mail => [mail.name, mail] as const)

describe('nobody is held up by a mail of', () => {
  test.each(table(hostileMails))(
    '%s: at a return path, at a public name, submitted, as a signed report, through SES',
    async (_, mail) => {
      await holdsUpNobody(toReturnPath(mail), /^(?:250|55[24]) /)
      await holdsUpNobody(toPostmaster(mail), /^(?:250|55[24]) /)
      await holdsUpNobody(submit(mail), /^(?:250|55[24]) /)
      await holdsUpNobody(bySignedCall(mail), /^(?:200|400)$/)
      await holdsUpNobody(throughSes(mail), /^200$/)
    },
  )

  test.each(table(hostileSubmissions))('%s, submitted', async (_, mail) => {
    await holdsUpNobody(submit(mail), /^(?:250|55[24]) /)
  })
})

test('a public name takes no more than 256 kB', async () => {
  const long = {
    name: 'long',
    raw: () => `Content-Type: text/plain\r\n\r\n${'x'.repeat(70)}\r\n`.padEnd(270_000, 'y\r\n'),
  }
  expect(await toPostmaster(long)()).toStartWith('552 5.3.4')
  expect(await toReturnPath(long)()).toStartWith('250')
})
