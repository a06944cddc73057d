// Threads that read mail which others wrote (src/mail-worker.ts): a message may be built so that parsing it takes seconds, and nothing else
// may wait for that. What strangers send and what projects submit have threads of their own, and each sender waits for its own mail first.
import { availableParallelism } from 'node:os'
import { second } from '../lib/time'
import { createPool, Overrun, threadProgram, type WorkerPool } from './workers/pool'

/** What is wanted of a message: a report in it, what somebody who wrote to us says, or all of it. */
export type MailReading = 'report' | 'received' | 'submitted'

export interface MailJob {
  reading: MailReading
  raw: Uint8Array
  /** What came with it. */
  envelope?: { from: string; at: Date }
}

/** `fault` says why it could not be read. */
export type MailAnswer = { result: unknown } | { fault: string }

/** It is no message, or one beyond the bounds: reading it again would end in the same way. */
export class UnreadableMail extends Error {
  override name = 'UnreadableMail'
}

type MailPool = WorkerPool<MailJob, MailAnswer>

/** Of processor time: many times what the largest ordinary message takes. */
const limits: Record<MailReading, number> = {
  report: 3 * second,
  received: 3 * second,
  submitted: 10 * second,
}

/**
 * Reads by these threads; rejects with UnreadableMail. `owner` is whom the sender shares its turn with. A submitted message is handed over
 * without a copy, which takes long where it is large: `raw` is empty afterwards.
 */
export function mailReader(threadsOf: (reading: MailReading) => MailPool) {
  return async (
    reading: MailReading,
    raw: Uint8Array,
    owner: string,
    envelope?: MailJob['envelope'],
  ): Promise<unknown> => {
    const answer = await threadsOf(reading)
      .run(
        owner,
        { reading, raw, ...(envelope ? { envelope: { from: envelope.from, at: envelope.at } } : {}) },
        limits[reading],
        reading === 'submitted' ? { transfer: memoryOf(raw) } : {},
      )
      .catch((error: unknown) => {
        throw error instanceof Overrun ? new UnreadableMail('it takes too long to read') : error
      })
    if ('fault' in answer) throw new UnreadableMail(answer.fault)
    return answer.result
  }
}

/** Small ones share theirs with others, and stay. */
function memoryOf({ buffer, length }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === length ? [buffer] : []
}

function startPool(): MailPool {
  return createPool({
    start: () => new Worker(threadProgram('mail-worker'), { smol: true, ref: false }),
    // One processor is left to everything else.
    size: Math.min(2, Math.max(1, availableParallelism() - 1)),
    idleMs: 30 * second,
  })
}

const pools: Partial<Record<'strangers' | 'projects', MailPool>> = {}

/** By the threads of this process, which start with the first message. */
export const readByThread = mailReader(reading => {
  const side = reading === 'submitted' ? 'projects' : 'strangers'
  pools[side] ??= startPool()
  return pools[side]
})
