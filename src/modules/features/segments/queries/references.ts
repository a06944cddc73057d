// What conditions name, and the graph that segments naming segments form.

import type { FilterCondition } from '../../../../filters/read'
import type { FilterReference } from '../../../../filters/references'
import type { Context } from '../../../../platform/context'
import { insertRows } from '../../../../platform/db/insert-rows'
import { type ReferenceKind, type SegmentType, segmentReferences } from '../schema'

/** Makes `references` what the segment's condition names. */
export async function replaceSegmentReferences(
  ctx: Context,
  projectId: string,
  segmentId: string,
  references: readonly FilterReference[],
): Promise<void> {
  await ctx.sql`delete from segment_references where project_id = ${projectId}::uuid and segment_id = ${segmentId}::uuid`
  const rows = references.map(({ kind, name }) => ({ projectId, segmentId, kind, name }))
  await insertRows(ctx, segmentReferences, ['projectId', 'kind', 'name', 'segmentId'], rows)
}

export interface SegmentName {
  id: string
  name: string
}

/** The segments whose condition names this, by name. */
export async function selectSegmentsNaming(
  ctx: Context,
  projectId: string,
  kind: ReferenceKind,
  name: string,
): Promise<SegmentName[]> {
  return await ctx.sql<SegmentName[]>`
    select s.id, s.name
      from segment_references r join segments s on s.project_id = r.project_id and s.id = r.segment_id
     where r.project_id = ${projectId}::uuid and r.kind = ${kind} and r.name = ${name}
     order by s.name, s.id`
}

export interface GraphRow {
  id: string
  type: SegmentType
  condition: FilterCondition | null
}

/** The segments of these ids and all that they name, however far. */
export async function selectReached(
  ctx: Context,
  projectId: string,
  ids: readonly string[],
): Promise<GraphRow[]> {
  return await ctx.sql<GraphRow[]>`
    with recursive reached as (
      select id from unnest(${ids as string[]}::uuid[]) as id
       union
      select r.name::uuid from reached
        join segment_references r on r.project_id = ${projectId}::uuid and r.segment_id = reached.id and r.kind = 'segment'
    )
    select s.id, s.type, s.condition from reached
      join segments s on s.project_id = ${projectId}::uuid and s.id = reached.id`
}

/** The segments that name this one, however indirectly. */
export async function selectDependents(ctx: Context, projectId: string, id: string): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    with recursive above as (
      select ${id}::uuid as id
       union
      select r.segment_id from above
        join segment_references r on r.project_id = ${projectId}::uuid and r.kind = 'segment' and r.name = above.id::text
    )
    select id from above where id <> ${id}::uuid`
  return rows.map(row => row.id)
}

/** Those of the segments that record who enters and leaves. */
export async function selectTracked(
  ctx: Context,
  projectId: string,
  ids: readonly string[],
): Promise<SegmentName[]> {
  return await ctx.sql<SegmentName[]>`
    select id, name from segments
     where project_id = ${projectId}::uuid and id = any(${[...ids]}::uuid[]) and track_membership and type = 'DYNAMIC'`
}

/**
 * Lets one transaction at a time change which segments a project's segments name. Two changes that are each free of cycles may
 * close one together, and no unique index can prevent that.
 */
export async function lockGraph(ctx: Context, projectId: string): Promise<void> {
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`segments ${projectId}`}::text, 0))`
}
