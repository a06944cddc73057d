// Hits that wait to be classified, and clients that were found to be programs.

import type { Context } from '../../../../platform/context'
import { insertRows } from '../../../../platform/db/insert-rows'
import type { Hit, Suspect } from '../../../../tracking/classify'
import type { Tracking } from '../../../accounts/projects'
import type { SourceType } from '../../emails'
import { trackingHits, trackingSuspects } from '../schema'

export interface StoredHit extends Hit {
  projectId: string
  emailId: string
  /** How many equal hits this row stands for. */
  hits: number
}

const hitNames = ['id', 'projectId', 'emailId', 'kind', 'link', 'client', 'userAgent', 'hits', 'at'] as const

export async function insertHits(ctx: Context, hits: readonly StoredHit[]): Promise<void> {
  const rows = hits.map(hit => ({ id: ctx.random.uuid(hit.at), ...hit }))
  await insertRows(ctx, trackingHits, hitNames, rows)
}

/** Takes the lock of classification until the transaction ends; false if another one has it: two would only wait for each other. */
export async function lockJudging(ctx: Context): Promise<boolean> {
  const [row] = await ctx.sql<
    { locked: boolean }[]
  >`select pg_try_advisory_xact_lock(hashtext('waxwing.tracking.judge')) as locked`
  return row!.locked
}

/** Whether there are hits, on quiet messages or not, or suspects to delete. */
export async function hasHits({ sql, clock }: Context): Promise<boolean> {
  const [row] = await sql<{ some: boolean }[]>`
    select exists (select from tracking_hits)
           or exists (select from tracking_suspects where until < ${clock.now()}::timestamptz) as some`
  return row!.some
}

/** What decides about the hits on one message. */
export interface QuietMail {
  projectId: string
  emailId: string
  /** Null for a message that is gone. */
  sourceType: SourceType | null
  /** When it was delivered, or handed over where nobody reports that; null before. */
  arrivedAt: Date | null
  mode: Tracking | null
  tracking: boolean | null
}

export interface Quiet {
  /** Selects messages whose last hit is older than this. */
  since: Date
  /** Selects messages whose first hit is older than this, quiet or not. */
  anywayBefore: Date
}

/**
 * Messages that have been quiet, the longest waiting first: at most `limit`, or those whose hits together reach `maxHits`. The table
 * holds the hits of the last minute only.
 */
export async function selectQuietMails(
  ctx: Context,
  quiet: Quiet,
  limit: number,
  maxHits: number,
): Promise<QuietMail[]> {
  return await ctx.sql<QuietMail[]>`
    select h.project_id as "projectId", h.email_id as "emailId", e.source_type as "sourceType",
           coalesce(e.delivered_at, e.sent_at) as "arrivedAt", p.tracking as mode, e.tracking
      from (select project_id, email_id, min(at) as first, sum(hits) as hits,
                   sum(sum(hits)) over (order by min(at), email_id) as up_to
              from tracking_hits group by project_id, email_id
            having max(at) <= ${quiet.since}::timestamptz or min(at) <= ${quiet.anywayBefore}::timestamptz
             order by 3, 2 limit ${limit}) h
      left join emails e on e.id = h.email_id and e.project_id = h.project_id
      left join projects p on p.id = e.project_id
     where h.up_to - h.hits < ${maxHits}::bigint
     order by h.first`
}

/** Takes all hits on the messages, except those that another run has taken. */
export async function takeHits(ctx: Context, mails: readonly QuietMail[]): Promise<StoredHit[]> {
  return await ctx.sql<StoredHit[]>`
    delete from tracking_hits h
     using unnest(${mails.map(mail => mail.projectId)}::uuid[], ${mails.map(mail => mail.emailId)}::uuid[]) as m(project_id, email_id)
     where h.project_id = m.project_id and h.email_id = m.email_id
    returning h.project_id as "projectId", h.email_id as "emailId", h.kind, h.link, h.client,
              h.user_agent as "userAgent", h.hits, h.at`
}

export interface StoredSuspect extends Suspect {
  projectId: string
  emailId: string
}

export async function selectSuspects(
  ctx: Context,
  mails: readonly Pick<QuietMail, 'projectId' | 'emailId'>[],
): Promise<StoredSuspect[]> {
  return await ctx.sql<StoredSuspect[]>`
    select s.project_id as "projectId", s.email_id as "emailId", s.client, s.until
      from tracking_suspects s
      join unnest(${mails.map(mail => mail.projectId)}::uuid[], ${mails.map(mail => mail.emailId)}::uuid[]) as m(project_id, email_id)
        on s.project_id = m.project_id and s.email_id = m.email_id`
}

/** In one order, so that two runs can't deadlock. */
export async function upsertSuspects(ctx: Context, suspects: readonly StoredSuspect[]): Promise<void> {
  if (suspects.length === 0) return
  await ctx.sql`
    ${insertRows(ctx, trackingSuspects, ['projectId', 'emailId', 'client', 'until'], suspects)}
     order by 1, 2, 3
    on conflict (project_id, email_id, client) do update set until = greatest(tracking_suspects.until, excluded.until)`
}

/** Deletes up to `limit` old suspects. */
export async function deleteOldSuspects(ctx: Context, limit: number): Promise<void> {
  await ctx.sql`
    delete from tracking_suspects
     where ctid = any(array(select ctid from tracking_suspects where until < ${ctx.clock.now()}::timestamptz
                             order by until limit ${limit} for update skip locked))`
}
