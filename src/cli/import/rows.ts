// The rows of a table as records, read by what a source makes of its headings.
import { unguardCell } from '../../lib/csv'
import { SourceFault, type SourceRecord } from './record'
import { readTable, type TableRow } from './table'

/** The rows after the headings, read by what `plan` makes of those; needs a column of addresses. */
export async function* recordsOf(
  path: string,
  plan: (headings: string[]) => (row: TableRow) => SourceRecord,
  where = '',
): AsyncGenerator<SourceRecord> {
  let read: ((row: TableRow) => SourceRecord) | undefined
  for await (const row of readTable(path)) {
    if (row.fault !== undefined && !read)
      throw new SourceFault(`${path}: the first row can't be read: ${row.fault}`)
    if (!read) read = plan(row.cells.map(cell => unguardCell(cell.trim())))
    else if (row.fault !== undefined)
      yield { place: `${where}line ${row.line}`, email: '', refused: row.fault }
    else {
      const record = read(row)
      yield where ? { ...record, place: `${where}${record.place}` } : record
    }
  }
  if (!read) throw new SourceFault(`${path} is empty`)
}

/** Empty for a file that can't be read: the rows say why. */
export async function headingsOf(path: string): Promise<string[]> {
  for await (const { cells } of readTable(path)) return cells.map(cell => unguardCell(cell.trim()))
  return []
}

/** The position of a column by its heading, whatever its case; throws where it is needed and missing. */
export function requireColumn(path: string, headings: readonly string[], name: string): number {
  const at = headings.findIndex(each => each.toLowerCase() === name.toLowerCase())
  if (at === -1)
    throw new SourceFault(`${path} has no column "${name}"; it has ${headings.slice(0, 12).join(', ')}`)
  return at
}

/** `First Name` as `firstName`, `UNSUB_REASON` as `unsubReason`. */
export function fieldName(heading: string): string {
  const words = heading.split(/[^\p{L}\p{N}]+/u).filter(word => word !== '')
  return words
    .map(word => (word === word.toUpperCase() ? word.toLowerCase() : word))
    .map((word, index) => (index === 0 ? lowerFirst(word) : word[0]!.toUpperCase() + word.slice(1)))
    .join('')
}

function lowerFirst(word: string): string {
  return word[0]!.toLowerCase() + word.slice(1)
}
