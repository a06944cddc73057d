// One message with its links replaced, and with the two marks that belong to it: the picture that reveals an open, and the link that
// people neither see nor reach, so that whatever follows it is a program. Pure.

import { appendFooter } from '../lib/html-end'
import type { Vault } from '../lib/vault'
import { replaceHrefs, trackedUrl } from './links'
import { ownToken, type TrackedMessage } from './token'

export interface TrackingTools {
  vault: Vault
  baseUrl: string
}

/** The text after `/t/c/` and `/t/o/` for each kind of mark. */
export interface MarkTokens {
  open: string
  /** Only where links are tracked: there is nothing else that a program could follow. */
  trap: string | undefined
}

export function clickUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/t/c/${token}`
}

export function openUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/t/o/${token}`
}

/** Returns the same HTML if it has the marks of this message already. `given`: links that came with values, and stay as they are. */
export function trackMessage(
  { vault, baseUrl }: TrackingTools,
  message: TrackedMessage,
  html: string,
  given: readonly string[] = [],
): string {
  const open = ownToken(vault, message, 'open')
  if (html.includes(openUrl(baseUrl, open))) return html
  const known = new Map<string, string>()
  const left = new Set(given)
  const replaced = replaceHrefs(html, raw => {
    if (left.has(raw)) return undefined
    const url = trackedUrl(raw, baseUrl)
    if (url === undefined) return undefined
    const found = known.get(url) ?? clickUrl(baseUrl, ownToken(vault, message, 'link', url))
    known.set(url, found)
    return found
  })
  return addMarks(replaced, baseUrl, {
    open,
    trap: known.size > 0 ? ownToken(vault, message, 'trap') : undefined,
  })
}

/** Puts the marks where a footer would go. */
export function addMarks(html: string, baseUrl: string, { open, trap }: MarkTokens): string {
  const hidden =
    trap === undefined
      ? ''
      : `<a href="${clickUrl(baseUrl, trap)}" rel="nofollow" aria-hidden="true" tabindex="-1" style="display:none"></a>`
  return appendFooter(html, hidden + picture(openUrl(baseUrl, open), hasRoomForImage(html)))
}

/**
 * Spam filters give up to three points for a short message with a single image, which is what a short message with a tracking pixel is to
 * them. The background of a cell is not an image to them, but fewer mail clients load it, so only such messages use it.
 */
function picture(url: string, asImage: boolean): string {
  return asImage
    ? `<img src="${url}" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">`
    : `<table role="presentation" aria-hidden="true" width="1" cellspacing="0" cellpadding="0" border="0"><tr><td background="${url}" width="1" height="1" style="font-size:1px;line-height:1px"></td></tr></table>`
}

/** SpamAssassin's rules end at 3,200 characters; the rest is a margin for placeholders whose values are shorter. */
const longMessage = 4_000

function hasRoomForImage(html: string): boolean {
  return html.length > longMessage || /<img[\s/]/i.test(html)
}
