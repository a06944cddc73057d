// What the text of a cell is worth. A column has one type: that of its field where the project knows it, and otherwise the one that all of
// its cells have, so that `01730` and `90210` are both text. Pure.
import { unguardCell } from '../../../lib/csv'
import type { FieldType } from './schema'

const numberPattern = /^-?(0|[1-9]\d*)(\.\d+)?$/

/** Numbers as people write them; one that would lose digits is text, like `007` and `1e5`. */
function isNumber(text: string): boolean {
  return numberPattern.test(text) && text.replace(/\D/g, '').length <= 15
}

function readBoolean(text: string): boolean | undefined {
  const word = text.toLowerCase()
  return word === 'true' ? true : word === 'false' ? false : undefined
}

const moreWords: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['no', false],
  ['1', true],
  ['0', false],
])

/** The value that a cell means in a column of this type; what is of another is kept as text. */
export function readCell(text: string, type: FieldType): string | number | boolean {
  if (type === 'number' && (isNumber(text) || String(Number(text)) === text) && Number.isFinite(Number(text)))
    return Number(text)
  if (type === 'boolean') return readBoolean(text) ?? moreWords.get(text.toLowerCase()) ?? unguardCell(text)
  return unguardCell(text)
}

/** The value of a cell of a column that holds JSON. */
export function readJsonCell(text: string): { value: unknown } | { fault: string } {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { fault: 'the cell must hold JSON, as the heading says' }
  }
}

/** What the cells of columns have in common, while they are read. */
export interface ColumnTypes {
  add(column: string, text: string): void
  /** Columns that are text, whatever follows. */
  isText(column: string): boolean
  /** Undefined for a column without content. */
  of(column: string): FieldType | undefined
}

export function makeColumnTypes(): ColumnTypes {
  const types = new Map<string, FieldType>()
  return {
    add(column, text) {
      const before = types.get(column)
      if (before === 'string' || text === '') return
      const type = readBoolean(text) !== undefined ? 'boolean' : isNumber(text) ? 'number' : 'string'
      types.set(column, before === undefined || before === type ? type : 'string')
    },
    isText: column => types.get(column) === 'string',
    of: column => types.get(column),
  }
}
