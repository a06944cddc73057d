// The log of consent: how every statement that changes contacts writes it, how it is read, and changes of topics in it.
import type { Context } from '../../../../platform/context'
import type { Cte, Fragment } from '../../../../platform/db/cte'
import { type ConsentOrigin, type ConsentSource, type ConsentState, longestWording } from '../schema'
import { isOfUndoableImport, undoableWork } from './held'
import type { Contacts } from './rows'

/** The origin of what a statement changes: of the row with that position, of that contact, or of all rows. */
export interface PlacedOrigin extends ConsentOrigin {
  position?: number
  contactId?: string
  emailId?: string | undefined
}

/** Contacts before and after a statement changed them; those that it makes were not there before. */
export interface WrittenContacts {
  locked: Contacts
  /** With the next version. */
  written: Contacts
  /** Says by address which of the origins is whose. Without it, an origin without a contact's id is that of all. */
  seen?: Cte<'projectId' | 'email' | 'origin'>
}

/** Common table expressions that record how the consent of contacts changes. */
export function recordConsent(
  { sql }: Context,
  now: Date,
  { locked, written, seen }: WrittenContacts,
  origins: readonly PlacedOrigin[],
): Fragment {
  const own = seen
    ? sql`join ${seen.name} i on i."projectId" = w.project_id and i.email = w.email join origins o on o.position = i.origin`
    : sql`join origins o on coalesce(o."contactId", w.id) = w.id`
  return sql`
    origins as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(origins.map(toInput))}::jsonb) as o(
             position int, "contactId" uuid, source text, actor text, "emailId" uuid, wording text, client text, at timestamptz,
             evidence text)
    ), entered as (
      insert into consent_changes
             (project_id, contact_id, version, at, before, after, source, actor, email_id, wording, client, evidence)
      select w.project_id, w.id, w.version, coalesce(least(o.at, ${now}::timestamptz), ${now}::timestamptz), s.before, s.after,
             o.source, o.actor, o."emailId", o.wording, o.client, o.evidence
        from ${written.name} w
        left join ${locked.name} l on l.project_id = w.project_id and l.id = w.id
       cross join lateral (
             select case when l.id is null then null when l.subscribed then 'subscribed'
                         when l.snoozed_until is not null then 'snoozed'
                         when l.opted_out_at is not null then 'optedOut' else 'notAsked' end as before,
                    case when w.subscribed then 'subscribed' when w.snoozed_until is not null then 'snoozed'
                         when w.opted_out_at is not null then 'optedOut' else 'notAsked' end as after) s
        ${own}
       where s.after is distinct from coalesce(s.before, 'notAsked')
    )`
}

function toInput({ wording, evidence, ...origin }: PlacedOrigin): PlacedOrigin {
  return {
    ...origin,
    ...(wording === undefined ? {} : { wording: bounded(wording) }),
    ...(evidence === undefined ? {} : { evidence: bounded(evidence) }),
  }
}

function bounded(text: string): string {
  return text.replaceAll('\0', '').slice(0, longestWording).toWellFormed()
}

export interface ConsentChange {
  contactId: string
  version: number
  at: Date
  /** Null for the one switch over all mail. */
  topicId: string | null
  /** Its name. */
  topic: string | null
  /** Null where the contact was created. */
  before: ConsentState | null
  after: ConsentState
  source: ConsentSource
  actor: string | null
  /** The address of the user who did it. */
  actorEmail: string | null
  emailId: string | null
  wording: string | null
  client: string | null
  evidence: string | null
}

/** Of the change `c`, its topic `t` and its user `u`. */
function changeColumns({ sql }: Context) {
  return sql`
    c.contact_id as "contactId", c.version, c.at, c.topic_id as "topicId", t.name as topic, c.before, c.after, c.source, c.actor,
    u.email as "actorEmail", c.email_id as "emailId", c.wording, c.client, c.evidence`
}

/** Newest first, past `before` where it is given. */
export async function pageOfConsent(
  ctx: Context,
  projectId: string,
  contactId: string,
  { before, limit }: { before: number | null; limit: number },
): Promise<ConsentChange[]> {
  return await ctx.sql<ConsentChange[]>`
    select ${changeColumns(ctx)}
      from consent_changes c
      left join topics t on t.project_id = ${projectId}::uuid and t.id = c.topic_id
      left join users u on u.id = case when length(c.actor) = 36 then c.actor::uuid end
     where c.project_id = ${projectId}::uuid and c.contact_id = ${contactId}::uuid
       and c.version < coalesce(${before}::int, 2147483647)
     order by c.version desc limit ${limit}`
}

/** The newest changes of each of the contacts, at most `most` of one; oldest first. */
export async function consentOf(
  ctx: Context,
  projectId: string,
  contactIds: readonly string[],
  most: number,
): Promise<ConsentChange[]> {
  return await ctx.sql<ConsentChange[]>`
    select ${changeColumns(ctx)}
      from unnest(${contactIds as string[]}::uuid[]) as asked(id)
     cross join lateral (
           select * from consent_changes
            where project_id = ${projectId}::uuid and contact_id = asked.id order by version desc limit ${most}) c
      left join topics t on t.project_id = ${projectId}::uuid and t.id = c.topic_id
      left join users u on u.id = case when length(c.actor) = 36 then c.actor::uuid end
     order by c.contact_id, c.version`
}

/** How often the consent of a contact changed. */
export async function countConsent(ctx: Context, projectId: string, contactId: string): Promise<number> {
  const [row] = await ctx.sql<[{ total: number }]>`
    select count(*)::int as total from consent_changes
     where project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid`
  return row.total
}

/** Locks a contact for changes of its topics; returns its version, or undefined where it is gone. */
export async function lockVersion(
  tx: Context,
  projectId: string,
  contactId: string,
): Promise<number | undefined> {
  const [row] = await tx.sql<{ version: number }[]>`
    select version from contacts where project_id = ${projectId}::uuid and id = ${contactId}::uuid for update`
  return row?.version
}

export interface TopicChange {
  topicId: string
  before: ConsentState
  after: ConsentState
}

/** Enters changes of topics; the contact is locked, and `version` is its own. */
export async function insertTopicChanges(
  tx: Context,
  { projectId, contactId, version }: { projectId: string; contactId: string; version: number },
  changes: readonly TopicChange[],
  origin: PlacedOrigin,
): Promise<void> {
  const { source, actor = null, emailId = null, wording = null, client = null } = toInput(origin)
  await tx.sql`
    with counted as (
      update contacts set version = version + ${changes.length}::int
       where project_id = ${projectId}::uuid and id = ${contactId}::uuid
    )
    insert into consent_changes
           (project_id, contact_id, version, at, topic_id, before, after, source, actor, email_id, wording, client)
    select ${projectId}::uuid, ${contactId}::uuid, ${version}::int + row_number() over (), ${tx.clock.now()}::timestamptz,
           topic_id, before, after, ${source}, ${actor}, ${emailId}::uuid, ${wording}, ${client}
      from unnest(${changes.map(change => change.topicId)}::uuid[], ${changes.map(change => change.before)}::text[],
                  ${changes.map(change => change.after)}::text[]) as made(topic_id, before, after)`
}

/** Of contacts that are gone. */
export async function deleteConsent(
  ctx: Context,
  projectId: string,
  contactIds: readonly string[],
): Promise<void> {
  await ctx.sql`
    delete from consent_changes
     where project_id = ${projectId}::uuid and contact_id = any(${contactIds as string[]}::uuid[])`
}

export interface LockedContact {
  id: string
  /** Neither opted out nor on a break: somebody else's word may subscribe it to something. */
  isOpen: boolean
  /** An import that can still be undone, but for the one that asks, made or changed it. */
  isHeld: boolean
}

/** Locks those that are there, in one order. */
export async function lockForTopics(
  tx: Context,
  projectId: string,
  contactIds: readonly string[],
  importId?: string,
): Promise<LockedContact[]> {
  return await tx.sql<LockedContact[]>`
    with ${undoableWork(tx, { projectIds: [projectId], now: tx.clock.now(), except: importId })}
    select id, subscribed or (opted_out_at is null and snoozed_until is null) as "isOpen",
           ${isOfUndoableImport(tx, tx.sql`c.project_id`, tx.sql`c.id`)} as "isHeld"
      from contacts c
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
           coalesce(least(made.at, ${tx.clock.now()}::timestamptz), ${tx.clock.now()}::timestamptz), topic_id, before, after, ${source}, ${actor}, made.evidence
      from made join counted on counted.id = made.contact_id`
}
