// Addresses from any text: pasted from a table or a mail, or the content of a file.

const separators = /[\s,;|]+/

/** Each once: from lines, columns of a table, `Ada <ada@example.com>`. */
export function readAddresses(text: string): string[] {
  const words = text.split(separators).map(unwrapped)
  const found = words.filter(word => word.indexOf('@') > 0 && !word.endsWith('@'))
  return [...new Map(found.map(email => [email.toLowerCase(), email])).values()]
}

/** Strips what surrounds an address in running text. */
function unwrapped(word: string): string {
  let [from, to] = [0, word.length]
  while (from < to && '<("\'['.includes(word[from]!)) from++
  while (to > from && '>)"\'].:'.includes(word[to - 1]!)) to--
  return word.slice(from, to)
}
