// The script that docs/feedback.md gives to owners of a mail server, run as it stands there.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installed } from '../support/counterpart'
import { dsn } from '../support/dsn'
import { type FeedbackWorld, makeFeedbackWorld } from '../support/feedback'

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
const page = readFileSync(join(import.meta.dir, '../../docs/feedback.md'), 'utf8')
const script = [...page.matchAll(/```sh\n([\s\S]*?)```/g)]
  .map(([, text]) => text!)
  .find(text => text.includes('openssl'))!
const isRunnable = ['sh', 'openssl', 'curl', 'od'].every(installed)

let world: FeedbackWorld
let server: Bun.Server<unknown>
beforeAll(async () => {
  world = await makeFeedbackWorld({ feedbackWebhookSecret: secret })
  server = Bun.serve({ port: 0, fetch: request => world.app.fetch(request) })
  // The script signs with the time of the machine.
  world.clock.set(new Date())
})
afterAll(async () => {
  await server.stop(true)
  await world.close()
})

async function run(report: string, FEEDBACK_WEBHOOK_SECRET = secret): Promise<number> {
  const env = { PATH: process.env.PATH ?? '', WAXWING_URL: server.url.origin, FEEDBACK_WEBHOOK_SECRET }
  return await Bun.spawn(['sh', '-c', script], { stdin: Buffer.from(report), stderr: 'ignore', env }).exited
}

test.skipIf(!isRunnable)('posts a report, and the same one counts once', async () => {
  const id = await world.sendOne({ subscribed: true })
  await world.drain()
  const report = dsn({ messageId: `<${id}@acme.example>` })
  expect(await run(report)).toBe(0)
  expect(await run(report)).toBe(0)
  expect((await world.email(id)).status).toBe('BOUNCED')
  const receipts = await world.ctx.sql`select status, tries from feedback_receipts`
  expect([...receipts]).toEqual([{ status: 'COMPLETED', tries: 1 }])
})

test.skipIf(!isRunnable)('asks the mail server to try again when it is refused', async () => {
  expect(await run(dsn({ messageId: '<x@y.example>' }), `whsec_${btoa('x'.repeat(32))}`)).toBe(75)
})
