// Placeholders of our own links that an editor spoiled: encoded as part of an address, or behind a scheme that it adds to every link. Only
// these are mended, as they mean nothing else.

const ownLinks = /^(?:data\.)?(?:unsubscribeUrl|subscribeUrl|manageUrl|browserUrl|confirmUrl)$/i

/** `%7B%7BunsubscribeUrl%7D%7D`, as an editor encodes it in an address. */
const encoded = /%7B%7B(?: |%20|&nbsp;){0,5}([\w.]{1,40})(?: |%20|&nbsp;){0,5}%7D%7D/gi
/** `https://{{unsubscribeUrl}}`, where it adds a scheme to every link. */
const behindScheme = /https?:\/\/(\{\{(?: |&nbsp;){0,5}([\w.]{1,40})(?: |&nbsp;){0,5}\}\})/gi
const behindSite = /^[a-z]+:\/[^{}?#]*\{\{\s{0,5}([\w.]{1,40})\s{0,5}\}\}/i

/** The same body with these placeholders as they were meant. */
export function mendPlaceholders(body: string): string {
  const mayBeSpoiled = body.includes('://{{') || /%7b%7b/i.test(body)
  if (!mayBeSpoiled) return body
  return body
    .replace(encoded, (found, name: string) => (ownLinks.test(name) ? `{{${name}}}` : found))
    .replace(behindScheme, (found, output: string, name: string) => (ownLinks.test(name) ? output : found))
}

/** `https://editor.example/{{unsubscribeUrl}}`: an editor took the placeholder for a path of its own site. */
export function isBehindSite(href: string): boolean {
  return ownLinks.test(behindSite.exec(href)?.[1] ?? '')
}
