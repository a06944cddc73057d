// Snapshots: made when an execution starts from a version that has none yet, and shared from then on.
import type { Context } from '../../../../../platform/context'
import type { Snapshot } from '../../words'

export interface CurrentVersion {
  /** The revision of the workflow, and a fingerprint of the templates that its steps send, in their layouts. */
  stamp: string
  /** The snapshot of this version; null if nothing has started from it yet. */
  snapshotId: string | null
  /** Where an execution begins. */
  triggerId: string | null
}

/** Which version a workflow is at. */
export async function selectVersion(
  ctx: Context,
  projectId: string,
  workflowId: string,
): Promise<CurrentVersion | undefined> {
  const [row] = await ctx.sql<CurrentVersion[]>`
    select v.stamp, s.id as "snapshotId",
           (select id from workflow_steps
             where project_id = ${projectId}::uuid and workflow_id = ${workflowId}::uuid and type = 'TRIGGER') as "triggerId"
      from (select w.revision || ':' || coalesce(
                     (select md5(string_agg(md5(row(t.subject, t.body, t.from_email, t.from_name, t.reply_to, t.type, t.tracking)::text)
                                            || coalesce(md5(l.body), ''), '' order by t.id))
                        from templates t left join layouts l on l.project_id = t.project_id and l.id = t.layout_id
                       where t.project_id = ${projectId}::uuid
                         and t.id in (select s.template_id from workflow_steps s
                                       where s.project_id = ${projectId}::uuid and s.workflow_id = ${workflowId}::uuid)), '') as stamp
              from workflows w where w.project_id = ${projectId}::uuid and w.id = ${workflowId}::uuid) v
      left join workflow_snapshots s
             on s.project_id = ${projectId}::uuid and s.workflow_id = ${workflowId}::uuid and s.stamp = v.stamp`
  return row
}

/** False when another start has made it meanwhile. */
export async function insertSnapshot(
  ctx: Context,
  row: { id: string; projectId: string; workflowId: string; stamp: string; graph: Snapshot },
): Promise<boolean> {
  const inserted = await ctx.sql`
    insert into workflow_snapshots (id, project_id, workflow_id, stamp, graph, created_at)
    values (${row.id}, ${row.projectId}, ${row.workflowId}, ${row.stamp}, ${JSON.stringify(row.graph)}::jsonb,
            ${ctx.clock.now()}::timestamptz)
    on conflict (project_id, workflow_id, stamp) do nothing`
  return inserted.count === 1
}

export async function selectSnapshots(
  ctx: Context,
  wanted: ReadonlyArray<{ projectId: string; snapshotId: string }>,
): Promise<Array<{ id: string; graph: Snapshot; bytes: number }>> {
  return await ctx.sql<Array<{ id: string; graph: Snapshot; bytes: number }>>`
    select s.id, s.graph, octet_length(s.graph::text) as bytes
      from json_to_recordset(${JSON.stringify(wanted)}::json) as w("projectId" uuid, "snapshotId" uuid)
      join workflow_snapshots s on s.project_id = w."projectId" and s.id = w."snapshotId"`
}
