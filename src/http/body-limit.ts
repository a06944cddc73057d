// How large a body may be, by route and by what it is.
import { AppError } from '../lib/errors'
import type { Config } from '../settings/config'

const kilobyte = 1024
const megabyte = 1024 ** 2
/** What multipart adds around a file: boundaries, headers, small fields. */
const multipartEnvelope = 64 * kilobyte

export const csvLimit = 5 * megabyte
export const imageLimit = 10 * megabyte
/** A report with the message that it is about; relays cut long ones off (Postfix at 50 kB). */
export const reportLimit = 5 * megabyte

/** What a person fills in, or a mail client sends by itself, is a few hundred bytes; none of it needs credentials. */
export const formLimit = 16 * kilobyte
const publicForms =
  /^\/(?:auth|contacts\/public|unsubscribe|subscribe|subscription|manage|forms|privacy)(?:\/|$)/

/** What the public key may send: everybody has it. */
const trackLimit = 128 * kilobyte
/** Contents of messages, graphs and lists of addresses; reports of providers come in batches. */
const contents =
  /^\/(?:templates|layouts|campaigns|workflows|segments|suppressions|mcp|webhooks|contacts\/(?:search|lookup|export|bulk-[a-z-]+))(?:\/|$)/
const forms = /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data)/i

/** The largest body of a route in bytes; `type` is its Content-Type. */
export function bodyLimit(
  config: Pick<Config, 'maxMessageBytes'>,
  path: string,
  type: string | null,
): number {
  const limit = routeLimit(config, path)
  // Only files are worth a large form, and reports come under any type.
  const takesForms = path === '/contacts/import' || path === '/uploads/image' || path.startsWith('/webhooks/')
  return takesForms || !forms.test(type ?? '') ? limit : Math.min(limit, formLimit)
}

function routeLimit(config: Pick<Config, 'maxMessageBytes'>, path: string): number {
  if (path === '/v1/send' || path === '/v1/send/batch') return sendLimit(config)
  if (path === '/contacts/import') return csvLimit + multipartEnvelope
  if (path === '/uploads/image') return imageLimit + multipartEnvelope
  if (path === '/webhooks/dsn') return reportLimit
  if (publicForms.test(path)) return formLimit
  if (isTracking(path)) return trackLimit
  return contents.test(path) ? 2 * megabyte : 256 * kilobyte
}

/** A message whose files are in Base64. */
export function sendLimit({ maxMessageBytes }: Pick<Config, 'maxMessageBytes'>): number {
  return Math.ceil(maxMessageBytes / 3) * 4 + megabyte
}

/** Events, for which a key may be in the hands of everybody. */
export function isTracking(path: string): boolean {
  return /^\/(?:v1|events)\/track(?:\/|$)/.test(path)
}

export function payloadTooLarge(limit: number): AppError {
  return new AppError(413, 'PAYLOAD_TOO_LARGE', `The request body is larger than ${limit} bytes`, {
    details: { limit },
    suggestion: 'Send less at a time: divide lists and files, and link to large attachments instead.',
  })
}
