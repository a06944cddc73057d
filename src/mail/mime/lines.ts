// Lines of messages that somebody else wrote: whole ones end in CRLF, and none may be longer than a server has to take. Pure.
import { hasTooManyLines } from './foreign'

/** Characters of a line without its end (RFC 5322, 2.1.1). */
export const maxLine = 998

/** Lines of every kind as whole ones; undefined for a message of so many half ones that mending each takes long. */
export function wholeLines(raw: Buffer): Buffer | undefined {
  const text = raw.toString('latin1')
  if (!/\r(?!\n)|(?<!\r)\n/.test(text)) return raw
  if (hasTooManyLines(raw)) return undefined
  return Buffer.from(text.replace(/\r\n|\r|\n/g, '\r\n'), 'latin1')
}

export function hasLongLine(raw: Buffer, from = 0, to = raw.length): boolean {
  for (let at = from; at < to; ) {
    const end = raw.indexOf('\r\n', at)
    const stop = end === -1 || end > to ? to : end
    if (stop - at > maxLine) return true
    at = stop + 2
  }
  return false
}
