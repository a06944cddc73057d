// The statements about lines: the jobs of one project, or the instance's own, that wait in a band.
import type { Band } from '../schema'
import type { SqlContext } from './jobs'

/** Lines that one survey looks at. */
export const linesAtOnce = 200

/** The name of a line, as the index `jobs_line` makes it. */
export function lineOf({ band, projectId }: { band: Band; projectId: string | null }): string {
  return `${band} ${projectId ?? '~'}`
}

export interface FoundLine {
  line: string
  /** When its first job is due; null where that is not yet. */
  dueAt: Date | null
}

/**
 * The lines of a band behind `after`, in the order of their names: one look into the index for each, however many jobs it has. Fewer
 * than `linesAtOnce` are the last ones.
 */
export async function surveyLines(
  ctx: SqlContext,
  band: Band,
  after: string,
  now: Date,
): Promise<FoundLine[]> {
  return await ctx.sql<FoundLine[]>`
    with recursive found(line, run_at, number) as (
      (select (band || ' ' || coalesce(project_id::text, '~')) collate "C", run_at, 1 from jobs
        where state = 'queued' and (band || ' ' || coalesce(project_id::text, '~')) collate "C" > ${after || `${band} `}
          and (band || ' ' || coalesce(project_id::text, '~')) collate "C" < ${`${band}!`}
        order by (band || ' ' || coalesce(project_id::text, '~')) collate "C", run_at limit 1)
      union all
      select next.line, next.run_at, found.number + 1
        from found cross join lateral (
          select (band || ' ' || coalesce(project_id::text, '~')) collate "C" as line, run_at from jobs
           where state = 'queued' and (band || ' ' || coalesce(project_id::text, '~')) collate "C" > found.line
             and (band || ' ' || coalesce(project_id::text, '~')) collate "C" < ${`${band}!`}
           order by (band || ' ' || coalesce(project_id::text, '~')) collate "C", run_at limit 1) as next
       where found.number < ${linesAtOnce}::int)
    select line, case when run_at <= ${now}::timestamptz then run_at end as "dueAt" from found order by number`
}
