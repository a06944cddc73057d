// `waxwing import listmonk FILE`: the CSV that listmonk exports (uuid, email, name, attributes, status, created_at, …). It does not
// say who unsubscribed from a list, so whoever imports it has to say what "enabled" means; listmonk's database has it all.
import { unguardCell } from '../../../lib/csv'
import { UsageFault } from '../../arguments'
import { answeredText, listOf, objectOf, timeOf } from '../answered'
import { type SourceList, uniqueNames } from '../lists'
import type { ImportSource, PeerRecord, SaidOfTopic, SourceRecord } from '../record'
import { readTable, recordsOf, requireColumn, type TableRow } from '../table'
import { attributeField, clashes } from './listmonk-fields'

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
  let known: Promise<FileLists> | undefined
  const listsOf = (): Promise<FileLists> => (known ??= listsInFile(path))
  async function* read(): AsyncGenerator<SourceRecord> {
    const { names } = await listsOf()
    yield* recordsOf(path, headings => {
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
        const record = toRecord(row, columns, enabled, names)
        return topics || !('topics' in record) ? record : { ...record, topics: [] }
      }
    })
  }
  return {
    read,
    async outlook() {
      const state = enabled ? 'subscribed' : 'unsubscribed'
      const notes = [`Subscribers that listmonk calls "enabled" are taken as ${state}.`]
      return { notes, lists: (await listsOf()).lists }
    },
  }
}

interface FileLists {
  names: ListNames
  lists: SourceList[]
}

/** The lists that a file names, in the order of their ids, where it has them as the API has. */
async function listsInFile(path: string): Promise<FileLists> {
  const found = new Map<number | string, Readonly<Record<string, unknown>>>()
  let column = -1
  for await (const { cells } of readTable(path)) {
    if (column === -1) column = cells.findIndex(cell => unguardCell(cell.trim()).toLowerCase() === 'lists')
    if (column === -1) break
    for (const list of listsIn(cells[column]?.trim() ?? '')) {
      const { id, name } = list
      if (typeof name === 'string' && name.trim() !== '') found.set(typeof id === 'number' ? id : name, list)
    }
  }
  const known = [...found].sort(([a], [b]) => Number(a) - Number(b) || 0)
  const names = uniqueNames(known.map(([id, { name }]) => ({ id, name: String(name) })))
  return {
    names: new Map([...names].filter((one): one is [number, string] => typeof one[0] === 'number')),
    lists: known.map(([id, list]) => ({ name: names.get(id)!, ...readList(list) })),
  }
}

function listsIn(text: string): Array<Readonly<Record<string, unknown>>> {
  if (!text.startsWith('[')) return []
  try {
    return listOf(JSON.parse(text))
  } catch {
    return []
  }
}

type Columns = Record<'email' | 'status' | 'name' | 'attributes' | 'created' | 'lists' | 'uuid', number>

function toRecord(
  { line, cells }: TableRow,
  columns: Columns,
  enabled: boolean,
  listNames: ListNames,
): SourceRecord {
  const cell = (name: keyof Columns): string => cells[columns[name]]?.trim() ?? ''
  const [place, email] = [`line ${line}`, unguardCell(cell('email'))]
  const attributes = readAttributes(cell('attributes'))
  const status = cell('status').toLowerCase()
  if (!['enabled', 'disabled', 'blocklisted'].includes(status))
    return { place, email, refused: `unknown status ${JSON.stringify(status.slice(0, 40))}` }
  const lists = readLists(cell('lists'), listNames)
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
      ...clashes(attributes ?? {}),
      ...(attributes ? [] : ['its attributes are left out: they are not a JSON object']),
      ...(lists ? [] : ['its lists are left out: they are neither names nor JSON']),
    ],
    subscribed: status === 'enabled' && (states ? states.some(getsMail) : enabled),
    ...(status === 'blocklisted' || (states && saidNo(status, states))
      ? { optedOutAt: leftAt(states ?? []) ?? 'unknown' }
      : {}),
    ...(status === 'blocklisted' ? { suppressed: blocklisted } : {}),
    consent: proofOf(states ?? []),
    lists: status === 'enabled' ? (states ? states.filter(getsMail).map(list => list.name) : names) : [],
    topics: saidOfTopics(status, states ?? []),
  }
}

/** How somebody stands to a list of listmonk. */
export interface Subscription {
  name: string
  optin: 'single' | 'double'
  status: 'unconfirmed' | 'confirmed' | 'unsubscribed'
  /** When it was made, and when its state last changed. */
  since?: Date | undefined
  at?: Date | undefined
  /** From which address it was confirmed. */
  ip?: string | undefined
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

/** What a subscription says about the topic of its list; one that waits for its confirmation says nothing, and who gets no mail wants none. */
export function saidOfTopics(status: string, lists: readonly Subscription[]): SaidOfTopic[] {
  return lists.flatMap(list => {
    const subscribed = getsMail(list)
    if (subscribed ? status !== 'enabled' : list.status !== 'unsubscribed') return []
    return [{ name: list.name, subscribed, at: decidedAt(list), evidence: evidenceOf([list]) }]
  })
}

/** When somebody said yes or no to a list, and to all of them: the first yes, or the last no. */
function decidedAt({ optin, status, since, at }: Subscription): Date | undefined {
  return status === 'unconfirmed' && optin === 'single' ? since : at
}

function evidenceOf(lists: readonly Subscription[]): string | undefined {
  const words = lists.map(list => {
    const date = decidedAt(list)?.toISOString()
    const state = list.status === 'unconfirmed' ? 'subscribed' : list.status
    const from = list.ip && list.status === 'confirmed' ? ` from ${list.ip}` : ''
    return date === undefined ? undefined : `${state} ${date}${from} (${list.name})`
  })
  const known = words.filter(word => word !== undefined)
  return known.length === 0 ? undefined : `listmonk: ${known.join(', ')}`
}

/** When somebody who is on no list any more left the last one. */
export function leftAt(lists: readonly Subscription[]): Date | undefined {
  const times = lists.flatMap(({ status, at }) => (status === 'unsubscribed' && at ? [at.getTime()] : []))
  return times.length === 0 || lists.some(getsMail) ? undefined : new Date(Math.max(...times))
}

/** What counts for the subscription to everything. */
export function proofOf(lists: readonly Subscription[]): NonNullable<PeerRecord['consent']> {
  const byDate = (a: Subscription, b: Subscription): number =>
    (decidedAt(a)?.getTime() ?? Number.MAX_VALUE) - (decidedAt(b)?.getTime() ?? Number.MAX_VALUE)
  const yes = lists.filter(getsMail).sort(byDate)
  const said = yes.length > 0 ? yes : lists.filter(list => list.status === 'unsubscribed').sort(byDate)
  const last = yes.length > 0 ? said[0] : said.findLast(list => decidedAt(list) !== undefined)
  return { at: last && decidedAt(last), evidence: evidenceOf(said) }
}

/** Lists of listmonk's API by their ids, which tell those of one name apart. */
type ListNames = ReadonlyMap<number, string>

/** Names between commas, or the subscriptions with their states, as listmonk's API has them; undefined for anything else. */
function readLists(text: string, names: ListNames): { names: string[]; states?: Subscription[] } | undefined {
  if (!text.startsWith('[')) {
    const given = text.split(',').map(name => name.trim())
    return { names: given.filter(name => name !== '') }
  }
  try {
    const states = (JSON.parse(text) as unknown[]).map(each => readSubscription(each, names))
    return states.includes(undefined) ? undefined : { names: [], states: states as Subscription[] }
  } catch {
    return undefined
  }
}

/** Without a word about its kind, a list is taken for one that needs a confirmation. */
export function readSubscription(given: unknown, names: ListNames): Subscription | undefined {
  const { id, name, optin, ...said } = objectOf(given)
  const status = said['subscription_status']
  if (typeof name !== 'string' || name.trim() === '') return undefined
  if (status !== 'unconfirmed' && status !== 'confirmed' && status !== 'unsubscribed') return undefined
  const dateOf = (text: unknown): Date | undefined => {
    const time = timeOf(text)
    return time === undefined ? undefined : new Date(time)
  }
  return {
    name: (typeof id === 'number' ? names.get(id) : undefined) ?? name,
    optin: optin === 'single' ? 'single' : 'double',
    status,
    since: dateOf(said['subscription_created_at']),
    at: dateOf(said['subscription_updated_at']),
    ip: answeredText(objectOf(said['subscription_meta'])['optin_ip']) || undefined,
  }
}

/** What listmonk says of a list, in its tables and its API alike. */
export function readList(given: Readonly<Record<string, unknown>>): Omit<SourceList, 'name'> {
  const tags = Array.isArray(given['tags']) ? given['tags'].map(String) : []
  return {
    description: answeredText(given['description']) || undefined,
    isOffered: given['type'] === 'public',
    isArchived: given['status'] === 'archived',
    ...(tags.length > 0 ? { notes: [`without its tags: ${tags.join(', ')}`] } : {}),
  }
}

export const blocklisted: PeerRecord['suppressed'] = { reason: 'manual', source: 'listmonk: blocklisted' }

/** Name and attributes as fields. */
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
  const renamed = Object.fromEntries(
    Object.entries(attributes).map(([attribute, value]) => [attributeField(attribute), value]),
  )
  return { values: { ...renamed, ...own } }
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
