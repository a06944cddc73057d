// What a person chooses for an import: what each column becomes, and what the import does with people. Pure.
import { headingsFor, type Table, type Target } from '../csv'
import { type CellType, type FieldKind, fieldKindOf, fieldNameOf, readCell, typeOfColumn } from './values'

/** What a column of the file becomes. */
export interface ImportColumn {
  target: Target
  /** Of a field: its name, and how its cells are written. */
  name: string
  type: CellType
}

export interface Plan {
  columns: ImportColumn[]
  misfits: 'keep' | 'skip'
  existing: 'update' | 'fill' | 'keep'
  /** `column`: what the file says. Undefined until the question is answered. */
  consent?: 'column' | 'given' | 'none' | undefined
  consentSource: string
  consentDate: string
  topics: string[]
  /** The name of the new segment; empty for none. */
  segment: string
}

/** The project's custom fields, by name. */
export type KnownFields = ReadonlyMap<string, FieldKind>

const looked = 1_000

export function planFor(
  table: Table,
  targets: readonly Target[],
  known: KnownFields,
  prefersMonth: boolean,
): Plan {
  const first = table.rows.slice(0, looked)
  const cellsOf = (index: number): string[] => first.map(row => row[index] ?? '')
  const names = new Set(known.keys())
  // One column with a decimal comma speaks for all of the file.
  const prefersComma = table.names.some((_, index) =>
    cellsOf(index).some(cell => /^-?[\d. ]*\d,\d{1,2}$/.test(cell)),
  )
  const columns = targets.map((target, index): ImportColumn => {
    const name = fieldNameOf(table.names[index] ?? '', names)
    const found = typeOfColumn(table.names[index] ?? '', cellsOf(index), { prefersComma, prefersMonth })
    return { target, name, type: fitting(found, known.get(name)) }
  })
  return {
    columns: withoutDoubles(columns, table.names),
    ...{ misfits: 'keep', existing: 'update', consentSource: '', consentDate: '', topics: [], segment: '' },
    consent: targets.includes('subscribed') ? 'column' : undefined,
  }
}

/** A field keeps its type: only how that is written is open. */
export function fitting(type: CellType, kind: FieldKind | undefined): CellType {
  if (kind === undefined || fieldKindOf(type) === kind) return type
  return kind === 'string' ? 'text' : kind
}

/** Of two columns with one name the second keeps that of the file. */
function withoutDoubles(columns: readonly ImportColumn[], headings: readonly string[]): ImportColumn[] {
  const seen = new Set<string>()
  return columns.map((column, index) => {
    if (column.target !== 'field') return column
    const name = seen.has(column.name) ? (headings[index] ?? column.name) : column.name
    seen.add(name)
    return { ...column, name }
  })
}

export type NameFault = 'empty' | 'twice' | 'reserved' | 'long'

/** Names that Waxwing fills in itself. */
const reserved = new Set([
  'id',
  'svc_id',
  'svc_email',
  'email',
  'unsubscribeUrl',
  'subscribeUrl',
  'manageUrl',
  '__proto__',
])

/** What is wrong with the name of a column's field. */
export function nameFault(columns: readonly ImportColumn[], index: number): NameFault | undefined {
  const { target, name } = columns[index]!
  if (target !== 'field') return undefined
  if (name.trim() === '') return 'empty'
  if (name.length > 255) return 'long'
  if (reserved.has(name.trim())) return 'reserved'
  const isTwice = columns.some(
    (each, at) => at !== index && each.target === 'field' && each.name.trim() === name.trim(),
  )
  return isTwice ? 'twice' : undefined
}

/** Only one column can be the address, only one the subscription, and only one about each topic. */
export function withColumn(
  columns: readonly ImportColumn[],
  index: number,
  change: Partial<ImportColumn>,
): ImportColumn[] {
  return columns.map((each, at) => {
    if (at === index) return { ...each, ...change }
    const isTaken = each.target === change.target && each.target !== 'field' && each.target !== 'leave'
    return isTaken ? { ...each, target: 'field' } : each
  })
}

/** The headings by which the server reads the file, and the type of each column. */
export function partsOf(
  table: Table,
  columns: readonly ImportColumn[],
): { columns: string[]; types: Array<CellType | ''> } {
  const isJson = (index: number): boolean => (table.names[index] ?? '').endsWith(':json')
  const names = columns.map(({ target, name }, index) =>
    target === 'field' ? name.trim() : (table.names[index] ?? ''),
  )
  return {
    columns: headingsFor(
      { names },
      columns.map(({ target }) => target),
    ),
    types: columns.map(({ target, type }, index) => (target === 'field' && !isJson(index) ? type : '')),
  }
}

export interface Misfits {
  count: number
  /** The first few; rows as a spreadsheet counts them. */
  first: { row: number; heading: string; text: string }[]
}

const listed = 5

/** Cells of some rows that are not of the type of their column; `offset` is the number of rows before them. */
export function findMisfits(
  { names }: Table,
  rows: readonly string[][],
  offset: number,
  columns: readonly ImportColumn[],
  into: Misfits,
): void {
  for (const [index, { target, type }] of columns.entries()) {
    if (target !== 'field' || type === 'text' || (names[index] ?? '').endsWith(':json')) continue
    for (const [nth, row] of rows.entries()) {
      const text = row[index] ?? ''
      if (text === '' || readCell(text, type) !== undefined) continue
      into.count++
      if (into.first.length < listed)
        into.first.push({ row: offset + nth + 2, heading: names[index] ?? '', text })
    }
  }
}
