// Values of custom fields: how they are shown, and which type they have.
import { formatDate, formatNumber } from '../../ui/format'

export const types = ['text', 'number', 'boolean', 'date', 'json'] as const
export type ValueType = (typeof types)[number]

const moment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z)?$/

export function typeOf(value: unknown): ValueType {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'string') return moment.test(value) ? 'date' : 'text'
  return 'json'
}

export function shownValue(value: unknown): string {
  if (value === undefined || value === null) return '–'
  switch (typeOf(value)) {
    case 'number':
      return formatNumber(value as number)
    case 'date':
      return formatDate(value as string)
    case 'json':
      return JSON.stringify(value)
    default:
      return String(value)
  }
}

/** The text in the field that edits the value. */
export function editedText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What was typed, as a value of the type; undefined if it is not one. */
export function readValue(text: string, type: ValueType): unknown {
  switch (type) {
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined
    case 'boolean':
      return text === 'true'
    case 'date':
      return moment.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined
    case 'json':
      return readJson(text)
    default:
      return text
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
