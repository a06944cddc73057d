// Placeholders of our own links that an editor spoiled: encoded as part of an address, or behind a scheme that it adds to every link. Only
// these are mended, as they mean nothing else.

const encoded =
  /%7B%7B(?: |%20|&nbsp;){0,5}(unsubscribeUrl|subscribeUrl|manageUrl|browserUrl)(?: |%20|&nbsp;){0,5}%7D%7D/gi
const behindScheme =
  /https?:\/\/(?=\{\{(?: |&nbsp;){0,5}(?:unsubscribeUrl|subscribeUrl|manageUrl|browserUrl)(?: |&nbsp;){0,5}\}\})/gi

/** The same body with these placeholders as they were meant. */
export function mendPlaceholders(body: string): string {
  const mayBeSpoiled = body.includes('://{{') || /%7b%7b/i.test(body)
  if (!mayBeSpoiled) return body
  return body.replace(encoded, '{{$1}}').replace(behindScheme, '')
}
