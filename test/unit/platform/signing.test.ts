// Signatures for much mail at once: the same bytes as the runtime's, whoever makes them, and never none.
import { expect, test } from 'bun:test'
import { constants, generateKeyPairSync, privateEncrypt } from 'node:crypto'
import fc from 'fast-check'
import { signSha256 } from '../../../src/lib/rsa'
import { type SigningKey, signHeader } from '../../../src/mail/dkim/sign'
import { type Libcrypto, openLibcrypto } from '../../../src/platform/signing/libcrypto'
import { createSigner } from '../../../src/platform/signing/signer'
import {
  makeSigningThread,
  type SigningAnswer,
  type SigningBatch,
} from '../../../src/platform/signing/thread'
import { createPool, type WorkerPool } from '../../../src/platform/workers/pool'
import { until } from '../../support/until'

type Pool = WorkerPool<SigningBatch, SigningAnswer>

const rsaKey = (modulusLength: number): string =>
  generateKeyPairSync('rsa', { modulusLength }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const keys = [2048, 2048, 2048].map(rsaKey)
const keysOfOthers = [1024, 3072].map(rsaKey)
const keyFor = (privateKey: string, n = 0): SigningKey => ({
  domain: `acme-${n}.example`,
  selector: 'wx1',
  privateKey,
})
const messageOf = (body: string): Buffer =>
  Buffer.from(`From: a@example.com\r\nTo: b@example.org\r\nSubject: Hi  there\r\n\r\n${body}`)
const messages = Array.from({ length: 40 }, (_, n) => messageOf(`message  ${n} \r\n`.repeat(n)))
const allOf = <T>(each: (raw: Buffer, key: SigningKey) => T): T[] =>
  messages.map((raw, n) => each(raw, keyFor(keys[n % keys.length]!, n)))
const wanted = await Promise.all(allOf(signHeader))

function realPool(idleMs = 60_000): Pool {
  const program = new URL('../../../src/signing-worker.ts', import.meta.url)
  return createPool({ start: () => new Worker(program), size: 1, idleMs })
}

/** A thread of the test's own. */
function pool(run: (batch: SigningBatch) => Promise<SigningAnswer>) {
  const batches: number[] = []
  const made: Pool = {
    threads: 0,
    run: async (_, batch) => {
      batches.push(batch.messages.length)
      return await run(batch)
    },
  }
  return { made, batches }
}

test('many at once, by several keys, get the signatures that the runtime would make', async () => {
  const threads = realPool(100)
  const sign = createSigner(threads)
  expect(await Promise.all(allOf(sign))).toEqual(wanted)
  expect(threads.threads).toBe(1)
  await until('the thread ends', () => threads.threads === 0)
  expect(await Promise.all(allOf(sign))).toEqual(wanted)
})

test('one after another need no thread', async () => {
  const { made, batches } = pool(() => Promise.reject(new Error('not wanted')))
  const sign = createSigner(made)
  for (const [n, raw] of messages.entries())
    expect(await sign(raw, keyFor(keys[n % keys.length]!, n))).toEqual(wanted[n]!)
  expect(batches).toEqual([])
})

const signBatch = ({ memory, messages: given }: SigningBatch): Promise<string[]> => {
  let end = 0
  const placed = given.map(({ length, key }) => {
    end += length
    return { raw: new Uint8Array(memory, end - length, length), key }
  })
  return Promise.all(placed.map(({ raw, key }) => signHeader(raw, key)))
}

test('the first one shows what a thread is worth, and those that come together share batches from then on', async () => {
  const proven: unknown[] = []
  const { made, batches } = pool(async batch => {
    proven.push(batch.isProven)
    return await signBatch(batch)
  })
  const sign = createSigner(made)
  expect(await Promise.all(allOf(sign))).toEqual(wanted)
  expect(batches).toEqual([1])
  expect(await Promise.all(allOf(sign))).toEqual(wanted)
  // The first three are too few for a thread.
  expect(batches).toEqual([1, 8, 8, 8, 8, 5])
  expect(proven).toEqual(batches.map((_, index) => index > 0))
})

test('a message that is longer than a megabyte is a batch by itself', async () => {
  const isLong: boolean[] = []
  const { made, batches } = pool(async batch => {
    isLong.push(batch.memory.byteLength > 1_000_000)
    return await signBatch(batch)
  })
  const bodies = [1, 2, 3, 2_000_000, 300_000].map(length => 'x'.repeat(length))
  const signAll = (sign: typeof signHeader) =>
    Promise.all(bodies.map(body => sign(messageOf(body), keyFor(keys[0]!))))
  const sign = createSigner(made)
  for (let round = 0; round < 2; round++) expect(await signAll(sign)).toEqual(await signAll(signHeader))
  expect(batches).toEqual([1, 1, 1])
  expect(isLong).toEqual([true, true, false])
})

test.each<[string, (batch: SigningBatch) => Promise<SigningAnswer>]>([
  ['says that it is slower', async () => 'slower'],
  ['fails', () => Promise.reject(new Error('the thread failed'))],
])('a thread that %s is asked once, and the runtime signs', async (_, run) => {
  const { made, batches } = pool(run)
  const sign = createSigner(made)
  for (let round = 0; round < 2; round++) expect(await Promise.all(allOf(sign))).toEqual(wanted)
  expect(batches).toEqual([1])
})

test('a key that is none is refused, and its neighbours are signed', async () => {
  const sign = createSigner(realPool())
  const bad = ['nonsense', generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })]
  const results = await Promise.allSettled([
    ...bad.map(key => sign(messages[0]!, keyFor(String(key)))),
    ...allOf(sign),
    ...bad.map(key => sign(messages[0]!, keyFor(String(key)))),
  ])
  const values = results.map(each => (each.status === 'fulfilled' ? each.value : undefined))
  expect(values).toEqual([undefined, undefined, ...wanted, undefined, undefined])
})

test('a library that signs as the runtime does, and faster, is taken; one that signs otherwise, or no faster, is not', () => {
  const raw = messages[1]!
  const memory = new SharedArrayBuffer(raw.length)
  new Uint8Array(memory).set(raw)
  const batch = { memory, from: 0, messages: [{ length: raw.length, key: keyFor(keys[1]!, 1) }] }
  const answerOf = (sign: Libcrypto['sign'] | undefined, isProven = false) =>
    makeSigningThread(() => sign && { sign, freeKeys: () => {} })({ ...batch, isProven })
  // What the runtime signs for a digest: a PKCS #1 signature is a decryption of the padded digest.
  const prefix = Buffer.from('3031300d060960864801650304020105000420', 'hex')
  const signed: Libcrypto['sign'] = ({ digest, privateKey }) =>
    privateEncrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, Buffer.concat([prefix, digest]))
  const known = new Map<string, Uint8Array>()
  const atOnce: Libcrypto['sign'] = asked => {
    const name = Buffer.from(asked.digest).toString('hex')
    known.set(name, known.get(name) ?? signed(asked)!)
    return known.get(name)!
  }
  expect(answerOf(atOnce)).toEqual([wanted[1]!])
  const slowly: Libcrypto['sign'] = asked => [signed(asked), signed(asked)][0]
  expect(answerOf(slowly)).toBe('slower')
  // What another thread has found out is not asked again.
  expect(answerOf(slowly, true)).toEqual([wanted[1]!])
  expect(answerOf(() => new Uint8Array(256))).toBe('slower')
  expect(answerOf(undefined)).toBe('slower')
})

test.skipIf(!openLibcrypto())(
  'OpenSSL signs whatever it is given, and again when it has forgotten its keys',
  async () => {
    const library = openLibcrypto()!
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom(...keys, ...keysOfOthers),
        async (data, privateKey) => {
          const digest = new Bun.CryptoHasher('sha256').update(data).digest()
          if (data.length % 3 === 0) library.freeKeys()
          const signature = library.sign({ digest, privateKey })!
          expect((await signSha256(Buffer.from(data), privateKey)).equals(signature)).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  },
)
