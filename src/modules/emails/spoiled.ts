// Placeholders of our own links that an editor spoiled: encoded as part of an address, or behind a scheme that it adds to every link. Only
// these are mended, as they mean nothing else.

/** `%7B%7BunsubscribeUrl%7D%7D`, as an editor encodes it in an address. */
const encoded =
  /%7B%7B(?: |%20|&nbsp;){0,5}(unsubscribeUrl|subscribeUrl|manageUrl|browserUrl)(?: |%20|&nbsp;){0,5}%7D%7D/gi
/** `https://{{unsubscribeUrl}}`, where it adds a scheme to every link. */
const behindScheme =
  /https?:\/\/(?=\{\{(?: |&nbsp;){0,5}(?:unsubscribeUrl|subscribeUrl|manageUrl|browserUrl)(?: |&nbsp;){0,5}\}\})/gi

/** The same body with these placeholders as they were meant. */
export function mendPlaceholders(body: string): string {
  const mayBeSpoiled = body.includes('://{{') || /%7b%7b/i.test(body)
  if (!mayBeSpoiled) return body
  return body.replace(encoded, '{{$1}}').replace(behindScheme, '')
}
