// `waxwing import listmonk FILE`: the CSV that listmonk exports (uuid, email, name, attributes, status, created_at, …). It does not
// say who unsubscribed from a list, so whoever imports it has to say what "enabled" means; listmonk's database has it all.
import { unguardCell } from '../../../lib/csv'
import { UsageFault } from '../../arguments'
import type { ImportSource, PeerRecord, SaidOfTopic, SourceRecord } from '../record'
import { recordsOf, requireColumn } from '../rows'
import type { TableRow } from '../table'

export interface ListmonkChoices {
  /** What a subscriber with the status `enabled` becomes here. */
  enabled: boolean
  /** Lists are topics, too. */
  topics?: boolean
}

/** `--enabled-are subscribed|unsubscribed`, which the file needs. */
export function readEnabled(given: string | undefined): boolean {
  if (given === 'subscribed' || given === 'unsubscribed') return given === 'subscribed'
  throw new UsageFault(
    'a file of listmonk does not say who unsubscribed from a list: use --enabled-are subscribed (it was exported ' +
      'from a list, with the filter for confirmed subscriptions) or --enabled-are unsubscribed, or import from its database',
  )
}

export function listmonkFile(path: string, { enabled, topics = false }: ListmonkChoices): ImportSource {
  const read = () =>
    recordsOf(path, headings => {
      const at = (name: string): number => headings.findIndex(each => each.toLowerCase() === name)
      const columns = {
        email: requireColumn(path, headings, 'email'),
        status: requireColumn(path, headings, 'status'),
        name: at('name'),
        attributes: at('attributes'),
        created: at('created_at'),
        uuid: at('uuid'),
        lists: topics ? requireColumn(path, headings, 'lists') : at('lists'),
      }
      return row => {
        const record = toRecord(row, columns, enabled)
        return topics || !('topics' in record) ? record : { ...record, topics: [] }
      }
    })
  return {
    read,
    async outlook() {
      const state = enabled ? 'subscribed' : 'unsubscribed'
      return { notes: [`Subscribers that listmonk calls "enabled" are taken as ${state}.`] }
    },
  }
}

type Columns = Record<'email' | 'status' | 'name' | 'attributes' | 'created' | 'lists' | 'uuid', number>

function toRecord({ line, cells }: TableRow, columns: Columns, enabled: boolean): SourceRecord {
  const cell = (name: keyof Columns): string => cells[columns[name]]?.trim() ?? ''
  const [place, email] = [`line ${line}`, unguardCell(cell('email'))]
  const attributes = readAttributes(cell('attributes'))
  const status = cell('status').toLowerCase()
  if (!['enabled', 'disabled', 'blocklisted'].includes(status))
    return { place, email, refused: `unknown status ${JSON.stringify(status.slice(0, 40))}` }
  const lists = readLists(cell('lists'))
  // Only of an enabled subscriber do the lists decide what may be sent.
  if (lists === undefined && status === 'enabled')
    return { place, email, refused: 'lists are neither names nor JSON' }
  const { states, names } = lists ?? { states: undefined, names: [] }
  return {
    ...{ place, email, texts: {}, oldToken: cell('uuid') },
    ...listmonkPerson({
      name: unguardCell(cell('name')),
      attributes: attributes ?? {},
      createdAt: readTime(cell('created')),
    }),
    without: [
      ...(attributes ? [] : ['its attributes are left out: they are not a JSON object']),
      ...(lists ? [] : ['its lists are left out: they are neither names nor JSON']),
    ],
    subscribed: status === 'enabled' && (states ? states.some(getsMail) : enabled),
    ...(status === 'blocklisted' || (states && saidNo(status, states)) ? { optedOutAt: 'unknown' } : {}),
    ...(status === 'blocklisted' ? { suppressed: blocklisted } : {}),
    lists: states ? states.filter(getsMail).map(list => list.name) : names,
    topics: saidOfTopics(states ?? []),
  }
}

/** How somebody stands to a list of listmonk. */
export interface Subscription {
  name: string
  optin: 'single' | 'double'
  status: 'unconfirmed' | 'confirmed' | 'unsubscribed'
}

/** Said no to everything, and was not just never asked or never confirmed. */
export function saidNo(status: string, lists: readonly Subscription[]): boolean {
  if (status === 'blocklisted') return true
  return !lists.some(getsMail) && lists.some(list => list.status === 'unsubscribed')
}

/** As listmonk sends: a subscription of a double opt-in list needs its confirmation. */
export function getsMail({ optin, status }: Subscription): boolean {
  return status === 'confirmed' || (status === 'unconfirmed' && optin === 'single')
}

/** What a subscription says about the topic of its list; one that waits for its confirmation says nothing. */
export function saidOfTopics(lists: readonly Subscription[]): SaidOfTopic[] {
  return lists.flatMap(list =>
    getsMail(list) || list.status === 'unsubscribed' ? [{ name: list.name, subscribed: getsMail(list) }] : [],
  )
}

/** Names between commas, or the subscriptions with their states, as listmonk's API has them; undefined for anything else. */
function readLists(text: string): { names: string[]; states?: Subscription[] } | undefined {
  if (!text.startsWith('[')) {
    const names = text.split(',').map(name => name.trim())
    return { names: names.filter(name => name !== '') }
  }
  try {
    const states = (JSON.parse(text) as unknown[]).map(readSubscription)
    return states.includes(undefined) ? undefined : { names: [], states: states as Subscription[] }
  } catch {
    return undefined
  }
}

/** Without a word about its kind, a list is taken for one that needs a confirmation. */
function readSubscription(given: unknown): Subscription | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  const { name, optin, subscription_status: status } = given as Record<string, unknown>
  if (typeof name !== 'string' || name.trim() === '') return undefined
  if (status !== 'unconfirmed' && status !== 'confirmed' && status !== 'unsubscribed') return undefined
  return { name, optin: optin === 'single' ? 'single' : 'double', status }
}

export const blocklisted: PeerRecord['suppressed'] = { reason: 'manual', source: 'listmonk: blocklisted' }

/** Name and attributes as fields; attributes go first where both say `name`. */
export function listmonkPerson(given: {
  name: string
  attributes: Record<string, unknown>
  createdAt: string | undefined
  /** First and last name too, as listmonk finds them in the name. */
  inParts?: boolean
}): Pick<PeerRecord, 'values'> {
  const { name, attributes, createdAt, inParts } = given
  const words = name.split(' ')
  const parts =
    inParts && name ? { firstName: partOf(name, words), lastName: partOf(name, words.toReversed()) } : {}
  const own = { ...(name ? { name } : {}), ...parts, ...(createdAt ? { signedUpAt: createdAt } : {}) }
  return { values: { ...own, ...attributes } }
}

/** The first that is longer than a title or an initial, in bytes as Go counts; else the whole name. */
function partOf(name: string, words: readonly string[]): string {
  return words.find(word => Buffer.byteLength(word) > 2) ?? name
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
