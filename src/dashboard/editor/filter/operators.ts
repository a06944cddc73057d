// Which tests a field allows, and which arguments each of them needs. Pure.

/** What a field holds, as far as tests are concerned. */
export type Kind =
  | 'address'
  | 'subscribed'
  | 'date'
  | 'text'
  | 'number'
  | 'boolean'
  | 'happening'
  | 'segment'
  | 'topic'
  | 'campaign'

/** A value of the field's type, a span of time, or nothing. */
export type Arguments = 'value' | 'window' | 'none'

const windowed = new Set([
  'within',
  'olderThan',
  'triggeredWithin',
  'triggeredOlderThan',
  'notTriggeredWithin',
])
const bare = new Set([
  'exists',
  'notExists',
  'triggered',
  'notTriggered',
  'memberOfSegment',
  'notMemberOfSegment',
])

export function argumentsOf(operator: string): Arguments {
  if (bare.has(operator)) return 'none'
  return windowed.has(operator) ? 'window' : 'value'
}

const texts = ['equals', 'notEquals', 'contains', 'notContains']
const presence = ['exists', 'notExists']
// A day used as a bound means its beginning, so only these two comparisons do what one expects of a day.
const dates = ['within', 'olderThan', 'equals', 'lessThan', 'greaterThanOrEqual']

const offered: Record<Kind, readonly string[]> = {
  address: texts,
  subscribed: ['equals'],
  date: dates,
  text: [...texts, ...presence],
  number: [
    ...['equals', 'notEquals', 'greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual'],
    ...presence,
  ],
  boolean: ['equals', ...presence],
  happening: ['triggered', 'notTriggered', 'triggeredWithin', 'notTriggeredWithin', 'triggeredOlderThan'],
  segment: ['memberOfSegment', 'notMemberOfSegment'],
  topic: ['equals'],
  campaign: ['equals'],
}

const alwaysThere = new Set(['createdAt', 'updatedAt'])

/** The tests offered for a field, the most usual first; `current` stays, whoever set it. */
export function operatorsOf(field: string, kind: Kind, current: string): readonly string[] {
  const mayLack = kind === 'date' && !alwaysThere.has(field)
  const all = mayLack ? [...offered.date, ...presence] : offered[kind]
  return current === '' || all.includes(current) ? all : [...all, current]
}

const standard: Record<string, Kind> = {
  email: 'address',
  subscribed: 'subscribed',
  createdAt: 'date',
  updatedAt: 'date',
  snoozedUntil: 'date',
  optedOutAt: 'date',
}

export const standardFields = Object.keys(standard)
/** What a recipient did with a campaign. */
export const campaignReactions = ['received', 'opened', 'notOpened', 'clicked', 'notClicked'] as const
export type CampaignReaction = (typeof campaignReactions)[number]

export const activities = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained']

/** `types`: the types of the custom fields, by their names with `data.`. */
export function kindOf(field: string, types: ReadonlyMap<string, string>): Kind {
  const family = field.slice(0, field.indexOf('.') + 1)
  if (family === 'event.' || family === 'email.') return 'happening'
  if (family === 'segment.') return 'segment'
  if (family === 'topic.') return 'topic'
  if (family === 'campaign.') return 'campaign'
  if (Object.hasOwn(standard, field)) return standard[field]!
  const type = types.get(field)
  return type === 'number' || type === 'boolean' || type === 'date' ? type : 'text'
}
