// What the signing thread does: it finds out once whether OpenSSL signs faster than the runtime on this machine, and then signs with it.
import { createHash, createPrivateKey, sign } from 'node:crypto'
import { second } from '../../lib/time'
import { type Libcrypto, openLibcrypto } from './libcrypto'

/** A SHA-256 digest to be signed, and the key for it in PEM. */
export interface SigningJob {
  digest: Uint8Array
  privateKey: string
}

/** One for each job; undefined where this library can't use the key. `slower`: the runtime signs just as fast on this machine. */
export type SigningAnswer = Array<Uint8Array | undefined> | 'slower'

/** Keys are forgotten after this long without work, because a thread that is being ended can no longer do it. */
const keptMs = 2 * second

/** Answers jobs. `open` is for tests. */
export function makeSigningThread(
  open: () => Libcrypto | undefined = openLibcrypto,
): (jobs: SigningJob[]) => SigningAnswer {
  const library = open()
  let isFaster: boolean | undefined
  let timer: Timer | undefined
  return jobs => {
    if (!library || isFaster === false) return 'slower'
    clearTimeout(timer)
    timer = setTimeout(library.forgetKeys, keptMs)
    isFaster ??= comparedWith(library, jobs[0]!.privateKey)
    return isFaster === false ? 'slower' : jobs.map(library.sign)
  }
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
