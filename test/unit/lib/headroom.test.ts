// A large message gets its headers in front of it where it is, and has the bytes that any other one has.
import { expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { bufferWithHeadroom, withBefore } from '../../../src/lib/headroom'
import { signHeader, signMessage } from '../../../src/mail/dkim/sign'
import { leavingBytes } from '../../../src/mail/mime/finished'

const message = Buffer.from('From: a@x.test\r\nSubject: x\r\n\r\nhi  there\r\n')
const roomy = (bytes: Uint8Array): Buffer => {
  const whole = bufferWithHeadroom(bytes.length)
  whole.set(bytes)
  return whole
}

test('words go in front without a copy, as long as there is room', () => {
  const raw = roomy(message)
  const whole = withBefore('X: y\r\n', raw)!
  expect(whole.toString()).toBe(`X: y\r\n${message}`)
  expect(whole.buffer).toBe(raw.buffer)
  expect(withBefore('x'.repeat(raw.byteOffset + 1), raw)).toBeUndefined()
  expect(withBefore('x', message)).toBeUndefined()
})

test('what leaves is the same, header for header and signature for signature', async () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    ...{ modulusLength: 2048, publicKeyEncoding: { type: 'spki', format: 'pem' } },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const key = { domain: 'x.test', selector: 's', privateKey }
  const leaving = { messageId: 'a@b', headers: { 'List-Unsubscribe': '<https://x.test/u>' } }
  const finish = async (raw: Buffer) => await signMessage(leavingBytes(raw, leaving), key, signHeader)
  const raw = roomy(message)
  const whole = await finish(raw)
  expect(whole.buffer).toBe(raw.buffer)
  expect(Buffer.from(whole).toString()).toBe(Buffer.from(await finish(message)).toString())
  const long = { ...leaving, headers: { 'X-Long': 'word '.repeat(5_000) } }
  expect(leavingBytes(roomy(message), long).toString()).toBe(leavingBytes(message, long).toString())
})
