// `waxwing import usesend https://…|FILE`: contact books of useSend, by its API or from the CSV of one book. A book is a list here: the
// same address may be in several, with a state in each.

import { type Answered, answeredList, answeredText, byPage, objectOf, timeOf } from '../answered'
import type { Api } from '../api'
import { namesApart } from '../lists'
import type { ImportSource, PeerRecord } from '../record'
import { type CsvChoices, csvSource } from './csv'
import { type Book, propertyField, usesendContent } from './usesend-content'

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
  const names = namesApart(books.sort((a, b) => (a.id < b.id ? -1 : 1)))
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
