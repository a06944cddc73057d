// Which headers a message carries beyond its envelope: one-click unsubscription (RFC 8058) and the marks of bulk mail. They depend on the
// class of the message, on whether a campaign sent it, and on whether its body offers a way to opt out. The caller's own headers come
// first.
import type { MailClass } from './schema'

export interface HeaderInput {
  email: {
    mailClass: MailClass
    /** Set for all mail of campaigns, whatever its class. */
    campaignId: string | null
    contactId: string | null
    /** The HTML as it leaves. */
    html: string
    /** The caller's own. */
    headers: Readonly<Record<string, string>>
  }
  links: { unsubscribeUrl: string }
  /** Further defaults. */
  list?: Readonly<Record<string, string>>
}

const bulkHeaders = {
  Precedence: 'bulk',
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
}

/** The caller's headers, and those defaults that they do not set themselves. */
export function mailHeaders({ email, links, list = {} }: HeaderInput): Record<string, string> {
  const { mailClass, campaignId, contactId, html, headers } = email
  const own = new Set(Object.keys(headers).map(name => name.toLowerCase()))
  const hasUnsubscribe = mailClass === 'marketing' || (contactId !== null && hasOptOutLink(html, contactId))
  // The two belong together: whoever sets one of them means to replace both.
  const ownsPair = own.has('list-unsubscribe') || own.has('list-unsubscribe-post')
  const pair: Record<string, string> =
    contactId !== null && hasUnsubscribe && !ownsPair ? oneClickHeaders(links.unsubscribeUrl) : {}
  const bulk: Record<string, string> = mailClass === 'marketing' || campaignId !== null ? bulkHeaders : {}
  if (own.size === 0) return { ...pair, ...bulk, ...list }
  const defaults = Object.entries({ ...pair, ...bulk, ...list }).filter(
    ([name]) => !own.has(name.toLowerCase()),
  )
  return { ...Object.fromEntries(defaults), ...onceEach(headers) }
}

function oneClickHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** Names that differ only in case are one header; the last one counts. */
function onceEach(headers: Readonly<Record<string, string>>): Record<string, string> {
  const byName = new Map(Object.entries(headers).map(entry => [entry[0].toLowerCase(), entry]))
  return Object.fromEntries(byName.values())
}

/** Whether the body holds this contact's own unsubscribe or manage link; another contact's does not count. */
export function hasOptOutLink(html: string, contactId: string): boolean {
  const id = encodeURIComponent(contactId)
  return [`/unsubscribe/${id}`, `/manage/${id}`].some(path => {
    let at = html.indexOf(path)
    while (at !== -1) {
      if (!/[\w%-]/.test(html[at + path.length] ?? '')) return true
      at = html.indexOf(path, at + 1)
    }
    return false
  })
}

/** `url` with the message that a decision on its page is attributed to. */
export function withEmailId(url: string, emailId: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}e=${encodeURIComponent(emailId)}`
}
