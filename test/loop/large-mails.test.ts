// Large mail on its way out: while it is read from the database, made safe for the wire and handed to a relay, /health is answered.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RecordingSink, startRecordingSink } from '../../bench/support/recording-sink'
import { makeApplication } from '../../src/http/application'
import { metaRoutes } from '../../src/modules/api/meta/routes'
import { smtpTransport } from '../../src/platform/transports/smtp'
import { maxBlockMs, watchRepeatable } from '../support/longest-block'
import { openSubmission, type Submission } from '../support/submission'
import { makeWorld, sender, type World } from '../support/world'

const folder = mkdtempSync(join(tmpdir(), 'large-mails-'))
const program = join(import.meta.dir, '../support/mail-sender.ts')
const head = `From: ${sender}\r\nTo: ada@example.com\r\nContent-Type: text/plain\r\n\r\n`
let sink: RecordingSink
let world: World
let submission: Submission
let app: ReturnType<typeof makeApplication>
beforeAll(async () => {
  sink = await startRecordingSink()
  const transport = smtpTransport({ url: sink.url })
  world = await makeWorld({}, () => transport)
  app = makeApplication(world.ctx, [ctx => metaRoutes(ctx, () => app)])
  submission = await openSubmission(world)
  await leaves('small')
})
afterAll(async () => {
  await submission.stop()
  await world.close()
  sink.stop()
  rmSync(folder, { recursive: true })
})

async function leaves(text: string): Promise<string> {
  const file = join(folder, `${readdirSync(folder).length}.eml`)
  writeFileSync(file, `${head}${text}`.replace(/^\./gm, '..'), 'latin1')
  const words = [String(submission.port), world.project.secretKey, sender, 'ada@example.com', file]
  const child = Bun.spawn(['bun', program, ...words], { stdout: 'pipe' })
  const answer = await new Response(child.stdout).text()
  await world.drain()
  return answer
}

test.each([
  ['10 MB of one line after the other', `${'<p>'.repeat(30)}\r\n`.repeat(108_000)],
  ['a million dots', '.\r\n'.repeat(999_000)],
])('%s leave, and hold up nobody', async (_, text) => {
  const before = await sink.count()
  const { result, longestMs } = await watchRepeatable(app, () => leaves(text))
  expect(result).toStartWith('250')
  expect(longestMs).toBeLessThan(maxBlockMs)
  expect(await sink.count()).toBeGreaterThan(before)
})

test('more than a million lines are no message', async () => {
  expect(await leaves('\r\n'.repeat(1_000_001))).toStartWith('554 5.6.0')
})
