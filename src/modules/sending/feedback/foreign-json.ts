// JSON from untrusted senders: what it would cost is checked before it is parsed. Pure.
import { storable } from '../../../lib/storable'

/** A thousand reports have about ten thousand members. */
const maxMembers = 20_000

/** The value of a JSON text, with every string in it fit for the database; undefined if it is not JSON, or has too many members. */
export function parseForeignJson(text: string): unknown {
  if (!hasFewMembers(text, maxMembers)) return undefined
  try {
    return JSON.parse(text, (_, value) => (typeof value === 'string' ? storable(value) : value))
  } catch {
    return undefined
  }
}

/**
 * Whether a JSON text has few members, however long they are: two megabytes of `[` or `0,` hold up everybody for a second, a single
 * string of that size holds up nobody.
 */
export function hasFewMembers(text: string, most: number): boolean {
  let members = 0
  let isInText = false
  for (let at = 0; at < text.length && members <= most; at++) {
    const char = text[at]
    if (char === '"') isInText = !isInText
    else if (isInText) at += char === '\\' ? 1 : 0
    else if (char === ',' || char === '[' || char === '{') members++
  }
  return members <= most
}
