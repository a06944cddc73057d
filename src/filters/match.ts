// Evaluates a predicate for one contact in memory. The result is the same as the SQL's for every contact, and a property test
// checks that. What is outside the contact's own row is passed in. Pure.
import { datePattern } from '../lib/time'
import type {
  ActivityTest,
  CampaignReaction,
  DataField,
  DataTest,
  DateTest,
  EmailActivity,
  InequalityOperator,
  NamedSegment,
  Predicate,
  TextTest,
} from './predicate'

export interface MatchedContact {
  email: string
  subscribed: boolean
  snoozedUntil: Date | null
  optedOutAt: Date | null
  data: Record<string, unknown>
  createdAt: Date
  updatedAt: Date
}

export interface MatchFacts {
  now: Date
  /** When the contact's newest event of each name happened. */
  events: ReadonlyMap<string, Date>
  /** When each activity last happened to an e-mail of the contact. */
  emails: ReadonlyMap<EmailActivity, Date>
  /** Static segments that the contact is in. */
  memberOf: ReadonlySet<string>
  /** Topics whose mail may go to the contact. */
  inTopics: ReadonlySet<string>
  /** Campaigns whose message the contact got, and what it did with each. */
  campaigns: ReadonlyMap<string, CampaignTrace>
  /** Every segment that the predicate names, itself or through others. */
  segments: ReadonlyMap<string, NamedSegment>
}

export interface CampaignTrace {
  opened: boolean
  clicked: boolean
}

export function matches(predicate: Predicate, contact: MatchedContact, facts: MatchFacts): boolean {
  switch (predicate.kind) {
    case 'every':
      return predicate.of.every(part => matches(part, contact, facts))
    case 'some':
      return predicate.of.some(part => matches(part, contact, facts))
    case 'email':
      return matchesText(predicate.test, contact.email)
    case 'subscribed':
      return contact.subscribed === predicate.is
    case 'date':
      return matchesDate(predicate.test, contact[predicate.field], facts.now)
    case 'data':
      return matchesData(predicate.test, valueAt(contact.data, predicate.field), facts.now)
    case 'event':
      return matchesActivity(predicate.test, facts.events.get(predicate.name), facts.now)
    case 'emailActivity':
      return matchesActivity(predicate.test, facts.emails.get(predicate.activity), facts.now)
    case 'segment':
      return isMember(predicate.segmentId, contact, facts) !== predicate.not
    case 'topic':
      return facts.inTopics.has(predicate.topicId) === predicate.is
    case 'campaign':
      return matchesReaction(predicate.reaction, facts.campaigns.get(predicate.campaignId))
  }
}

function matchesReaction(reaction: CampaignReaction, trace: CampaignTrace | undefined): boolean {
  if (!trace) return false
  const { clicked } = trace
  const opened = trace.opened || clicked
  return { received: true, opened, notOpened: !opened, clicked, notClicked: !clicked }[reaction]
}

function isMember(segmentId: string, contact: MatchedContact, facts: MatchFacts): boolean {
  const segment = facts.segments.get(segmentId)
  if (!segment) throw new Error(`segment ${segmentId} was not looked up before the predicate was evaluated`)
  return segment.type === 'STATIC'
    ? facts.memberOf.has(segmentId)
    : matches(segment.predicate, contact, facts)
}

function matchesText(test: TextTest, value: string): boolean {
  if (test.text === null) return test.not
  const holds = test.test === 'equals' ? value === test.text : value.includes(test.text)
  return holds !== test.not
}

function matchesDate(test: DateTest, value: Date | null, now: Date): boolean {
  if (test.test === 'exists') return (value !== null) !== test.not
  if (value === null) return false
  const at = value.getTime()
  switch (test.test) {
    case 'within':
      return at >= now.getTime() - test.ms
    case 'olderThan':
      return at < now.getTime() - test.ms
    case 'span':
      return (at >= test.from.getTime() && at < test.to.getTime()) !== test.not
    case 'compare':
      return holds(at - test.at.getTime(), test.comparison)
  }
}

/** The literal name wins where the contact has it. */
function valueAt(data: Record<string, unknown>, { key, path }: DataField): unknown {
  if (!path || Object.hasOwn(data, key)) return Object.hasOwn(data, key) ? data[key] : undefined
  let value: unknown = data
  for (const step of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    if (!Object.hasOwn(value, step)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}

function matchesData(test: DataTest, value: unknown, now: Date): boolean {
  const isThere = value !== undefined && value !== null
  if (test.test === 'exists') return isThere !== test.not
  if (!isThere) return false
  const text = typeof value === 'string' ? value : undefined
  switch (test.test) {
    case 'within':
      return matchesDateText(text, 'greaterThanOrEqual', new Date(now.getTime() - test.ms))
    case 'olderThan':
      return matchesDateText(text, 'lessThan', new Date(now.getTime() - test.ms))
    case 'compareDate':
      return matchesDateText(text, test.comparison, test.at)
    case 'equals':
      return (value === test.value) !== test.not
    case 'day':
      return (text === test.day || text?.startsWith(`${test.day}T`) === true) !== test.not
    case 'contains':
      return ((Array.isArray(value) ? value : text)?.includes(test.text) === true) !== test.not
    case 'compareNumber':
      return typeof value === 'number' && holds(sign(value, test.value), test.comparison)
    case 'compareText':
      return text !== undefined && holds(byCodePoint(text, test.value), test.comparison)
  }
}

/** Not by their difference, which may be infinite. */
function sign(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

const dateExpression = new RegExp(datePattern)

/** Whether a stored text is a date, and that date compares like this to the moment. */
export function matchesDateText(text: string | undefined, comparison: InequalityOperator, at: Date): boolean {
  if (text === undefined || !dateExpression.test(text)) return false
  return holds(byCodePoint(inFull(text), at.toISOString()), comparison)
}

/** One spelling in which text sorts in the order of time, even for days that do not exist. */
function inFull(date: string): string {
  if (date.length === 10) return `${date}T00:00:00.000Z`
  return date.length === 20 ? `${date.slice(0, 19)}.000Z` : date
}

function matchesActivity(test: ActivityTest, latest: Date | undefined, now: Date): boolean {
  if (test.test === 'ever') return (latest !== undefined) !== test.not
  const isRecent = latest !== undefined && latest.getTime() >= now.getTime() - test.ms
  if (test.test === 'within') return isRecent !== test.not
  return latest !== undefined && !isRecent
}

function holds(difference: number, comparison: InequalityOperator): boolean {
  switch (comparison) {
    case 'greaterThan':
      return difference > 0
    case 'lessThan':
      return difference < 0
    case 'greaterThanOrEqual':
      return difference >= 0
    case 'lessThanOrEqual':
      return difference <= 0
  }
}
