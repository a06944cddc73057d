// What somebody entered, read field by field as the form says. Pure.
import type { FormField } from './schema'

export type FormValues = Record<string, string | number | boolean>

export interface ReadValues {
  values: FormValues
  /** Keys of the fields with something that can't be taken. */
  faults: string[]
}

/** Under what name a field is sent: apart from the names that every form has. */
export function inputName(key: string): string {
  return `data.${key}`
}

export const defaultTextLength = 200

/** Empty fields are left out; a box that is not ticked is false. */
export function readValues(fields: readonly FormField[], posted: URLSearchParams): ReadValues {
  const values: FormValues = {}
  const faults: string[] = []
  for (const field of fields) {
    const value = readValue(field, posted.get(inputName(field.key))?.trim() ?? '')
    if (value === undefined || (field.required && (value === '' || value === false))) faults.push(field.key)
    else if (value !== '') values[field.key] = value
  }
  return { values, faults }
}

/** Undefined: not what the field takes; '': nothing. */
function readValue(field: FormField, text: string): string | number | boolean | undefined {
  if (field.type === 'checkbox') return text !== ''
  if (text === '') return ''
  switch (field.type) {
    case 'text':
      return readText(text, field.maxLength ?? defaultTextLength)
    case 'number':
      return readNumber(text, field)
    case 'date':
      return isDay(text) ? text : undefined
    case 'choice':
      return field.options?.includes(text) ? text : undefined
  }
}

function readText(text: string, maxLength: number): string | undefined {
  return text.length <= maxLength && text.isWellFormed() && !text.includes('\0') ? text : undefined
}

function readNumber(text: string, { min = -Infinity, max = Infinity }: FormField): number | undefined {
  if (text.length > 40) return undefined
  const number = Number(text)
  return Number.isFinite(number) && number >= min && number <= max ? number : undefined
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** Providers that ignore dots in the local part, and other names of theirs. */
const dotless = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
])

/** For comparing only: mail goes to the address as it was given. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  const domain = email.slice(at + 1).toLowerCase()
  const tag = local.indexOf('+')
  const base = (tag > 0 ? local.slice(0, tag) : local).toLowerCase()
  const provider = dotless.get(domain)
  return provider ? `${base.replaceAll('.', '')}@${provider}` : `${base}@${domain}`
}
