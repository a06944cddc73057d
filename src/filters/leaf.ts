// One filter of the tree: which family its field belongs to, whether the operator fits, and what the value means there. Pure.
import { normaliseEmail, partOfAddress } from '../lib/address'
import { isMistakenName, mistakenNameMessage, recordedName } from '../lib/event-names'
import { deepestData } from '../lib/free-form'
import { isUuid } from '../lib/ids'
import {
  type ActivityTest,
  campaignReactions,
  type DataField,
  type DateField,
  type EmailActivity,
  type Predicate,
  type TextTest,
} from './predicate'
import type { Operator } from './read'
import { type DataOperator, type DateOperator, dataTest, dateTest, readText, readWindow } from './values'

/** What is wrong, and with which member of the filter. */
export interface LeafFault {
  member: 'field' | 'operator' | 'value' | 'unit'
  message: string
}

const valueless: ReadonlySet<Operator> = new Set<Operator>([
  'exists',
  'notExists',
  'triggered',
  'notTriggered',
  'memberOfSegment',
  'notMemberOfSegment',
])

const windowed: ReadonlySet<Operator> = new Set<Operator>([
  'within',
  'olderThan',
  'triggeredWithin',
  'triggeredOlderThan',
  'notTriggeredWithin',
])

/** The predicate of a filter, or its first fault. */
export function readLeaf(
  name: string,
  operator: Operator,
  value: unknown,
  unit: unknown,
): Predicate | LeafFault {
  const field = fieldOf(name, operator)
  const isMembership = operator === 'memberOfSegment' || operator === 'notMemberOfSegment'
  if (isMembership && field?.kind !== 'segment')
    return fault(
      'field',
      'memberOfSegment/notMemberOfSegment operators require a segment field (segment.<id>)',
    )
  if (!valueless.has(operator) && value === undefined)
    return fault('value', `Operator "${operator}" requires a value`)
  if (windowed.has(operator) && (unit === undefined || unit === null))
    return fault('unit', `"${operator}" operator requires a unit (days, hours, or minutes)`)
  if (!field) return fault('field', `Unsupported filter field: ${name.slice(0, 100)}`)
  return readKind(field, operator, value, unit)
}

type Field =
  | { kind: 'email' }
  | { kind: 'subscribed' }
  | { kind: 'date'; field: DateField }
  | { kind: 'data'; field: DataField }
  | { kind: 'event'; name: string }
  | { kind: 'emailActivity'; name: string }
  | { kind: 'segment'; segmentId: string }
  | { kind: 'topic'; topicId: string }
  | { kind: 'campaign'; campaignId: string }

const standard: Readonly<Record<string, Field>> = {
  email: { kind: 'email' },
  subscribed: { kind: 'subscribed' },
  createdAt: { kind: 'date', field: 'createdAt' },
  updatedAt: { kind: 'date', field: 'updatedAt' },
  snoozedUntil: { kind: 'date', field: 'snoozedUntil' },
  optedOutAt: { kind: 'date', field: 'optedOutAt' },
}

const families: ReadonlyArray<[prefix: string, make: (remaining: string) => Field]> = [
  ['data.', remaining => ({ kind: 'data', field: dataFieldOf(remaining) })],
  ['contact.data.', remaining => ({ kind: 'data', field: dataFieldOf(remaining) })],
  ['event.', name => ({ kind: 'event', name })],
  ['email.', name => ({ kind: 'emailActivity', name })],
  ['segment.', id => ({ kind: 'segment', segmentId: id.toLowerCase() })],
  ['topic.', id => ({ kind: 'topic', topicId: id.toLowerCase() })],
  ['campaign.', id => ({ kind: 'campaign', campaignId: id.toLowerCase() })],
]

/** `contact.subscribed` is the field, and with an event operator the event of that name; so is whatever begins with `topic.`. */
function fieldOf(name: string, operator: Operator): Field | undefined {
  const isActivity = /triggered/i.test(operator)
  if (isActivity && name.startsWith('topic.')) return { kind: 'event', name }
  for (const [prefix, make] of families)
    if (name.startsWith(prefix))
      return name.length > prefix.length ? make(name.slice(prefix.length)) : undefined
  const bare = name.startsWith('contact.') ? name.slice('contact.'.length) : name
  const isEvent = isActivity && name === 'contact.subscribed'
  if (Object.hasOwn(standard, bare) && !isEvent) return standard[bare]
  return isActivity ? { kind: 'event', name } : undefined
}

/** A path deeper than data may be nested can match nothing, so such a name is only taken literally. */
function dataFieldOf(key: string): DataField {
  const path = key.split('.')
  return path.length > 1 && path.length <= deepestData + 1 ? { key, path } : { key }
}

function readKind(field: Field, operator: Operator, value: unknown, unit: unknown): Predicate | LeafFault {
  switch (field.kind) {
    case 'email':
      return emailLeaf(operator, value)
    case 'subscribed':
    case 'topic': {
      const is = readIs(operator, value)
      return typeof is === 'boolean' ? { ...field, is } : is
    }
    case 'campaign':
      return campaignLeaf(field.campaignId, operator, value)
    case 'date': {
      if (!isDateOperator(operator, field.field)) return unsupported('date', operator)
      const test = dateTest(operator, value, unit)
      return 'message' in test ? test : { ...field, test }
    }
    case 'data': {
      if (!isDataOperator(operator)) return unsupported('JSON', operator)
      const test = dataTest(operator, value, unit)
      return 'message' in test ? test : { ...field, test }
    }
    case 'event':
    case 'emailActivity':
      return activityLeaf(field, operator, value, unit)
    case 'segment':
      if (operator !== 'memberOfSegment' && operator !== 'notMemberOfSegment')
        return unsupported('segment', operator)
      return { kind: 'segment', segmentId: field.segmentId, not: operator === 'notMemberOfSegment' }
  }
}

function emailLeaf(operator: Operator, value: unknown): Predicate | LeafFault {
  const not = operator === 'notEquals' || operator === 'notContains'
  if (operator === 'equals' || operator === 'notEquals') {
    const text = value === null ? null : readText(value)
    if (typeof text === 'object' && text !== null) return text
    return email({ test: 'equals', text: text && normaliseEmail(text), not })
  }
  if (operator !== 'contains' && operator !== 'notContains') return unsupported('string', operator)
  const text = readText(value)
  if (typeof text !== 'string') return text
  return email({ test: 'contains', text: partOfAddress(text), not })
}

function email(test: TextTest): Predicate {
  return { kind: 'email', test }
}

function campaignLeaf(campaignId: string, operator: Operator, value: unknown): Predicate | LeafFault {
  if (!isUuid(campaignId)) return fault('field', 'campaign.<id> requires the id of a campaign')
  if (operator !== 'equals') return unsupported('campaign', operator)
  const reaction = campaignReactions.find(each => each === value)
  if (!reaction) return fault('value', `The value must be one of ${campaignReactions.join(', ')}`)
  return { kind: 'campaign', campaignId, reaction }
}

/** Whether it is asked for or ruled out. */
function readIs(operator: Operator, value: unknown): boolean | LeafFault {
  if (operator !== 'equals' && operator !== 'notEquals') return unsupported('boolean', operator)
  if (value !== true && value !== false && value !== 'true' && value !== 'false')
    return fault('value', 'The value must be true or false')
  return (String(value) === 'true') === (operator === 'equals')
}

function isDateOperator(operator: Operator, field: DateField): operator is DateOperator {
  if (operator === 'exists' || operator === 'notExists')
    return field === 'snoozedUntil' || field === 'optedOutAt'
  return isDataOperator(operator) && operator !== 'contains' && operator !== 'notContains'
}

function isDataOperator(operator: Operator): operator is DataOperator {
  return !/triggered|Segment/i.test(operator)
}

const activityNames: Readonly<Record<string, EmailActivity>> = {
  sent: 'sent',
  delivery: 'delivery',
  delivered: 'delivery',
  open: 'open',
  opened: 'open',
  click: 'click',
  clicked: 'click',
  bounce: 'bounce',
  bounced: 'bounce',
  complaint: 'complaint',
  complained: 'complaint',
}

/** Activities that no column of a message has. */
const eventsOnly: ReadonlySet<string> = new Set(['failed', 'received'])

function activityLeaf(
  field: { kind: 'event' | 'emailActivity'; name: string },
  operator: Operator,
  value: unknown,
  unit: unknown,
): Predicate | LeafFault {
  if (field.kind === 'event' || eventsOnly.has(field.name)) {
    const name = field.kind === 'event' ? recordedName(field.name) : `email.${field.name}`
    if (isMistakenName(name) === 'always') return fault('field', mistakenNameMessage(name))
    const test = activityTest(operator, value, unit, 'event')
    return 'message' in test ? test : { kind: 'event', name, test }
  }
  const activity = Object.hasOwn(activityNames, field.name) ? activityNames[field.name] : undefined
  if (!activity)
    return fault(
      'field',
      `Unsupported email activity: ${field.name.slice(0, 100)}. ${mistakenNameMessage(`email.${field.name}`)}`,
    )
  const test = activityTest(operator, value, unit, 'email activity')
  return 'message' in test ? test : { kind: 'emailActivity', activity, test }
}

function activityTest(
  operator: Operator,
  value: unknown,
  unit: unknown,
  family: string,
): ActivityTest | LeafFault {
  if (operator === 'triggered' || operator === 'notTriggered')
    return { test: 'ever', not: operator === 'notTriggered' }
  if (
    operator !== 'triggeredWithin' &&
    operator !== 'triggeredOlderThan' &&
    operator !== 'notTriggeredWithin'
  )
    return unsupported(family, operator)
  const ms = readWindow(value, unit)
  if (typeof ms !== 'number') return ms
  if (operator === 'triggeredOlderThan') return { test: 'olderThan', ms }
  return { test: 'within', ms, not: operator === 'notTriggeredWithin' }
}

function unsupported(family: string, operator: Operator): LeafFault {
  return fault('operator', `Unsupported operator for ${family} field: ${operator}`)
}

function fault(member: LeafFault['member'], message: string): LeafFault {
  return { member, message }
}
