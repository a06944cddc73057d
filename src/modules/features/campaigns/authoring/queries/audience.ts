// Which contacts a campaign is meant for, as a condition on their rows; and what a test message is filled with.
import { and, count, eq, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../../platform/context'
import { contacts } from '../../../../audience/contacts'
import { whySuppressed } from '../../../../audience/suppressions'
import type { CampaignRow } from '../../queries'

/** The audience as it is stored. */
export type Audience = Pick<
  CampaignRow,
  'projectId' | 'type' | 'audienceType' | 'segmentId' | 'audienceCondition' | 'topicId'
>

/** Which contacts of a project belong to the audience. */
export interface AudienceQuery {
  projectId: string
  subscribedOnly: boolean
  /** A condition on the contacts' row, under the name of its table; undefined for everybody. */
  condition: SQL | undefined
}

export function isMeant({ projectId, subscribedOnly, condition }: AudienceQuery): SQL | undefined {
  return and(
    eq(contacts.projectId, projectId),
    subscribedOnly ? eq(contacts.subscribed, true) : undefined,
    condition,
  )
}

export async function countAudience(ctx: Context, audience: AudienceQuery): Promise<number> {
  const [row] = await ctx.db.select({ total: count() }).from(contacts).where(isMeant(audience))
  return row?.total ?? 0
}

export interface TestContact {
  /** Null if no contact has the address. */
  id: string | null
  subscribed: boolean
  data: Record<string, unknown>
  /** Reason of the suppression of the address, if any. */
  suppressed: string | null
}

/** What is known about an address that a test goes to. */
export async function findTestContact(ctx: Context, projectId: string, email: string): Promise<TestContact> {
  const of = { projectId: ctx.sql`${projectId}::uuid`, email: ctx.sql`${email}::text` }
  const [row] = await ctx.sql<TestContact[]>`
    select c.id, coalesce(c.subscribed, true) as subscribed, coalesce(c.data, '{}'::jsonb) as data, ${whySuppressed(ctx, of)} as suppressed
      from (select 1) one
      left join contacts c on c.project_id = ${projectId}::uuid and c.email = ${email}`
  return row!
}
