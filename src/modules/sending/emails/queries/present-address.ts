// Where mail to a contact goes: to the address that the contact has at the moment of sending, for the statements that take messages. An
// address that changes while a message waits is what the person wants to be written to by now, and somebody else may have the old one.
import type { Context } from '../../../../platform/context'
import type { Fragment } from '../../../../platform/db/cte'

/** The address for the row `e`, which is being taken. A contact that is gone leaves it as it is; whether it may leave is decided by others. */
export function presentAddress({ sql }: Context): Fragment {
  return sql`
    case when e.campaign_id is null and not coalesce(e.follows_contact, false) then e.to_email
         else coalesce((select c.email from contacts c where c.project_id = e.project_id and c.id = e.contact_id), e.to_email) end`
}
