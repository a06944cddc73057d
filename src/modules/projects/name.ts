// What a project may be called. The name stands in mails and pages that other people read, so it must not hide or disguise
// anything: no invisible or direction-changing characters, and no decorative letters that only look like others.
import { invalid } from '../../lib/errors'

/** Controls, formatting (zero width, bidi, soft hyphen), surrogates, private use, and the line separators. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u

/** Fillers and selectors that show nothing although Unicode counts them as letters or marks; those of emoji (FE0E, FE0F) are fine. */
const blank = /\u034f|[\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]|[\ufe00-\ufe0d]|[\u{e0100}-\u{e01ef}]/u

/** What is wrong with a name, in words; undefined when nothing is. */
export function faultOfName(name: string): string | undefined {
  if (name.trim() === '') return 'Name must not be blank'
  if (hidden.test(name) || blank.test(name)) return 'Name must not contain invisible or formatting characters'
  if (name.normalize('NFKC') !== name) return 'Name must not contain decorative or compatibility characters'
  return undefined
}

/** Throws 422 for a name that can't be used. */
export function requireName(name: string): void {
  const message = faultOfName(name)
  if (message) throw invalid([{ field: 'name', message, code: 'invalid_string', received: name }])
}
