// What lies ahead of a project: campaigns and emails that wait for their date, and executions that wait for a known time.

import type { Context } from '../../../../platform/context'
import type { Step, Transition } from '../../../features/workflows'

export interface UpcomingCampaign {
  id: string
  at: Date
  name: string
  subject: string
  totalRecipients: number
  audienceType: string
  segmentName: string | null
}

export async function selectScheduled(
  ctx: Context,
  projectId: string,
  until: Date,
  limit: number,
): Promise<UpcomingCampaign[]> {
  return await ctx.sql<UpcomingCampaign[]>`
    select c.id, c.scheduled_for as at, c.name, c.subject, c.total_recipients as "totalRecipients",
           c.audience_type as "audienceType", s.name as "segmentName"
      from campaigns c left join segments s on s.project_id = c.project_id and s.id = c.segment_id
     where c.project_id = ${projectId}::uuid and c.status = 'SCHEDULED' and c.scheduled_for <= ${until}::timestamptz
     order by c.scheduled_for, c.id limit ${limit}`
}

export interface UpcomingEmail {
  id: string
  at: Date
  contactId: string
  contactEmail: string
  toName: string | null
  subject: string
  templateId: string | null
}

/** Emails with a date of their own; one whose date has come is about to be sent, or tried again. */
export async function selectScheduledEmails(
  ctx: Context,
  projectId: string,
  until: Date,
  limit: number,
): Promise<UpcomingEmail[]> {
  return await ctx.sql<UpcomingEmail[]>`
    select id, scheduled_for as at, contact_id as "contactId", to_email as "contactEmail", to_name as "toName", subject,
           template_id as "templateId"
      from emails
     where project_id = ${projectId}::uuid and campaign_id is null and scheduled_for is not null and status = 'PENDING'
       and scheduled_for > ${ctx.clock.now()}::timestamptz and scheduled_for <= ${until}::timestamptz
     order by scheduled_for, id limit ${limit}`
}

export interface WaitingExecution {
  id: string
  at: Date
  workflowId: string
  snapshotId: string
  contactId: string
  contactEmail: string | null
  currentStepId: string | null
  /** The event that would end the waiting earlier. */
  waitEvent: string | null
  startedAt: Date
}

export async function selectWaiting(
  ctx: Context,
  projectId: string,
  until: Date,
  limit: number,
): Promise<WaitingExecution[]> {
  return await ctx.sql<WaitingExecution[]>`
    select x.id, t.wake_at as at, x.workflow_id as "workflowId", x.snapshot_id as "snapshotId",
           x.contact_id as "contactId", c.email as "contactEmail", x.current_step_id as "currentStepId",
           x.wait_event as "waitEvent", x.started_at as "startedAt"
      from (select wake_at, execution_id from workflow_timers
             where project_id = ${projectId}::uuid and wake_at <= ${until}::timestamptz
             order by wake_at, execution_id limit ${limit}) t
      join workflow_executions x on x.project_id = ${projectId}::uuid and x.id = t.execution_id
      left join contacts c on c.project_id = x.project_id and c.id = x.contact_id
     order by t.wake_at, x.id`
}

/** What a snapshot says about the way ahead; bodies of templates and settings of steps stay where they are. */
export interface Outline {
  id: string
  workflowName: string
  steps: Step[]
  transitions: Transition[]
  templates: Array<{ id: string; subject: string }>
}

export async function selectOutlines(
  ctx: Context,
  projectId: string,
  ids: readonly string[],
): Promise<Outline[]> {
  return await ctx.sql<Outline[]>`
    select s.id, s.graph ->> 'workflowName' as "workflowName", s.graph -> 'transitions' as transitions,
           (select coalesce(jsonb_agg(case when step ->> 'type' = 'CONDITION' then step else step || '{"config": {}}' end), '[]')
              from jsonb_array_elements(s.graph -> 'steps') as step) as steps,
           (select coalesce(jsonb_agg(jsonb_build_object('id', template -> 'id', 'subject', template -> 'subject')), '[]')
              from jsonb_array_elements(s.graph -> 'templates') as template) as templates
      from workflow_snapshots s
     where s.project_id = ${projectId}::uuid and s.id = any(${ids as string[]}::uuid[])`
}
