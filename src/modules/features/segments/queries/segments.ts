// Reading and writing the segments themselves.
import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../../platform/context'
import { segments } from '../schema'

export type SegmentRow = typeof segments.$inferSelect

function columns(ctx: Context) {
  return ctx.sql`
    id, project_id as "projectId", name, description, type, condition, track_membership as "trackMembership",
    member_count as "memberCount", counted_at as "countedAt", created_at as "createdAt", updated_at as "updatedAt"`
}

/** Newest first. */
export async function selectSegments(ctx: Context, projectId: string): Promise<SegmentRow[]> {
  return await ctx.sql<SegmentRow[]>`
    select ${columns(ctx)} from segments where project_id = ${projectId}::uuid order by created_at desc, id desc`
}

export async function selectSegment(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<SegmentRow | undefined> {
  const [row] = await ctx.sql<SegmentRow[]>`
    select ${columns(ctx)} from segments where project_id = ${projectId}::uuid and id = ${id}::uuid`
  return row
}

/**
 * Locks the segment until the transaction ends: `exists` keeps it from being deleted, `change` also keeps others from changing it or its
 * members, `delete` waits for all of those.
 */
export async function lockSegment(
  ctx: Context,
  projectId: string,
  id: string,
  purpose: 'exists' | 'change' | 'delete',
): Promise<SegmentRow | undefined> {
  const locks = {
    exists: ctx.sql`for key share`,
    change: ctx.sql`for no key update`,
    delete: ctx.sql`for update`,
  }
  const [row] = await ctx.sql<SegmentRow[]>`
    select ${columns(ctx)} from segments where project_id = ${projectId}::uuid and id = ${id}::uuid ${locks[purpose]}`
  return row
}

export async function insertSegment(ctx: Context, row: SegmentRow): Promise<void> {
  await ctx.db.insert(segments).values(row)
}

export type SegmentChange = Partial<
  Pick<SegmentRow, 'name' | 'description' | 'condition' | 'trackMembership' | 'memberCount' | 'countedAt'>
>

export async function updateSegmentRow(
  ctx: Context,
  projectId: string,
  id: string,
  change: SegmentChange,
): Promise<SegmentRow | undefined> {
  const [row] = await ctx.db
    .update(segments)
    .set({ ...change, updatedAt: ctx.clock.now() })
    .where(and(eq(segments.projectId, projectId), eq(segments.id, id)))
    .returning()
  return row
}

export async function deleteSegmentRow(ctx: Context, projectId: string, id: string): Promise<void> {
  await ctx.sql`
    with gone as (
      delete from segment_references where project_id = ${projectId}::uuid and segment_id = ${id}::uuid
    )
    delete from segments where project_id = ${projectId}::uuid and id = ${id}::uuid`
}

/** Keeps a count that was just taken. The record itself counts as unchanged. */
export async function saveCount(
  ctx: Context,
  projectId: string,
  id: string,
  memberCount: number,
): Promise<void> {
  await ctx.sql`
    update segments set member_count = ${memberCount}::int, counted_at = ${ctx.clock.now()}::timestamptz
     where project_id = ${projectId}::uuid and id = ${id}::uuid`
}

export interface DueSegment {
  id: string
  projectId: string
}

/** A page of dynamic segments of enabled projects: all tracked ones, and of the others those counted before `countedBefore`. */
export async function selectDueSegments(
  ctx: Context,
  after: string,
  countedBefore: Date,
  limit: number,
): Promise<{ due: DueSegment[]; last: string | undefined }> {
  const rows = await ctx.sql<(DueSegment & { isDue: boolean })[]>`
    select s.id, s.project_id as "projectId",
           not p.disabled and p.closing is null and (s.track_membership or s.counted_at < ${countedBefore}::timestamptz) as "isDue"
      from segments s join projects p on p.id = s.project_id
     where s.type = 'DYNAMIC' and s.id > ${after}::uuid
     order by s.id limit ${limit}`
  const due = rows.filter(row => row.isDue).map(({ id, projectId }) => ({ id, projectId }))
  return { due, last: rows.length === limit ? rows.at(-1)?.id : undefined }
}
