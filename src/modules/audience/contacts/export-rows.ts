// Contacts as rows of a CSV file that an import of ours reads back, unchanged. Pure.
import { csvLine, guardCell } from '../../../lib/csv'
import { topicPrefix } from './consent-words'
import { headingOf, needsSuffix } from './import-columns'
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

export interface ExportColumns {
  /** Custom fields; those with `isJson` hold values that plain cells of the field's type can't. */
  fields: ReadonlyArray<{ name: string; isJson: boolean }>
  topics: ReadonlyArray<{ id: string; name: string }>
  /** Whether there is a column of the ledger of consent. */
  hasConsent: boolean
}

/** What is asked of other tables about a contact. */
export interface ExportedFacts {
  /** What it decided about topics, by their ids. */
  decisions?: ReadonlyMap<string, boolean> | undefined
  /** The ledger, where it is asked for. */
  consent?: readonly unknown[] | undefined
}

const builtIn = ['id', 'email', 'subscribed', 'snoozedUntil', 'optedOutAt', 'createdAt', 'updatedAt']

/** Fields as columns, by the names of those whose values need JSON. */
export function fieldColumns(names: readonly string[], json: ReadonlySet<string>): ExportColumns['fields'] {
  return names.map(name => ({ name, isJson: json.has(name) || needsSuffix(name) }))
}

/** The first line. */
export function exportHeader({ fields, topics, hasConsent }: ExportColumns): string {
  return csvLine([
    ...builtIn,
    ...(hasConsent ? ['consentChanges'] : []),
    ...topics.map(({ name }) => `${topicPrefix}${name}`),
    ...fields.map(({ name, isJson }) => guardCell(headingOf(name, isJson))),
  ])
}

export function exportRow(
  contact: ExportedContact,
  { fields, topics, hasConsent }: ExportColumns,
  { decisions, consent }: ExportedFacts,
): string {
  return csvLine([
    contact.id,
    guardCell(contact.email),
    String(contact.subscribed),
    contact.snoozedUntil?.toISOString() ?? '',
    contact.optedOutAt?.toISOString() ?? '',
    contact.createdAt.toISOString(),
    contact.updatedAt.toISOString(),
    ...(hasConsent ? [JSON.stringify(consent ?? [])] : []),
    ...topics.map(({ id }) => wordOf(decisions?.get(id))),
    ...fields.map(({ name, isJson }) => cellOf(contact.data, name, isJson)),
  ])
}

function wordOf(subscribed: boolean | undefined): string {
  return subscribed === undefined ? '' : subscribed ? 'subscribed' : 'unsubscribed'
}

/** Only text can be a formula: JSON begins with a quotation mark, a bracket, a digit or a letter, or is a number. */
function cellOf(data: ContactData, name: string, isJson: boolean): string {
  const value = Object.hasOwn(data, name) ? data[name] : undefined
  if (value === undefined || value === null) return ''
  if (isJson || typeof value === 'object') return JSON.stringify(value)
  return typeof value === 'string' ? guardCell(value) : String(value)
}
