// Placeholders in a configured address. Found by plain search: for a placeholder that is never closed, a pattern would look for the end
// again from each position. Pure.

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
