// The thread that signs when much is to be signed (platform/signing/signer.ts). It is a program of its own, loaded only when needed, and
// may be ended at any moment.
import { lowerPriority, lowest } from './platform/priority'
import { makeSigningThread, type SigningBatch } from './platform/signing/thread'
import { ownThreadId } from './platform/workers/cpu-time'

const answerTo = makeSigningThread()

lowerPriority(0, lowest)
addEventListener('message', ({ data }: MessageEvent) => postMessage(answerTo(data as SigningBatch)))
postMessage(ownThreadId())
