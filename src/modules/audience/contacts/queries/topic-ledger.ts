// Changes of topics in the ledger of consent, for many contacts at once.
import type { Context } from '../../../../platform/context'
import { bounded, type PlacedOrigin, type TopicChange } from './ledger'

export interface LockedContact {
  id: string
  /** Neither opted out nor on a break: somebody else's word may subscribe it to something. */
  isOpen: boolean
}

/** Locks those that are there, in one order. */
export async function lockForTopics(
  tx: Context,
  projectId: string,
  contactIds: readonly string[],
): Promise<LockedContact[]> {
  return await tx.sql<LockedContact[]>`
    select id, subscribed or (opted_out_at is null and snoozed_until is null) as "isOpen" from contacts
     where project_id = ${projectId}::uuid and id = any(${contactIds as string[]}::uuid[])
     order by id for update`
}

export interface TopicChangeOf extends TopicChange {
  contactId: string
  /** When the person decided, and what another program recorded of it. */
  at?: Date | undefined
  evidence?: string | undefined
}

/** The contacts are locked. */
export async function insertTopicChangesOfMany(
  tx: Context,
  projectId: string,
  changes: readonly TopicChangeOf[],
  origin: PlacedOrigin,
): Promise<void> {
  const { source, actor = null } = origin
  await tx.sql`
    with made as (
      select *, row_number() over (partition by contact_id order by topic_id)::int as nth
        from unnest(${changes.map(change => change.contactId)}::uuid[], ${changes.map(change => change.topicId)}::uuid[],
                    ${changes.map(change => change.before)}::text[], ${changes.map(change => change.after)}::text[],
                    ${changes.map(({ at }) => at?.toISOString() ?? null)}::timestamptz[],
                    ${changes.map(({ evidence }) => (evidence === undefined ? null : bounded(evidence)))}::text[])
             as m(contact_id, topic_id, before, after, at, evidence)
    ), counted as (
      update contacts c set version = c.version + m.number
        from (select contact_id, max(nth) as number from made group by contact_id) m
       where c.project_id = ${projectId}::uuid and c.id = m.contact_id
      returning c.id, c.version - m.number as version
    )
    insert into consent_changes
           (project_id, contact_id, version, at, topic_id, before, after, source, actor, evidence)
    select ${projectId}::uuid, made.contact_id, counted.version + made.nth,
           coalesce(made.at, ${tx.clock.now()}::timestamptz), topic_id, before, after, ${source}, ${actor}, made.evidence
      from made join counted on counted.id = made.contact_id`
}
