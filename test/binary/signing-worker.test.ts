// The thread that signs when there is much to sign, inside the executable: it is a program of its own there. Where it can't run, because
// the machine has no OpenSSL 3, the runtime signs the same, and the tests of the signer are about that.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dkimVerify } from 'mailauth/lib/dkim/verify'
import { openLibcrypto } from '../../src/platform/signing/libcrypto'
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

const count = 50
const hasOpenSsl = openLibcrypto() !== undefined
if (!hasOpenSsl)
  console.log('this machine has no OpenSSL 3 (libcrypto.so.3): the signing thread is not tried')

let folder = ''
let instance: Program
let keys: Keys

beforeAll(async () => {
  folder = makeFolder()
  await builtProgram()
  const environment = { DATA_DIR: join(folder, 'own'), PORT: '0', RATE_LIMIT_PER_MINUTE: '0' }
  instance = await startProgram({ environment })
  keys = await makeProject(instance.url)
})
afterAll(async () => {
  await instance?.stop()
  removeFolder(folder)
})

function outbox(): string[] {
  const path = join(folder, 'own/outbox')
  const names = existsSync(path) ? readdirSync(path).filter(name => name.endsWith('.eml')) : []
  return names.map(name => join(path, name))
}

/** Only the thread opens the library, and it stays open. */
function isLibraryOpen(): boolean {
  return readFileSync(`/proc/${instance.pid}/maps`, 'utf8').includes('/libcrypto.so.3')
}

async function send(subject: string): Promise<void> {
  const letter = { from: 'hello@acme.example', to: 'ada@example.com', subject, body: '<p>Grüße</p>' }
  expect((await sendMail(instance.url, keys, letter)).status).toBe(200)
}

/** What somebody else's verifier says of a message, with the record that the API tells to publish. */
async function verdicts(): Promise<string[]> {
  const headers = { authorization: `Bearer ${keys.secretKey}` }
  const answer = await fetch(`${instance.url}/domains/project/${keys.projectId}`, { headers })
  const domains = (await answer.json()) as Array<{ records: Array<{ name: string; value: string }> }>
  const records = domains.flatMap(domain => domain.records)
  const resolver = async (asked: string): Promise<string[][]> =>
    records.filter(({ name }) => name === asked).map(({ value }) => [value])
  const found = outbox().map(async path => {
    const { results } = await dkimVerify(readFileSync(path), { resolver })
    return results.map(({ status, signingDomain }) => `${status.result} ${signingDomain}`).join()
  })
  return await Promise.all(found)
}

test.skipIf(!hasOpenSsl)('many at once are signed with it, and one by one without', async () => {
  await send('alone')
  await until('the first message', () => outbox().length === 1)
  expect(isLibraryOpen()).toBe(false)
  await Promise.all(Array.from({ length: count }, (_, n) => send(`crowd ${n}`)))
  await until('all messages', () => outbox().length === count + 1)
  expect(isLibraryOpen()).toBe(true)
  expect(await verdicts()).toEqual(Array(count + 1).fill('pass acme.example'))
  expect(instance.log()).not.toMatch(/error/i)
})
