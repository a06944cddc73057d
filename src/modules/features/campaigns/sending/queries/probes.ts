// Trying again what a fault of the transport paused: the campaign's row says when, and whoever moves that moment on makes the attempt.
import type { Context } from '../../../../../platform/context'
import { isNotTried } from '../../authoring/queries/ab-tests'

/** Whether there is a campaign to start, one to be tried again, or an A/B test to be judged. */
export async function hasDueCampaigns({ sql }: Context, by: Date): Promise<boolean> {
  const [row] = await sql<{ some: boolean }[]>`
    select exists (select from campaigns where status = 'SCHEDULED' and scheduled_for <= ${by}::timestamptz)
           or exists (select from campaign_ab_tests t join campaigns c on c.project_id = t.project_id and c.id = t.campaign_id
                       where t.due_at <= ${by}::timestamptz and c.status <> 'CANCELLED')
           or exists (select from campaigns where status = 'SENDING' and probe_at <= ${by}::timestamptz) as some`
  return row!.some
}

export interface DueProbe {
  projectId: string
  campaignId: string
  /** The first slice with open recipients, whose moment has come if possible; null if there is none (yet). */
  sliceId: string | null
}

/** Campaigns that are due for a probe. */
export async function selectDueProbes(ctx: Context): Promise<DueProbe[]> {
  const { sql } = ctx
  const isOther = isNotTried(ctx, {
    campaignId: sql`c.id`,
    contactId: sql`e.contact_id`,
    ends: sql`t.ends`,
  })
  const isWaiting = sql`(t.campaign_id is not null and t.winner is null and ${isOther})`
  // The others of a tested slice wait for the winner; of its share, some may have to be tried again.
  const mayTry = sql`(not s.is_tested or t.winner is not null
                      or exists (select from emails e
                                  where e.project_id = c.project_id and e.campaign_id = c.id and e.contact_id > s.after
                                    and e.contact_id <= s.up_to and e.status in ('PENDING', 'SENDING') and e.attempts > 0))`
  return await sql<DueProbe[]>`
    select c.project_id as "projectId", c.id as "campaignId",
           coalesce(
             case when c.timing is not null then
               (select s.id from campaign_slices s
                 where s.project_id = c.project_id and s.campaign_id = c.id and s.done_at is null
                   and ${mayTry}
                   and exists (select from emails e
                                where e.project_id = c.project_id and e.campaign_id = c.id and e.contact_id > s.after and e.contact_id <= s.up_to
                                  and e.status in ('PENDING', 'SENDING')
                                  and (e.attempts > 0 or e.next_attempt_at is null or e.next_attempt_at <= ${ctx.clock.now()}::timestamptz)
                                  and not ${isWaiting})
                 order by s.id limit 1) end,
             (select s.id from campaign_slices s
               where s.project_id = c.project_id and s.campaign_id = c.id and s.done_at is null and ${mayTry} order by s.id limit 1)) as "sliceId"
      from campaigns c
      left join campaign_ab_tests t on t.project_id = c.project_id and t.campaign_id = c.id
     where c.probe_at <= ${ctx.clock.now()}::timestamptz and c.status = 'SENDING'
     order by c.probe_at limit 1000`
}

const firstWaitSeconds = 5
const maxWaitSeconds = 120

/**
 * True for the one caller that may make the attempt that is due. The pause before the next one is twice as long, up to two
 * minutes: an attempt is a single message.
 */
export async function claimProbe(ctx: Context, projectId: string, campaignId: string): Promise<boolean> {
  const now = ctx.clock.now()
  const { count } = await ctx.sql`
    update campaigns
       set probes = least(probes + 1, 20), updated_at = ${now}::timestamptz,
           probe_at = ${now}::timestamptz + make_interval(secs => least(${firstWaitSeconds}::float8 * 2 ^ (probes + 1), ${maxWaitSeconds}::float8))
     where project_id = ${projectId}::uuid and id = ${campaignId}::uuid and status = 'SENDING' and probe_at <= ${now}::timestamptz`
  return count > 0
}
