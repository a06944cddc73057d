// `waxwing import plunk https://…`: contacts of Plunk, or of anything else with its API, Waxwing included.

import { type ContentType, contentTypes } from '../../../modules/sending/emails'
import {
  type Answered,
  answeredList,
  answeredText,
  byCursor,
  byPage,
  listOf,
  objectOf,
  timeOf,
} from '../answered'
import type { Api } from '../api'
import type { SourceList } from '../lists'
import type { ContentItem, ImportSource, PeerRecord, SaidOfTopic } from '../record'

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

/** In the order in which they refer to each other. */
export async function* plunkContent(api: Api): AsyncGenerator<ContentItem> {
  const segments = await api.get('/segments')
  for (const row of answeredList(Array.isArray(segments) ? segments : objectOf(segments)['data'], 'segments'))
    yield toSegment(row)
  for await (const row of rowsOf(api, '/templates')) yield toTemplate(row)
  for await (const { id } of rowsOf(api, '/workflows'))
    yield toWorkflow(objectOf(await api.get(`/workflows/${encodeURIComponent(answeredText(id))}`)))
  for await (const { id } of rowsOf(api, '/campaigns')) {
    const answer = objectOf(await api.get(`/campaigns/${encodeURIComponent(answeredText(id))}`))
    yield toCampaign('data' in answer ? objectOf(answer['data']) : answer)
  }
  yield* eventNames(listOf([objectOf(await api.get('/events/names'))])[0]!)
}

/** Oldest first, so that what is created meanwhile shifts no page. */
function rowsOf(api: Api, path: string): AsyncGenerator<Answered> {
  return byPage(rowsAtATime, async page => {
    const query = { page, pageSize: rowsAtATime, sort: 'createdAt', dir: 'asc' }
    const answer = objectOf(await api.get(path, query))
    return answeredList(answer['data'] ?? answer['campaigns'], path.slice(1))
  })
}

function own(kind: string, row: Answered) {
  const key = answeredText(row['id'])
  return { place: `${kind} ${key}`, key, name: answeredText(row['name']) }
}

function toSegment(row: Answered): ContentItem {
  return {
    ...{ ...own('segment', row), kind: 'segment' },
    faults: row['type'] === 'STATIC' ? ['a static segment: its members are not read'] : [],
    segment: {
      condition: row['condition'],
      trackMembership: row['trackMembership'] === true,
      ...(answeredText(row['description']) ? { description: answeredText(row['description']) } : {}),
    },
  }
}

function messageOf(row: Answered) {
  const optional = (member: string): string | null => answeredText(row[member]) || null
  return {
    ...{
      subject: answeredText(row['subject']),
      body: answeredText(row['body']),
      from: answeredText(row['from']),
    },
    ...{ fromName: optional('fromName'), replyTo: optional('replyTo'), description: optional('description') },
  }
}

function typeOf({ type }: Answered): ContentType {
  return contentTypes.find(each => each === type) ?? 'MARKETING'
}

/** Names of Plunk's own in a body mean nothing here. */
function bodyFaults(row: Answered): string[] {
  const body = `${answeredText(row['subject'])}${answeredText(row['body'])}`
  return ['plunk_id', 'plunk_email'].filter(name => body.includes(name)).map(name => `it names ${name}`)
}

function toTemplate(row: Answered): ContentItem {
  return {
    ...{ ...own('template', row), kind: 'template', type: typeOf(row) },
    ...{ message: messageOf(row), faults: bodyFaults(row) },
  }
}

function toCampaign(row: Answered): ContentItem {
  const status = answeredText(row['status'])
  const isOpen = status === 'DRAFT' || status === 'SCHEDULED'
  return {
    ...{ ...own('campaign', row), kind: 'campaign', type: typeOf(row), message: messageOf(row) },
    audience: audienceOf(row),
    faults: [...(isOpen ? [] : [`it is ${status.toLowerCase()}`]), ...bodyFaults(row)],
    notes: status === 'SCHEDULED' ? ['without its date: it is a draft here'] : [],
  }
}

function audienceOf(row: Answered) {
  if (row['audienceType'] === 'SEGMENT') return { segment: answeredText(row['segmentId']) }
  if (row['audienceType'] === 'FILTERED') return { condition: row['audienceCondition'] }
  return { everybody: true as const }
}

function toWorkflow(row: Answered): ContentItem {
  const [type, config] = [answeredText(row['triggerType']), objectOf(row['triggerConfig'])]
  return {
    ...{ ...own('workflow', row), kind: 'workflow', faults: [], graph: row },
    eventName: answeredText(config['eventName']),
    description: answeredText(row['description']) || null,
    allowReentry: row['allowReentry'] === true,
    ...(type === 'EVENT' || type === ''
      ? {}
      : { trigger: { triggerType: type, triggerConfig: row['triggerConfig'] } }),
    notes: row['enabled'] === true ? ['it is off here, and people who are in it are not taken along'] : [],
  }
}

/** Events are recorded when they happen; their history stays where it is. */
function* eventNames({ eventNames: names }: Answered): Generator<ContentItem> {
  const known = (Array.isArray(names) ? names : []).filter(name => typeof name === 'string')
  if (known.length === 0) return
  const shown = known.slice(0, 20).join(', ')
  yield {
    kind: 'nothing',
    place: 'events',
    reason: `what happened there is not taken; ${known.length} names come with the first of each: ${shown}`,
  }
}
