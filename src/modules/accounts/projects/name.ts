// What a project may be called. The name appears in mails and pages that other people read, so it must not hide or disguise
// anything: no invisible or direction-changing characters, and no decorative letters that only look like others.
import { parse } from 'tldts'
import { invalid } from '../../../lib/errors'

/** Controls, formatting (zero width, bidi, soft hyphen), surrogates, private use, and the line separators. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u

/** Fillers and selectors that show nothing although Unicode counts them as letters or marks; those of emoji (FE0E, FE0F) are fine. */
const blank = /\u034f|[\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]|[\ufe00-\ufe0d]|[\u{e0100}-\u{e01ef}]/u

/** What is wrong with a name, in words; undefined when nothing is. */
export function faultOfName(name: string): string | undefined {
  if (name.trim() === '') return 'Name must not be blank'
  if (hidden.test(name) || blank.test(name)) return 'Name must not contain invisible or formatting characters'
  if (name.normalize('NFKC') !== name) return 'Name must not contain decorative or compatibility characters'
  if (looksLikeLink(name)) return 'Name must not contain a web address'
  return undefined
}

/** Mail clients turn it into a link: an invitation would then lead where a stranger wants. A bare domain is a common name. */
function looksLikeLink(name: string): boolean {
  const text = name.toLowerCase().replaceAll('。', '.')
  if (text.includes('://') || text.includes('www.')) return true
  return text.split(/[^\p{L}\p{N}.:/?#\\-]/u).some(word => {
    const end = word.search(/[/?#\\]/)
    if (end < 0) return false
    const { domain, isIcann, isIp } = parse(word.slice(0, end).split(':')[0]!)
    return isIp === true || (isIcann === true && domain !== null)
  })
}

/** The name as written in a mail: a quote within it would end the quotation. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', "'")}"`
}

/** Throws 422 for a name that can't be used. */
export function requireName(name: string): void {
  const message = faultOfName(name)
  if (message) throw invalid([{ field: 'name', message, code: 'invalid_string', received: name }])
}
