// The count of uploaded bytes. Space is reserved before a file is written, so that concurrent requests can't exceed the limit together.
import type { Context } from '../../../platform/context'

/** False if the project would then have more than `limit`; nothing is reserved in that case. */
export async function takeRoom(
  ctx: Context,
  projectId: string,
  bytes: number,
  limit: number,
): Promise<boolean> {
  const rows = await ctx.sql`
    insert into upload_totals as t (project_id, bytes)
    select ${projectId}::uuid, ${bytes}::bigint where ${bytes}::bigint <= ${limit}::bigint
    on conflict (project_id) do update set bytes = t.bytes + excluded.bytes
     where t.bytes + excluded.bytes <= ${limit}::bigint
    returning 1`
  return rows.length === 1
}

/** Releases what was not written after all. A reset may have deleted the row. */
export async function giveRoomBack(ctx: Context, projectId: string, bytes: number): Promise<void> {
  await ctx.sql`
    update upload_totals set bytes = greatest(bytes - ${bytes}::bigint, 0) where project_id = ${projectId}::uuid`
}
