// The thread that reads mail which others wrote, inside the executable: it is a program of its own there.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { signatureHeaders } from '../../src/platform/webhook/signature'
import { dsn } from '../support/dsn'
import {
  builtProgram,
  type Keys,
  makeFolder,
  makeProject,
  type Program,
  removeFolder,
  sendMail,
  startProgram,
} from '../support/program'
import { until } from '../support/until'

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
let folder = ''
let instance: Program
let keys: Keys

beforeAll(async () => {
  folder = makeFolder()
  await builtProgram()
  const environment = { DATA_DIR: join(folder, 'own'), PORT: '0', FEEDBACK_WEBHOOK_SECRET: secret }
  instance = await startProgram({ environment })
  keys = await makeProject(instance.url)
})
afterAll(async () => {
  await instance?.stop()
  removeFolder(folder)
})

function outbox(): string[] {
  const path = join(folder, 'own/outbox')
  return existsSync(path) ? readdirSync(path).filter(name => name.endsWith('.eml')) : []
}

async function report(body: string): Promise<unknown> {
  const headers = signatureHeaders(secret, { id: crypto.randomUUID(), sentAt: new Date(), body })
  const answer = await fetch(`${instance.url}/webhooks/dsn`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', ...headers },
    body,
  })
  return await answer.json()
}

test('reads a report, and one that is built to hold it up is none', async () => {
  const mail = { from: 'hello@acme.example', to: 'ada@example.com', subject: 'Hello', body: '<p>Hello</p>' }
  expect((await sendMail(instance.url, keys, mail)).status).toBe(200)
  await until('the message is sent', () => outbox().length === 1)
  const sent = readFileSync(join(folder, 'own/outbox', outbox()[0]!), 'latin1')
  const [, messageId] = /^message-id: (<\S+>)/im.exec(sent)!
  expect(await report(dsn({ messageId: messageId! }))).toMatchObject({ success: true, applied: 1 })
  expect(await report(`Content-Type: text/html\r\n\r\n${'\n'.repeat(4_900_000)}`)).toMatchObject({
    success: true,
    applied: 0,
  })
  expect(instance.log()).not.toMatch(/error/i)
})
