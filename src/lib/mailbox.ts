// One mailbox as people and programs write it: `Ada <ada@reader.example>`, `"Kock, Arne" <a@reader.example>`, or the address alone. A text
// with several is refused: taking the last of them for the address would lose the others, and show them to it as its name. Pure.

/** A name followed by the address in angle brackets, or an address alone. For anything else, what it returns is not a valid address either. */
export function readMailbox(text: string): { email: string; name: string | null } {
  const whole = trimmed(text)
  const open = whole.lastIndexOf('<')
  if (open === -1 || !whole.endsWith('>')) return { email: whole, name: null }
  const written = trimmed(whole.slice(0, open))
  const email = trimmed(whole.slice(open + 1, -1))
  if (namesAnother(written, email)) return { email: whole, name: null }
  const name = unquoted(written)
  return { email, name: name === '' ? null : name }
}

/** Whether the text is a list or a group of addresses. */
export function holdsSeveral(text: string): boolean {
  if (readMailbox(text).email !== trimmed(text)) return false
  const bare = withoutQuoted(trimmed(text))
  const isGroup = bare.includes(':') && bare.endsWith(';') && bare.includes('@')
  return isGroup || (bare.indexOf('@') !== bare.lastIndexOf('@') && /[\s,;<]/.test(bare))
}

/** A mark of a second address before the one in brackets. A name that only repeats that address is none. */
function namesAnother(name: string, email: string): boolean {
  const bare = withoutQuoted(name)
  if (bare.includes('<')) return true
  return /[^\s,;]@[^\s,;]/.test(bare) && bare.toLowerCase() !== email.toLowerCase()
}

/** Without what stands in quotes, where anything may stand (RFC 5322, 3.2.4). A quote that is never closed is a character like others. */
function withoutQuoted(text: string): string {
  let bare = ''
  let from = 0
  for (let open = text.indexOf('"'); open !== -1; open = text.indexOf('"', from)) {
    const close = closingQuote(text, open)
    if (close === -1) break
    bare += text.slice(from, open)
    from = close + 1
  }
  return bare + text.slice(from)
}

function closingQuote(text: string, open: number): number {
  for (let index = open + 1; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === '"') return index
  }
  return -1
}

const unseen = /^[\s\p{Default_Ignorable_Code_Point}]+/u

/** Without space and characters that nobody sees at either end, in whatever order they stand there. */
function trimmed(text: string): string {
  let end = text.length
  for (let start = end; end > 0; end = start) {
    const isPair = end > 1 && text.codePointAt(end - 2)! > 0xffff
    start = end - (isPair ? 2 : 1)
    if (!unseen.test(text.slice(start, end))) break
  }
  return text.slice(0, end).replace(unseen, '')
}

/** A quoted phrase as its text (RFC 5322, 3.2.4). */
function unquoted(phrase: string): string {
  const isQuoted = phrase.length > 1 && phrase.startsWith('"') && phrase.endsWith('"')
  return isQuoted ? phrase.slice(1, -1).replace(/\\(.)/g, '$1').trim() : phrase
}
