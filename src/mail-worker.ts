// The thread that reads mail which others wrote (platform/foreign-mail.ts). It is a program of its own, loaded only when needed, and may be
// ended at any moment.
import { readReturnedMail } from './mail/bounces'
import { readSubmission } from './modules/api/submission/read'
import { readReceivedContent } from './modules/sending/feedback/received-content'
import type { MailAnswer, MailJob, MailReading } from './platform/foreign-mail'
import { lowerPriority, lowest } from './platform/priority'
import { ownThreadId } from './platform/workers/cpu-time'

const readers: Record<MailReading, (raw: Uint8Array, envelope: MailJob['envelope']) => Promise<unknown>> = {
  report: readReturnedMail,
  received: readReceivedContent,
  submitted: async (raw, envelope) =>
    readSubmission(
      { raw: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), ...envelope! },
      await import('postal-mime'),
    ),
}

async function answerTo({ reading, raw, envelope }: MailJob): Promise<MailAnswer> {
  try {
    return { result: await readers[reading](raw, envelope) }
  } catch (error) {
    return { fault: String(error instanceof Error ? error.message : error).slice(0, 200) }
  }
}

/** The bytes of a message go back as they came, without a copy. */
function memoryIn(answer: MailAnswer): ArrayBuffer[] {
  const { raw } = ('result' in answer && answer.result ? answer.result : {}) as { raw?: Uint8Array }
  return raw?.buffer instanceof ArrayBuffer && raw.byteLength === raw.buffer.byteLength ? [raw.buffer] : []
}

/** A message of this size leaves a hundred megabytes of garbage, which the engine would let lie as long as the machine has memory. */
const largeBytes = 1_000_000

lowerPriority(0, lowest)
addEventListener('message', ({ data }: MessageEvent) => {
  const job = data as MailJob
  void answerTo(job).then(answer => {
    postMessage(answer, memoryIn(answer))
    if (job.raw.length > largeBytes) Bun.gc(true)
  })
})
postMessage(ownThreadId())
