// A stored event as the statements of this module return it.
import type { Context } from '../../../platform/context'

export interface EventRow {
  id: string
  projectId: string
  name: string
  contactId: string | null
  emailId: string | null
  data: Record<string, unknown> | null
  createdAt: Date
}

/** The columns of an EventRow, from a table or expression named `e`. */
export function eventColumns(ctx: Context) {
  return ctx.sql`
    e.id, e.project_id as "projectId", e.name, e.contact_id as "contactId", e.email_id as "emailId", e.data,
    e.created_at as "createdAt"`
}
