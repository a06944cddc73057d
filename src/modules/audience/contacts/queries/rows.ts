// A stored contact as the statements of this module return it.
import type { Context } from '../../../../platform/context'
import type { Cte } from '../../../../platform/db/cte'
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

/** All columns of the contact `c`. */
export function wholeContact({ sql }: Context) {
  return {
    ...{ id: sql`c.id`, project_id: sql`c.project_id`, email: sql`c.email`, subscribed: sql`c.subscribed` },
    ...{ snoozed_until: sql`c.snoozed_until`, opted_out_at: sql`c.opted_out_at`, data: sql`c.data` },
    ...{ keys_allowed: sql`c.keys_allowed`, created_at: sql`c.created_at`, updated_at: sql`c.updated_at` },
    version: sql`c.version`,
  }
}

/** Contacts with all their columns. */
export type Contacts = Cte<keyof ReturnType<typeof wholeContact>>
