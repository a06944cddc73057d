// Signs outgoing mail. A message now and then is signed by the runtime. When several are to be signed at the same time, a thread is
// started that uses the machine's OpenSSL, if that is faster here: signing is most of what a campaign costs.
import { batcher } from '../../lib/batcher'
import { minute, second } from '../../lib/time'
import { type SignHeader, type SigningKey, signHeader } from '../../mime/dkim'
import { createPool, threadProgram, type WorkerPool } from '../workers/pool'
import type { SigningAnswer, SigningBatch } from './thread'

type SigningPool = WorkerPool<SigningBatch, SigningAnswer>

interface Message {
  raw: Uint8Array
  key: SigningKey
}

/** This many at once are worth a thread. */
const crowd = 4
/** Ten milliseconds of work. */
const maxBatch = 32
/** Of a batch; a message that is longer is one by itself. */
const maxBytes = 1_000_000
/** By the clock; more than any batch takes, however long the keys are and however busy the machine is. */
const limitMs = 10 * second
/** After a thread failed, none is started for this long. */
const restMs = 5 * minute

/** The same signature as `byRuntime` makes, to the byte. */
export function createSigner(pool: SigningPool, byRuntime: SignHeader = signHeader): SignHeader {
  let pending = 0
  let isSlower = false
  let restsUntil = Number.NEGATIVE_INFINITY
  /** Used again for each batch: there is one at a time. */
  let memory: SharedArrayBuffer | undefined

  const batchOf = (messages: Message[]): SigningBatch => {
    const length = messages.reduce((sum, { raw }) => sum + raw.length, 0)
    if (length <= maxBytes) memory ??= new SharedArrayBuffer(maxBytes)
    const batch = length <= maxBytes ? memory! : new SharedArrayBuffer(length)
    const bytes = new Uint8Array(batch)
    let at = 0
    for (const { raw } of messages) {
      bytes.set(raw, at)
      at += raw.length
    }
    return { memory: batch, messages: messages.map(({ raw, key }) => ({ length: raw.length, key })) }
  }
  const answerOf = async (messages: Message[]): Promise<SigningAnswer | undefined> => {
    if (isSlower || performance.now() < restsUntil) return undefined
    try {
      return await pool.run('signer', batchOf(messages), limitMs)
    } catch {
      // The thread could not be started, or was ended. No other message should wait for the next one.
      restsUntil = performance.now() + restMs
      memory = undefined
      return undefined
    }
  }
  const byThread = batcher<Message, string | undefined>(
    async messages => {
      const answer = await answerOf(messages)
      isSlower ||= answer === 'slower'
      return messages.map((_, index) => ({ value: Array.isArray(answer) ? answer[index] : undefined }))
    },
    { maxItems: maxBatch, maxWeight: maxBytes, slots: 1 },
  )
  const isThreadWanted = (): boolean =>
    !isSlower && performance.now() >= restsUntil && (pool.threads > 0 || pending >= crowd)

  return async (raw, key) => {
    pending++
    try {
      const header = isThreadWanted() ? await byThread({ raw, key }, raw.length) : undefined
      return header ?? (await byRuntime(raw, key))
    } finally {
      pending--
    }
  }
}

/** The one of this process. */
export const signManyHeaders: SignHeader = createSigner(
  createPool({
    start: () => new Worker(threadProgram('signing-worker'), { smol: true, ref: false }),
    size: 1,
    idleMs: 30 * second,
    areLean: true,
  }),
)
