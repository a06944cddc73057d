// Patterns for LIKE made from foreign text.

/** `text` as a pattern for LIKE that matches it literally, anywhere. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
