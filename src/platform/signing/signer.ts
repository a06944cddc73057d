// Signs outgoing mail. A message now and then is signed by the runtime. When several are to be signed at the same time, a thread is
// started that uses the machine's OpenSSL, if that is faster here: signing is most of what a campaign costs.
import { createHash } from 'node:crypto'
import { batcher } from '../../lib/batcher'
import { type SignSha256, signSha256 } from '../../lib/rsa'
import { minute, second } from '../../lib/time'
import { createPool, threadProgram, type WorkerPool } from '../workers/pool'
import type { SigningAnswer, SigningJob } from './thread'

type SigningPool = WorkerPool<SigningJob[], SigningAnswer>

/** This many at once are worth a thread. */
const crowd = 4
/** Ten milliseconds of work. */
const maxBatch = 32
/** By the clock; more than any batch takes, however long the keys are and however busy the machine is. */
const limitMs = 10 * second
/** After a thread failed, none is started for this long. */
const restMs = 5 * minute

/** The same signature as signSha256's, to the byte. */
export function createSigner(pool: SigningPool, byRuntime: SignSha256 = signSha256): SignSha256 {
  let pending = 0
  let isSlower = false
  let restsUntil = Number.NEGATIVE_INFINITY

  const answerOf = async (jobs: SigningJob[]): Promise<SigningAnswer | undefined> => {
    if (isSlower || performance.now() < restsUntil) return undefined
    try {
      return await pool.run('signer', jobs, limitMs)
    } catch {
      // The thread could not be started, or was ended. No other message should wait for the next one.
      restsUntil = performance.now() + restMs
      return undefined
    }
  }
  const byThread = batcher<SigningJob, Uint8Array | undefined>(
    async jobs => {
      const answer = await answerOf(jobs)
      isSlower ||= answer === 'slower'
      return jobs.map((_, index) => ({ value: Array.isArray(answer) ? answer[index] : undefined }))
    },
    { maxItems: maxBatch, slots: 1 },
  )
  const isThreadWanted = (): boolean =>
    !isSlower && performance.now() >= restsUntil && (pool.threads > 0 || pending >= crowd)

  return async (data, privateKey) => {
    pending++
    try {
      if (!isThreadWanted()) return await byRuntime(data, privateKey)
      const digest = createHash('sha256').update(data).digest()
      const signature = await byThread({ digest, privateKey })
      return signature ? Buffer.from(signature.buffer) : await byRuntime(data, privateKey)
    } finally {
      pending--
    }
  }
}

/** The one of this process. */
export const signManySha256: SignSha256 = createSigner(
  createPool({
    start: () => new Worker(threadProgram('signing-worker'), { smol: true, ref: false }),
    size: 1,
    idleMs: 30 * second,
    areLean: true,
  }),
)
