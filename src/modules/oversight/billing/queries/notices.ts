// Who is to be notified that a limit is near or reached, and who has been.

import { monthOf } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { freeTierLimit, type NoticeKind, type NoticeTopic, warningPercent } from '../allowance'

/**
 * Projects past `after` that have used enough of a limit this month to be notified: a page, in the order of ids. What is not rolled up
 * yet counts the next time.
 */
export async function selectNearLimits(
  ctx: Context,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    select u.project_id as id
      from (select project_id, sum(used) as total,
                   sum(used) filter (where source_type = 'WORKFLOW') as workflows,
                   sum(used) filter (where source_type = 'CAMPAIGN') as campaigns,
                   sum(used) filter (where source_type = 'TRANSACTIONAL') as transactional,
                   sum(used) filter (where source_type = 'INBOUND') as inbound
              from usage_months
             where month = ${monthOf(ctx.clock.now())}::text::date
               and (${after ?? null}::uuid is null or project_id > ${after ?? null}::uuid)
             group by project_id) as u
      left join project_billing b on b.project_id = u.project_id
     where u.workflows * 100 >= b.limit_workflows::bigint * ${warningPercent}
        or u.campaigns * 100 >= b.limit_campaigns::bigint * ${warningPercent}
        or u.transactional * 100 >= b.limit_transactional::bigint * ${warningPercent}
        or u.inbound * 100 >= b.limit_inbound::bigint * ${warningPercent}
        or (b.subscription is null and u.total * 100 >= ${freeTierLimit * warningPercent})
     order by 1 limit ${limit}`
  return rows.map(row => row.id)
}

interface NoticeMark {
  topic: NoticeTopic
  kind: NoticeKind
}

/** True for the call that records the notice first in the current month. */
export async function insertNotice(
  ctx: Context,
  projectId: string,
  { topic, kind }: NoticeMark,
): Promise<boolean> {
  const now = ctx.clock.now()
  const rows = await ctx.sql`
    insert into usage_notices (project_id, month, topic, kind, created_at)
    values (${projectId}::uuid, ${monthOf(now)}::text::date, ${topic}, ${kind}, ${now})
    on conflict do nothing returning 1`
  return rows.length === 1
}

/** Lets members be notified of these again this month. */
export async function deleteNotices(
  ctx: Context,
  projectId: string,
  topics: readonly NoticeTopic[],
): Promise<void> {
  await ctx.sql`
    delete from usage_notices
     where project_id = ${projectId}::uuid and month = ${monthOf(ctx.clock.now())}::text::date
       and topic = any(${topics as string[]}::text[])`
}

export async function selectProjectName(ctx: Context, projectId: string): Promise<string | undefined> {
  const [row] = await ctx.sql<{ name: string }[]>`select name from projects where id = ${projectId}::uuid`
  return row?.name
}
