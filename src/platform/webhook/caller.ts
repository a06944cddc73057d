// What workflows send out when they call somebody's endpoint, and the three ways that such a call can end.

export const webhookMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type WebhookMethod = (typeof webhookMethods)[number]

export interface WebhookRequest {
  url: string
  method: WebhookMethod
  /** The author's own, which may hold secrets: they are not sent to another host. */
  headers: Readonly<Record<string, string>>
  /** Headers that go wherever the request goes: type, length and signature. */
  ownHeaders: Readonly<Record<string, string>>
  /** Null for none. */
  body: string | null
  /** In place of `webhookLimits`. */
  limits?: { redirects: number; responseBytes: number }
}

export type WebhookResult =
  /** Somebody answered, with whatever status. `response` is the beginning of the body as text. */
  | { outcome: 'answered'; statusCode: number; response: string; url: string }
  /** Nobody answered, in time or at all: worth another attempt. */
  | { outcome: 'unreachable'; error: string; url: string }
  /** The call is not made: address or scheme are refused, or it was sent on too often. Trying again changes nothing. */
  | { outcome: 'refused'; error: string; url: string }

export interface WebhookCaller {
  /** Never rejects. */
  call(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookResult>
}

export const webhookLimits = {
  /** For one hop, from the look-up of the name to the end of the answer. */
  timeoutMs: 10_000,
  redirects: 5,
  /** What is kept of an answer; the rest is not read. */
  responseBytes: 16_384,
} as const
