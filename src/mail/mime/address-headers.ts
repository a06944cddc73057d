// Headers that a sender may set and whose syntax is a list of mailboxes (RFC 5322, 3.4; RFC 8098; RFC 9057). A text that is none would be read
// as another address than was meant, or as none. Pure.
import { addressFault } from '../../lib/address'

const names = new Set([
  ...['disposition-notification-to', 'return-receipt-to', 'x-confirm-reading-to', 'errors-to'],
  ...['mail-followup-to', 'mail-reply-to', 'author', 'original-from'],
])

/** Why a header may not have the value, whatever its case; undefined for all other headers. */
export function addressHeaderFault(name: string, value: string): string | undefined {
  if (!names.has(name.toLowerCase()) || addressFault(value) === undefined) return undefined
  const wrong = splitList(value).find(one => addressFault(one) !== undefined)
  if (wrong === undefined) return undefined
  const shown = wrong.trim().slice(0, 100)
  return `must be an email address, or several with commas between them, and "${shown}" is none`
}

/** At the commas that stand neither in quotes nor in angle brackets. */
export function splitList(text: string): string[] {
  const parts: string[] = []
  let from = 0
  let isQuoted = false
  let isInBrackets = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (isQuoted && character === '\\') index++
    else if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '<') isInBrackets = true
    else if (character === '>') isInBrackets = false
    else if (character === ',' && !isInBrackets) {
      parts.push(text.slice(from, index))
      from = index + 1
    }
  }
  return [...parts, text.slice(from)]
}
