// Reads what the static check for loops needs.
import type { Context } from '../../../../platform/context'
import { causedEvents, type Link } from '../loops'

/** The workflow, enabled or not, and all others that are enabled, allow re-entry, and start with an event that steps cause. */
export async function selectLinks(ctx: Context, projectId: string, workflowId: string): Promise<Link[]> {
  return await ctx.sql<Link[]>`
    select w.id, w.name, w.event_name as trigger,
           bool_or(s.type = 'SEND_EMAIL') as sends,
           coalesce(bool_or(s.type = 'UPDATE_CONTACT' and s.config ->> 'subscriptionAction' = 'subscribe'), false) as subscribes,
           coalesce(bool_or(s.type = 'UPDATE_CONTACT' and s.config ->> 'subscriptionAction' = 'unsubscribe'), false) as unsubscribes
      from workflows w join workflow_steps s on s.project_id = w.project_id and s.workflow_id = w.id
     where w.project_id = ${projectId}::uuid and w.allow_reentry and w.event_name = any(${causedEvents as never}::text[])
       and (w.enabled or w.id = ${workflowId}::uuid)
     group by w.id, w.name, w.event_name
     order by w.id`
}
