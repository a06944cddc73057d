// How many of an audience get a campaign, and why the others don't: one pass over its contacts, by the rules of those who record and deliver.
import { count, eq, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../../../platform/context'
import type { MailCap } from '../../../../accounts/projects'
import { contacts } from '../../../../audience/contacts'
import { isSuppressed } from '../../../../audience/suppressions'
import { whenFree } from '../../../../sending/delivery'
import { type AudienceQuery, isMeant } from './audience'

/** In the order in which they are looked at: a contact has the first that applies. */
export const skipReasons = [
  'unsubscribed',
  'snoozed',
  'neverSubscribed',
  'topic',
  'suppressed',
  'cap',
] as const
export type SkipReason = (typeof skipReasons)[number]

export interface ReachCount {
  /** Null: it is sent to them, or put off by the cap. */
  reason: SkipReason | null
  /** Whether the topic of the campaign allows them; true without one. */
  inTopic: boolean
  contacts: number
}

export interface ReachRules {
  audience: AudienceQuery
  /** Whom the topic allows; undefined without one. */
  topic: SQL | undefined
  cap: MailCap | null
}

export async function countReach(ctx: Context, { audience, topic, cap }: ReachRules): Promise<ReachCount[]> {
  const inTopic = topic ? sql`(${topic}) is true` : sql`true`
  const capped = whenFree(ctx, audience.projectId, cap ?? { messages: 1, days: 1 }, ctx.clock.now())
  const isCapped = cap ? sql`${capped.contactId} is not null` : sql`false`
  const reason = sql`
    case when ${audience.subscribedOnly} and not ${contacts.subscribed} then
           case when ${contacts.snoozedUntil} is not null then 'snoozed'
                when ${contacts.optedOutAt} is not null then 'unsubscribed' else 'neverSubscribed' end
         when not ${inTopic} then 'topic'
         when ${isSuppressed(ctx, audience.projectId, sql`${contacts.email}`)} then 'suppressed'
         when ${isCapped} then 'cap' end`
  const columns = { reason, inTopic: inTopic.mapWith(Boolean), contacts: count() }
  const rows = ctx.db.select(columns).from(contacts)
  const joined = cap ? rows.leftJoin(capped, eq(capped.contactId, contacts.id)) : rows
  const meant = isMeant({ ...audience, subscribedOnly: false })
  return (await joined.where(meant).groupBy(sql`1`, sql`2`)) as ReachCount[]
}
