// The thread that renders and checks what is too costly to do where requests wait. It is a program of its own, loaded only when needed,
// and may be ended at any moment.

import { createTemplateCache } from './liquid/cache'
import type { RemoteAnswer, RemoteJob } from './liquid/costly'
import { TooCostly, withTime } from './liquid/costly'
import { checkSources } from './liquid/syntax'
import { compileText, textSourceOf } from './modules/sending/emails'
import { lowerPriority, lowest } from './platform/priority'
import { ownThreadId } from './platform/workers/cpu-time'

/** Compiled, a long source takes a hundred times its length. */
const cache = createTemplateCache(2 * 1024 * 1024)

function answerTo(job: RemoteJob): RemoteAnswer {
  if (job.kind === 'check') return { fault: checkSources(job.sources, job.isSaved) }
  if (job.kind === 'textSource') return { text: textSourceOf(job.source) }
  try {
    const template = cache.get(job.source, job.mode, job.kind === 'text' ? compileText : undefined)
    return { text: template.render(job.scope) }
  } catch (error) {
    if (error instanceof TooCostly) return { isSpent: true }
    throw error
  }
}

lowerPriority(0, lowest)
addEventListener('message', ({ data }: MessageEvent) => {
  postMessage(withTime(() => answerTo(data as RemoteJob)))
  // By itself the engine would let garbage gather as the memory of the machine allows, and a costly template leaves hundreds of
  // megabytes. It takes a hundredth of a second, of those who asked for a hundred times as much.
  Bun.gc(true)
})
postMessage(ownThreadId())
