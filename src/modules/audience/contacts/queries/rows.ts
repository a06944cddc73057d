// A stored contact as the statements of this module return it.
import type { Context } from '../../../../platform/context'
import type { ContactData } from '../patch'

export interface ContactRow {
  id: string
  projectId: string
  email: string
  subscribed: boolean
  snoozedUntil: Date | null
  optedOutAt: Date | null
  data: ContactData
  createdAt: Date
  updatedAt: Date
}

/** The columns of a ContactRow, from a table or expression named `c`. */
export function contactColumns(ctx: Context) {
  return ctx.sql`
    c.id, c.project_id as "projectId", c.email, c.subscribed, c.snoozed_until as "snoozedUntil",
    c.opted_out_at as "optedOutAt", c.data, c.created_at as "createdAt", c.updated_at as "updatedAt"`
}
