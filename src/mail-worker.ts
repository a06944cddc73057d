// The thread that reads mail which others wrote (platform/foreign-mail.ts). It is a program of its own, loaded only when needed, and may be
// ended at any moment.
import { readReturnedMail } from './bounces'
import { readForeignMail } from './mime/foreign'
import { readReceivedContent } from './modules/feedback/received-content'
import type { MailAnswer, MailJob, MailReading } from './platform/foreign-mail'
import { ownThreadId } from './platform/workers/cpu-time'
import { lowerOwnPriority } from './platform/workers/own-priority'

const readers: Record<MailReading, (raw: Uint8Array) => Promise<unknown>> = {
  report: readReturnedMail,
  received: readReceivedContent,
  submitted: raw => readForeignMail(raw, { maxNestingDepth: 20, attachmentEncoding: 'arraybuffer' }),
}

async function answerTo({ reading, raw }: MailJob): Promise<MailAnswer> {
  try {
    return { result: await readers[reading](raw) }
  } catch (error) {
    return { fault: String(error instanceof Error ? error.message : error).slice(0, 200) }
  }
}

/** A message of this size leaves a hundred megabytes of garbage, which the engine would let lie as long as the machine has memory. */
const largeBytes = 1_000_000

lowerOwnPriority()
addEventListener('message', ({ data }: MessageEvent) => {
  const job = data as MailJob
  void answerTo(job).then(answer => {
    postMessage(answer)
    if (job.raw.length > largeBytes) Bun.gc(true)
  })
})
postMessage(ownThreadId())
