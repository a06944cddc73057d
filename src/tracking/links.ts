// Which links of a message are tracked, and the pass over HTML that replaces them. Whatever helps a recipient out, is no web page,
// or is tracked already stays as its author wrote it. Pure.
import { decodeHtmlEntities } from '../lib/entities'

/** Characters of an address; a longer one would not fit into a link that every mail program opens. */
export const maxLinkLength = 2_000

/** Elements of one message that are looked at; beyond it links stay as they are. */
const maxLinks = 5_000

/** Longer HTML is sent as it is: to walk it would hold up everybody else. */
const maxHtmlLength = 2_000_000

/** An author's word that a link is left alone. */
const optOutAttribute = 'data-no-track'

/**
 * Hands the raw value of each link's `href` to `replace` and puts in what that answers, raw too; undefined leaves the link alone.
 * HTML that can't be walked is answered as it is.
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
    // Markup that has two meanings to two readers. The message matters more than its measurement.
    return html
  }
}

/** The address that an `href` means, as a browser reads it; undefined where it is none to be tracked. */
export function trackedUrl(raw: string, baseUrl: string): string | undefined {
  const url = decodeHtmlEntities(raw)
    .replace(/[\t\n\r]/g, '')
    .trim()
  if (url.length > maxLinkLength || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  return leavesAlone(url, baseUrl) ? undefined : url
}

const ownPages = /^\/(?:unsubscribe|subscribe|manage|t)(?:[/?#]|$)/
const waysOut =
  /\/unsubscribe(?:[/?#]|$)|\/(?:subscribe|manage)\/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?:[/?#]|$)/i

/** Ways out of a list, here or on a site of the author's own, and links that are tracked already. */
function leavesAlone(url: string, baseUrl: string): boolean {
  const isOurs =
    url.length > baseUrl.length && url.slice(0, baseUrl.length).toLowerCase() === baseUrl.toLowerCase()
  return (isOurs && ownPages.test(url.slice(baseUrl.length))) || waysOut.test(url.split(/[?#]/, 1)[0]!)
}
