// What a cell means in a column whose type a person chose: numbers and dates in the forms in which spreadsheets of different countries write
// them. The dashboard shows values by the same rules before anything is sent. Pure.
import { unguardCell } from '../../../lib/csv'
import { yesOrNo } from './consent-words'
import type { CellType, FieldType } from './schema'

/** The type of the field that such a column becomes. */
export function fieldTypeOf(type: CellType): FieldType {
  if (type.startsWith('number')) return 'number'
  if (type.startsWith('date')) return 'date'
  return type === 'boolean' ? 'boolean' : 'string'
}

/** The value, or undefined where the cell is not of that type. */
export function readTypedCell(text: string, type: CellType): string | number | boolean | undefined {
  switch (type) {
    case 'text':
      return unguardCell(text)
    case 'number':
      return readNumber(text, ',', '.')
    case 'numberComma':
      return readNumber(text, '.', ',')
    case 'boolean':
      return yesOrNo(text)
    case 'date':
      return readIsoDate(text)
    case 'dateDayFirst':
      return readWrittenDate(text, 'day') ?? readIsoDate(text)
    case 'dateMonthFirst':
      return readWrittenDate(text, 'month') ?? readIsoDate(text)
  }
}

/** Digits beyond these would be lost. */
const mostDigits = 15

function readNumber(text: string, group: string, point: string): number | undefined {
  const bare = text.replaceAll(/[\s\u00a0\u202f'’]/g, '').replace(/^[€$£]|[€$£%]$/g, '')
  const sign = /^[-+−]/.exec(bare)?.[0] ?? ''
  const [whole = '', fraction, ...more] = bare.slice(sign.length).split(point)
  if (more.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) return undefined
  const groups = whole.split(group)
  if (
    groups.length > 1 &&
    !(/^\d{1,3}$/.test(groups[0]!) && groups.slice(1).every(each => /^\d{3}$/.test(each)))
  )
    return undefined
  const digits = groups.join('')
  if (!/^\d+$/.test(digits) || digits.length + (fraction?.length ?? 0) > mostDigits) return undefined
  return Number(
    `${sign === '-' || sign === '−' ? '-' : ''}${digits}${fraction === undefined ? '' : `.${fraction}`}`,
  )
}

const timePattern = '(?:[T ,]+(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.]\\d{1,6})?)?)?'
const isoDate = new RegExp(`^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})${timePattern}(?:Z|[+]00:?00)?$`)
const writtenDate = new RegExp(`^(\\d{1,2})[-/.] ?(\\d{1,2})[-/.] ?(\\d{4}|\\d{2})${timePattern}$`)

function readIsoDate(text: string): string | undefined {
  const found = isoDate.exec(text)
  return found ? dateOf(Number(found[1]), Number(found[2]), Number(found[3]), found.slice(4)) : undefined
}

function readWrittenDate(text: string, first: 'day' | 'month'): string | undefined {
  const found = writtenDate.exec(text)
  if (!found) return undefined
  const [one, two, written] = [Number(found[1]), Number(found[2]), found[3]!]
  // A short year from 70 on is of the last century.
  const year = written.length === 4 ? Number(written) : Number(written) + (Number(written) < 70 ? 2000 : 1900)
  const [month, day] = first === 'day' ? [two, one] : [one, two]
  return dateOf(year, month, day, found.slice(4))
}

/** As fields store dates; a time of day is taken for UTC. Undefined for the 30th of February. */
function dateOf(
  year: number,
  month: number,
  day: number,
  [hours, minutes, seconds = '00']: readonly (string | undefined)[],
): string | undefined {
  const padded = (value: number | string): string => String(value).padStart(2, '0')
  const date = `${String(year).padStart(4, '0')}-${padded(month)}-${padded(day)}`
  const stored = hours === undefined ? date : `${date}T${padded(hours)}:${minutes}:${seconds}Z`
  const moment = new Date(stored)
  if (Number.isNaN(moment.getTime()) || moment.getUTCDate() !== day) return undefined
  return stored
}
