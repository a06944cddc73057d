// When a delivery is retried, what an answer means, and what an endpoint is sent. Pure.
import { retryDelayMs } from '../../../lib/backoff'
import { after, day } from '../../../lib/time'
import type { WebhookResult } from '../../../platform/webhook/caller'

/** How long one delivery is attempted, and how long an endpoint may fail before it is switched off. */
export const retryForMs = day

/** How long the log and the bodies are kept. */
export const keptMs = 30 * day

export type CallOutcome = { done: true } | { done: false; error: string; again: Date | undefined }

/** Any 2xx is a success. What we refuse to call is not retried: that would change nothing. */
export function assessCall(
  result: WebhookResult,
  { attempt, since }: { attempt: number; since: Date },
  now: Date,
  fraction: number,
): CallOutcome {
  if (result.outcome === 'answered' && result.statusCode >= 200 && result.statusCode < 300)
    return { done: true }
  const error = result.outcome === 'answered' ? `answered ${result.statusCode}` : result.error
  if (result.outcome === 'refused') return { done: false, error, again: undefined }
  const at = after(now, retryDelayMs(attempt, fraction))
  return { done: false, error, again: at > after(since, retryForMs) ? undefined : at }
}

export interface WebhookEvent {
  name: string
  createdAt: Date
  contactId: string | null
  emailId: string | null
  contactEmail: string | null
  data: Record<string, unknown> | null
}

/** The body of a call, as Standard Webhooks recommends it: type, time and data. */
export function bodyOf({ name, createdAt, contactId, emailId, contactEmail, data }: WebhookEvent): string {
  const contact = contactId ? { id: contactId, email: contactEmail } : null
  return JSON.stringify({
    type: name,
    timestamp: createdAt.toISOString(),
    data: { contact, emailId, event: data ?? {} },
  })
}
