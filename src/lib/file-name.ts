// Names of files that are downloaded: what is in them and the day, in characters that every file system takes. Pure.

/** Of a part; names that people gave can be long. */
const maxLength = 60

/** `spring-sale-recipients-2026-03-01.csv`, as a Content-Disposition. Letters outside ASCII are in its second form alone. */
export function downloadAs(parts: readonly string[], at: Date, extension: string): string {
  const nameOf = (wordOf: (part: string) => string): string =>
    [...parts.map(wordOf), at.toISOString().slice(0, 10)].filter(part => part !== '').join('-') +
    `.${extension}`
  const plain = nameOf(plainWord)
  const full = nameOf(word)
  const other = full === plain ? '' : `; filename*=UTF-8''${encodeURIComponent(full)}`
  return `attachment; filename="${plain}"${other}`
}

function word(text: string): string {
  const letters = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  return trimmed(Array.from(letters).slice(0, maxLength).join(''))
}

function plainWord(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}+/gu, '')
  return trimmed(word(letters).replace(/[^a-z0-9]+/g, '-'))
}

const trimmed = (text: string): string => text.replace(/^-/, '').replace(/-$/, '')
