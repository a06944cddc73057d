// Which links of a message are tracked, and the pass over HTML that replaces them. Links that unsubscribe, that lead to no web page, or
// that are already tracked stay as their author wrote them. Pure.
import { decodeHtmlAttribute } from '../lib/entities'

/** The most characters of an address; a longer one would not fit into a link that every mail client opens. */
export const maxLinkLength = 2_000

/** How many elements of one message are examined; links beyond that stay as they are. */
const maxLinks = 5_000

/** Longer HTML is sent as it is: parsing it would hold up everybody else. */
const maxHtmlLength = 2_000_000

/** The attribute with which an author keeps a link untracked. */
const optOutAttribute = 'data-no-track'

/**
 * Passes the raw value of each link's `href` to `replace` and inserts what that returns, also raw; undefined leaves the link alone. HTML
 * that can't be parsed is returned as it is.
 */
export function replaceHrefs(html: string, replace: (raw: string) => string | undefined): string {
  if (html.length > maxHtmlLength) return html
  let seen = 0
  const rewriter = new HTMLRewriter().on('a[href], area[href]', {
    element(element) {
      const raw = element.getAttribute('href')
      if (raw === null || element.hasAttribute(optOutAttribute) || ++seen > maxLinks) return
      const replaced = replace(raw)
      if (replaced !== undefined) element.setAttribute('href', replaced)
    },
  })
  try {
    return rewriter.transform(html)
  } catch {
    // Markup that parsers interpret differently. The message matters more than its measurement.
    return html
  }
}

/** The address in an `href`, as a browser reads it; undefined if it is not to be tracked. */
export function trackedUrl(raw: string, baseUrl: string): string | undefined {
  const url = decodeHtmlAttribute(raw)
    .replace(/[\t\n\r]/g, '')
    .trim()
  if (url.length > maxLinkLength || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  return leavesAlone(url, baseUrl) ? undefined : url
}

const ownPages = /^\/(?:unsubscribe|subscribe|manage|message|t)(?:[/?#]|$)/
const waysOut =
  /\/unsubscribe(?:[/?#]|$)|\/(?:subscribe|manage)\/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?:[/?#]|$)/i

/** Whether it is an unsubscribe link, here or on the author's own site, or a link that is already tracked. */
function leavesAlone(url: string, baseUrl: string): boolean {
  const isOurs =
    url.length > baseUrl.length && url.slice(0, baseUrl.length).toLowerCase() === baseUrl.toLowerCase()
  return (isOurs && ownPages.test(url.slice(baseUrl.length))) || waysOut.test(url.split(/[?#]/, 1)[0]!)
}
