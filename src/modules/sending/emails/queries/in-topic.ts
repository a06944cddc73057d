// Whether mail of a topic may go to a contact, for the statements that take messages for sending.
import type { Context } from '../../../../platform/context'
import type { Fragment } from '../../../../platform/db/cte'

/** A condition on three expressions; false without a topic, and for one that is gone. */
export function inTopic(
  { sql }: Context,
  { projectId, contactId, topicId }: Record<'projectId' | 'contactId' | 'topicId', Fragment>,
): Fragment {
  return sql`
    coalesce((select coalesce(d.subscribed, o.by_default) from topics o
                left join contact_topics d on d.project_id = o.project_id and d.contact_id = ${contactId} and d.topic_id = o.id
               where o.project_id = ${projectId} and o.id = ${topicId}), false)`
}
