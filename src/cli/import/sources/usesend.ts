// `waxwing import usesend https://…|FILE`: contact books of useSend, by its API or from the CSV of one book. A book is a list here: the
// same address may be in several, with a state in each.
import { type Answered, answeredList, answeredText, byPage, namedSender, objectOf, timeOf } from '../answered'
import type { Api } from '../api'
import { uniqueNames } from '../lists'
import { rewritePlaceholders } from '../placeholders'
import type { ContentItem, ImportSource, PeerRecord } from '../record'
import { type CsvChoices, csvSource } from './csv'

const rowsAtATime = 1_000

export function usesendSource(api: Api, { content = false, topics = false } = {}): ImportSource {
  return {
    // People see no contact book, only mail of it.
    outlook: async () => ({
      notes: [],
      lists: [...(await readBooks(api)).values()].map(({ name }) => ({ name, isOffered: false })),
    }),
    read: () => contacts(api),
    ...(content ? { content: () => usesendContent(api, () => readBooks(api), topics) } : {}),
  }
}

async function readBooks(api: Api): Promise<Map<string, Book>> {
  const rows = answeredList(await api.get('/api/v1/contactBooks'), 'contact books')
  const books = rows.map(({ id, name }) => ({ id: answeredText(id), name: answeredText(name) }))
  const names = uniqueNames(books.sort((a, b) => (a.id < b.id ? -1 : 1)))
  return new Map(
    rows.map(({ id, variables }) => [
      answeredText(id),
      {
        name: names.get(answeredText(id))!,
        variables: Array.isArray(variables) ? variables.map(String) : [],
      },
    ]),
  )
}

async function* contacts(api: Api): AsyncGenerator<PeerRecord> {
  for (const [id, book] of await readBooks(api)) {
    const path = `/api/v1/contactBooks/${encodeURIComponent(id)}/contacts`
    const rows = byPage(rowsAtATime, async page =>
      answeredList(await api.get(path, { page, limit: rowsAtATime }), 'contacts'),
    )
    for await (const row of rows) yield toRecord(row, book.name)
  }
}

function toRecord(row: Answered, book: string): PeerRecord {
  const state = stateOf(row['subscribed'] === true, answeredText(row['unsubscribeReason']))
  const [firstName, lastName, created] = [
    answeredText(row['firstName']),
    answeredText(row['lastName']),
    timeOf(row['createdAt']),
  ]
  const properties = textsOf(row['properties'])
  return {
    ...{ place: `contact ${answeredText(row['id'])}`, email: answeredText(row['email']) },
    texts: Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [propertyField(name), value]),
    ),
    values: {
      ...(firstName ? { firstName } : {}),
      ...(lastName ? { lastName } : {}),
      ...(created ? { signedUpAt: created } : {}),
    },
    without: Object.keys(properties).flatMap(name =>
      propertyField(name) === name
        ? []
        : [
            `the property "${name}" is imported as "${propertyField(name)}", because useSend has its own "${name}"`,
          ],
    ),
    ...state,
    lists: state.subscribed ? [book] : [],
    ...(state.subscribed || state.optedOutAt
      ? { topics: [{ name: book, subscribed: state.subscribed }] }
      : {}),
  }
}

/** Properties are texts, whatever they hold. */
function textsOf(properties: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(objectOf(properties)).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )
}

interface State extends Pick<PeerRecord, 'optedOutAt' | 'suppressed'> {
  subscribed: boolean
}

/** Somebody who is not subscribed, without a reason, was never asked or has not confirmed yet. */
function stateOf(subscribed: boolean, reason: string): State {
  if (subscribed) return { subscribed }
  switch (reason.toUpperCase()) {
    case 'BOUNCED':
      return {
        subscribed,
        optedOutAt: 'unknown',
        suppressed: { reason: 'bounce', source: 'useSend: bounced' },
      }
    case 'COMPLAINED':
      return {
        subscribed,
        optedOutAt: 'unknown',
        suppressed: { reason: 'complaint', source: 'useSend: complained' },
      }
    case 'UNSUBSCRIBED':
      return { subscribed, optedOutAt: 'unknown' }
    default:
      return { subscribed }
  }
}

/** The export of one contact book: Email, First Name, Last Name, Subscribed, Unsubscribe Reason, Created At, and its variables. */
export function usesendFile(path: string, map: CsvChoices['map']): ImportSource {
  return csvSource(path, { map, known: { nameOf, finish, needs: ['subscribed'] } })
}

const ownColumns = new Map([
  ['email', 'email'],
  ['subscribed', 'subscribed'],
  ['first name', 'firstName'],
  ['last name', 'lastName'],
  ['created at', 'signedUpAt'],
])

const reasonColumn = 'unsubscribe reason'

function nameOf(heading: string): string {
  const word = heading.toLowerCase()
  return ownColumns.get(word) ?? (word === reasonColumn ? word : heading)
}

function finish(record: PeerRecord): PeerRecord {
  const { [reasonColumn]: reason = '', ...texts } = record.texts
  return { ...record, texts, ...stateOf(record.subscribed === true, reason) }
}

/** A contact book, as far as campaigns concern it. */
export interface Book {
  name: string
  variables: string[]
}

export async function* usesendContent(
  api: Api,
  books: () => Promise<ReadonlyMap<string, Book>>,
  topics: boolean,
): AsyncGenerator<ContentItem> {
  const known = await books()
  for (let page = 1; ; page++) {
    const answer = objectOf(await api.get('/api/v1/campaigns', { page }))
    for (const { id } of answeredList(answer['campaigns'], 'campaigns')) {
      const row = objectOf(await api.get(`/api/v1/campaigns/${encodeURIComponent(answeredText(id))}`))
      yield toCampaign(row, known, topics)
    }
    if (!(Number(answer['totalPage']) > page)) break
  }
  yield { kind: 'nothing', place: 'templates', reason: 'not taken: the API of useSend does not offer them' }
}

function toCampaign(row: Answered, books: ReadonlyMap<string, Book>, topics: boolean): ContentItem {
  const [key, status] = [answeredText(row['id']), answeredText(row['status'])]
  const book = books.get(answeredText(row['contactBookId']))
  const nameOf = (inside: string): string | undefined => placeholder(inside, book?.variables ?? [])
  const [subject, body] = [
    rewritePlaceholders(answeredText(row['subject']), nameOf),
    rewritePlaceholders(answeredText(row['html']), nameOf),
  ]
  return {
    ...{
      kind: 'campaign',
      place: `campaign ${key}`,
      key,
      name: answeredText(row['name']),
      type: 'MARKETING',
    },
    message: { subject: subject.text, body: body.text, ...namedSender(answeredText(row['from'])) },
    audience: { lists: book ? [book.name] : [] },
    faults: [
      ...(['DRAFT', 'SCHEDULED', 'PAUSED'].includes(status) ? [] : [`it is ${status.toLowerCase()}`]),
      ...(book ? [] : ['it has no contact book, so it would have no audience here']),
      ...(topics ? [] : ['without --topics it would have no audience here']),
      ...(body.text === '' ? ['useSend makes its HTML only when it is sent'] : []),
      ...subject.faults.map(fault => `subject, ${fault}`),
      ...body.faults,
    ],
    notes: answeredText(row['previewText']) ? ['without its preview text'] : [],
  }
}

const own = ['email', 'firstName', 'lastName']
const expression = /^(?:contact\.)?(\w+)(?:\s*,\s*fallback=([^"'{}]*))?$/i

/** What useSend has besides the properties of a contact: properties of these names are kept apart. */
const ownFields: ReadonlySet<string> = new Set(['firstName', 'lastName', 'signedUpAt'])

/** The field that a property becomes, for contacts and for the placeholders of campaigns alike. */
export function propertyField(name: string): string {
  return ownFields.has(name) ? `property${name[0]!.toUpperCase()}${name.slice(1)}` : name
}

/** Names are the same whatever their case; a value that is empty counts as missing, which no field here is. */
function placeholder(inside: string, variables: readonly string[]): string | undefined {
  if (/^(unsend|usesend)_unsubscribe_url$/i.test(inside)) return 'unsubscribeUrl'
  const [, given = '', fallback] = expression.exec(inside) ?? []
  const word = given.toLowerCase()
  const name = [...own, ...variables].find(each => each.toLowerCase() === word)
  if (name === undefined) return undefined
  const field = own.includes(name) ? name : propertyField(name)
  return fallback === undefined ? field : `${field} ?? "${fallback.trim()}"`
}
