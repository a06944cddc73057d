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

const wholeNames = ['name', 'fullname', 'displayname']
const givenNames = ['firstname', 'givenname', 'vorname', 'prénom', 'prenom']
const familyNames = ['lastname', 'surname', 'familyname', 'nachname', 'nom']

/** What a contact is called, as the server finds it too; undefined where no field holds a name. */
export function contactName(data: Readonly<Record<string, unknown>>): string | undefined {
  const fields = new Map(
    Object.entries(data).map(([field, value]) => [field.toLowerCase().replaceAll(/[\s_-]/g, ''), value]),
  )
  const first = (names: readonly string[]): string | undefined =>
    names
      .map(name => fields.get(name))
      .find((value): value is string => typeof value === 'string' && value.trim() !== '')
      ?.trim()
  const parts = [first(givenNames), first(familyNames)].filter(part => part !== undefined)
  return parts.length > 0 ? parts.join(' ') : first(wholeNames)
}

/** The name of a field as people write it: `customerSince` is Customer since. */
export function labelOf(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-zà-ÿ])([A-Z])/g, '$1 $2')
    .trim()
  if (words === '') return name
  const plain = words.replaceAll(/ [A-Z](?=[a-z])/g, letter => letter.toLowerCase())
  return plain[0]!.toLocaleUpperCase() + plain.slice(1)
}
