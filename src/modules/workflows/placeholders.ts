// Placeholders in a configured address. Found by search and not by a pattern, which would look for the end of one that is never
// closed anew from each place. Pure.

const mark = '\0'

/** The text with each character of a placeholder as NUL, so that every other one stays where it is. */
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

/** A placeholder may stand where the address alone would not parse, such as in the port. */
export function withoutPlaceholders(url: string): string {
  return maskPlaceholders(url).replace(/\0+/g, '0')
}
