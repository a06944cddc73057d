// Pruning the records of imports and bulk jobs: those that nobody will ask for any more, and those with a job that was given up without
// a word because its process died too often.
import type { Context } from '../../../../platform/context'

/** Ends records with a job that the queue neither holds nor will run; returns how many. */
export async function failAbandonedRecords(ctx: Context, reason: string, now: Date): Promise<number> {
  const [row] = await ctx.sql<{ failed: number }[]>`
    with imports as (
      update contact_imports r set finished_at = ${now}::timestamptz, content = null, failed_reason = ${reason}
       where finished_at is null
         and not exists (select from jobs j where j.id = r.job_id and j.state in ('queued', 'running'))
      returning 1
    ), bulks as (
      update contact_bulks r set finished_at = ${now}::timestamptz, failed_reason = ${reason}
       where finished_at is null
         and not exists (select from jobs j where j.id = r.job_id and j.state in ('queued', 'running'))
      returning 1
    )
    select (select count(*) from imports) + (select count(*) from bulks) as failed`
  return row?.failed ?? 0
}

/**
 * Deletes imports and bulk jobs that began before a moment, at most `limit` of each; returns how many. An import stays while records of its
 * changes are left: without it, nothing would delete those.
 */
export async function deleteOldRecords(ctx: Context, before: Date, limit: number): Promise<number> {
  const [row] = await ctx.sql<{ deleted: number }[]>`
    with imports as (
      delete from contact_imports
       where (project_id, id) in (
             select project_id, id from contact_imports i
              where created_at < ${before}::timestamptz
                and not exists (select from contact_import_changes r where r.project_id = i.project_id and r.import_id = i.id)
              limit ${limit})
      returning 1
    ), bulks as (
      delete from contact_bulks
       where (project_id, id) in (select project_id, id from contact_bulks where created_at < ${before}::timestamptz limit ${limit})
      returning 1
    )
    select (select count(*) from imports) + (select count(*) from bulks) as deleted`
  return row?.deleted ?? 0
}
