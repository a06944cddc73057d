// Signs outgoing mail. A message now and then is signed by the runtime. When several are to be signed at the same time, threads are
// started that use the machine's OpenSSL, if that is faster here: signing is most of what a campaign costs.
import { availableParallelism } from 'node:os'
import { batcher, type Settled } from '../../lib/batcher'
import { minute, second } from '../../lib/time'
import { type SignHeader, type SigningKey, signHeader } from '../../mail/dkim/sign'
import { createPool, threadProgram, type WorkerPool } from '../workers/pool'
import type { SigningAnswer, SigningBatch } from './thread'

type SigningPool = WorkerPool<SigningBatch, SigningAnswer>

interface Message {
  raw: Uint8Array
  key: SigningKey
}

/** This many at once are worth a thread. */
const fewPending = 4
/** Three milliseconds of work. */
const batches = { size: 8, delayMs: 3 }
/** Of a batch, usually; a message that is longer is one by itself. */
const maxBytes = 1_000_000
/** By the clock; more than any batch takes, however long the keys are and however busy the machine is. */
const limitMs = 10 * second
/** One thread signs two thousand messages a second at most; beyond a few, the event loop has no more for them. */
const maxThreads = Math.min(4, availableParallelism())
/** After a thread failed, none is started for this long. */
const restMs = 5 * minute

/** The same signature as `byRuntime` makes, to the byte. */
export function createSigner(pool: SigningPool, byRuntime: SignHeader = signHeader): SignHeader {
  let pending = 0
  let isFaster = false
  let isTrying = false
  let isSlower = false
  let restsUntil = Number.NEGATIVE_INFINITY
  /** Used again for other batches, as many as there have been at a time. */
  const spare: SharedArrayBuffer[] = []

  const batchOf = (messages: Message[]): SigningBatch => {
    const shared = alreadyShared(messages)
    if (shared) return { ...shared, isProven: isFaster }
    const length = messages.reduce((sum, { raw }) => sum + raw.length, 0)
    const memory =
      length <= maxBytes ? (spare.pop() ?? new SharedArrayBuffer(maxBytes)) : new SharedArrayBuffer(length)
    const bytes = new Uint8Array(memory)
    let at = 0
    for (const { raw } of messages) {
      bytes.set(raw, at)
      at += raw.length
    }
    return {
      memory,
      from: 0,
      messages: messages.map(({ raw, key }) => ({ length: raw.length, key })),
      isProven: isFaster,
    }
  }
  const answerOf = async (messages: Message[]): Promise<SigningAnswer | undefined> => {
    if (isSlower || performance.now() < restsUntil) return undefined
    try {
      const batch = batchOf(messages)
      const answer = await pool.run('signer', batch, limitMs)
      // Not where it failed: the thread may still be at work in it.
      if (!alreadyShared(messages) && batch.memory.byteLength === maxBytes) spare.push(batch.memory)
      return answer
    } catch {
      // The thread could not be started, or was ended. No other message should wait for the next one.
      restsUntil = performance.now() + restMs
      return undefined
    }
  }
  const signAll = async (messages: Message[]): Promise<Settled<string | undefined>[]> => {
    const answer = await answerOf(messages)
    isSlower ||= answer === 'slower'
    // With the first key it compares; what it could not use says nothing.
    isFaster ||= Array.isArray(answer) && answer.every(header => header !== undefined)
    return messages.map((_, index) => ({ value: Array.isArray(answer) ? answer[index] : undefined }))
  }
  const signInBatch = batcher(signAll, batches)
  const byThread = async (message: Message): Promise<string | undefined> => {
    const isLong = message.raw.length > maxBytes
    if (isFaster && !isLong) return await signInBatch(message)
    // The first one finds out whether a thread is worth it; those beside it don't wait for that.
    if (isTrying && !isLong) return undefined
    isTrying = true
    const [settled] = await signAll([message])
    isTrying = false
    return 'value' in settled! ? settled.value : undefined
  }
  const isThreadWanted = (raw: Uint8Array): boolean =>
    !isSlower &&
    performance.now() >= restsUntil &&
    (pool.threads > 0 || pending >= fewPending || raw.length > maxBytes)

  return async (raw, key) => {
    pending++
    try {
      const header = isThreadWanted(raw) ? await byThread({ raw, key }) : undefined
      return header ?? (await byRuntime(raw, key))
    } finally {
      pending--
    }
  }
}

/** A large message is in memory that threads see (`lib/headroom.ts`), and needs no copy. */
function alreadyShared(messages: Message[]): Omit<SigningBatch, 'isProven'> | undefined {
  const [{ raw, key }, ...others] = messages as [Message, ...Message[]]
  const { buffer, byteOffset, length } = raw
  if (others.length > 0 || !(buffer instanceof SharedArrayBuffer)) return undefined
  return { memory: buffer, from: byteOffset, messages: [{ length, key }] }
}

/** The one of this process. */
export const signManyHeaders = createSigner(
  createPool({
    // With `smol` it would collect garbage more often, which takes a hundredth of a campaign's processor time and saves no memory to speak of.
    start: () => new Worker(threadProgram('signing-worker'), { ref: false }),
    size: maxThreads,
    idleMs: 30 * second,
    areLean: true,
  }),
)
