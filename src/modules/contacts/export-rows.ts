// Contacts as rows of a CSV file that an import of ours reads back. Pure.
import { csvLine, guardCell } from '../../lib/csv'
import type { ContactData } from './patch'

export interface ExportedContact {
  id: string
  email: string
  subscribed: boolean
  snoozedUntil: Date | null
  optedOutAt: Date | null
  createdAt: Date
  updatedAt: Date
  data: ContactData
}

const builtIn = ['id', 'email', 'subscribed', 'snoozedUntil', 'optedOutAt', 'createdAt', 'updatedAt']
/** The ledger of consent as JSON. */
const consentColumn = 'consentChanges'
const taken: ReadonlySet<string> = new Set([...builtIn, consentColumn].map(name => name.toLowerCase()))

/** The first line. A custom field that bears the name of a standard one, or begins like the prefix, gets the prefix. */
export function exportHeader(fields: readonly string[], withConsent = false): string {
  const titles = fields.map(name =>
    taken.has(name.trim().toLowerCase()) || name.startsWith('data.') ? `data.${name}` : name,
  )
  return csvLine([...builtIn, ...(withConsent ? [consentColumn] : []), ...titles.map(guardCell)])
}

/** `consent`: the ledger, where it is asked for. */
export function exportRow(
  contact: ExportedContact,
  fields: readonly string[],
  consent?: readonly unknown[],
): string {
  return csvLine([
    contact.id,
    guardCell(contact.email),
    String(contact.subscribed),
    contact.snoozedUntil?.toISOString() ?? '',
    contact.optedOutAt?.toISOString() ?? '',
    contact.createdAt.toISOString(),
    contact.updatedAt.toISOString(),
    ...(consent ? [JSON.stringify(consent)] : []),
    ...fields.map(name => cellOf(contact.data, name)),
  ])
}

/** Only text can be a formula; numbers and booleans are written as they are, objects and lists as JSON. */
function cellOf(data: ContactData, name: string): string {
  const value = Object.hasOwn(data, name) ? data[name] : undefined
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return guardCell(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
