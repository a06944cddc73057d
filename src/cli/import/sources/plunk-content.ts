// Segments, templates, workflows and campaigns of Plunk, whose shapes are nearly ours: what is saved here is judged by our own rules.

import { type ContentType, contentTypes } from '../../../modules/emails'
import { type Answered, answeredList, answeredText, byPage, listOf, objectOf } from '../answered'
import type { Api } from '../api'
import type { ContentItem } from '../record'

const rowsAtATime = 100

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
