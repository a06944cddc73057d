// Messages that were tried and wait for another attempt, over all projects.
import { timeOfId } from '../../../../lib/ids'
import type { Context } from '../../../../platform/context'

export interface Retrying {
  /** Counting stops at 100,000 for each project. */
  count: number
  /** When the oldest of them was accepted. */
  oldest: Date | undefined
}

/** Read from the table of troubles, project by project: messages without trouble cost nothing. */
export async function retryingEmails({ sql }: Pick<Context, 'sql'>): Promise<Retrying> {
  const [row] = await sql<{ count: number; oldest: string | null }[]>`
    select coalesce(sum(waiting.count), 0)::int as count, min(waiting.oldest)::text as oldest
      from projects p
     cross join lateral (
       select count(*) as count, min(first.email_id::text) as oldest
         from (select email_id from email_troubles
                where project_id = p.id and kind = 'waiting'
                order by email_id limit 100000) as first) as waiting`
  return { count: row!.count, oldest: row!.oldest ? timeOfId(row!.oldest) : undefined }
}
