// Addresses out of any text: pasted from a table or a mail, or the content of a file.

const separators = /[\s,;|]+/

/** Each once: from lines, columns of a table, `Ada <ada@example.com>`. */
export function readAddresses(text: string): string[] {
  const words = text.split(separators).map(word => word.replace(/^[<("'[]+|[>)"'\].:]+$/g, ''))
  const found = words.filter(word => word.indexOf('@') > 0 && !word.endsWith('@'))
  return [...new Map(found.map(email => [email.toLowerCase(), email])).values()]
}
