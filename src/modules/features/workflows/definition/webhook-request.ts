// What a WEBHOOK step sends: the configured address, headers and body filled in for one contact, or the default payload; and when it is
// retried. Pure.
import { minute, second } from '../../../../lib/time'
import type { TemplateCache } from '../../../../liquid/cache'
import type { Scope } from '../../../../liquid/template'
import type { WebhookMethod, WebhookResult } from '../../../../platform/webhook/caller'
import type { Values } from '../words'
import type { Configs } from './steps'

export interface Payload {
  contact: { email: string; subscribed: boolean; data: Values }
  workflow: { id: string; name: string }
  execution: { id: string; startedAt: string }
  event: Values
}

export interface FilledCall {
  url: string
  method: WebhookMethod
  headers: Record<string, string>
  body: string | null
}

const maxUrlLength = 8_000
const maxBodyLength = 1_000_000

/** The call, or why it can't be made. Values go into the address as they are, but never decide which host is called. */
export function fillCall(
  cache: TemplateCache,
  { url, method, headers, body }: Configs['WEBHOOK'],
  scope: Scope,
  payload: Payload,
): FilledCall | { fault: string } {
  const fill = (source: string): string => cache.get(source, 'line').render(scope)
  const address = fill(url)
  if (!URL.canParse(address) || address.length > maxUrlLength)
    return { fault: 'The filled address is not a URL' }
  if (!keepsHost(url, address, fill))
    return { fault: 'The filled address does not keep to the configured host' }
  const text =
    method === 'GET' ? null : JSON.stringify(body === undefined ? payload : fillDeep(cache, body, scope))
  if (text !== null && text.length > maxBodyLength) return { fault: 'The filled body is too large' }
  const filled = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, asHeader(fill(value))]),
  )
  return { url: address, method, headers: filled, body: text }
}

/** Whether a call may hold data of a contact: by the default payload, or by a placeholder. What can't be read may. */
export function givesDataAway(config: unknown): boolean {
  if (typeof config !== 'object' || config === null) return true
  const { method, body } = config as { method?: unknown; body?: unknown }
  const hasDefault = method !== 'GET' && body === undefined
  return hasDefault || /\{[{%]/.test(JSON.stringify(config))
}

/**
 * A value may be the host or its first labels where the author put a placeholder there; it never completes a host that is written out,
 * and never adds a path, a user or another host.
 */
function keepsHost(configured: string, filled: string, fill: (source: string) => string): boolean {
  const authority = authorityOf(configured)
  const plain = fill(authority)
  return isPlainAuthority(plain) && new URL(plain).origin === new URL(filled).origin
}

function isPlainAuthority(text: string): boolean {
  return /^https?:\/\/(\[[\da-f:.]+\]|[\p{L}\p{N}_.-]+)(:\d{1,5})?$/iu.test(text) && URL.canParse(text)
}

/** True if a configured address has nothing before its path but a host and perhaps a port: no user or anything else. */
export function isPlainHost(url: string): boolean {
  return isPlainAuthority(authorityOf(url))
}

/** Scheme, host and port of a configured address, with its placeholders. */
function authorityOf(url: string): string {
  return url.slice(0, maskedAuthority(url).length)
}

/** The same, with its placeholders masked. */
function maskedAuthority(url: string): string {
  return /^https?:\/\/[^/?#]*/i.exec(maskPlaceholders(url))?.[0] ?? ''
}

/** True if a value could extend a host that is written out: `https://example.com{{path}}`. */
export function leavesHostOpen(url: string): boolean {
  const host = maskedAuthority(url).replace(/^https?:\/\//i, '')
  return /[^:\0]\0+$/.test(host)
}

/** Header values are Latin-1 on the wire; other characters are left out. */
function asHeader(value: string): string {
  return value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
}

/** Texts inside are filled in; keys and everything else stay. */
export function fillDeep(cache: TemplateCache, value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') return fillText(cache, value, scope)
  if (Array.isArray(value)) return value.map(item => fillDeep(cache, item, scope))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillDeep(cache, item, scope)]))
}

/** Markup in values stays as it is: the receiver gets data, not a page. */
export function fillText(cache: TemplateCache, source: string, scope: Scope): string {
  return cache.get(source, 'data').render(scope)
}

/** The pauses after the first, second, ... failed attempt. */
const retryWaits = [5 * second, 30 * second, 2 * minute, 10 * minute]

export type CallAssessment =
  | { verdict: 'done'; output: Values }
  | { verdict: 'retry'; waitMs: number }
  | { verdict: 'failed'; error: string }

/** What the result of attempt number `attempt` (from 1) means for the step. */
export function assessCallAttempt(
  call: { url: string; method: string },
  result: WebhookResult,
  attempt: number,
): CallAssessment {
  if (result.outcome === 'refused')
    return { verdict: 'failed', error: `The call was refused: ${result.error}` }
  const isTemporary =
    result.outcome === 'unreachable' || [408, 429].includes(result.statusCode) || result.statusCode >= 500
  if (!isTemporary) return { verdict: 'done', output: outputOf(call, result) }
  const waitMs = retryWaits[attempt - 1]
  if (waitMs !== undefined) return { verdict: 'retry', waitMs }
  const last = result.outcome === 'answered' ? `status ${result.statusCode}` : result.error
  return { verdict: 'failed', error: `The call failed ${attempt} times; the last time: ${last}` }
}

const maxOutputLength = 4_096

function outputOf(
  { url, method }: { url: string; method: string },
  result: WebhookResult & { outcome: 'answered' },
): Values {
  const { statusCode, response } = result
  const success = statusCode >= 200 && statusCode < 300
  return { url, method, statusCode, success, response: response.slice(0, maxOutputLength).toWellFormed() }
}

// Placeholders in an address are found by plain search: for one that is never closed, a pattern would look for the end again from each
// position.
const mark = '\0'

/** The text with each character of a placeholder as NUL, so that all others keep their positions. */
export function maskPlaceholders(text: string): string {
  let masked = ''
  let done = 0
  for (let start = text.indexOf('{{'); start !== -1; start = text.indexOf('{{', done)) {
    const end = text.indexOf('}}', start + 2)
    if (end === -1) break
    masked += text.slice(done, start) + mark.repeat(end + 2 - start)
    done = end + 2
  }
  return masked + text.slice(done)
}

/** A placeholder may be where the address would not parse with it, such as in the port. */
export function withoutPlaceholders(url: string): string {
  return maskPlaceholders(url).replace(/\0+/g, '0')
}
