// What a filter tree means, with every spelling resolved: the form that is turned into SQL and that is evaluated in memory. The two
// must agree on every contact, so every question of interpretation is settled earlier, when this is built. Pure.

export type InequalityOperator = 'greaterThan' | 'lessThan' | 'greaterThanOrEqual' | 'lessThanOrEqual'

export type DateField = 'createdAt' | 'updatedAt' | 'snoozedUntil' | 'optedOutAt'

export const emailActivities = ['sent', 'delivery', 'open', 'click', 'bounce', 'complaint'] as const
export type EmailActivity = (typeof emailActivities)[number]

/** What a contact did with a campaign's email that was sent to it and did not bounce. Opens and clicks by people, not by programs. */
export const campaignReactions = ['received', 'opened', 'notOpened', 'clicked', 'notClicked'] as const
export type CampaignReaction = (typeof campaignReactions)[number]

/** Counted back from now. */
export type Window = { test: 'within' | 'olderThan'; ms: number }

export type TextTest =
  | { test: 'equals'; text: string | null; not: boolean }
  | { test: 'contains'; text: string; not: boolean }

export type DateTest =
  | Window
  | { test: 'exists'; not: boolean }
  /** From `from` up to, but not including, `to`: a day in UTC, or one instant. With `not`, outside it; a missing date is neither. */
  | { test: 'span'; from: Date; to: Date; not: boolean }
  | { test: 'compare'; comparison: InequalityOperator; at: Date }

/** A missing value and a stored null pass no test but `exists` with `not`. */
export type DataTest =
  | Window
  | { test: 'exists'; not: boolean }
  | { test: 'equals'; value: string | number | boolean | null; not: boolean }
  /** A date or date and time text of that day, `YYYY-MM-DD`. */
  | { test: 'day'; day: string; not: boolean }
  | { test: 'contains'; text: string; not: boolean }
  | { test: 'compareNumber'; comparison: InequalityOperator; value: number }
  /** By code points. */
  | { test: 'compareText'; comparison: InequalityOperator; value: string }
  /** Stored dates only, as instants. */
  | { test: 'compareDate'; comparison: InequalityOperator; at: Date }

export type ActivityTest =
  | { test: 'ever'; not: boolean }
  | { test: 'within'; ms: number; not: boolean }
  /** At least once, and not since. */
  | { test: 'olderThan'; ms: number }

/** The custom field of this literal name, or where a contact has none, the value at this path through nested objects. */
export interface DataField {
  key: string
  /** Undefined if the name has no dots. */
  path?: string[]
}

export type Predicate =
  | { kind: 'every' | 'some'; of: Predicate[] }
  | { kind: 'email'; test: TextTest }
  | { kind: 'subscribed'; is: boolean }
  | { kind: 'date'; field: DateField; test: DateTest }
  | { kind: 'data'; field: DataField; test: DataTest }
  | { kind: 'event'; name: string; test: ActivityTest }
  | { kind: 'emailActivity'; activity: EmailActivity; test: ActivityTest }
  | { kind: 'segment'; segmentId: string; not: boolean }
  /** Whether mail of the topic may go to the contact, as far as the topic is concerned. */
  | { kind: 'topic'; topicId: string; is: boolean }
  /** Matches only contacts who got the campaign: one who didn't get it isn't `notOpened`. */
  | { kind: 'campaign'; campaignId: string; reaction: CampaignReaction }

/** What holds for contacts that decided nothing about a topic. */
export interface NamedTopic {
  byDefault: boolean
}

/** A segment that a predicate names, as far as its members are concerned. */
export type NamedSegment = { type: 'STATIC' } | { type: 'DYNAMIC'; predicate: Predicate }

/** All leaves, in the order of the tree. */
export function leavesOf(predicate: Predicate): Exclude<Predicate, { of: Predicate[] }>[] {
  return 'of' in predicate ? predicate.of.flatMap(leavesOf) : [predicate]
}

/** Ids of the segments that the predicate names itself, each as often as it is named. */
export function namedSegments(predicate: Predicate): string[] {
  return leavesOf(predicate).flatMap(leaf => (leaf.kind === 'segment' ? [leaf.segmentId] : []))
}

/** The same of topics. */
export function namedTopics(predicate: Predicate): string[] {
  return leavesOf(predicate).flatMap(leaf => (leaf.kind === 'topic' ? [leaf.topicId] : []))
}
