// A caller for tests: keeps what was asked and answers what the test wants.
import type { WebhookCaller, WebhookRequest, WebhookResult } from './caller'

export interface MemoryWebhooks extends WebhookCaller {
  readonly calls: readonly WebhookRequest[]
  /** The answers to come, in order; a status stands for an answer with it. When none is left, 200. */
  answer(...answers: Array<number | WebhookResult>): void
  /** Runs during each call, before it is answered. */
  onCall(act: ((request: WebhookRequest) => Promise<void> | void) | undefined): void
}

export function memoryWebhooks(): MemoryWebhooks {
  const calls: WebhookRequest[] = []
  const answers: Array<number | WebhookResult> = []
  let during: ((request: WebhookRequest) => Promise<void> | void) | undefined
  return {
    calls,
    answer: (...more) => void answers.push(...more),
    onCall(act) {
      during = act
    },
    async call(request) {
      calls.push(request)
      await during?.(request)
      const next = answers.shift() ?? 200
      if (typeof next !== 'number') return next
      return { outcome: 'answered', statusCode: next, response: `status ${next}`, url: request.url }
    },
  }
}
