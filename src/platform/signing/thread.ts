// What a signing thread does: the first one finds out whether OpenSSL signs faster than the runtime on this machine; each then signs with it.
import { createHash, createPrivateKey, sign } from 'node:crypto'
import { second } from '../../lib/time'
import { completeHeader, type SigningKey, unsignedHeader } from '../../mail/dkim/sign'
import { type Libcrypto, openLibcrypto } from './libcrypto'

/** Messages that lie one behind the other in memory which both threads see, so that none is copied on its way. */
export interface SigningBatch {
  memory: SharedArrayBuffer
  /** Where the first one begins. */
  from: number
  messages: ReadonlyArray<{ length: number; key: SigningKey }>
  /** Another thread has found out already that OpenSSL signs faster: on a machine at its limit a second look might err. */
  isProven?: boolean
}

/** The header for each; undefined where this library can't use the key. `slower`: the runtime signs just as fast on this machine. */
export type SigningAnswer = Array<string | undefined> | 'slower'

/** Keys are forgotten after this long without work, because a thread that is being ended can no longer do it. */
const keptMs = 2 * second

/** Answers batches. `open` is for tests. */
export function makeSigningThread(
  open: () => Libcrypto | undefined = openLibcrypto,
): (batch: SigningBatch) => SigningAnswer {
  const library = open()
  let isFaster: boolean | undefined
  let timer: Timer | undefined
  return ({ memory, from, messages, isProven }) => {
    if (isProven) isFaster ??= true
    if (!library || isFaster === false) return 'slower'
    clearTimeout(timer)
    timer = setTimeout(library.freeKeys, keptMs)
    isFaster ??= comparedWith(library, messages[0]!.key.privateKey)
    if (isFaster === false) return 'slower'
    let at = from
    return messages.map(({ length, key }) => {
      const raw = new Uint8Array(memory, at, length)
      at += length
      return headerBy(library, raw, key)
    })
  }
}

function headerBy(library: Libcrypto, raw: Uint8Array, key: SigningKey): string | undefined {
  const unsigned = unsignedHeader(raw, key)
  const digest = createHash('sha256').update(unsigned.data).digest()
  const signature = library.sign({ digest, privateKey: key.privateKey })
  return signature && completeHeader(unsigned, signature)
}

const sample = Buffer.from('what is signed to see who signs faster')
const sampleDigest = createHash('sha256').update(sample).digest()
const rounds = 5
/** A smaller gain is not worth a thread. */
const worthwhile = 1.25

/**
 * Whether it signs as the runtime does, to the byte, and clearly faster: our keys have one length. Undefined if it can't with this key.
 * Takes some five milliseconds.
 */
function comparedWith(library: Libcrypto, privateKey: string): boolean | undefined {
  const theirs = timed(() => library.sign({ digest: sampleDigest, privateKey }))
  if (!theirs.signature) return undefined
  const key = createPrivateKey(privateKey)
  const ours = timed(() => sign('sha256', sample, key))
  return ours.signature.equals(theirs.signature) && ours.ms > worthwhile * theirs.ms
}

/** The fastest of a few, after one that reads the key. */
function timed<S>(signOnce: () => S): { signature: S; ms: number } {
  const signature = signOnce()
  const times = Array.from({ length: rounds }, () => {
    const began = performance.now()
    signOnce()
    return performance.now() - began
  })
  return { signature, ms: Math.min(...times) }
}
