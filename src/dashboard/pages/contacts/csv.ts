// A CSV file before it is imported: its columns, what each may become, and the file with the column names that the server expects.
import { parse } from 'csv-parse/browser/esm/sync'

export interface Table {
  names: string[]
  rows: string[][]
}

/** `email` and `subscribed` are members of a contact; `field` is a custom field of the column's name; a topic stands by its id. */
export const targets = ['email', 'subscribed', 'field', 'leave'] as const
export type Target = (typeof targets)[number] | `topic:${string}`

/** UTF-8 or UTF-16; anything else comes from an older spreadsheet program, whose umlauts would be lost otherwise. */
export function decodeFile(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes)
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  const encoding = !isUtf16 ? 'utf-8' : first === 0xff ? 'utf-16le' : 'utf-16be'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Commas, semicolons or tabs, whichever the first row has most of. */
export function readTable(text: string): Table {
  const first = text.slice(0, text.search(/\r?\n|$/))
  const delimiter = [',', ';', '\t'].sort((a, b) => first.split(b).length - first.split(a).length)[0]!
  const [names = [], ...rows] = parse(text, {
    delimiter,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  }) as string[][]
  return { names, rows }
}

const emailNames = /^(e-?mail|e-?mail[ _-]?(address|adresse)|adresse|courriel|mail)$/i
const consentNames = /^(subscribed|abonniert|opt[ _-]?in|abonné)$/i

/** What the columns most likely are, by their names and contents. */
export function guess({ names, rows }: Table): Target[] {
  const byName = names.findIndex(name => emailNames.test(name))
  const byValue = names.findIndex((_, index) => rows[0]?.[index]?.includes('@'))
  const email = byName === -1 ? byValue : byName
  return names.map((name, index) => {
    if (index === email) return 'email'
    if (consentNames.test(name)) return 'subscribed'
    return name === '' ? 'leave' : 'field'
  })
}

/** The file as the server reads it: without the columns that are left out, and with names that it knows. */
export function writeTable({ names, rows }: Table, mapping: readonly Target[]): string {
  const kept = mapping.flatMap((target, index) => (target === 'leave' ? [] : [{ target, index }]))
  const head = kept.map(({ target, index }) => (target === 'field' ? names[index]! : target))
  return [head, ...rows.map(row => kept.map(({ index }) => row[index] ?? ''))].map(writeRow).join('\n')
}

export function writeRow(cells: readonly string[]): string {
  return cells.map(cell => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')
}
