// `waxwing import listmonk FILE`: the CSV that listmonk exports (uuid, email, name, attributes, status, created_at, …). It does not
// say who unsubscribed from a list, so whoever imports it has to say what "enabled" means; listmonk's database has it all.
import { unguardCell } from '../../lib/csv'
import { UsageFault } from '../arguments'
import { recordsOf, requireColumn } from './csv'
import type { ImportSource, PeerRecord, SourceRecord } from './record'
import type { TableRow } from './table'

export interface ListmonkChoices {
  /** What a subscriber with the status `enabled` becomes here. */
  enabled: boolean
}

/** `--enabled-are subscribed|unsubscribed`, which the file needs. */
export function readEnabled(given: string | undefined): boolean {
  if (given === 'subscribed' || given === 'unsubscribed') return given === 'subscribed'
  throw new UsageFault(
    'a file of listmonk does not say who unsubscribed from a list: use --enabled-are subscribed (it was exported ' +
      'from a list, with the filter for confirmed subscriptions) or --enabled-are unsubscribed, or import from its database',
  )
}

export function listmonkFile(path: string, { enabled }: ListmonkChoices): ImportSource {
  const read = () =>
    recordsOf(path, headings => {
      const at = (name: string): number => headings.findIndex(each => each.toLowerCase() === name)
      const columns = {
        email: requireColumn(path, headings, 'email'),
        status: requireColumn(path, headings, 'status'),
        name: at('name'),
        attributes: at('attributes'),
        created: at('created_at'),
        lists: at('lists'),
      }
      return row => toRecord(row, columns, enabled)
    })
  return {
    read,
    note: `subscribers that listmonk calls "enabled" are taken as ${enabled ? 'subscribed' : 'unsubscribed'}`,
  }
}

type Columns = Record<'email' | 'status' | 'name' | 'attributes' | 'created' | 'lists', number>

function toRecord({ line, cells }: TableRow, columns: Columns, enabled: boolean): SourceRecord {
  const cell = (name: keyof Columns): string => cells[columns[name]]?.trim() ?? ''
  const [place, email] = [`line ${line}`, unguardCell(cell('email'))]
  const attributes = readAttributes(cell('attributes'))
  if (attributes === undefined) return { place, email, refused: 'attributes are not a JSON object' }
  const status = cell('status').toLowerCase()
  if (!['enabled', 'disabled', 'blocklisted'].includes(status))
    return { place, email, refused: `unknown status ${JSON.stringify(status.slice(0, 40))}` }
  return {
    ...{ place, email, texts: {} },
    ...listmonkPerson({ name: unguardCell(cell('name')), attributes, createdAt: readTime(cell('created')) }),
    subscribed: status === 'enabled' && enabled,
    ...(status === 'blocklisted' ? { suppressed: blocklisted, optedOutAt: 'unknown' } : {}),
    lists: cell('lists')
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== ''),
  }
}

export const blocklisted: PeerRecord['suppressed'] = { reason: 'manual', source: 'listmonk: blocklisted' }

/** Name and attributes as fields; attributes go first where both say `name`. */
export function listmonkPerson(given: {
  name: string
  attributes: Record<string, unknown>
  createdAt: string | undefined
}): Pick<PeerRecord, 'values'> {
  const { name, attributes, createdAt } = given
  return {
    values: { ...(name ? { name } : {}), ...(createdAt ? { signedUpAt: createdAt } : {}), ...attributes },
  }
}

function readAttributes(text: string): Record<string, unknown> | undefined {
  if (text === '' || text === 'null') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** `2023-05-04 12:34:56.789 +0000 UTC`, as listmonk prints times, as ISO 8601. */
function readTime(text: string): string | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.\d+)? ?(Z|[+-]\d{2}:?\d{2})?/.exec(text)
  if (!match) return undefined
  const date = new Date(`${match[1]}T${match[2]}${match[3] ?? 'Z'}`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
