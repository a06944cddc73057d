// `waxwing import plunk https://…`: contacts of Plunk, or of anything else with its API, Waxwing included.

import { type Answered, answeredList, answeredText, byCursor, listOf, objectOf, timeOf } from '../answered'
import type { Api } from '../api'
import type { SourceList } from '../lists'
import type { ImportSource, PeerRecord, SaidOfTopic } from '../record'
import { plunkContent } from './plunk-content'

/** As many as it hands out at once. */
const rowsAtATime = 100
const mostOptOuts = 10_000

/** What is asked at the same time. */
const contactsAtOnce = 10

/** Plunk has no topics: with them, the source is another Waxwing. */
export function plunkSource(api: Api, { content = false, topics = false } = {}): ImportSource {
  return {
    ...(topics ? { outlook: async () => ({ notes: [], lists: await readTopics(api) }) } : {}),
    read: () => contacts(api, topics),
    addressesAreUnique: true,
    ...(content ? { content: () => plunkContent(api) } : {}),
  }
}

async function readTopics(api: Api): Promise<SourceList[]> {
  const topics = answeredList(objectOf(await api.get('/topics'))['data'], 'topics')
  return topics.map(topic => ({
    name: answeredText(topic['name']),
    description: answeredText(topic['description']),
    isOffered: topic['offeredOnPages'] === true,
    isArchived: topic['archived'] === true,
    byDefault: topic['subscribedByDefault'] === true,
  }))
}

async function* contacts(api: Api, topics: boolean): AsyncGenerator<PeerRecord> {
  const optOuts = await readOptOuts(api)
  const rows = byCursor(async cursor => {
    const answer = objectOf(
      await api.get('/contacts', { limit: rowsAtATime, ...(cursor === undefined ? {} : { cursor }) }),
    )
    const next = answer['hasMore'] === true ? answeredText(answer['cursor']) : ''
    const page = answeredList(answer['data'], 'contacts')
    return { rows: topics ? await withDecisions(api, page) : page, next }
  })
  for await (const row of rows) yield toRecord(row, optOuts)
}

/** A contact's decisions are an answer of their own. */
async function withDecisions(api: Api, contacts: readonly Answered[]): Promise<Answered[]> {
  const asked: Answered[] = []
  for (let at = 0; at < contacts.length; at += contactsAtOnce)
    asked.push(
      ...(await Promise.all(
        contacts.slice(at, at + contactsAtOnce).map(async contact => {
          const path = `/contacts/${encodeURIComponent(answeredText(contact['id']))}/topics`
          return { ...contact, topics: answeredList(objectOf(await api.get(path))['data'], 'topics') }
        }),
      )),
    )
  return asked
}

/** What the contact decided itself: for the rest the topic's default holds, here as there. */
function decisionsOf(row: Answered): SaidOfTopic[] {
  return listOf(row['topics']).flatMap(topic => {
    const time = timeOf(topic['decidedAt'])
    if (!time) return []
    return [
      { name: answeredText(topic['name']), subscribed: topic['subscribed'] === true, at: new Date(time) },
    ]
  })
}

interface OptOuts {
  /** When, by contact. */
  at: ReadonlyMap<string, Date>
  isComplete: boolean
}

/**
 * In Plunk, a contact is "not subscribed" whether it opted out or was never asked; its events tell the two apart. They are not paged:
 * where there are more than one answer holds, every "not subscribed" counts as an opt-out.
 */
async function readOptOuts(api: Api): Promise<OptOuts> {
  const query = { eventName: 'contact.unsubscribed', limit: mostOptOuts }
  const events = listOf(objectOf(await api.get('/events', query))['events'])
  const at = new Map<string, Date>()
  for (const { contactId, createdAt } of events) {
    const [id, time] = [answeredText(contactId), timeOf(createdAt)]
    if (id !== '' && time && !at.has(id)) at.set(id, new Date(time))
  }
  return { at, isComplete: events.length < mostOptOuts }
}

function toRecord(row: Answered, optOuts: OptOuts): PeerRecord {
  const created = timeOf(row['createdAt'])
  return {
    ...{
      place: `contact ${answeredText(row['id'])}`,
      email: answeredText(row['email']),
      texts: {},
      lists: [],
    },
    values: { ...(created ? { signedUpAt: created } : {}), ...objectOf(row['data']) },
    subscribed: row['subscribed'] === true,
    topics: decisionsOf(row),
    ...optOutOf(row, optOuts),
  }
}

/** Waxwing says it itself. */
function optOutOf(row: Answered, { at, isComplete }: OptOuts): Pick<PeerRecord, 'optedOutAt'> {
  if (row['subscribed'] === true) return {}
  if ('optedOutAt' in row) {
    const time = timeOf(row['optedOutAt'])
    return time ? { optedOutAt: new Date(time) } : {}
  }
  const known = at.get(answeredText(row['id'])) ?? (isComplete ? undefined : 'unknown')
  return known ? { optedOutAt: known } : {}
}
