// The record of bulk jobs: which contacts are still to be done, and the results of the others.
import type { Context } from '../../../../platform/context'
import type { BulkOperation, ChangedThen, ConsentOrigin } from '../schema'

export interface NewBulk {
  id: string
  projectId: string
  jobId: string
  operation: BulkOperation
  contactIds: string[]
  /** The list that they are added to or removed from. */
  segmentId?: string
  /** The job that this one undoes. */
  undoes?: string
  origin?: ConsentOrigin | undefined
}

export async function insertBulk(ctx: Context, bulk: NewBulk, now: Date): Promise<void> {
  await ctx.sql`
    insert into contact_bulks
           (id, project_id, job_id, operation, waiting, total, changed, unchanged, unknown, segment_id, undoes, origin, created_at)
    values (${bulk.id}::uuid, ${bulk.projectId}::uuid, ${bulk.jobId}::uuid, ${bulk.operation}, ${bulk.contactIds}::uuid[],
            ${bulk.contactIds.length}, 0, 0, '{}', ${bulk.segmentId ?? null}::uuid, ${bulk.undoes ?? null}::uuid,
            ${bulk.origin ? JSON.stringify(bulk.origin) : null}::jsonb, ${now}::timestamptz)`
}

export interface BulkView {
  id: string
  projectId: string
  jobId: string
  operation: BulkOperation
  total: number
  changed: number
  unchanged: number
  unknown: string[]
  segmentId: string | null
  /** Contacts whose previous state is known. */
  undoable: number
  failedReason: string | null
  finishedAt: Date | null
  hasBegun: boolean
}

export async function selectBulk(ctx: Context, projectId: string, id: string): Promise<BulkView | undefined> {
  const [row] = await ctx.sql<BulkView[]>`
    select id, project_id as "projectId", job_id as "jobId", operation, total, changed, unchanged, unknown, segment_id as "segmentId",
           coalesce(jsonb_array_length(earlier), 0) as undoable, failed_reason as "failedReason", finished_at as "finishedAt", cardinality(waiting) < total as "hasBegun"
      from contact_bulks where project_id = ${projectId}::uuid and id = ${id}::uuid`
  return row
}

export interface HeldBulk {
  operation: BulkOperation
  segmentId: string | null
  undoes: string | null
  origin: ConsentOrigin | null
  next: string[]
}

/** What was kept of the contacts that a job changed, in the form that its operation keeps. */
export async function selectEarlier<E extends ChangedThen>(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<E[]> {
  const [row] = await ctx.sql<{ earlier: E[] | null }[]>`
    select earlier from contact_bulks where project_id = ${projectId}::uuid and id = ${id}::uuid`
  return row?.earlier ?? []
}

/** What is still to be done, up to `limit`; the row stays locked, so that a second run of the job waits. */
export async function lockBulk(
  ctx: Context,
  projectId: string,
  id: string,
  limit: number,
): Promise<HeldBulk | undefined> {
  const [row] = await ctx.sql<HeldBulk[]>`
    select operation, segment_id as "segmentId", undoes, origin, waiting[1:${limit}::int] as next from contact_bulks
     where project_id = ${projectId}::uuid and id = ${id}::uuid and finished_at is null
       for update`
  return row
}

export interface BulkStep {
  done: number
  changed: number
  unchanged: number
  unknown: string[]
  /** The previous state of those that were changed, where that can be restored. */
  earlier: readonly ChangedThen[]
}

/** Notes what was done, in the transaction that did it; the last step ends the job. */
export async function advanceBulk(
  ctx: Context,
  projectId: string,
  id: string,
  step: BulkStep,
  now: Date,
): Promise<void> {
  await ctx.sql`
    update contact_bulks
       set waiting = waiting[${step.done + 1}::int:], changed = changed + ${step.changed}::int,
           unchanged = unchanged + ${step.unchanged}::int, unknown = unknown || ${step.unknown}::uuid[],
           earlier = coalesce(earlier, '[]') || ${JSON.stringify(step.earlier)}::jsonb,
           finished_at = case when cardinality(waiting) <= ${step.done}::int then ${now}::timestamptz end
     where project_id = ${projectId}::uuid and id = ${id}::uuid`
}

/** Gives a bulk job up; what it has not done stays undone and is counted so. */
export async function failBulk(
  ctx: Context,
  projectId: string,
  id: string,
  reason: string,
  now: Date,
): Promise<void> {
  await ctx.sql`
    update contact_bulks set finished_at = ${now}::timestamptz, failed_reason = ${reason}
     where project_id = ${projectId}::uuid and id = ${id}::uuid and finished_at is null`
}
