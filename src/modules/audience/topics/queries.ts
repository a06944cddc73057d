// All SQL of topics.
import { and, asc, eq } from 'drizzle-orm'
import type { Context } from '../../../platform/context'
import { mailTopics } from './schema'

export type TopicRow = typeof mailTopics.$inferSelect

/** In the order in which they were made; there are never many. */
export async function selectTopics(ctx: Context, projectId: string): Promise<TopicRow[]> {
  return await ctx.db
    .select()
    .from(mailTopics)
    .where(eq(mailTopics.projectId, projectId))
    .orderBy(asc(mailTopics.id))
}

const isTopic = (projectId: string, id: string) =>
  and(eq(mailTopics.projectId, projectId), eq(mailTopics.id, id))

export async function selectTopic(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<TopicRow | undefined> {
  const [row] = await ctx.db.select().from(mailTopics).where(isTopic(projectId, id))
  return row
}

/** Keeps the topic from being deleted until the transaction ends. */
export async function holdTopicRow(
  tx: Context,
  projectId: string,
  id: string,
): Promise<TopicRow | undefined> {
  const [row] = await tx.db.select().from(mailTopics).where(isTopic(projectId, id)).for('share')
  return row
}

/** One at a time for a project, so that none goes beyond the limit. */
export async function lockTopics(tx: Context, projectId: string): Promise<void> {
  await tx.sql`select pg_advisory_xact_lock(hashtextextended('topics ' || ${projectId}::text, 0))`
}

export async function insertTopic(ctx: Context, row: TopicRow): Promise<void> {
  await ctx.db.insert(mailTopics).values(row)
}

export type TopicChanges = Partial<
  Pick<TopicRow, 'name' | 'description' | 'archivedAt' | 'offered' | 'publicArchive'>
>

export async function changeTopic(
  ctx: Context,
  projectId: string,
  id: string,
  changes: TopicChanges,
): Promise<TopicRow | undefined> {
  const [row] = await ctx.db
    .update(mailTopics)
    .set({ ...changes, updatedAt: ctx.clock.now() })
    .where(isTopic(projectId, id))
    .returning()
  return row
}

export async function deleteTopic(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<TopicRow | undefined> {
  const [row] = await ctx.db.delete(mailTopics).where(isTopic(projectId, id)).returning()
  return row
}

/** Whether anybody has decided about it. */
export async function hasDecisions(ctx: Context, projectId: string, topicId: string): Promise<boolean> {
  const [row] = await ctx.sql<{ some: boolean }[]>`
    select exists (select from contact_topics where project_id = ${projectId}::uuid and topic_id = ${topicId}::uuid) as some`
  return row!.some
}

export interface DecidedTopic extends TopicRow {
  /** Whether its mail goes to the contact, as far as the topic is concerned. */
  subscribed: boolean
  /** Null where the contact decided nothing. */
  decidedAt: Date | null
}

/** All topics of a project, as they stand for a contact. */
export async function selectTopicsOf(
  ctx: Context,
  projectId: string,
  contactId: string,
): Promise<DecidedTopic[]> {
  return await ctx.sql<DecidedTopic[]>`
    select t.id, t.project_id as "projectId", t.name, t.description, t.by_default as "byDefault",
           t.archived_at as "archivedAt", t.offered, t.public_archive as "publicArchive", t.created_at as "createdAt", t.updated_at as "updatedAt",
           coalesce(d.subscribed, t.by_default) as subscribed, d.decided_at as "decidedAt"
      from topics t
      left join contact_topics d
        on d.project_id = t.project_id and d.contact_id = ${contactId}::uuid and d.topic_id = t.id
     where t.project_id = ${projectId}::uuid order by t.id`
}

export interface StoredDecision {
  contactId: string
  topicId: string
  subscribed: boolean
  /** When it was decided, where that was before now. */
  at?: Date | undefined
}

/** One that is stored, and since when. */
export interface DatedDecision extends Omit<StoredDecision, 'at'> {
  decidedAt: Date
}

/** All that these contacts decided. */
export async function selectDecisions(
  ctx: Context,
  projectId: string,
  contactIds: readonly string[],
): Promise<DatedDecision[]> {
  return await ctx.sql<DatedDecision[]>`
    select contact_id as "contactId", topic_id as "topicId", subscribed, decided_at as "decidedAt" from contact_topics
     where project_id = ${projectId}::uuid and contact_id = any(${contactIds as string[]}::uuid[])`
}

/** In place of what was decided before. */
export async function writeDecisions(
  ctx: Context,
  projectId: string,
  decisions: readonly StoredDecision[],
): Promise<void> {
  const now = ctx.clock.now()
  await ctx.sql`
    insert into contact_topics (project_id, contact_id, topic_id, subscribed, decided_at)
    select ${projectId}::uuid, "contactId", "topicId", subscribed, coalesce(least(at, ${now}::timestamptz), ${now}::timestamptz)
      from jsonb_to_recordset(${JSON.stringify(decisions)}::jsonb)
             as asked("contactId" uuid, "topicId" uuid, subscribed boolean, at timestamptz)
    on conflict (project_id, contact_id, topic_id) do update
       set subscribed = excluded.subscribed, decided_at = excluded.decided_at`
}

/** In place of what a file decided: what was decided before, or nothing. */
export async function putDecisionsBack(
  tx: Context,
  projectId: string,
  decisions: ReadonlyArray<{ contactId: string; topicId: string; was: boolean | null; wasAt: string | null }>,
): Promise<void> {
  await tx.sql`
    with asked as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(decisions)}::jsonb)
                      as a("contactId" uuid, "topicId" uuid, was boolean, "wasAt" timestamptz)
    ), gone as (
      delete from contact_topics d using asked a
       where d.project_id = ${projectId}::uuid and d.contact_id = a."contactId" and d.topic_id = a."topicId" and a.was is null
    )
    update contact_topics d set subscribed = a.was, decided_at = a."wasAt" from asked a
     where d.project_id = ${projectId}::uuid and d.contact_id = a."contactId" and d.topic_id = a."topicId" and a.was is not null`
}

/** Of contacts that are gone. */
export async function deleteDecisions(
  ctx: Context,
  projectId: string,
  contactIds: readonly string[],
): Promise<void> {
  await ctx.sql`
    delete from contact_topics
     where project_id = ${projectId}::uuid and contact_id = any(${contactIds as string[]}::uuid[])`
}

/** Of two contacts that became one: a no wins, and what only one has decided stays. */
export async function mergeDecisions(
  ctx: Context,
  { projectId, from, to }: { projectId: string; from: string; to: string },
): Promise<void> {
  await ctx.sql`
    insert into contact_topics (project_id, contact_id, topic_id, subscribed, decided_at)
    select project_id, ${to}::uuid, topic_id, subscribed, decided_at from contact_topics
     where project_id = ${projectId}::uuid and contact_id = ${from}::uuid
    on conflict (project_id, contact_id, topic_id) do update
       set subscribed = excluded.subscribed, decided_at = excluded.decided_at
     where contact_topics.subscribed and not excluded.subscribed`
}
